"""Segment: whole turns, in order, in windows that later talk does not move."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from models.rules import SegmentRules
from models.table import Frame, conform, empty, rows_to_frame
from models.turn import Span, Topic, Turn
from tasks.segment import Segmented, in_order, segment
from tests.make import at, turn


def frame(turns: Sequence[Turn]) -> Frame[Turn]:
    return rows_to_frame(Turn, turns)


def cut(turns: Sequence[Turn], earlier: Sequence[Turn] = (), **rules: Any) -> Segmented:
    before = frame(earlier) if earlier else empty(Turn)
    return segment(frame(turns), before, rules=SegmentRules(**rules))


def keys(result: Segmented) -> list[list[str]]:
    return result.topics.sort("session_id", "ordinal")["msg_keys"].to_list()


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
