"""Great Expectations as this house runs it: ephemeral, on pandas, quiet, and without its phone-home.

Belongs here: loading it and putting frames before suites. Does not belong here: what is promised.
"""

from __future__ import annotations

import importlib
import logging
import os
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from expectations.promise import MAX_EXAMPLES, Fact, Promise, Severity

if TYPE_CHECKING:
    from great_expectations import ExpectationSuite
    from great_expectations.datasource.fluent.interfaces import Batch
    from pandas import DataFrame


Check = tuple["DataFrame", "ExpectationSuite", tuple[str, ...]]


def load() -> Any:
    """The library, imported at the first use: it costs seconds, and nights that have nothing to check do without."""
    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = importlib.import_module("great_expectations")
    logging.getLogger("great_expectations").setLevel(logging.ERROR)
    return module


def run(checks: Sequence[Check]) -> list[Promise]:
    """Validate each frame against its suite, one call a frame; the key columns name rows in the examples."""
    context = load().get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    asset = context.data_sources.add_pandas("night").add_dataframe_asset("table")
    whole = asset.add_batch_definition_whole_dataframe("whole")
    promises: list[Promise] = []
    for frame, suite, key in checks:
        batch = whole.get_batch(batch_parameters={"dataframe": frame})
        # Verdicts alone are cheap; what broke is looked at again for its rows, and little ever breaks.
        for result in batch.validate(suite, result_format="BOOLEAN_ONLY").results:
            promises.append(_promise(batch, result, key))
    return promises


def suite_of_facts(facts: Sequence[Fact]) -> tuple[DataFrame, ExpectationSuite]:
    """One row that holds a number a fact, and the suite that bounds each."""
    gx = load()
    frame = importlib.import_module("pandas").DataFrame({fact.name: [float(fact.observed)] for fact in facts})
    bounds = [_bound(gx.expectations, fact) for fact in facts]
    return frame, gx.ExpectationSuite(name="facts", expectations=bounds)


def _bound(kinds: Any, fact: Fact) -> Any:
    told = {"promise": fact.name, "about": fact.about, "severity": fact.severity.value}
    severity = "critical" if fact.severity is Severity.BLOCKING else "warning"
    if fact.most is None:
        return kinds.ExpectColumnValuesToNotBeNull(column=fact.name, severity=severity, meta=told)
    return kinds.ExpectColumnMaxToBeBetween(column=fact.name, max_value=fact.most, severity=severity, meta=told)


def _promise(batch: Batch, result: Any, key: tuple[str, ...]) -> Promise:
    meta: Mapping[str, str] = result.expectation_config.meta
    observed, examples = (None, ()) if result.success else _look(batch, result, key)
    return Promise(
        name=meta["promise"],
        severity=Severity(meta["severity"]),
        about=meta["about"],
        is_kept=bool(result.success),
        observed=observed,
        examples=examples,
    )


def _look(batch: Batch, result: Any, key: tuple[str, ...]) -> tuple[float | int | str | None, tuple[str, ...]]:
    """What a broken expectation saw: how many rows, and the keys of a few. Never their values, which may be private."""
    wanted: dict[str, Any] = {"result_format": "COMPLETE"}
    if key:
        wanted["unexpected_index_column_names"] = list(key)
    again = batch.validate(result.expectation_config.to_domain_obj(), result_format=wanted)
    if again.exception_info.get("raised_exception"):
        return str(again.exception_info.get("exception_message"))[:200], ()
    rows = again.result.get("unexpected_index_list") or []
    named = sorted({" ".join(str(row.get(column)) for column in key) for row in rows if isinstance(row, dict)})
    observed = again.result.get("unexpected_count", again.result.get("observed_value"))
    return observed if isinstance(observed, int | float) else str(observed), tuple(named[:MAX_EXAMPLES])
