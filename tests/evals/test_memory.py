"""The measure of memory: near-duplicates are told from what only looks alike, and any order and split ends the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evals.memory import WEEK, WEEK_AS_OF
from evals.memory.echo import thirty_nights
from evals.memory.names import join_figures
from evals.memory.near import near_pairs, retired
from evals.memory.shuffled import Evidence, differences
from flows.begin import Plan
from flows.road import consolidated
from flows.step import here
from slowwave.format import Entity, Memory, Status
from tests.make import memory

EMBED = {"embed": {"embedder": "none"}}


def told(text: str, **more: Any) -> Memory:
    row = memory(text, **more)
    return Memory(
        **{name: getattr(row, name) for name in Memory.__dataclass_fields__ if name in type(row).model_fields}
    )


@pytest.mark.parametrize(
    ("one", "other", "is_near"),
    [
        ("The report is due 15 May 2026.", "Report due 15 May 2026!", True),
        ("The report is due 15 May 2026.", "The report is due 16 May 2026.", False),
        ("Likes the tea of Ana.", "Likes the tea of Bea.", False),
        ("Does not like tea.", "Does like tea.", False),
        ("Likes green tea.", "Likes black tea.", False),
    ],
)
def test_near_is_nearly_one_set_of_words_with_equal_numbers_and_names(one: str, other: str, is_near: bool) -> None:
    assert bool(near_pairs([told(one, id="mem_1"), told(other, id="mem_2")])) == is_near


def test_only_what_holds_is_near_and_what_does_not_is_listed() -> None:
    gone = told("Likes tea.", id="mem_1", status=Status.SUPERSEDED, superseded_by="mem_2")
    both = [gone, told("Likes tea!", id="mem_2")]
    assert not near_pairs(both)
    assert retired(both) == [{"status": "superseded", "text": "Likes tea.", "by": "Likes tea!"}]


def test_joined_names_are_counted_and_wrong_joins_named() -> None:
    def entity(name: str, *aliases: str) -> Entity:
        return Entity(id=name, owner="o", name=name, kind="person", aliases=list(aliases), n_mentions=1)

    expected = {"same_person": [["Ana Ruiz", "Ana"], ["Bea Sol", "Bea"]], "different_person": [["Ana Ruiz", "Carl"]]}
    found = join_figures([entity("Ana Ruiz", "Ana", "Carl"), entity("Bea Sol"), entity("Bea")], expected)
    assert (found["pairs_known"], found["pairs_joined"], found["wrongly_joined"]) == (2, 1, 1)


def _evidence(folder: Path) -> Evidence:
    plan = Plan(folder / "store", (f"jsonl={WEEK}",), WEEK_AS_OF, EMBED)
    return Evidence.of_run("week", plan.store, consolidated(plan, here).run, {})


@pytest.mark.parametrize("n", [50, pytest.param(1000, marks=pytest.mark.slow)])
def test_any_order_and_split_of_a_weeks_claims_ends_the_same(tmp_path: Path, n: int) -> None:
    assert differences([_evidence(tmp_path)], n)["listed"] == []


@pytest.mark.parametrize("nights", [1, pytest.param(30, marks=pytest.mark.slow)])
def test_a_week_that_hears_its_own_snapshot_learns_nothing(tmp_path: Path, nights: int) -> None:
    plan = Plan(tmp_path / "store", (f"jsonl={WEEK}",), WEEK_AS_OF, EMBED)
    found = thirty_nights(plan, WEEK_AS_OF, nights)
    assert found["memories"] > 20
    assert (found["changed"], found["came"], found["went"]) == ([], [], [])
