"""The soul file beside a workspace's database: the owner's own word, one message a section.

A section that is edited keeps its id, so that its new text replaces the old as evidence. The file states no time. Of what we exported
into it only what a person changed is theirs.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from adapters.sources.database import rows
from adapters.sources.folder import leads_out
from adapters.sources.notes import whole_text
from adapters.sources.ours import without_ours, written_into
from adapters.sources.protocol import Damaged, Item, RawMessage

NAME = "soul.md"
PLATFORM = "seraph"
_HEADING = re.compile(r"^##[ \t]+(.+?)[ \t]*$", re.MULTILINE)
# The placeholder of an empty section, and the file's own title, say nothing.
_EMPTY = re.compile(r"^(\(not yet discovered\)|#[ \t].*|\s*)$", re.IGNORECASE)


def find(database: Path, root: Path) -> Path | None:
    """The soul file beside a database: the workspace's, or the one that carries the database's name; none that leads out of `root`."""
    places = (database.with_name(NAME), database.with_name(f"{database.stem}_{NAME}"))
    return next((file for file in places if os.path.lexists(file) and not leads_out(file, root)), None)


def in_profile(con: sqlite3.Connection) -> Iterator[Item]:
    """The same sections from the owner's profile, which mirrors the file, for a database that came without it."""
    for _, row in rows(con, "user_profiles", ("soul_text",)):
        text = row.get("soul_text") if isinstance(row, dict) else None
        if isinstance(text, str) and "\0" not in text:
            yield from _sections(without_ours(text), "user_profiles")


def read(file: Path, name: str) -> Iterator[Item]:
    """The sections of a soul file, or what is wrong with it as a whole."""
    text = whole_text(file.parent, file, name)
    yield from [text] if isinstance(text, Damaged) else _sections(without_ours(text, written_into(file)), name)


def _sections(text: str, name: str) -> Iterator[RawMessage]:
    borders = [(match.start(), match[1]) for match in _HEADING.finditer(text)]
    seen: Counter[str] = Counter()
    for index, (start, heading) in enumerate([(0, ""), *borders]):
        end = borders[index][0] if index < len(borders) else len(text)
        section = text[start:end].strip()
        seen[heading] += 1
        if all(_EMPTY.match(line) for line in section.splitlines()[bool(heading) :]):
            continue
        yield RawMessage(
            place=f"{name}:{text.count(chr(10), 0, start) + 1}",
            platform=PLATFORM,
            session_id=NAME,
            message_id=f"{NAME}#{heading}" + (f"-{seen[heading]}" if seen[heading] > 1 else ""),
            seq=index,
            role="user",
            text=section,
            speaker="user",
            trust="owner",
        )
