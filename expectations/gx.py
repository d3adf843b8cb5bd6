"""Great Expectations as this house runs it: ephemeral, on pandas, quiet, and without its phone-home.

Belongs here: loading it and putting frames before suites. Does not belong here: what is promised.
"""

from __future__ import annotations

import importlib
import json
import logging
import math
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from expectations.promise import MAX_EXAMPLES, Fact, Promise, Severity

if TYPE_CHECKING:
    from great_expectations import ExpectationSuite
    from great_expectations.core.batch_definition import BatchDefinition
    from great_expectations.datasource.fluent.interfaces import Batch
    from pandas import DataFrame

# What was counted, and the keys of a few rows.
Seen = tuple[float | int | str | None, tuple[str, ...]]


@dataclass(frozen=True)
class Promised:
    """What an expectation stands for: a promise's name, and the same in words."""

    name: str
    about: str


@dataclass(frozen=True)
class Check:
    """A frame, the suite it has to pass, and the columns that name its rows in the examples."""

    frame: DataFrame
    suite: ExpectationSuite
    key: tuple[str, ...] = ()


def load() -> Any:
    """The library, imported at the first use: it costs seconds, and nights that have nothing to check do without."""
    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = importlib.import_module("great_expectations")
    logging.getLogger("great_expectations").setLevel(logging.ERROR)
    return module


def own() -> Any:
    """Our own expectations (`columns`), which are known to the library from their import on."""
    load()
    return importlib.import_module("expectations.columns")


def meta_of(*promised: Promised) -> dict[str, Any]:
    """The meta of an expectation over a table: every promise that it holds, all of them blocking.

    It is one text, because the library takes apart what an expectation was given some fifty times in one validation.
    """
    return {"promises": json.dumps([[one.name, one.about] for one in promised])}


def promised_by(meta: Mapping[str, Any]) -> list[Promised]:
    """The promises in the meta of an expectation, in order."""
    return [Promised(*one) for one in json.loads(meta["promises"])]


def run(checks: Sequence[Check]) -> list[Promise]:
    """Validate each frame against its suite, one call a frame."""
    whole = _opened()
    promises: list[Promise] = []
    for check in checks:
        batch = whole.get_batch(batch_parameters={"dataframe": check.frame})
        # Verdicts alone are cheap; what broke is looked at again for its rows, and little ever breaks.
        for result in batch.validate(check.suite, result_format="BOOLEAN_ONLY").results:
            promises += _promises(batch, result, check)
    return promises


@cache
def _opened() -> BatchDefinition[Any]:
    """Where frames are handed to the library; it writes its configuration down at every step, so once a process is enough."""
    context = load().get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    asset = context.data_sources.add_pandas("night").add_dataframe_asset("table")
    return asset.add_batch_definition_whole_dataframe("whole")


def run_facts(facts: Sequence[Fact]) -> list[Promise]:
    """Assert that each fact is a number and at most what it may be: two expectations over a row a fact."""
    frame, suite = _suite_of_facts(facts)
    wanted = {"result_format": "COMPLETE", "unexpected_index_column_names": ["promise"]}
    batch = _opened().get_batch(batch_parameters={"dataframe": frame})
    broken: set[str] = set()
    for result in batch.validate(suite, result_format=wanted).results:
        rows = result.result.get("unexpected_index_list")
        # An expectation that could not be put is kept by nobody.
        broken |= {row["promise"] for row in rows} if rows is not None else {fact.name for fact in facts}
    return [_told(fact, is_kept=fact.name not in broken) for fact in facts]


def _suite_of_facts(facts: Sequence[Fact]) -> tuple[DataFrame, ExpectationSuite]:
    library = load()
    frame = importlib.import_module("pandas").DataFrame(
        {
            "promise": [fact.name for fact in facts],
            "observed": [float(fact.observed) for fact in facts],
            "most": [math.inf if fact.most is None else fact.most for fact in facts],
        }
    )
    kinds = library.expectations
    given = kinds.ExpectColumnValuesToNotBeNull(column="observed")
    bound = kinds.ExpectColumnPairValuesAToBeGreaterThanB(column_A="most", column_B="observed", or_equal=True)
    return frame, library.ExpectationSuite(name="facts", expectations=[given, bound])


def _told(fact: Fact, *, is_kept: bool) -> Promise:
    """A promise with the number and the rows that its fact was made from."""
    return Promise(fact.name, fact.severity, fact.about, is_kept, fact.observed, () if is_kept else fact.examples)


def _promises(batch: Batch, result: Any, check: Check) -> Iterator[Promise]:
    """A verdict for each promise of an expectation."""
    promised = promised_by(result.expectation_config.meta)
    broken = {} if result.success else _look(batch, result, check, promised)
    for one in promised:
        observed, examples = broken.get(one.name, (None, ()))
        yield Promise(one.name, Severity.BLOCKING, one.about, one.name not in broken, observed, examples)


def _look(batch: Batch, result: Any, check: Check, promised: Sequence[Promised]) -> dict[str, Seen]:
    """What a broken expectation saw, a promise each: how many rows, and the keys of a few. Never their values, which may be
    private.
    """
    wanted: dict[str, Any] = {"result_format": "COMPLETE"}
    if check.key:
        wanted["unexpected_index_column_names"] = list(check.key)
    again = batch.validate(result.expectation_config.to_domain_obj(), result_format=wanted)
    if again.exception_info.get("raised_exception"):
        why: Seen = (str(again.exception_info.get("exception_message"))[:200], ())
        return {one.name: why for one in promised}
    by_column = again.result.get("details", {}).get("rows")
    if by_column is not None:
        return _seen_by_column(by_column, check, promised)
    rows = again.result.get("unexpected_index_list") or []
    observed = again.result.get("unexpected_count", again.result.get("observed_value"))
    told = observed if isinstance(observed, int | float) else str(observed)
    return {one.name: (told, _keys(rows, check.key)) for one in promised}


def _seen_by_column(broken: Mapping[str, Sequence[int]], check: Check, promised: Sequence[Promised]) -> dict[str, Seen]:
    """The same for our own expectation, which names places of rows by `column.kind`."""
    names = {one.name.split(".", 1)[1]: one.name for one in promised}
    there = [name for name in check.key if name in check.frame.columns]
    named = check.frame[there]
    return {
        names[place]: (len(rows), _keys(named.iloc[list(rows)].to_dict("records"), tuple(there)))
        for place, rows in broken.items()
    }


def _keys(rows: Sequence[Any], key: tuple[str, ...]) -> tuple[str, ...]:
    """The keys of a few rows; without a key there is nothing that a row could be called."""
    named = {" ".join(str(row.get(column)) for column in key) for row in rows if isinstance(row, dict)}
    return tuple(sorted(named - {""})[:MAX_EXAMPLES])
