"""Databases that their owner may be writing to: read from a consistent copy, feature by feature, each row good or damaged alone.

Belongs here: opening, which tables and columns there are, rows, JSON kept in a column. Does not belong here: what any one
platform's rows mean. The copy is a private temporary database that is gone with its connection. Tables named secret* are never read.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
import time
from array import array
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from adapters.sources.lines import MAX_LINE_BYTES, source_error
from adapters.sources.protocol import BadLine, Damaged
from slowwave.errors import SourceError

TIMEOUT_SECONDS = 5.0
_SLEEP_SECONDS = 0.05
_N_TRIES = 5
_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
# Bytes 18 and 19 of the header are 2 where commits go to a write-ahead log.
_JOURNAL_BYTES, _IS_LOGGED = slice(18, 20), b"\2\2"
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_ACTIONS = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION})
_ROW_NUMBERS = ("rowid", "_rowid_", "oid")


class Copy(sqlite3.Connection):
    """A connection to a private copy; `name` is how the file is named in decisions."""

    name = ""


class Undecoded(bytes):
    """A text value that is no UTF-8."""


class State(NamedTuple):
    """What changes on disk when somebody writes: a database whose log is empty is at rest."""

    size: int
    changed_at: int
    log_size: int
    is_logged: bool
    has_journal: bool

    @property
    def is_at_rest(self) -> bool:
        return self.is_logged and not self.log_size and not self.has_journal


@contextmanager
def opened(path: Path, name: str = "") -> Iterator[sqlite3.Connection]:
    """A read-only connection to a consistent copy of the database at `path`; `name` is how damage in it is reported.

    Raises SourceError where it is locked, half-written, unreadable or no database at all.
    """
    with closing(sqlite3.connect("", factory=Copy)) as copy:
        copy.name = name or path.name
        try:
            _copy(path, copy)
            _harden(copy)
            tables(copy)
        except (sqlite3.Error, OSError) as error:
            raise source_error(path, f"cannot be read: {getattr(error, 'strerror', None) or error}") from error
        yield copy


def has_tables(path: Path, *names: str) -> bool:
    """Whether the file is a database with these tables, seen without copying it; anything unreadable has none."""
    try:
        with _connected(path) as live:
            _harden(live)
            return tables(live).issuperset(names)
    except (SourceError, sqlite3.Error, OSError):
        return False


def tables(con: sqlite3.Connection) -> frozenset[str]:
    """The ordinary tables: views and virtual tables run what their writer wrote, and secrets are nobody's evidence."""
    found = con.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
    return frozenset(name for (name,) in found if isinstance(name, str) and not _is_secret(name))


def columns(con: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns of a table; empty where there is no such table."""
    if table not in tables(con):
        return frozenset()
    return frozenset(row[1] for row in con.execute(f"PRAGMA table_info({_quoted(table)})") if isinstance(row[1], str))


def rows(
    con: sqlite3.Connection, table: str, wanted: tuple[str, ...], order: tuple[str, ...] = ()
) -> Iterator[tuple[int, dict[str, Any] | Damaged]]:
    """Each row's number and its wanted values, or what is wrong with it; sorted by `order`, then by number.

    A column that the table lacks is None in every row, and a missing table has no rows. Where a damaged page hides some rows,
    one Damaged numbered 0 comes first, and the others follow in the order of their numbers.
    """
    there = columns(con, table)
    if not there:
        return
    place = f"{getattr(con, 'name', '')}/{table}"
    listed = ", ".join(_quoted(name) if name in there else "NULL" for name in wanted)
    by = [_quoted(name) for name in order if name in there]
    number_name = next((name for name in _ROW_NUMBERS if _is_number(con, table, name)), None)
    query = f"SELECT {listed} FROM {_quoted(table)}"
    if number_name is None:
        yield from _unnumbered(con, f"{query} ORDER BY {', '.join([*by, '1'])}", wanted, place)
        return
    numbers, is_whole = _numbers(con, table, [*by, number_name])
    if not is_whole:
        yield 0, Damaged(place, 0, "damaged page: rows are lost")
    for number in numbers:
        yield number, _row(con, f"{query} WHERE {number_name} = ?", number, wanted, place)


def decoded(value: Any) -> Any:
    """What a column's JSON says; null for null and empty. Raises BadLine: broken JSON, text that can't be stored."""
    if value is None or value == "":
        return None
    try:
        found = json.loads(value)
        if "\\u" in value:
            json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise BadLine("half a character") from error
    except (ValueError, TypeError, RecursionError) as error:
        raise BadLine("broken JSON") from error
    return found


def _is_number(con: sqlite3.Connection, table: str, name: str) -> bool:
    """Whether this name is the row's number, and not a column that somebody called so or nothing at all."""
    if name in {column.casefold() for column in columns(con, table)}:
        return False
    try:
        con.execute(f"SELECT {name} FROM {_quoted(table)} LIMIT 0")
    except sqlite3.Error:
        return False
    return True


def _unnumbered(
    con: sqlite3.Connection, query: str, wanted: tuple[str, ...], place: str
) -> Iterator[tuple[int, dict[str, Any] | Damaged]]:
    """A table without row numbers is read as it comes; a damaged page ends it."""
    number = 0
    try:
        for values in con.execute(query):
            number += 1
            yield number, _values(values, number, wanted, place)
    except sqlite3.Error:
        yield 0, Damaged(place, 0, "damaged page: rows are lost")


def _row(
    con: sqlite3.Connection, query: str, number: int, wanted: tuple[str, ...], place: str
) -> dict[str, Any] | Damaged:
    """One row by its number, so that what is wrong with it ends nothing else."""
    try:
        values = con.execute(query, (number,)).fetchone()
    except sqlite3.DataError:
        return Damaged(place, number, "row too long")
    except sqlite3.Error:
        return Damaged(place, number, "damaged row")
    return Damaged(place, number, "damaged row") if values is None else _values(values, number, wanted, place)


def _values(values: tuple[Any, ...], number: int, wanted: tuple[str, ...], place: str) -> dict[str, Any] | Damaged:
    if any(isinstance(value, Undecoded) for value in values):
        return Damaged(place, number, "invalid UTF-8")
    return dict(zip(wanted, values, strict=True))


def _numbers(con: sqlite3.Connection, table: str, by: list[str]) -> tuple[array[int], bool]:
    """Every row's number in order, eight bytes a row; False where a damaged page hides some of them."""
    found = array("q")
    try:
        found.extend(row[0] for row in con.execute(f"SELECT {by[-1]} FROM {_quoted(table)} ORDER BY {', '.join(by)}"))
    except sqlite3.Error:
        return _around(con, table, by[-1]), False
    return found, True


def _around(con: sqlite3.Connection, table: str, number_name: str) -> array[int]:
    """The row numbers on both sides of a damaged page: up to it from the start, and down to it from the end."""
    found = {"ASC": array("q"), "DESC": array("q")}
    for direction, numbers in found.items():
        try:
            query = f"SELECT {number_name} FROM {_quoted(table)} ORDER BY {number_name} {direction}"
            numbers.extend(row[0] for row in con.execute(query))
        except sqlite3.Error:
            continue
    first, rest = found["ASC"], found["DESC"]
    return first + array("q", (number for number in reversed(rest) if not first or number > first[-1]))


def _copy(path: Path, copy: sqlite3.Connection) -> None:
    """Copies until nobody wrote meanwhile: a database at rest is read without locks. Raises SourceError."""
    for _ in range(_N_TRIES):
        before = _state(path)
        with _connected(path) as live:
            _back_up(live, copy)
        if not before.is_at_rest or _state(path) == before:
            return
    raise source_error(path, "changes faster than it can be copied")


def _back_up(live: sqlite3.Connection, copy: sqlite3.Connection) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS

    def progress(status: int, _remaining: int, _total: int) -> None:
        # The standard library would wait for a lock for ever.
        if status in _BUSY and time.monotonic() > deadline:
            raise sqlite3.OperationalError("locked by the program that writes it")

    live.backup(copy, pages=-1, progress=progress, sleep=_SLEEP_SECONDS)


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that changes nothing: one at rest isn't given a log, and one whose folder is closed is read elsewhere."""
    with ExitStack() as stack:
        state = _state(path)
        live = stack.enter_context(_connection(path, "mode=ro&immutable=1" if state.is_at_rest else "mode=ro"))
        if state.log_size and not _is_readable(live):
            live = stack.enter_context(_connection(stack.enter_context(_elsewhere(path)), "mode=ro"))
        yield live


@contextmanager
def _connection(path: Path, how: str) -> Iterator[sqlite3.Connection]:
    uri = f"{path.resolve().as_uri()}?{how}"
    with closing(sqlite3.connect(uri, uri=True, timeout=TIMEOUT_SECONDS)) as con:
        yield con


def _is_readable(live: sqlite3.Connection) -> bool:
    try:
        live.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in _BUSY:
            raise
        return False
    return True


@contextmanager
def _elsewhere(path: Path) -> Iterator[Path]:
    """The database and its log, copied to where an index of the log may be made. Raises SourceError."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "copy.db"
        for _ in range(_N_TRIES):
            before = _state(path)
            shutil.copyfile(path, place)
            shutil.copyfile(_log(path), _log(place))
            if _state(path) == before:
                yield place
                return
    raise source_error(path, "changes faster than it can be copied")


def _state(path: Path) -> State:
    """How the database stands on disk. Raises SourceError where it is no database."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEADER_BYTES)
        stat = path.stat()
    except OSError as error:
        raise source_error(path, f"cannot be read: {error.strerror or error}") from error
    if not head.startswith(_MAGIC) or len(head) < _HEADER_BYTES:
        raise source_error(path, "is not a database")
    has_journal = _size(path.with_name(f"{path.name}-journal")) > 0
    return State(stat.st_size, stat.st_mtime_ns, _size(_log(path)), head[_JOURNAL_BYTES] == _IS_LOGGED, has_journal)


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _harden(con: sqlite3.Connection) -> None:
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
    is_hidden = action == sqlite3.SQLITE_READ and _is_secret(first or "")
    return sqlite3.SQLITE_OK if is_plain and not is_hidden else sqlite3.SQLITE_DENY


def _is_secret(table: str) -> bool:
    return table.casefold().startswith("secret")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
