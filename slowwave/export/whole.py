"""A file that is ours as a whole, such as JSON: it is replaced where it is as it was last written, and else left alone."""

from __future__ import annotations

from slowwave.export.known import Known, line_hash
from slowwave.export.target import Merged, Room, Target

_CHANGED = (
    "it was changed since it was last written, and has no part to merge into: move it away to have it written anew"
)


def merge(current: str | None, target: Target, known: Known) -> Merged:
    """The file as it should be: the text of its first line, if it has one; the others name its memories."""
    made = target.make(Room(target.cap))
    text = made.lines[0].text if made.lines else None
    ids = [line.memory_id for line in made.lines[1:]]
    is_ours = current is None or current == text or line_hash(current) in known.lines
    if not is_ours:
        return Merged(current, known, why=_CHANGED)
    return Merged(text, Known({} if text is None else {line_hash(text): ""}), ids, made.omitted_ids)
