"""Borders: the measures on segmentations that a person can judge, the baselines, and a small conversation end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.__main__ import main
from evals.borders import evenly, is_border, pk, texttiling, window_diff
from slowwave.errors import UsageError
from tests.evals.test_locomo import TALK

TRUE = [0] * 10 + [1] * 10
SEGMENTS = st.lists(st.integers(1, 12), min_size=1, max_size=6).map(
    lambda ns: [i for i, n in enumerate(ns) for _ in range(n)]
)


def test_the_true_borders_cost_nothing_and_no_border_half_of_what_chance_does() -> None:
    assert (pk(TRUE, TRUE, 5), window_diff(TRUE, TRUE, 5)) == (0, 0)
    assert pk(TRUE, [0] * 20, 5) == window_diff(TRUE, [0] * 20, 5) == pytest.approx(5 / 15)


def test_a_near_miss_costs_less_than_a_far_one_and_window_diff_counts_what_pk_forgives() -> None:
    near, far = [0] * 9 + [1] * 11, [0] * 4 + [1] * 16
    assert 0 < pk(TRUE, near, 5) < pk(TRUE, far, 5)
    twice = [0] * 9 + [1] + [2] * 10
    assert window_diff(TRUE, twice, 5) > pk(TRUE, twice, 5)


@given(SEGMENTS, st.data())
def test_measures_are_shares(true: list[int], data: st.DataObject) -> None:
    found = data.draw(st.lists(st.integers(0, 3), min_size=len(true), max_size=len(true)))
    k = max(1, len(true) // 3)
    assert 0 <= pk(true, found, k) <= window_diff(true, found, k) <= 1


@given(st.integers(1, 60), st.integers(1, 60))
def test_equal_pieces_are_as_many_as_asked_and_differ_by_one(n: int, pieces: int) -> None:
    made = evenly(n, min(n, pieces))
    sizes = [made.count(piece) for piece in set(made)]
    assert len(sizes) == min(n, pieces)
    assert max(sizes) - min(sizes) <= 1


def test_texttiling_finds_where_the_words_change() -> None:
    boats = [f"the boat with its sail and rudder left harbour number {w}" for w in "abcdefghijklmnopqrstuvwx"]
    bread = [f"knead dough with flour yeast salt until oven warm {w}" for w in "abcdefghijklmnopqrstuvwx"]
    places = [i + 1 for i, border in enumerate(is_border(texttiling([*boats, *bread]))) if border]
    assert any(abs(place - 24) <= 1 for place in places)
    assert texttiling(["one", "two"]) == [0, 0]


@given(st.lists(st.text(max_size=30), max_size=20))
def test_texttiling_gives_every_text_a_piece_in_order(texts: list[str]) -> None:
    made = texttiling(texts)
    assert len(made) == len(texts)
    assert made == sorted(made)


def test_a_small_conversation_is_measured_and_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "conv-26.json").write_text(json.dumps(TALK))
    assert main(["segment", "--data", str(tmp_path), "--embedder", "none", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["session_borders"], told["session_borders_found_with_times"]) == (1, 1)
    assert told["questions_per_conversation"] == 1
    assert set(told["pk"]) == set(told["window_diff"]) == {"slowwave", "texttiling", "equal_pieces"}
    assert told["by_conversation"]["conv-26"]["n_turns"] == 4
    assert told["turns_per_cpu_second"] is None or told["turns_per_cpu_second"] > 0


def test_a_folder_without_conversations_is_a_usage_error(tmp_path: Path) -> None:
    assert main(["segment", "--data", str(tmp_path), "--json"]) == UsageError.exit_status
