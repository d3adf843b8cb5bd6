"""Worlds: the same seed is the same life, the truth is in what was said, and files hold what they should."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from evals.worlds.files import Logs
from evals.worlds.life import DONE, LATE, OPEN, Promise, Saying
from evals.worlds.scenes import World, as_of, world
from evals.worlds.teller import Teller
from evals.worlds.year import START, draw_year, welcome

DAYS = 42


@pytest.fixture(scope="module")
def made() -> World:
    return world(draw_year(3, days=DAYS), 3, noise=1.0)


def test_the_same_seed_is_the_same_life_and_another_is_not(made: World) -> None:
    again, other = world(draw_year(3, days=DAYS), 3, noise=1.0), world(draw_year(4, days=DAYS), 4, noise=1.0)
    assert again == made
    assert [s.text for s in other.year.sayings] != [s.text for s in made.year.sayings]


def test_noise_is_as_much_as_was_asked_for() -> None:
    quiet, loud = (world(draw_year(3, days=DAYS), 3, noise=noise) for noise in (0.0, 6.0))
    told = len(quiet.year.sayings)
    assert quiet.n_messages == 2 * told
    assert loud.n_messages > 6 * told


def test_every_sentence_stands_in_the_message_that_it_is_said_to_stand_in(made: World) -> None:
    messages = {(s.id, m.id): m for s in made.sessions for m in s.messages}
    for saying in made.year.sayings:
        assert saying.text in messages[saying.session_id, saying.message_id].text
        assert messages[saying.session_id, saying.message_id].role == "user"


def test_a_night_finds_only_what_was_said_before_it(made: World, tmp_path: Path) -> None:
    logs = Logs(tmp_path)
    logs.write(made.sessions, made.year.nudges, as_of(7))
    early = set(logs.written)
    logs.write(made.sessions, made.year.nudges, as_of(DAYS + 1))
    ended = {s.id for s in made.sessions if s.messages[-1].at < as_of(7)}
    assert ended == early & {s.id for s in made.sessions}
    assert {s.id for s in made.sessions} < logs.written
    assert [source.partition("=")[0] for source in logs.sources] == ["jsonl", "openclaw", "claude_code"]


def test_a_promise_is_open_until_it_is_late_or_done() -> None:
    made, done = (Saying(START + timedelta(days=day), "chat", "said") for day in (0, 9))
    promise = Promise("key", "Ana", "?", made, [(made, START + timedelta(days=5))], closed=done, end=DONE)
    assert [promise.state(START + timedelta(days=day)) for day in (1, 6, 10)] == [OPEN, LATE, DONE]


def test_nudges_follow_one_rule(made: World) -> None:
    assert welcome(20, "popup", "urgent") and welcome(8, "email", "low")
    assert not welcome(8, "popup", "normal") and not welcome(14, "native", "normal")
    assert {nudge.outcome == "accepted" for nudge in made.year.nudges} == {True, False}


def test_the_teller_knows_what_was_told_and_what_was_planted(made: World) -> None:
    teller = Teller(made)
    saying = made.year.sayings[0]
    assert teller._labels(f"By the way: {saying.text}") == [(saying.text, saying.rows)]
    assert teller._labels("Is the old kettle open on Sundays?") == []
    assert not set(teller.known) & set(teller.planted)
