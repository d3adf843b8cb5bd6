"""Promises as Great Expectations tells them. This module imports the library; whoever needs it imports it late (`gx.load`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from html import escape
from typing import Any, ClassVar

from great_expectations import __version__
from great_expectations.core.expectation_validation_result import (
    ExpectationSuiteValidationResult,
    ExpectationValidationResult,
)
from great_expectations.core.run_identifier import RunIdentifier
from great_expectations.expectations.expectation import BatchExpectation
from great_expectations.expectations.expectation_configuration import ExpectationConfiguration
from great_expectations.expectations.metadata_types import FailureSeverity
from great_expectations.render.renderer.page_renderer import ValidationResultsPageRenderer
from great_expectations.render.view.view import DefaultJinjaSectionView

from slowwave.text import legible

_SEVERITIES = {"blocking": FailureSeverity.CRITICAL, "reporting": FailureSeverity.WARNING}


class ExpectPromiseToBeKept(BatchExpectation):
    """One promise of a night as it was found: a way to tell it, since it was put before the library with all others of its table."""

    promise: str

    metric_dependencies: ClassVar[tuple[str, ...]] = ()
    domain_keys: ClassVar[tuple[str, ...]] = ("batch_id",)
    success_keys: ClassVar[tuple[str, ...]] = ("promise",)

    def _validate(
        self,
        metrics: dict[str, Any],
        runtime_configuration: dict[str, Any] | None = None,
        execution_engine: Any = None,
    ) -> dict[str, Any]:
        return {"success": False, "result": {}}


def rendered(name: str, run: Mapping[str, Any], listed: Sequence[Mapping[str, Any]]) -> list[str]:
    """The sections of the page that the library makes of a suite's results, as HTML."""
    told = ValidationResultsPageRenderer().render(_suite(name, run, [_result(promise) for promise in listed]))
    view = DefaultJinjaSectionView()
    sections = [section.to_json_dict() for section in told.sections]
    return [view.render({"section": one, "section_loop": {"index": n}}) for n, one in enumerate(sections, 1)]


def _result(promise: Mapping[str, Any]) -> ExpectationValidationResult:
    name, rows = str(promise["name"]), ", ".join(map(str, promise["examples"]))
    found = "" if promise["observed"] is None else f"{promise['observed']}{f': {rows}' if rows else ''}"
    # The library puts a description on the page as it is.
    about = escape(legible(f"{name}: {promise['about']}"))
    asked = ExpectationConfiguration(
        type="expect_promise_to_be_kept",
        kwargs={"promise": name},
        description=about,
        severity=_SEVERITIES.get(str(promise["severity"]), FailureSeverity.CRITICAL),
        meta={},
    )
    nothing_raised = {"raised_exception": False, "exception_traceback": None, "exception_message": None}
    return ExpectationValidationResult(
        success=bool(promise["is_kept"]),
        expectation_config=asked,
        result={"observed_value": escape(legible(found))} if found else {},
        meta={},
        exception_info=nothing_raised,
    )


def _suite(
    name: str, run: Mapping[str, Any], results: list[ExpectationValidationResult]
) -> ExpectationSuiteValidationResult:
    n, n_kept = len(results), sum(bool(result.success) for result in results)
    statistics = {
        "evaluated_expectations": n,
        "successful_expectations": n_kept,
        "unsuccessful_expectations": n - n_kept,
        "success_percent": 100.0 * n_kept / max(n, 1),
    }
    at = datetime.fromisoformat(str(run["as_of"]))
    meta = {
        "great_expectations_version": __version__,
        "run_id": RunIdentifier(run_name=str(run["run"]), run_time=at),
        "batch_spec": {},
        "batch_markers": {},
    }
    return ExpectationSuiteValidationResult(
        success=n == n_kept,
        results=results,
        suite_name=name,
        statistics=statistics,  # pyright: ignore[reportArgumentType]
        meta=meta,  # pyright: ignore[reportArgumentType]
    )
