"""The Great Expectations suite of a table, derived from its class: what a column's type, bounds and key already promise.

Belongs here: promises about one table. Does not belong here: promises between tables (`references`, `texts`, `guards`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from expectations import gx
from models.table import Column, Table, columns

if TYPE_CHECKING:
    from great_expectations import ExpectationSuite


def scalars(table: type[Table]) -> list[Column]:
    """The columns Great Expectations gets to see: no lists, no structs, and so never a vector."""
    return [column for column in columns(table) if not pa.types.is_nested(column.dtype)]


def suite_of(name: str, table: type[Table], *, least_rows: int = 0) -> ExpectationSuite:
    """The suite of a table under the name it has tonight.

    The count of rows comes first, so that an empty frame cannot keep every promise by holding nothing. Each expectation's
    meta says which promise it is.
    """
    library = gx.load()
    kinds = library.expectations
    found = [
        kinds.ExpectTableRowCountToBeBetween(
            min_value=least_rows, meta=_meta(f"{name}.rows", f"at least {least_rows} rows")
        ),
        kinds.ExpectTableColumnsToMatchSet(
            column_set=[c.name for c in scalars(table)],
            exact_match=True,
            meta=_meta(f"{name}.columns", "the declared columns, no more and no fewer"),
        ),
        *_key(kinds, name, table),
    ]
    for column in scalars(table):
        found += _column(kinds, name, column)
    return library.ExpectationSuite(name=name, expectations=found)


def _key(kinds: Any, name: str, table: type[Table]) -> Iterator[Any]:
    meta = _meta(f"{name}.key", f"one row a {', '.join(table.key)}")
    if len(table.key) == 1:
        yield kinds.ExpectColumnValuesToBeUnique(column=table.key[0], meta=meta)
    elif table.key:
        yield kinds.ExpectCompoundColumnsToBeUnique(column_list=list(table.key), meta=meta)


def _column(kinds: Any, name: str, column: Column) -> Iterator[Any]:
    promise = f"{name}.{column.name}"
    if not column.is_nullable:
        yield kinds.ExpectColumnValuesToNotBeNull(column=column.name, meta=_meta(f"{promise}.given", "never null"))
    if column.values:
        yield kinds.ExpectColumnValuesToBeInSet(
            column=column.name,
            value_set=list(column.values),
            meta=_meta(f"{promise}.values", f"one of {', '.join(column.values)}"),
        )
    if column.ge is not None or column.le is not None:
        yield kinds.ExpectColumnValuesToBeBetween(
            column=column.name,
            min_value=column.ge,
            max_value=column.le,
            meta=_meta(f"{promise}.bounds", f"between {_bound(column.ge)} and {_bound(column.le)}"),
        )


def _meta(promise: str, about: str) -> dict[str, str]:
    return {"promise": promise, "about": about, "severity": "blocking"}


def _bound(value: float | None) -> str:
    return "any" if value is None or math.isinf(value) else f"{value:g}"
