"""Rows of published tables as dataclasses of the format: plain values in, enums and nested dataclasses out.

A row also lies packed in one column of its table, as JSON with its times in microseconds: read column by column, ten rows cost as
much as the search that found them.
"""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
# The column of a Lance table that holds each row whole.
PACKED = "packed"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def decode(shape: type[T], row: dict[str, Any]) -> T:
    """The row as `shape`; columns that `shape` does not know are left out, absent ones take their default."""
    found = {name: read(row[name]) for name, read in _readers(shape).items() if name in row}
    return shape(**found)


def unpack(shape: type, text: str) -> dict[str, Any]:
    """A packed row as plain values, its own times as datetimes (those of nested rows stay microseconds until `decode`)."""
    row: dict[str, Any] = json.loads(text)
    for name in _times(shape):
        if row.get(name) is not None:
            row[name] = _utc(row[name])
    return row


def plain_rows(table: Any) -> list[dict[str, Any]]:
    """Rows of an Arrow table as plain values; `Table.to_pylist` needs fifteen times as long, nearly all of it for times."""
    names = table.column_names
    columns = [_instants(column) if _is_time(column) else column.to_pylist() for column in table.columns]
    return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]


def _is_time(column: Any) -> bool:
    return str(column.type) == "timestamp[us, tz=UTC]"


def _instants(column: Any) -> list[datetime | None]:
    return [_utc(at) for at in column.cast("int64").to_pylist()]


@cache
def _times(shape: type) -> tuple[str, ...]:
    """The columns of a table that hold a time."""
    return tuple(name for name, hint in get_type_hints(shape).items() if datetime in (hint, *get_args(hint)))


@cache
def _readers(shape: type) -> dict[str, Callable[[Any], Any]]:
    hints = get_type_hints(shape)
    return {f.name: _reader(hints[f.name]) for f in dataclasses.fields(shape)}


def _reader(hint: Any) -> Callable[[Any], Any]:
    """How a plain value becomes what the annotation says. None stays None; a null list is empty."""
    if get_origin(hint) in (Union, types.UnionType):
        return _reader(next(a for a in get_args(hint) if a is not type(None)))
    if get_origin(hint) is list:
        item = _reader(get_args(hint)[0])
        return lambda values: [item(v) for v in values or ()]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return lambda value: None if value is None else hint(value)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return lambda value: None if value is None else decode(cast("type[Any]", hint), value)
    return _utc if hint is datetime else lambda value: value


def _utc(value: datetime | int | None) -> datetime | None:
    """A time in UTC, from microseconds where it comes packed."""
    if isinstance(value, int):
        return _EPOCH + timedelta(microseconds=value)
    return value.astimezone(UTC) if value is not None and value.tzinfo is not UTC else value
