"""Baselines: every search finds what it should, what is judged, and ours in the same form."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from evals.baselines.corpus import Asked, Corpus, Turn, a_world
from evals.baselines.inside import FAR, RAW, WHOLE, run
from evals.baselines.raw import FullText

START = datetime(2025, 3, 1, 9, tzinfo=UTC)
SAID = (
    "I live in Turku, near the river.",
    "Which tram goes to the harbour?",
    "I have moved, home is Ghent now.",
    "My greyhound Pixel won her first race.",
)


@pytest.fixture
def corpus() -> Corpus:
    turns = tuple(Turn(f"t{i}", "s", "Ines", START + timedelta(days=i), text) for i, text in enumerate(SAID))
    asked = (
        Asked("What did the greyhound Pixel win?", frozenset(["t3"])),
        Asked("Where do I live?", frozenset(["t2"]), stale=frozenset(["t0"])),
    )
    return Corpus("talk", turns, asked, START + timedelta(days=9))


@pytest.mark.parametrize("system", RAW)
def test_every_search_returns_the_turn_that_says_it(system: str, corpus: Corpus) -> None:
    found = RAW[system](corpus).ask("What did the greyhound Pixel win?", 10)
    assert any("t3" in ids for ids, _ in found)
    assert all("Ines, " in text for _, text in found)


def test_full_text_is_not_misled_by_words_that_only_ask(corpus: Corpus) -> None:
    search = FullText(corpus)
    assert [corpus.turns[place].id for place in search.places("Where is the greyhound?", 10)] == ["t3"]
    assert search.places("Where is it?", 10) == []


def test_what_once_held_is_outdated_where_it_comes_first(corpus: Corpus, tmp_path: Path) -> None:
    rows = run("full_text", [corpus], tmp_path, "", "")["rows"]
    assert [row["at_10"] for row in rows] == [1.0, 1.0]
    assert [row["stale_first"] for row in rows] == [None, True]


def test_all_of_the_talk_finds_everything_and_costs_it(corpus: Corpus, tmp_path: Path) -> None:
    longer = Corpus("talk", corpus.turns * FAR, corpus.asked, corpus.as_of)
    told = run(WHOLE, [longer], tmp_path, "", "")
    assert [row["at_10"] for row in told["rows"]] == [1.0, 1.0]
    assert told["rows"][0]["tokens"] > 1000
    assert told["rows"][1]["stale_first"] is None, "all at once has no order to be wrong in"


def test_a_world_is_asked_for_what_holds_at_its_end() -> None:
    made = a_world(3, days=42)
    assert made.world is not None
    ids = {turn.id for turn in made.turns}
    assert len(made.turns) == made.world.n_messages
    assert all(asked.evidence | asked.stale <= ids for asked in made.asked)
    assert any(asked.stale for asked in made.asked)


def test_ours_answers_in_the_same_form(tmp_path: Path) -> None:
    told = run("ours", [a_world(3, days=21)], tmp_path, "", "")
    assert sum(row["at_10"] for row in told["rows"]) > 0.8 * len(told["rows"])
    assert told["taking"] > 0
