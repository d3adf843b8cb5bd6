"""A consistent copy of a database that its owner may be writing to, and how little the copy may then do.

Belongs here: files, locks, logs, and what SQLite is allowed. Does not belong here: tables and rows (`rows`). The copy is a private
temporary database that is gone with its connection, so that no secret of its owner stays on disk.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from adapters.sources.folder import opened_plain
from adapters.sources.lines import MAX_LINE_BYTES, source_error
from slowwave.errors import SourceError

TIMEOUT_SECONDS = 5.0
_SLEEP_SECONDS = 0.05
_N_TRIES = 5
_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
# Bytes 18 and 19 of the header are 2 where commits go to a write-ahead log.
_JOURNAL_BYTES, _IS_LOGGED = slice(18, 20), b"\2\2"
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
# Python cannot decode what SQLite says about a schema whose names are no text.
FAILURES = (sqlite3.Error, UnicodeDecodeError)
_ACTIONS = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION})


class Copy(sqlite3.Connection):
    """A connection to a private copy; `name` is how the file is named in decisions."""

    name = ""


class Unreadable(SourceError):
    """A database that can't be read as a whole; `reason` says why in the words of a decision."""

    def __init__(self, path: Path, what: str, reason: str) -> None:
        said = source_error(path, what)
        super().__init__(str(said), said.hint)
        self.reason = reason


class Locked(sqlite3.OperationalError):
    """Somebody held the database for longer than a night waits."""


class Undecoded(bytes):
    """A text value that is no UTF-8."""


class State(NamedTuple):
    """What changes on disk when somebody writes: a database whose log is empty is at rest."""

    size: int
    changed_at: int
    log_size: int
    is_logged: bool
    has_journal: bool
    has_index: bool

    @property
    def is_at_rest(self) -> bool:
        return self.is_logged and not self.log_size and not self.has_journal


def copy_into(path: Path, copy: sqlite3.Connection) -> None:
    """Copies until nobody wrote meanwhile: a database at rest is read without locks. Raises SourceError."""
    for _ in range(_N_TRIES):
        before = _state(path)
        with connected(path) as live:
            _back_up(live, copy)
        if not before.is_at_rest or _state(path) == before:
            return
    raise Unreadable(path, "changes faster than it can be copied", "changes faster than it can be copied")


def _back_up(live: sqlite3.Connection, copy: sqlite3.Connection) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS

    def progress(status: int, _remaining: int, _total: int) -> None:
        # The standard library would wait for a lock for ever.
        if status in _BUSY and time.monotonic() > deadline:
            raise Locked("locked by the program that writes it")

    live.backup(copy, pages=-1, progress=progress, sleep=_SLEEP_SECONDS)


@contextmanager
def connected(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that leaves nothing beside the file: a log without its index has nobody writing it, and is read elsewhere."""
    with ExitStack() as stack:
        state = _state(path)
        if state.log_size and not state.has_index:
            path = stack.enter_context(_elsewhere(path))
        yield stack.enter_context(_connection(path, "mode=ro&immutable=1" if state.is_at_rest else "mode=ro"))


@contextmanager
def _connection(path: Path, how: str) -> Iterator[sqlite3.Connection]:
    uri = f"{path.resolve().as_uri()}?{how}"
    with closing(sqlite3.connect(uri, uri=True, timeout=TIMEOUT_SECONDS)) as con:
        yield con


@contextmanager
def _elsewhere(path: Path) -> Iterator[Path]:
    """The database and its log, copied to where an index of the log may be made. Raises SourceError."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "copy.db"
        for _ in range(_N_TRIES):
            before = _state(path)
            shutil.copyfile(path, place)
            shutil.copyfile(_beside(path, "wal"), _beside(place, "wal"))
            if _state(path) == before:
                yield place
                return
    raise Unreadable(path, "changes faster than it can be copied", "changes faster than it can be copied")


def _state(path: Path) -> State:
    """How the database stands on disk. Raises Unreadable where it is no database."""
    try:
        with opened_plain(path) as file:
            head = file.read(_HEADER_BYTES)
        stat = path.stat()
    except OSError as error:
        raise Unreadable(path, f"cannot be read: {error.strerror or error}", "unreadable file") from error
    if not head.startswith(_MAGIC) or len(head) < _HEADER_BYTES:
        raise Unreadable(path, "is not a database" if head else "is empty", "not a database" if head else "empty file")
    # SQLite would wait for ever for a pipe beside the database, too.
    if any(_is_odd(_beside(path, what)) for what in ("wal", "journal", "shm")):
        raise Unreadable(path, "has a log that is not a plain file", "a log that is not a plain file")
    return State(
        size=stat.st_size,
        changed_at=stat.st_mtime_ns,
        log_size=_size(_beside(path, "wal")),
        is_logged=head[_JOURNAL_BYTES] == _IS_LOGGED,
        has_journal=_size(_beside(path, "journal")) > 0,
        has_index=os.path.exists(_beside(path, "shm")),
    )


def why_unreadable(path: Path, error: Exception) -> str:
    """Why SQLite could not read a file that begins as a database does, in the words of a decision."""
    if isinstance(error, OSError):
        return "unreadable file"
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if isinstance(error, Locked) or code in _BUSY:
        return "locked by the program that writes it"
    # A journal beside it belongs to a transaction that nobody ended; to undo it would be to write.
    return "half a transaction" if _size(_beside(path, "journal")) else "damaged database"


def is_database(path: Path) -> bool:
    """Whether the file begins as a database does, or is closed, so that nobody can say."""
    try:
        with opened_plain(path) as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except PermissionError:
        return True
    except OSError:
        return False


def _beside(path: Path, what: str) -> Path:
    return path.with_name(f"{path.name}-{what}")


def _is_odd(path: Path) -> bool:
    return os.path.lexists(path) and (os.path.islink(path) or not os.path.isfile(path))


def _size(path: Path) -> int:
    """The size of a plain file; 0 where there is none, or no more."""
    return os.path.getsize(path) if os.path.isfile(path) else 0


def harden(con: sqlite3.Connection) -> None:
    """Whatever the file says, only plain reading happens: no write, no code of its schema, no secrets, no endless text."""
    for pragma in ("query_only = ON", "trusted_schema = OFF", "cell_size_check = ON"):
        con.execute(f"PRAGMA {pragma}")
    con.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_LINE_BYTES)
    con.text_factory = _text
    con.set_authorizer(_authorized)


def _text(raw: bytes) -> str | Undecoded:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return Undecoded(raw)


def _authorized(action: int, first: str | None, second: str | None, _schema: str | None, _trigger: str | None) -> int:
    is_plain = action in _ACTIONS or (action == sqlite3.SQLITE_PRAGMA and first == "table_info")
    is_hidden = action == sqlite3.SQLITE_READ and is_secret(first or "")
    return sqlite3.SQLITE_OK if is_plain and not is_hidden else sqlite3.SQLITE_DENY


def is_secret(table: str) -> bool:
    """Whether a table is named as one that holds secrets."""
    return table.casefold().startswith("secret")
