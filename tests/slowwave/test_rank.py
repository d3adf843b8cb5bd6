"""Scoring: what counts for, what counts against, and near-duplicates."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import timedelta
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave import rank
from slowwave.planner import Plan
from slowwave.when import Period
from tests.make import NOW, at

PARTS = st.dictionaries(st.sampled_from(sorted(rank.WEIGHTS)), st.floats(0, 1))


@given(parts=PARTS, name=st.sampled_from(sorted(n for n, w in rank.WEIGHTS.items() if w)), more=st.floats(0.01, 1))
def test_every_part_moves_the_score_its_own_way(parts: dict[str, float], name: str, more: float) -> None:
    base = {**parts, name: 0.0}
    moved = rank.score({**base, name: more}) - rank.score(base)
    assert moved > 0 if rank.WEIGHTS[name] > 0 else moved < 0


def test_a_store_sets_some_weights_and_what_is_none_is_named() -> None:
    given = {"dense": 0.2, "doubt": -1, "echo": 0.5, "subject": nan, "session": "much", "kind": True, "charm": 1.0}
    weights, alien = rank.weights_of(given)
    assert weights == {**rank.WEIGHTS, "dense": 0.2, "doubt": -1.0}
    assert alien == ["charm", "echo", "kind", "session", "subject"]
    assert rank.weights_of(["dense"]) == (rank.WEIGHTS, [])


def test_authority_follows_the_order_of_trust() -> None:
    assert [rank.authority(trust) for trust in ("owner", "system", None, "king")] == [1.0, 0.0, 0.0, 0.0]
    assert rank.authority("participant") > rank.authority("agent") > rank.authority("tool")


def test_doubt_outweighs_every_lesser_sign_together_with_equal_words() -> None:
    stale = {"full_text": 0.8, "doubt": 1.0, "kind": 1.0, "confidence": 1.0}
    assert rank.score(stale) < rank.score({"full_text": 0.8})


def test_scores_of_words_are_comparable_over_sizes() -> None:
    from math import log

    small, large = 10, 10_000
    idf = {n: log(1 + (n - 1 + 0.5) / 1.5) for n in (small, large)}
    ratio = (idf[small] / rank.once_found(small)) / (idf[large] / rank.once_found(large))
    assert ratio == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize(
    ("starts", "ends", "expected"),
    [
        ("2026-01-10", None, 1.0),
        ("2026-01-31T23:59", None, 1.0),
        ("2026-02-01", None, 0.0),
        ("2025-12-31", None, 0.0),
        ("2025-12-31", "2026-01-02", 1.0),
    ],
)
def test_windows_are_half_open(starts: str, ends: str | None, expected: float) -> None:
    plan = Plan(mode="historical", window=Period(at("2026-01-01"), at("2026-02-01")))
    assert rank.in_window(plan, at(starts), at(ends) if ends else None) == expected
    assert rank.in_window(Plan(mode="general"), at(starts), None) == 0


def test_an_open_window_and_an_undated_memory() -> None:
    since = Plan(mode="historical", window=Period(at("2026-01-01"), None))
    assert rank.in_window(since, at("2030-01-01"), None) == 1
    assert rank.in_window(since, None, None) == 0


def test_recency_counts_only_where_it_is_asked_for() -> None:
    latest = Plan(mode="general", is_latest=True)
    fresh, old = NOW - timedelta(days=1), NOW - timedelta(days=300)
    assert rank.recency(latest, fresh, NOW) > rank.recency(latest, old, NOW) > 0
    assert rank.recency(latest, NOW + timedelta(days=9), NOW) == 1
    assert rank.recency(Plan(mode="general"), fresh, NOW) == 0


@given(scores=st.lists(st.floats(0, 1), max_size=12), n=st.integers(1, 12))
def test_without_likeness_the_order_is_by_score_then_place(scores: list[float], n: int) -> None:
    expected = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:n]
    assert [i for i, _ in rank.diversify(scores, lambda _i, _j: 0.0, n)] == expected


@given(scores=st.lists(st.floats(0, 1), max_size=10))
def test_nothing_is_lost_or_doubled_whatever_is_alike(scores: list[float]) -> None:
    chosen = rank.diversify(scores, lambda i, j: float((i + j) % 2), len(scores))
    assert sorted(i for i, _ in chosen) == list(range(len(scores)))


def test_a_near_duplicate_waits_behind_another_answer() -> None:
    def alike(i: int, j: int) -> float:
        return 0.99 if {i, j} == {0, 1} else 0.5

    assert rank.diversify([1.0, 0.9, 0.7], alike, 3) == [(0, {}), (2, {}), (1, {"repeat": 1.0})]


def test_a_third_result_of_one_message_gives_way_to_one_that_is_nearly_as_good() -> None:
    sources = [frozenset({"m1"}), frozenset({"m1", "m3"}), frozenset({"m1"}), frozenset({"m2"}), frozenset[str]()]
    weights = {**rank.WEIGHTS, "crowd": -0.2}

    def order(*scores: float) -> list[tuple[int, dict[str, float]]]:
        return rank.diversify(
            scores, lambda _i, _j: 0.0, 4, sources=[frozenset[Hashable](s) for s in sources], weights=weights
        )

    assert order(1.0, 0.9, 0.8, 0.7) == [(0, {}), (1, {}), (3, {}), (2, {"crowd": 1.0})]
    assert order(1.0, 0.9, 0.8, 0.5) == [(0, {}), (1, {}), (2, {"crowd": 1.0}), (3, {})], "not to one far below it"
