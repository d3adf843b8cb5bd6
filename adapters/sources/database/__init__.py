"""Databases that their owner may be writing to: opened on a consistent copy, each row good or damaged alone.

Belongs here: opening, and which names other sources use. Tables named secret* are never read.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from adapters.sources.database.copying import (
    FAILURES,
    Copy,
    Unreadable,
    connected,
    copy_into,
    harden,
    is_database,
    why_unreadable,
)
from adapters.sources.database.rows import columns, decoded, items, missing, rows, tables
from adapters.sources.protocol import Damaged
from slowwave.errors import SourceError

__all__ = [
    "columns",
    "decoded",
    "has_tables",
    "is_database",
    "items",
    "may_have_tables",
    "missing",
    "opened",
    "refused",
    "rows",
    "tables",
]


@contextmanager
def opened(path: Path, name: str = "") -> Iterator[sqlite3.Connection]:
    """A read-only connection to a consistent copy of the database at `path`; `name` is how damage in it is reported.

    Raises SourceError where it is locked, half-written, unreadable or no database at all.
    """
    # The log lies beside the file itself, not beside a link to it.
    file = Path(os.path.realpath(path))
    with closing(sqlite3.connect("", factory=Copy)) as copy:
        copy.name = name or path.name
        try:
            copy_into(file, copy)
            harden(copy)
            tables(copy)
        except (*FAILURES, OSError) as error:
            raise Unreadable(path, f"cannot be read: {_told(error)}", why_unreadable(file, error)) from error
        yield copy


def refused(name: str, error: SourceError) -> Damaged:
    """A database of a folder that can't be read as a whole, and why."""
    return Damaged(name, 0, error.reason if isinstance(error, Unreadable) else "unreadable database")


def has_tables(path: Path, *names: str) -> bool:
    """Whether the file is a database with these tables, seen without copying it; anything unreadable has none."""
    found = _tables(path)
    return found is not None and found.issuperset(names)


def may_have_tables(path: Path, *names: str) -> bool:
    """The same, or it is a database that can't be read now: whoever reads the folder should say so."""
    found = _tables(path)
    return is_database(path) if found is None else found.issuperset(names)


def _tables(path: Path) -> frozenset[str] | None:
    try:
        with connected(Path(os.path.realpath(path))) as live:
            harden(live)
            return tables(live)
    except (SourceError, *FAILURES, OSError):
        return None


def _told(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "its schema is no text"
    # SQLite quotes the file's own names, which may hold anything that a terminal obeys.
    told = str(getattr(error, "strerror", None) or error)
    return "".join(letter if letter.isprintable() else "?" for letter in told)
