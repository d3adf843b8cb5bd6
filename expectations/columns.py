"""One expectation of our own, by Great Expectations' public way of extending it: every column of a table at one look.

An expectation a column costs about 4 ms each, whatever the table holds, and a night has more than a hundred of them.
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


_BREAKING: dict[str, Callable[[pd.Series, Any], pd.Series]] = {
    "given": _not_given,
    "values": _not_in_set,
    "bounds": _out_of_bounds,
}


class RowsAgainstDeclaration(TableMetricProvider):
    """For each `column.kind` that some row breaks: the places of those rows. A column that is not there breaks all of its own."""

    metric_name = _METRIC
    value_keys = ("declared",)

    @metric_value(engine=PandasExecutionEngine)
    def _pandas(
        cls: Any,
        execution_engine: PandasExecutionEngine,
        metric_domain_kwargs: dict[str, Any],
        metric_value_kwargs: dict[str, Any],
        **_: Any,
    ) -> dict[str, list[int]]:
        frame, *_rest = execution_engine.get_compute_domain(
            domain_kwargs=metric_domain_kwargs, domain_type=MetricDomainTypes.TABLE
        )
        broken: dict[str, list[int]] = {}
        for name, limit in json.loads(metric_value_kwargs["declared"]).items():
            column, kind = name.rsplit(".", 1)
            if column not in frame.columns:
                broken[name] = []
            elif (is_wrong := _BREAKING[kind](pd.Series(frame[column]), limit)).any():
                broken[name] = is_wrong.to_numpy().nonzero()[0].tolist()
        return broken


class ExpectTableColumnsToHoldWhatIsDeclared(BatchExpectation):
    """Every column keeps what its class says: `declared` is the text of a JSON object that maps `column.given` to null,
    `column.values` to the allowed values, and `column.bounds` to the least and the most, each of which may be null.
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
        broken: dict[str, list[int]] = metrics[_METRIC]
        counts = {name: len(rows) for name, rows in broken.items()}
        return {"success": not broken, "result": {"observed_value": counts, "details": {"rows": broken}}}
