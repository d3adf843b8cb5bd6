"""Hermes Agent: `state.db` of any schema version, and the memories kept beside it (MEMORY.md, USER.md, ARCHIVE.jsonl, a fact store).

Belongs here: which files there are, and the memories. Does not belong here: sessions and messages (`sessions`, `messages`).
Both memory files are written by the agent, USER.md too, so their entries are imported and never the owner's word.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from adapters.sources.database import has_tables, items, may_have_tables, missing, opened, refused, tables
from adapters.sources.folder import file_name, find_files, sampled
from adapters.sources.hermes.messages import PLATFORM, read_messages
from adapters.sources.lines import objects
from adapters.sources.notes import Entry, Importer, whole_text
from adapters.sources.ours import is_ours, written_into
from adapters.sources.protocol import BadLine, Damaged, Item, read_text, read_time, word
from models.ids import digest
from slowwave.errors import SourceError

__all__ = ["PLATFORM", "looks_like", "read"]

SUFFIXES = (".db", "memory.md", "user.md", "archive.jsonl")
_MEMORY_FILES = frozenset({"MEMORY.md", "USER.md", "ARCHIVE.jsonl"})
_DATABASES = ("state.db", "memory_store.db")
_TABLES = ("schema_version", "sessions", "messages")
_DELIMITER = "\n§\n"
_FACT_COLUMNS = ("fact_id", "content", "created_at")
_N_FILES = 40


def looks_like(path: Path) -> bool:
    """Whether a file is a Hermes database, or a folder holds one, or memory files as Hermes keeps them."""
    files = sampled(find_files(path, SUFFIXES), _N_FILES)
    return any(_is_state(file) or (path.is_dir() and _is_memory(path, file)) for file in files)


def read(path: Path) -> Iterator[Item]:
    """Every message and memory of a database, a memory file or a Hermes home. Raises SourceError where `path` is unreadable."""
    for file in find_files(path, SUFFIXES):
        name = file_name(path, file)
        if _is_memory(path, file):
            yield from _archive(path, file, name) if file.suffix == ".jsonl" else _memories(path, file, name)
        elif file == path or file.name.endswith(_DATABASES) or may_have_tables(file, *_TABLES):
            yield from _database(path, file, name)


def _is_state(file: Path) -> bool:
    return has_tables(file, *_TABLES)


def _is_memory(root: Path, file: Path) -> bool:
    """Other agents have a MEMORY.md as well: in a folder, Hermes' own lie in `memories`."""
    return file.name in _MEMORY_FILES and (root in (file, file.parent) or file.parent.name.endswith("memories"))


def _database(root: Path, file: Path, name: str) -> Iterator[Item]:
    try:
        with opened(file, name) as con:
            # The fact store of a plugin has no messages.
            yield from () if "facts" in tables(con) else missing(con, "messages", "content")
            yield from read_messages(con)
            yield from _facts(con)
    except SourceError as error:
        if file == root:
            raise
        yield refused(name, error)


def _facts(con: sqlite3.Connection) -> Iterator[Item]:
    """The fact store of a memory plugin; SQLite's own clock is UTC."""

    def made(row: dict[str, Any], place: str) -> Iterator[Item]:
        number = int(place.rpartition(":")[2])
        message = Importer(PLATFORM, "memory_store", place).message(Entry(number, None, read_text(row["content"])))
        stated = word(row["created_at"])
        message.place = place
        message.message_id = word(row["fact_id"]) or message.message_id
        message.seq = max(number, 0)
        message.said_at = read_time(f"{stated}+00:00" if stated else None).at
        message.time_source = "message" if message.said_at else "none"
        yield message

    yield from items(con, "facts", _FACT_COLUMNS, made)


def _memories(root: Path, file: Path, name: str) -> Iterator[Item]:
    """The entries of MEMORY.md or USER.md, in the order of the file."""
    text = whole_text(root, file, name)
    if isinstance(text, Damaged):
        yield text
        return
    importer, written = Importer(PLATFORM, f"memories/{file.name}", name), written_into(file)
    line = 1
    for part in text.split(_DELIMITER):
        if part.strip() and not is_ours(part, written):
            yield importer.message(Entry(line, None, part.strip()))
        line += part.count("\n") + _DELIMITER.count("\n")


def _archive(root: Path, file: Path, name: str) -> Iterator[Item]:
    """Entries that made room for others: nobody took them back."""
    importer = Importer(PLATFORM, f"memories/{file.name}", name)
    for number, found in objects(root, file):
        if isinstance(found, Damaged):
            yield found
            continue
        try:
            yield importer.message(Entry(number, None, _archived(found)))
        except BadLine as error:
            yield Damaged(name, number, str(error), digest(found)[:16])


def _archived(line: dict[str, Any]) -> str:
    for key in ("content", "entry", "text"):
        if isinstance(line.get(key), str):
            return read_text(line[key])
    raise BadLine("no content")
