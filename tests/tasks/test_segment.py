"""Segment: whole turns, in order, in topics and windows that later talk does not move."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.message import Signal
from models.rules import SegmentRules
from models.table import Frame, conform, empty, rows_to_frame
from models.turn import Span, Topic, Turn
from tasks.segment import Segmented, borders, in_order, segment
from tasks.segment.borders import LOOK_AHEAD, find_borders
from tasks.segment.stretches import sessions
from tests.make import at, turn


class Blind:
    name, dimension, digest = "none", 0, ""

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        raise AssertionError("there are no vectors to be had")


class Subjects:
    """Knows what a text is about, and nothing else of it: the sea or rye."""

    name, dimension, digest = "subjects", 2, "s"

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += len(texts)
        return [[1.0, 0.0] if "a sea" in text else [0.0, 1.0] for text in texts]


def frame(turns: Sequence[Turn]) -> Frame[Turn]:
    return rows_to_frame(Turn, turns)


def cut(turns: Sequence[Turn], earlier: Sequence[Turn] = (), embed: Any = None, **rules: Any) -> Segmented:
    before = frame(earlier) if earlier else empty(Turn)
    return segment(frame(turns), before, empty(Signal), rules=SegmentRules(**rules), embed=embed or Blind())


def keys(result: Segmented) -> list[list[str]]:
    return result.topics.sort("session_id", "ordinal")["msg_keys"].to_list()


def windows(result: Segmented) -> list[list[str]]:
    """The turns of each window, windows in the order of their first session."""
    made: dict[str, list[str]] = {}
    for topic in result.topics.sort("session_id", "ordinal").iter_rows(named=True):
        made.setdefault(topic["window"], []).extend(topic["msg_keys"])
    return list(made.values())


def talk(n: int, *, text: str = "I moved to Porto.", minutes: float = 1, start: int = 0, **more: Any) -> list[Turn]:
    first = at("2026-02-01T10:00")
    return [
        turn(text, seq=i, said=(first + timedelta(minutes=minutes * i)).isoformat(), **more)
        for i in range(start, start + n)
    ]


def test_a_short_session_is_one_topic() -> None:
    turns = talk(3)
    (topic,) = cut(turns).topics.iter_rows(named=True)
    assert topic["msg_keys"] == [t.msg_key for t in turns]
    assert (topic["ordinal"], topic["n_tokens"], topic["context_keys"]) == (0, 15, [])
    assert (topic["session_id"], topic["owner"]) == ("s1", "u-ana")


def test_a_silence_begins_a_topic() -> None:
    turns = [*talk(2), *talk(2, start=300)]
    assert keys(cut(turns)) == [[t.msg_key for t in turns[:2]], [t.msg_key for t in turns[2:]]]
    assert len(keys(cut(turns, gap_minutes=400))) == 1


def test_windows_are_whole_turns_within_the_budget_and_a_huge_turn_stands_alone() -> None:
    turns = [*talk(3, text="word " * 40), turn("word " * 400, seq=3, said=None), *talk(1, start=4)]
    result = cut(turns, window_tokens=100, context_turns=1)
    assert [len(k) for k in keys(result)] == [2, 1, 1, 1]
    assert result.topics.sort("ordinal")["context_keys"].to_list() == [
        [],
        [turns[1].msg_key],
        [turns[2].msg_key],
        [turns[3].msg_key],
    ]


def test_only_kept_words_count() -> None:
    trimmed = turn("Thanks! I moved.", spans=[Span(start=8, end=16)])
    assert cut([trimmed]).topics["n_tokens"].to_list() == [3]


def test_earlier_turns_are_context_and_never_asked_again() -> None:
    turns = talk(5)
    result = cut([turns[1], turns[3], turns[4]], earlier=[turns[0], turns[2], *talk(2, session="other")])
    assert keys(result) == [[turns[1].msg_key], [turns[3].msg_key, turns[4].msg_key]]
    contexts = result.topics.sort("ordinal")["context_keys"].to_list()
    assert contexts == [[turns[0].msg_key], [turns[1].msg_key, turns[2].msg_key]]


def test_a_turn_heard_again_is_new() -> None:
    turns = talk(2)
    assert keys(cut(turns, earlier=turns)) == [[t.msg_key for t in turns]]


def test_a_stretch_without_evidence_is_no_topic() -> None:
    alone = talk(2, session="s2", is_evidence=False, role="tool")
    result = cut([*talk(2), *alone])
    assert len(keys(result)) == 1
    assert sorted(result.decisions["item_id"]) == sorted(t.msg_key for t in alone)
    assert set(result.decisions["reason"]) == {"no evidence around it"}


def test_sessions_of_two_platforms_never_mix() -> None:
    other = [t.model_copy(update={"platform": "else", "msg_key": f"x{t.msg_key}"}) for t in talk(2)]
    assert sorted(len(k) for k in keys(cut([*talk(2), *other]))) == [2, 2]


def test_a_message_without_a_time_stands_where_its_session_has_it() -> None:
    turns = [
        turn("a", seq=0, said="2026-02-01T10:00"),
        turn("b", seq=1, said=None),
        turn("c", seq=2, said="2026-02-01T10:05"),
    ]
    assert in_order(frame(turns))["text"].to_list() == ["a", "b", "c"]


def test_a_log_whose_places_begin_again_is_ordered_by_time() -> None:
    turns = [
        turn("late", seq=0, message_id="x", said="2026-02-02T10:00"),
        turn("a", seq=0, said="2026-02-01T10:00"),
        turn("b", seq=1, said="2026-02-01T10:01"),
    ]
    assert in_order(frame(turns))["text"].to_list() == ["a", "b", "late"]


_TURNS = st.lists(
    st.tuples(st.sampled_from(["s1", "s2"]), st.integers(0, 900), st.integers(1, 60), st.booleans()), max_size=14
)


def drawn(rows: list[tuple[str, int, int, bool]]) -> list[Turn]:
    first = at("2026-02-01T10:00")
    return [
        turn(
            "word " * n, session=session, seq=i, said=(first + timedelta(minutes=minute)).isoformat(), is_evidence=good
        )
        for i, (session, minute, n, good) in enumerate(rows)
    ]


@settings(max_examples=80, deadline=None)
@given(_TURNS, st.integers(0, 14), st.randoms())
def test_every_turn_is_in_one_topic_or_has_a_reason(rows: list[Any], n_before: int, chance: random.Random) -> None:
    turns = drawn(rows)
    before, new = turns[:n_before], turns[n_before:]
    result = cut(new, before, window_tokens=100)
    placed = [key for topic in keys(result) for key in topic]
    assert sorted([*placed, *result.decisions["item_id"]]) == sorted(t.msg_key for t in new)
    for topic in result.topics.iter_rows(named=True):
        assert topic["n_tokens"] <= 100 or len(topic["msg_keys"]) == 1
        assert not set(topic["context_keys"]) & set(topic["msg_keys"])
    assert conform(result.topics, Topic).equals(result.topics)
    chance.shuffle(new)
    assert cut(new, before, window_tokens=100).topics.equals(result.topics)


def lines_of(*texts: str, start: int = 0, **more: Any) -> list[Turn]:
    return [turn(text, seq=start + i, said=None, **more) for i, text in enumerate(texts)]


def about(n: int, *subjects: str) -> list[Turn]:
    """`n` turns a subject, no two of which share a word of four letters, so that only a vector tells what they are about."""
    words = map("".join, itertools.product("bcdfghjklmnpqrst", repeat=4))
    texts = [f"a {subject} {next(words)}" for subject in subjects for _ in range(n)]
    return lines_of(*texts)


def test_without_times_a_topic_ends_where_its_subject_does() -> None:
    turns = about(40, "sea", "rye")
    assert [len(k) for k in keys(cut(turns, embed=Subjects()))] == [40, 40]
    assert [len(k) for k in keys(cut(turns))] == [80], "nothing but the vectors tells"


def test_shared_words_tell_where_there_are_no_vectors() -> None:
    turns = lines_of(*["the boat needs paint and a sail"] * 40, *["the dough wants flour with salt"] * 40)
    assert [len(k) for k in keys(cut(turns))] == [40, 40]


def test_with_times_nothing_is_asked_of_words_while_a_stretch_fits_its_window() -> None:
    said = {t.msg_key: at("2026-02-01T10:00") for t in about(40, "sea", "rye")}
    turns = [t.model_copy(update={"said_at": said[t.msg_key]}) for t in about(40, "sea", "rye")]
    embed = Subjects()
    assert [len(k) for k in keys(cut(turns, embed=embed))] == [80]
    assert embed.asked == 0
    assert [len(k) for k in keys(cut(turns, embed=embed, window_tokens=200))] == [40, 40]


def test_without_times_people_who_meet_again_begin_a_topic() -> None:
    chat = [f"The {word} is fine." for word in ("roof", "door", "wall", "lamp", "sink", "desk", "rug", "oven")]
    turns = lines_of(*chat, "Anyway, talk to you later!", "Hey Ana, long time no see!", "Hi Ben, hello!", *chat)
    assert [len(k) for k in keys(cut(turns))] == [9, 10]


def test_where_every_subject_changes_each_border_is_found() -> None:
    assert [len(k) for k in keys(cut(about(30, *["sea", "rye"] * 4), embed=Subjects()))] == [30] * 8


def test_a_long_session_is_read_in_chunks_that_leave_no_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [t.text for t in about(30, "sea", "rye", "sea")]
    whole = borders.cohesion(texts, Subjects())
    monkeypatch.setattr(borders, "_CHUNK_TURNS", 7)
    assert borders.cohesion(texts, Subjects()) == pytest.approx(whole)
    assert whole.argmin() in (30, 60)


def test_sessions_share_a_window_and_none_is_split_that_fits() -> None:
    days = [talk(3, session=f"s{n}", start=1440 * n) for n in range(5)]
    result = cut([t for day in days for t in day], window_tokens=100, context_turns=2)
    assert windows(result) == [[t.msg_key for day in days for t in day]]
    assert result.topics.sort("session_id")["place"].to_list() == [0, 1, 2, 3, 4]
    long = [talk(3, session=f"s{n}", start=1440 * n, text="word " * 14) for n in range(5)]
    result = cut([t for day in long for t in day], window_tokens=100)
    assert windows(result) == [[t.msg_key for day in long[n : n + 2] for t in day] for n in (0, 2, 4)]
    assert result.topics["context_keys"].to_list() == [[]] * 5


def test_windows_follow_time_and_not_the_names_of_sessions() -> None:
    days = [talk(2, session=f"s{n}", start=1440 * n) for n in (2, 9, 10)]
    places = dict(cut([t for day in days for t in day]).topics.select("session_id", "place").iter_rows())
    assert places == {"s2": 0, "s9": 1, "s10": 2}


def test_windows_never_mix_owners_platforms_or_projects() -> None:
    made = [
        [t.model_copy(update={**more, "msg_key": f"{n}{t.msg_key}"}) for t in talk(1, session=f"s{n}")]
        for n, more in enumerate(
            [{}, {"owner": "u-bo"}, {"platform": "else"}, {"project": "kiln"}, {"project": "kiln"}]
        )
    ]
    result = cut([t for turns in made for t in turns])
    assert sorted(map(len, windows(result))) == [1, 1, 1, 2]


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 6), st.integers(1, 30)), min_size=1, max_size=8),
    st.integers(1, 8),
    st.integers(1, 6),
)
def test_a_later_session_or_turn_changes_the_last_window_alone(
    shape: list[tuple[int, int]], n_now: int, n_turns: int
) -> None:
    days = [talk(n, session=f"s{i}", start=1440 * i, text="word " * words) for i, (n, words) in enumerate(shape)]
    heard = [*days[: n_now - 1], *([days[n_now - 1][:n_turns]] if n_now <= len(days) else [])]
    now = windows(cut([t for day in heard for t in day], window_tokens=100))
    later = windows(cut([t for day in days for t in day], window_tokens=100))
    assert now[:-1] == later[: len(now) - 1]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["sea", "rye"]), min_size=1, max_size=4), st.integers(1, 30), st.integers(0, 60))
def test_later_turns_without_times_move_no_border_further_back_than_the_look_ahead(
    subjects: list[str], n: int, n_less: int
) -> None:
    turns = about(n, *subjects)
    short = turns[: max(1, len(turns) - n_less)]
    now, whole = (find_borders(next(sessions(frame(x), empty(Turn))), Subjects()) for x in (short, turns))
    settled = len(short) - LOOK_AHEAD
    assert [b for b in now if b <= settled] == [b for b in whole if b <= settled]


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 300), st.integers(1, 60)), min_size=1, max_size=14), st.integers(1, 14))
def test_what_is_said_later_moves_no_earlier_border(rows: list[tuple[int, int]], n_now: int) -> None:
    minute = 0
    timed: list[tuple[str, int, int, bool]] = []
    for pause, n in rows:
        minute += pause
        timed.append(("s1", minute, n, True))
    turns = drawn(timed)
    now, later = keys(cut(turns[:n_now], window_tokens=100)), keys(cut(turns, window_tokens=100))
    assert now[:-1] == later[: len(now) - 1]
    assert later[len(now) - 1][: len(now[-1])] == now[-1]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["hey you", "bye", "so it goes", "boats sail", ""]), st.integers(0, 40))),
    st.randoms(),
)
def test_without_times_no_turn_is_lost_and_windows_hold(rows: list[tuple[str, int]], chance: random.Random) -> None:
    turns = lines_of(*(f"{text} {'word ' * n}" for text, n in rows))
    result = cut(turns, window_tokens=100)
    assert sorted(k for topic in keys(result) for k in topic) == sorted(t.msg_key for t in turns)
    sizes = result.topics.group_by("window").agg(n=pl.col("n_tokens").sum(), turns=pl.col("msg_keys").list.len().sum())
    assert all(n <= 100 or n_turns == 1 for n, n_turns in sizes.select("n", "turns").iter_rows())
    chance.shuffle(turns)
    assert cut(turns, window_tokens=100).topics.equals(result.topics)
