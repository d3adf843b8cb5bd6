"""What a question asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.format import Kind
from slowwave.planner import plan
from tests.make import NOW, at


@pytest.mark.parametrize(
    ("question", "mode"),
    [
        ("When did Caroline go to the support group?", "historical"),
        ("What happened last week?", "historical"),
        ("What is due this Friday?", "commitment"),
        ("What did I promise Marta?", "commitment"),
        ("What tea do I prefer?", "preference"),
        ("Who works with Ana on billing?", "collaborator"),
        ("Where were we with the apollo repo?", "project"),
        ("How should I answer when she is busy?", "communication"),
        ("Where is the spare key?", "general"),
        ("", "general"),
    ],
)
def test_modes(question: str, mode: str) -> None:
    assert plan(question, NOW).mode == mode


def test_kinds_go_with_the_mode() -> None:
    assert Kind.GOAL_OR_COMMITMENT in plan("any open tasks?", NOW).kinds
    assert plan("where is the key?", NOW).kinds == frozenset()


def test_a_word_inside_another_is_no_sign() -> None:
    assert plan("Where is the wholesale catalogue?", NOW).mode == "general"


def test_the_time_a_question_names() -> None:
    window = plan("What did I do in March 2025?", NOW).window
    assert window is not None and window.starts_at is not None and window.ends_at is not None
    assert window.starts_at <= at("2025-03-10") < window.ends_at
    assert plan("Where is the key?", NOW).window is None


def test_looking_back_asking_for_the_latest_and_asking_for_oneself() -> None:
    assert plan("What was the parking code?", NOW).is_past and not plan("What is the parking code?", NOW).is_past
    assert plan("Where did I hike in July 2025?", NOW).is_past
    assert plan("What is the latest on apollo?", NOW).is_latest and not plan("What about apollo?", NOW).is_latest
    assert (
        plan("What’s my code?", NOW).is_own and plan("i'm where?", NOW).is_own and not plan("Is it mined?", NOW).is_own
    )


@pytest.mark.parametrize(
    ("question", "is_so"),
    [
        ("When did Caroline paint it?", True),
        ("How long has she lived there?", True),
        ("In which year did they move?", True),
        ("Wanneer komt de oven?", True),
        ("窯はいつ届きますか", True),
        ("What does she do when it rains?", False),
        ("Where is the spare key?", False),
        ("Who is whenever about?", False),
    ],
)
def test_whether_a_question_asks_when(question: str, is_so: bool) -> None:
    assert plan(question, NOW).is_for_a_date == is_so


@given(st.text(max_size=200))
def test_every_text_has_a_plan(question: str) -> None:
    assert plan(question, NOW) == plan(question, NOW)


@pytest.mark.parametrize(
    ("question", "is_so"),
    [
        ("What happened last week?", True),
        ("What did I do in March?", True),
        ("Catch me up on yesterday", True),
        ("Give me a recap of this month, please.", True),
        ("What happened?", False),
        ("What happened with the school demo last week?", False),
        ("Who rang last week?", False),
    ],
)
def test_a_question_may_ask_for_a_time_and_nothing_in_it(question: str, is_so: bool) -> None:
    assert plan(question, NOW).is_about_time == is_so
