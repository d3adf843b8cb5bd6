"""What slowwave exported into an agent's files, told from what others wrote there: read back, it would be an echo of itself.

Between our marks a line is ours unless our record says that we never wrote it; what somebody changed or added there is theirs and is
read. Outside the marks, which an agent may have taken out, a line that we wrote for a memory is ours too. Belongs here: telling them
apart. Does not belong here: what the rest of a file means.
"""

from __future__ import annotations

import re
from pathlib import Path

from adapters.sources.folder import opened_plain
from adapters.sources.lines import MAX_LINE_BYTES
from slowwave.export import region
from slowwave.export.known import STATE, Hashes, line_hash, written_lines

_MARKED = re.compile(r"<!-- *slowwave\b.*?(?:<!-- */ *slowwave[^>]*-->|\Z)", re.IGNORECASE | re.DOTALL)
_MARK = re.compile(r"\s*<!-- */? *slowwave\b[^>]*-->\s*", re.IGNORECASE)
# How far above a file its export's record may lie: `memory/topics/x.md` of a workspace is two folders down.
_N_FOLDERS = 4


def written_into(file: Path) -> Hashes:
    """Hashes of the lines that were last exported into a file, each with its memory's id; empty where none was."""
    place = file.absolute()
    for folder in list(place.parents)[:_N_FOLDERS]:
        try:
            with opened_plain(folder / STATE) as opened:
                content = opened.read(MAX_LINE_BYTES)
        except OSError:
            continue
        return written_lines(content, place.relative_to(folder).as_posix())
    return {}


def without_ours(text: str, written: Hashes | None = None) -> str:
    """The text without what is ours, by our marks and our record of it; lines keep their numbers."""
    known = written or {}
    parts: list[str] = []
    at = 0
    for found in _MARKED.finditer(text):
        parts += [_outside(text[at : found.start()], known), _theirs(found[0], known)]
        at = found.end()
    return "".join([*parts, _outside(text[at:], known)])


def is_ours(entry: str, written: Hashes) -> bool:
    """Whether an entry of a file without marks is one that we wrote."""
    return line_hash(entry) in written


def _outside(text: str, known: Hashes) -> str:
    if not known:
        return text
    return "\n".join("" if known.get(line_hash(line)) else line for line in text.split("\n"))


def _theirs(marked: str, known: Hashes) -> str:
    """What somebody wrote between our marks, under our headings; nothing where we have no record, or nobody touched it."""
    lines = marked.split("\n")
    if not known or region.is_untouched(f"{marked}\n"):
        return "\n" * (len(lines) - 1)
    kept = [
        line if line.strip() and not _MARK.fullmatch(line) and line_hash(line) not in known else "" for line in lines
    ]
    for at, line in enumerate(lines):
        if line.startswith("#") and not known.get(line_hash(line), "x") and _is_used(kept, lines, at):
            kept[at] = line
    return "\n".join(kept)


def _is_used(kept: list[str], lines: list[str], at: int) -> bool:
    """Whether something is kept between a heading and the next one."""
    for below in range(at + 1, len(lines)):
        if kept[below]:
            return True
        if lines[below].startswith("#"):
            return False
    return False
