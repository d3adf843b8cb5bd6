"""One expectation of our own, by Great Expectations' public way of extending it: all that a table's class declares, at one look.

An expectation costs about 4 ms each, whatever the table holds; a night has eight tables and more than a hundred promises about them.
This module imports the library; whoever needs it imports it late (`gx.load`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, ClassVar

import pandas as pd
from great_expectations.core.metric_domain_types import MetricDomainTypes
from great_expectations.execution_engine.pandas_execution_engine import PandasExecutionEngine
from great_expectations.expectations.expectation import BatchExpectation
from great_expectations.expectations.metrics.metric_provider import metric_value
from great_expectations.expectations.metrics.table_metric_provider import TableMetricProvider

_METRIC = "table.rows_against_declaration"


# How many there are of what breaks a promise, and the places of the rows where it is rows that do.
Broken = tuple[int, list[int]]


def _too_few(frame: pd.DataFrame, least: int) -> Broken | None:
    return None if len(frame) >= least else (len(frame), [])


def _other_columns(frame: pd.DataFrame, names: list[str]) -> Broken | None:
    n = len({*frame.columns} ^ {*names})
    return (n, []) if n else None


def _of_one_key(frame: pd.DataFrame, key: list[str]) -> Broken | None:
    if not {*key} <= {*frame.columns}:
        return 0, []
    if len(frame) < 2:
        return None
    return _where(frame.duplicated(key, keep=False) & frame[key].notna().all(axis=1))


def _where(is_wrong: pd.Series) -> Broken | None:
    places: list[int] = is_wrong.to_numpy().nonzero()[0].tolist()
    return (len(places), places) if places else None


def _not_given(values: pd.Series, _: None) -> pd.Series:
    return values.isna()


def _not_in_set(values: pd.Series, allowed: list[Any]) -> pd.Series:
    return values.notna() & ~values.isin(allowed)


def _out_of_bounds(values: pd.Series, bounds: list[float | None]) -> pd.Series:
    """What is no number is out of any bounds."""
    least, most = bounds
    numbers = pd.Series(pd.to_numeric(values, errors="coerce"))
    low, high = float("-inf") if least is None else least, float("inf") if most is None else most
    return values.notna() & ~numbers.between(low, high)


_OF_TABLE: dict[str, Callable[[pd.DataFrame, Any], Broken | None]] = {
    "rows": _too_few,
    "columns": _other_columns,
    "key": _of_one_key,
}
_OF_COLUMN: dict[str, Callable[[pd.Series, Any], pd.Series]] = {
    "given": _not_given,
    "values": _not_in_set,
    "bounds": _out_of_bounds,
}


def _look(frame: pd.DataFrame, place: str, limit: Any) -> Broken | None:
    """What breaks one declaration. A column that is not there breaks all of its own."""
    column, _, kind = place.rpartition(".")
    if not column:
        return _OF_TABLE[kind](frame, limit)
    if column not in frame.columns:
        return 0, []
    return _where(_OF_COLUMN[kind](pd.Series(frame[column]), limit)) if len(frame) else None


class RowsAgainstDeclaration(TableMetricProvider):
    """What breaks a declaration, by its place: how many, and the places of rows."""

    metric_name = _METRIC
    value_keys = ("declared",)

    @metric_value(engine=PandasExecutionEngine)
    def _pandas(
        cls: Any,
        execution_engine: PandasExecutionEngine,
        metric_domain_kwargs: dict[str, Any],
        metric_value_kwargs: dict[str, Any],
        **_: Any,
    ) -> dict[str, Broken]:
        frame, *_rest = execution_engine.get_compute_domain(
            domain_kwargs=metric_domain_kwargs, domain_type=MetricDomainTypes.TABLE
        )
        looks = (
            (place, _look(frame, place, limit)) for place, limit in json.loads(metric_value_kwargs["declared"]).items()
        )
        return {place: broken for place, broken in looks if broken is not None}


class ExpectTableToHoldWhatIsDeclared(BatchExpectation):
    """A table keeps what its class says: `declared` is the text of a JSON object that maps `rows` to the least of them, `columns` to their
    names, `key` to those that no two rows share; and `column.given` to null, `column.values` to the allowed values, `column.bounds` to
    the least and the most, each of which may be null.
    """

    declared: str

    metric_dependencies: ClassVar[tuple[str, ...]] = (_METRIC,)
    domain_keys: ClassVar[tuple[str, ...]] = ("batch_id",)
    success_keys: ClassVar[tuple[str, ...]] = ("declared",)

    def _validate(
        self,
        metrics: dict[str, Any],
        runtime_configuration: dict[str, Any] | None = None,
        execution_engine: Any = None,
    ) -> dict[str, Any]:
        broken: dict[str, Broken] = metrics[_METRIC]
        counts = {place: n for place, (n, _) in broken.items()}
        return {"success": not broken, "result": {"observed_value": counts, "details": {"broken": broken}}}
