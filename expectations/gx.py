"""Great Expectations as this house runs it: ephemeral, on pandas, quiet, and without its phone-home.

Belongs here: loading it and putting frames before suites. Does not belong here: what is promised.
"""

from __future__ import annotations

import importlib
import json
import logging
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
    from great_expectations.validator.v1_validator import Validator
    from pandas import DataFrame


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


def suite(name: str, declared: Mapping[str, Any], meta: dict[str, Any]) -> ExpectationSuite:
    """The suite that holds a frame against what is declared of it (`columns.ExpectTableToHoldWhatIsDeclared`)."""
    library = load()
    # Our own expectation is known to the library from its import on.
    own = importlib.import_module("expectations.columns").ExpectTableToHoldWhatIsDeclared
    return library.ExpectationSuite(name=name, expectations=[own(declared=json.dumps(declared), meta=meta)])


def meta_of(*promised: Promised) -> dict[str, Any]:
    """The meta of an expectation over a table: every promise that it holds, all of them blocking.

    It is one text, because the library takes apart what an expectation was given some fifty times in one validation.
    """
    return {"promises": json.dumps([[one.name, one.about] for one in promised])}


def promised_by(meta: Mapping[str, Any]) -> list[Promised]:
    """The promises in the meta of an expectation, in order."""
    return [Promised(*one) for one in json.loads(meta["promises"])]


def run(checks: Sequence[Check]) -> list[Promise]:
    """Validate each frame against its suite, one call a frame, for a verdict for each promise."""
    return [promise for check in checks for result in _validated(check) for promise in _promises(result, check)]


def _validated(check: Check) -> Sequence[Any]:
    # What a batch's own `validate` does, but for making the batch twice: the library hashes every value of it each time.
    batch = _validator()(_opened(), "SUMMARY", {"dataframe": check.frame})
    return batch.validate_expectation_suite(check.suite).results


def _validator() -> type[Validator]:
    return importlib.import_module("great_expectations.validator.v1_validator").Validator


@cache
def _opened() -> BatchDefinition[Any]:
    """Where frames are handed to the library; it writes its configuration down at every step, so once a process is enough."""
    context = load().get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    asset = context.data_sources.add_pandas("night").add_dataframe_asset("table")
    return asset.add_batch_definition_whole_dataframe("whole")


def _promises(result: Any, check: Check) -> Iterator[Promise]:
    """A promise each: kept, or how much breaks it, and the keys of a few rows. Never their values, which may be private."""
    broken, why = _broken(result), _failure(result)
    for one in promised_by(result.expectation_config.meta):
        n, rows = broken.get(one.name.split(".", 1)[1], (None, []))
        is_kept = n is None and why is None
        yield Promise(one.name, Severity.BLOCKING, one.about, is_kept, n if why is None else why, _keys(rows, check))


def _broken(result: Any) -> Mapping[str, tuple[int, list[int]]]:
    """What broke, by place: how many, and the places of rows."""
    return result.result.get("details", {}).get("broken", {})


def _failure(result: Any) -> str | None:
    """Why an expectation could not be put; such a one is kept by nobody."""
    raised = result.exception_info
    if result.success or _broken(result):
        return None
    return str(raised.get("exception_message") or raised)[:200]


def _keys(places: Sequence[int], check: Check) -> tuple[str, ...]:
    """The keys of a few rows; without a key there is nothing that a row could be called."""
    there = [name for name in check.key if name in check.frame.columns]
    rows = check.frame[there].iloc[list(places)].to_dict("records") if places else []
    named = {" ".join(str(row[column]) for column in there) for row in rows}
    return tuple(sorted(named - {""})[:MAX_EXAMPLES])


def run_facts(facts: Sequence[Fact]) -> list[Promise]:
    """Assert that each fact is a number and at most what it may be: a row a fact."""
    check = _facts_to_check(facts)
    (result,) = _validated(check)
    broken = {place for _, rows in _broken(result).values() for place in rows}
    # An empty frame keeps everything that is promised of its rows, so that their count is looked at as well.
    is_put = _failure(result) is None and "rows" not in _broken(result)
    return [_told(fact, is_kept=is_put and place not in broken) for place, fact in enumerate(facts)]


def _facts_to_check(facts: Sequence[Fact]) -> Check:
    observed = [float(fact.observed) for fact in facts]
    over = [0.0 if fact.most is None else seen - fact.most for seen, fact in zip(observed, facts, strict=True)]
    frame = importlib.import_module("pandas").DataFrame({"observed": observed, "over": over})
    return Check(
        frame, suite("facts", {"rows": len(facts), "observed.given": None, "over.bounds": [None, 0]}, meta_of())
    )


def _told(fact: Fact, *, is_kept: bool) -> Promise:
    """A promise with the number and the rows that its fact was made from."""
    if is_kept:
        return Promise(fact.name, fact.severity, fact.about, True, fact.observed)
    said = (fact.observed, fact.examples, fact.proposal, fact.memory_ids)
    return Promise(fact.name, fact.severity, fact.about, False, *said)
