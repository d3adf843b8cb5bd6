"""A file of entries between delimiters, without any marks: an entry is ours if it is what was last written there.

Every other entry stays as it is, in its order; ours stand together where the first of them stood, else at the end. An entry of ours
that somebody changed or took out stays out until its memory says something else. Belongs here: merging such a file.
"""

from __future__ import annotations

from collections.abc import Sequence

from slowwave.export.known import Known, line_hash
from slowwave.export.target import Merged, Room, Target
from slowwave.fit import Budget, Cost

DELIMITER = "\n§\n"


def merge(current: str | None, target: Target, known: Known) -> Merged:
    """The file with our entries renewed; the cap is in characters of the whole file, delimiters included."""
    parts = current.split(DELIMITER) if current is not None and current.strip() else []
    hashes = [line_hash(part) for part in parts]
    # An empty file is begun anew: nobody empties it to be rid of one entry.
    gone = {key: memory for key, memory in known.lines.items() if key not in hashes} if parts else {}
    held = {**(known.held if parts else {}), **gone}
    theirs = [part for part, key in zip(parts, hashes, strict=True) if key not in known.written]
    made = target.make(_room(target, theirs, held))
    entries = [line.text for line in made.lines]
    mine = {line_hash(line.text): line.memory_id for line in made.lines}
    return Merged(
        text=_text(current, parts, hashes, entries, known),
        known=Known(mine, held),
        memory_ids=[line.memory_id for line in made.lines],
        omitted_ids=made.omitted_ids,
        held_ids=sorted({*held.values()} - {*mine.values()}),
    )


def _room(target: Target, theirs: Sequence[str], held: dict[str, str]) -> Room:
    there = {line_hash(part) for part in theirs}
    used = Cost(chars=sum(len(part) + len(DELIMITER) for part in theirs))
    most = target.cap.max_chars
    # The last entry has no delimiter after it, and each is counted with one.
    budget = Budget(max_chars=None if most is None else most + len(DELIMITER))
    return Room(budget, used, lambda text: (key := line_hash(text)) not in there and key not in held)


def _text(
    current: str | None, parts: Sequence[str], hashes: Sequence[str], entries: Sequence[str], known: Known
) -> str | None:
    is_ours = [key in known.written for key in hashes]
    old = [part for part, ours in zip(parts, is_ours, strict=True) if ours]
    if parts and [part.strip() for part in old] == list(entries):
        return current
    at = is_ours.index(True) if True in is_ours else len(parts)
    theirs = [(i, part) for i, (part, ours) in enumerate(zip(parts, is_ours, strict=True)) if not ours]
    before, after = ([part for i, part in theirs if (i < at) is is_before] for is_before in (True, False))
    together = [*before, *entries, *after]
    if not together:
        return None if current is None else ""
    return DELIMITER.join(together)
