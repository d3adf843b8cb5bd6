"""Memory files that an agent keeps for itself: read whole in bounded size, cut into entries, each an imported message.

Belongs here: Markdown, and what every platform's memory entries have in common. Does not belong here: which files a platform has.
No file states when an entry was written, so entries have no time. An entry is known by its words: it may move within its file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from adapters.sources.folder import opened_plain, printable
from adapters.sources.lines import MAX_LINE_BYTES, source_error
from adapters.sources.ours import without_ours
from adapters.sources.protocol import Damaged, Origin, RawMessage
from models.ids import digest
from slowwave.export.known import Hashes

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_ITEM = re.compile(r" ?(?:[-*+]|\d{1,4}[.)])\s")
_FENCE = ("```", "~~~")


class Entry(NamedTuple):
    """One entry of a file: the line it starts on, the heading it stands under, and its text."""

    line: int
    heading: str | None
    text: str


def whole_text(root: Path, file: Path, name: str) -> str | Damaged:
    """A file's text without a byte order mark, or what is wrong with it. Raises SourceError where `root` can't be read itself."""
    try:
        with opened_plain(file) as opened:
            raw = opened.read(MAX_LINE_BYTES + 1)
    except OSError as error:
        if file == root:
            raise source_error(file, f"cannot be read: {error.strerror or error}") from error
        return Damaged(name, 0, "unreadable file")
    if len(raw) > MAX_LINE_BYTES:
        return Damaged(name, 0, "file too long")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return Damaged(name, 0, "invalid UTF-8")
    return Damaged(name, 0, "NUL in text") if "\0" in text else text.replace("\r\n", "\n")


def markdown_entries(text: str, *, by_section: bool = False, written: Hashes | None = None) -> Iterator[Entry]:
    """Each list item and paragraph; with `by_section`, each section below the title as a whole, its heading first.

    What slowwave itself wrote into the file is left out; `written` is its record of that.
    """
    kept: list[str] = []
    start, heading, is_section, is_fenced = 1, None, False, False
    for number, line in enumerate(without_ours(text, written).split("\n"), 1):
        found = None if is_fenced else _HEADING.match(line)
        if found or (not is_section and not is_fenced and (not line.strip() or _ITEM.match(line))):
            yield from _entry(start, heading, kept)
            kept = []
        if line.lstrip().startswith(_FENCE):
            is_fenced = not is_fenced
        if found:
            heading, is_section = found[2] or None, by_section and len(found[1]) > 1
        if not found or is_section:
            start = start if kept else number
            kept.append(found[2] if found else line)
    yield from _entry(start, heading, kept)


def _entry(start: int, heading: str | None, kept: list[str]) -> Iterator[Entry]:
    if text := "\n".join(kept).strip():
        yield Entry(start, heading, text)


class Importer:
    """Makes messages of the entries of one file. `session` names the file, wherever it was found; `origin` is who vouches for it."""

    def __init__(self, platform: str, session: str, name: str, origin: Origin = Origin.AGENT_CURATED) -> None:
        self.platform, self.session, self.name, self.origin = platform, printable(session), name, origin
        self.seen: Counter[str] = Counter()
        self.seq = 0

    def message(self, entry: Entry, *, trust: str = "imported", mark: str | None = None) -> RawMessage:
        """The agent's own words; what it noted has never more than an imported memory's trust unless the place says so."""
        content = digest(entry.text)[:16]
        self.seen[content] += 1
        self.seq += 1
        return RawMessage(
            place=f"{self.name}:{entry.line}",
            platform=self.platform,
            session_id=self.session,
            message_id=content if self.seen[content] == 1 else f"{content}-{self.seen[content]}",
            seq=self.seq - 1,
            role="assistant",
            text=entry.text,
            speaker=self.platform,
            thread=entry.heading,
            mark=mark,
            trust=trust,
            origin=self.origin,
        )
