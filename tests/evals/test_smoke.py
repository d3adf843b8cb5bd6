"""The smoke set: nothing is worse than what was landed by more than chance.

`python -m evals smoke --out evals/results/smoke.json` lands anew.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from evals.smoke import measure, regressions

LANDED = json.loads(Path("evals/results/smoke.json").read_text(encoding="utf-8"))["figures"]


@pytest.fixture(scope="module")
def now() -> dict[str, Any]:
    return measure()


def test_nothing_is_worse_than_what_was_landed(now: dict[str, Any]) -> None:
    assert regressions(LANDED, now) == []


def test_every_label_was_read_and_enough_was_judged(now: dict[str, Any]) -> None:
    assert now["labels"]["labels_unread"] == 0
    assert now["labels"]["judged"]["contradictions"] > 30
    assert now["labels"]["judged"]["commitments"] > 10


def test_the_rules_alone_are_worse_than_the_labels_and_say_so(now: dict[str, Any]) -> None:
    assert now["offline"]["scores"]["contradictions"] < now["labels"]["scores"]["contradictions"]


def test_a_regression_is_named() -> None:
    worse = copy.deepcopy(LANDED)
    worse["labels"]["scores"]["as_of"] = 60.0
    worse["labels"]["calls"] *= 2
    worse["offline"]["secrets_published"] = 1
    worse["scripted"]["scores"]["found_at_10"] -= 30
    found = "\n".join(regressions(LANDED, worse))
    assert all(
        word in found
        for word in ("as_of misses its bar", "calls:", "secrets_published is 1", "scripted.scores.found_at_10")
    )
    assert regressions(LANDED, LANDED) == []


def test_a_difference_by_chance_is_none() -> None:
    near = copy.deepcopy(LANDED)
    near["scripted"]["scores"]["found_at_10"] -= 1.0
    assert regressions(LANDED, near) == []
