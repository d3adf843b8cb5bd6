"""The bench of the semantics: a small life runs through it, and its figures say what happened."""

from __future__ import annotations

from evals.bench_merge import measure
from evals.lives import claims


def test_a_small_life_is_settled_and_then_only_what_the_news_touches() -> None:
    first, second = measure([(2_000, (20,))])["sizes"]
    assert first["memories_before"] == 0
    assert 1_800 < first["memories_after"] == second["memories_before"] < 2_200
    assert 0 < second["memories_worked_on"] < first["memories_worked_on"] / 2
    assert second["memories_after"] >= second["memories_before"]
    assert all(night["seconds"] > 0 and night["peak_mb"] > 0 for night in (first, second))


def test_the_same_seed_makes_the_same_claims_and_no_two_share_an_id() -> None:
    one, more = claims(500, seed=7, memories=300), claims(500, seed=7, memories=300, first=500)
    assert one.equals(claims(500, seed=7, memories=300))
    assert not set(one["claim_id"]) & set(more["claim_id"])
    assert set(one["matter"]) & set(more["matter"]), "two calls are of one life"
