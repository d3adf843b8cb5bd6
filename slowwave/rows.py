"""Rows of published tables as dataclasses of the format: plain values in, enums and nested dataclasses out."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


def decode(shape: type[T], row: dict[str, Any]) -> T:
    """The row as `shape`; columns that `shape` does not know are left out, absent ones take their default."""
    found = {name: read(row[name]) for name, read in _readers(shape).items() if name in row}
    return shape(**found)


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


def _utc(value: datetime | None) -> datetime | None:
    return value.astimezone(UTC) if value is not None and value.tzinfo is not UTC else value
