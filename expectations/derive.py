"""The Great Expectations suite of a table, derived from its class: what a column's type, bounds and key already promise.

Belongs here: promises about one table. Does not belong here: promises between tables (`references`, `texts`, `guards`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from expectations import gx
from expectations.gx import Promised, meta_of
from models.table import Column, Table, columns

if TYPE_CHECKING:
    from great_expectations import ExpectationSuite


# What a class declares: its place (`rows`, or `column.kind`), the limit, and the same in words.
Declared = tuple[str, Any, str]


def scalars(table: type[Table]) -> list[Column]:
    """The columns Great Expectations gets to see: no lists, no structs, and so never a vector."""
    return [column for column in columns(table) if not pa.types.is_nested(column.dtype)]


def suite_of(name: str, table: type[Table], *, least_rows: int = 0) -> ExpectationSuite:
    """The suite of a table under the name it has tonight.

    The count of rows comes first, so that an empty frame cannot keep every promise by holding nothing. The expectation's meta says
    which promises it holds, in order.
    """
    declared = [*_of_table(table, least_rows), *(one for column in scalars(table) for one in _of_column(column))]
    limits = {place: limit for place, limit, _ in declared}
    meta = meta_of(*(Promised(f"{name}.{place}", about) for place, _, about in declared))
    return gx.suite(name, limits, meta)


def _of_table(table: type[Table], least_rows: int) -> Iterator[Declared]:
    yield "rows", least_rows, f"at least {least_rows} rows"
    yield "columns", [column.name for column in scalars(table)], "the declared columns, no more and no fewer"
    if table.key:
        yield "key", list(table.key), f"one row a {', '.join(table.key)}"


def _of_column(column: Column) -> Iterator[Declared]:
    if not column.is_nullable:
        yield f"{column.name}.given", None, "never null"
    if column.values:
        yield f"{column.name}.values", list(column.values), f"one of {', '.join(column.values)}"
    if column.ge is not None or column.le is not None:
        about = f"between {_bound(column.ge)} and {_bound(column.le)}"
        yield f"{column.name}.bounds", [column.ge, column.le], about


def _bound(value: float | None) -> str:
    return "any" if value is None or math.isinf(value) else f"{value:g}"
