"""Seraph: one workspace's database, and the soul file beside it.

A message of a conversation keeps its own id and session and carries no trust of its own. What the workspace keeps besides them comes
as records, whose message_id is TABLE/ID or soul.md#SECTION: goals and the soul file are the owner's word, existing memories and
to-dos are the agent's (imported), what a screen showed is a tool's. Interventions, transitions, screens, tool calls and the
operator's decisions come as signals. Seraph copies no message: a second reading has the same ids. Conversation episodes repeat the
messages and are not read, nor are secrets. Belongs here: which files, and the order of reading.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from adapters.sources.database import has_tables, may_have_tables, missing, opened, refused
from adapters.sources.folder import file_name, find_files
from adapters.sources.lines import source_error
from adapters.sources.protocol import Item
from adapters.sources.seraph import messages, records, signals, soul
from adapters.sources.seraph.notes import Notes
from slowwave.errors import SourceError

__all__ = ["SUFFIXES", "looks_like", "read"]

SUFFIXES = (".db", ".sqlite", ".sqlite3")
NAME = "seraph.db"
_TABLES = ("messages", "guardian_interventions")


def read(path: Path) -> Iterator[Item]:
    """Every message, record and signal of a database, or of a folder's databases. Raises SourceError where none can be read."""
    found = _databases(path)
    if not found:
        raise source_error(path, "holds no Seraph database")
    for file in found:
        name, soul_file = file_name(path, file), soul.find(file, path if path.is_dir() else path.parent)
        try:
            with opened(file, name) as con:
                yield from missing(con, "messages")
                yield from _items(con)
                if soul_file is None:
                    yield from soul.in_profile(con)
        except SourceError as error:
            if file == path:
                raise
            yield refused(name, error)
        if soul_file:
            yield from soul.read(soul_file, file_name(path, soul_file) if path.is_dir() else soul_file.name)


def looks_like(path: Path) -> bool:
    """Whether the file, or a file of the folder, is a Seraph database."""
    return any(has_tables(file, *_TABLES) for file in find_files(path, SUFFIXES))


def _databases(path: Path) -> list[Path]:
    """A file that was named is read whatever it is; in a folder, what is recognised or carries the name."""
    if not path.is_dir():
        return [path]
    return [file for file in find_files(path, SUFFIXES) if file.name == NAME or may_have_tables(file, *_TABLES)]


def _items(con: sqlite3.Connection) -> Iterator[Item]:
    notes = Notes.of(con)
    yield from messages.read(con, notes)
    yield from records.read(con, notes)
    yield from signals.read(con, notes)
