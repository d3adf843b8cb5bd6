"""Data Docs show what was promised, row counts first, as the library tells it, and load nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest

from expectations import gx
from expectations.docs import BETWEEN, pages
from expectations.promise import Fact
from tests.looks import Page

HOSTILE = "<img src=x onerror=alert(1)>"


def promise(name: str, about: str = "at least 1 rows", *, is_kept: bool = True, **more: Any) -> dict[str, Any]:
    found = {"name": name, "severity": "blocking", "about": about, "is_kept": is_kept, "observed": None, "examples": []}
    return {**found, **more}


RUN = {
    "run": "20260301T030000Z-1a2b",
    "as_of": "2026-03-01 03:00:00+00:00",
    "status": "refused",
    "promises": {
        "promises": [
            promise("memories.rows"),
            promise("memories.kind.values", HOSTILE, is_kept=False, observed=2, examples=["mem_1", HOSTILE]),
            promise("edges.rows"),
            promise("no_secrets", severity="reporting", is_kept=False, observed=1.0),
        ]
    },
}


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return pages(RUN, ["memories", "edges"])


def test_a_page_for_each_suite_and_one_that_leads_to_them(made: dict[str, str]) -> None:
    assert list(made) == ["index.html", "memories.html", "edges.html", f"{BETWEEN}.html"]
    assert set(re.findall(r'href="([^"]+)"', made["index.html"])) == {"../report.html", *list(made)[1:]}


def test_row_counts_come_first_and_what_broke_is_told_with_its_rows(made: dict[str, str]) -> None:
    page = made["memories.html"]
    assert page.index("memories.rows") < page.index("memories.kind.values")
    assert "Evaluated Expectations" in page and "Table-Level Expectations" in page and "Failed" in page
    assert re.search(r'class="good">kept<.*class="bad">broken<.*2: mem_1', page, re.DOTALL)
    assert "no_secrets" in made[f"{BETWEEN}.html"] and "Succeeded" in made["edges.html"]


def test_nothing_is_loaded_or_obeyed(made: dict[str, str]) -> None:
    for page in made.values():
        assert "<img" not in page
        assert Page(page.replace("src=x", "")).faults == []


def test_facts_are_not_kept_by_an_empty_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = [Fact("a", "about", 0.0), Fact("b", "about", 1.0)]
    assert [found.is_kept for found in gx.run_facts(facts)] == [True, False]
    whole = gx._facts_to_check
    monkeypatch.setattr(gx, "_facts_to_check", lambda them: gx.Check(whole(them).frame.head(0), whole(them).suite))
    assert [found.is_kept for found in gx.run_facts(facts)] == [False, False]
