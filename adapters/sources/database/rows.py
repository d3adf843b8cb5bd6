"""Tables, columns and rows of a copy: features are found, never assumed, and each row is good or damaged alone.

Belongs here: what SQLite holds. Does not belong here: what any one platform's rows mean.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from adapters.sources.database.copying import FAILURES, Undecoded, is_secret
from adapters.sources.protocol import BadLine, Damaged, Item, read_json
from models.ids import digest

_ROW_NUMBERS = ("rowid", "_rowid_", "oid")
_LOST = "rows lost on a damaged page"
_VIEW = "not a plain table"


def tables(con: sqlite3.Connection) -> frozenset[str]:
    """The ordinary tables: views and virtual tables run what their writer wrote, and secrets are nobody's evidence."""
    found = con.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
    return frozenset(name for (name,) in found if isinstance(name, str) and not is_secret(name))


def columns(con: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns of a table; empty where there is no such table."""
    if table not in tables(con):
        return frozenset()
    return frozenset(row[1] for row in con.execute(f"PRAGMA table_info({_quoted(table)})") if isinstance(row[1], str))


def missing(con: sqlite3.Connection, table: str, column: str = "") -> Iterator[Damaged]:
    """Names a table or a column that every database of a platform has, where this one lacks it: its words are lost, or elsewhere."""
    place, there = f"{getattr(con, 'name', '')}/{table}", columns(con, table)
    if not there and not _is_view(con, table):
        yield Damaged(place, 0, "no such table")
    if there and column and column not in there:
        yield Damaged(place, 0, "no such column")


def items(
    con: sqlite3.Connection,
    table: str,
    wanted: tuple[str, ...],
    made: Callable[[dict[str, Any], str], Iterable[Item]],
    order: tuple[str, ...] = (),
) -> Iterator[Item]:
    """What `made` makes of each row and its place; a row it refuses with BadLine is damaged alone."""
    place = f"{getattr(con, 'name', '')}/{table}"
    for number, row in rows(con, table, wanted, order):
        if isinstance(row, Damaged):
            yield row
            continue
        try:
            yield from made(row, f"{place}:{number}")
        except BadLine as error:
            yield Damaged(place, number, str(error), digest(row)[:16])


def rows(
    con: sqlite3.Connection, table: str, wanted: tuple[str, ...], order: tuple[str, ...] = ()
) -> Iterator[tuple[int, dict[str, Any] | Damaged]]:
    """Each row's number and its wanted values, or what is wrong with it; sorted by `order`, then by number.

    A column that the table lacks is None in every row, and a missing table has no rows. A view in its place is never run: it is one
    Damaged numbered 0. Where a damaged page hides some rows, one comes first, and the others follow in the order of their numbers.
    """
    place = f"{getattr(con, 'name', '')}/{table}"
    there = columns(con, table)
    if not there:
        yield from [(0, Damaged(place, 0, _VIEW))] if _is_view(con, table) else ()
        return
    listed = ", ".join(_quoted(name) if name in there else "NULL" for name in wanted)
    by = [_quoted(name) for name in order if name in there]
    number_name = next((name for name in _ROW_NUMBERS if _is_number(con, table, name)), None)
    query = f"SELECT {listed} FROM {_quoted(table)}"
    if number_name is None:
        yield from _unnumbered(con, f"{query} ORDER BY {', '.join([*by, '1'])}", wanted, place)
        return
    numbers, is_whole = _numbers(con, table, [*by, number_name])
    if not is_whole:
        yield 0, Damaged(place, 0, _LOST)
    for number in numbers:
        yield number, _row(con, f"{query} WHERE {number_name} = ?", number, wanted, place)


def decoded(value: Any) -> Any:
    """What a column's JSON says; null for null and empty. Raises BadLine: broken JSON, text that can't be stored."""
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise BadLine("broken JSON")
    return read_json(value)


def _is_view(con: sqlite3.Connection, table: str) -> bool:
    """Whether a view or a virtual table stands under this name."""
    found = con.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND rootpage = 0")
    return any(name == table for (name,) in found)


def _is_number(con: sqlite3.Connection, table: str, name: str) -> bool:
    """Whether this name is the row's number, and not a column that somebody called so or nothing at all."""
    if name in {column.casefold() for column in columns(con, table)}:
        return False
    try:
        con.execute(f"SELECT {name} FROM {_quoted(table)} LIMIT 0")
    except FAILURES:
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
    except FAILURES:
        yield 0, Damaged(place, 0, _LOST)


def _row(
    con: sqlite3.Connection, query: str, number: int, wanted: tuple[str, ...], place: str
) -> dict[str, Any] | Damaged:
    """One row by its number, so that what is wrong with it ends nothing else."""
    try:
        values = con.execute(query, (number,)).fetchone()
    except sqlite3.DataError:
        return Damaged(place, number, "row too long")
    except FAILURES:
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
    except FAILURES:
        return _around(con, table, by[-1]), False
    return found, True


def _around(con: sqlite3.Connection, table: str, number_name: str) -> array[int]:
    """The row numbers on both sides of a damaged page: up to it from the start, and down to it from the end."""
    first, rest = (_toward(con, f"FROM {_quoted(table)}", number_name, which) for which in ("ASC", "DESC"))
    return first + array("q", (number for number in reversed(rest) if not first or number > first[-1]))


def _toward(con: sqlite3.Connection, table: str, number_name: str, which: str) -> array[int]:
    """The row numbers in one direction, up to a damaged page."""
    found, order = array("q"), f"ORDER BY {number_name} {which}"
    try:
        found.extend(row[0] for row in con.execute(f"SELECT {number_name} {table} {order}"))
    except FAILURES:
        # The cursor looks one row ahead, and drops the last good one together with what it met behind it.
        beyond = f"WHERE {number_name} {'>' if which == 'ASC' else '<'} {found[-1]}" if found else ""
        with suppress(*FAILURES):
            found.extend(con.execute(f"SELECT {number_name} {table} {beyond} {order} LIMIT 1").fetchone() or ())
    return found


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
