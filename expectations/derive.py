"""The Great Expectations suite of a table, derived from its class: what a column's type, bounds and key already promise.

Belongs here: promises about one table. Does not belong here: promises between tables (`references`, `texts`, `guards`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from expectations import gx
from expectations.gx import Promised, meta_of
from models.table import Column, Table, columns

if TYPE_CHECKING:
    from great_expectations import ExpectationSuite


def scalars(table: type[Table]) -> list[Column]:
    """The columns Great Expectations gets to see: no lists, no structs, and so never a vector."""
    return [column for column in columns(table) if not pa.types.is_nested(column.dtype)]


def suite_of(name: str, table: type[Table], *, least_rows: int = 0) -> ExpectationSuite:
    """The suite of a table under the name it has tonight.

    The count of rows comes first, so that an empty frame cannot keep every promise by holding nothing. Each expectation's
    meta says which promises it holds, in order.
    """
    library = gx.load()
    kinds = library.expectations
    rows = Promised(f"{name}.rows", f"at least {least_rows} rows")
    whole = Promised(f"{name}.columns", "the declared columns, no more and no fewer")
    found = [
        kinds.ExpectTableRowCountToBeBetween(min_value=least_rows, meta=meta_of(rows)),
        kinds.ExpectTableColumnsToMatchSet(
            column_set=[c.name for c in scalars(table)], exact_match=True, meta=meta_of(whole)
        ),
        *_key(kinds, name, table),
        *_columns(name, table),
    ]
    return library.ExpectationSuite(name=name, expectations=found)


def _key(kinds: Any, name: str, table: type[Table]) -> Iterator[Any]:
    meta = meta_of(Promised(f"{name}.key", f"one row a {', '.join(table.key)}"))
    if len(table.key) == 1:
        yield kinds.ExpectColumnValuesToBeUnique(column=table.key[0], meta=meta)
    elif table.key:
        yield kinds.ExpectCompoundColumnsToBeUnique(column_list=list(table.key), meta=meta)


def _columns(name: str, table: type[Table]) -> Iterator[Any]:
    declared = [one for column in scalars(table) for one in _declared(column)]
    if declared:
        limits = {place: limit for place, limit, _ in declared}
        meta = meta_of(*(Promised(f"{name}.{place}", about) for place, _, about in declared))
        yield gx.own().ExpectTableColumnsToHoldWhatIsDeclared(declared=json.dumps(limits), meta=meta)


def _declared(column: Column) -> Iterator[tuple[str, Any, str]]:
    """What a column's declaration says: the place (`column.kind`), the limit, and the same in words."""
    if not column.is_nullable:
        yield f"{column.name}.given", None, "never null"
    if column.values:
        yield f"{column.name}.values", list(column.values), f"one of {', '.join(column.values)}"
    if column.ge is not None or column.le is not None:
        about = f"between {_bound(column.ge)} and {_bound(column.le)}"
        yield f"{column.name}.bounds", [column.ge, column.le], about


def _bound(value: float | None) -> str:
    return "any" if value is None or math.isinf(value) else f"{value:g}"
