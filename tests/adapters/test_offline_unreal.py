"""What is invented, quoted, wished, supposed or mocked is no one's life; what only looks alike is."""

from __future__ import annotations

from datetime import timedelta

import pytest

from adapters.offline.play import asks_fiction
from tests.adapters.test_offline import SAID, line, read


@pytest.mark.parametrize(
    "text",
    [
        "In the novel I'm writing, I live in Prague.",
        "In my dream last night, I worked at NASA.",
        "In the story we are making up, I live in Oslo.",
        "My character lives in Oslo.",
        'My sister said "I hate my job".',
        'My boss told me: "I live in Porto."',
        "Ha, sure, and I am the king of Spain.",
        "Yeah, right, and I'm the queen of Sweden.",
        "I wish I had a cat named Luna.",
        "If only I lived in Lisbon.",
        "I'd be living in Rome if I had taken the job.",
        "If I'd taken the job, I would live in Rome.",
        "I would live in Rome if I hadn't sold the house.",
    ],
)
def test_what_is_not_so_gives_no_claim(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "In the novel club, I met Ana Prado.",
        "I live in Prague, and my novel is set in Oslo.",
        "My sister said that she hates her job at Mavenir.",
        "I have a cat named Luna.",
        "Yeah, sure, and I'm allergic to walnuts.",
        "I had taken the job at Mavenir in 2024.",
        "In my book club, I lead the meeting on Tuesdays.",
    ],
)
def test_what_only_looks_alike_is_kept(text: str) -> None:
    assert read(text)


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("I live in Prague and write novels.", False),
        ("We tell stories at the fire every Friday.", False),
        ("My kids write songs.", False),
        ("I run a role-play group on Fridays.", False),
        ("Ik woon in Praag en schrijf romans.", False),
        ("Ik schrijf een verhaal over mijn opa.", False),
        ("Could you write a limerick about rain?", True),
        ("I want you to write a story.", True),
        ("I need a break; write a poem about tea.", True),
        ("Find a title and write a poem.", True),
        ("Let's role-play a job interview.", True),
        ("Schrijf een verhaal over een vos.", True),
        ("Bitte erzähl eine Geschichte.", True),
    ],
)
def test_a_story_is_asked_for_and_not_merely_written(text: str, is_asked: bool) -> None:
    assert asks_fiction(text) is is_asked


def test_who_writes_novels_lives_somewhere() -> None:
    (claim,) = read("I live in Prague and write novels.")
    assert (claim.attribute, claim.value) == ("home_city", "Prague")


@pytest.mark.parametrize(
    "opening",
    [
        "Let's pretend I'm a smuggler called Blackfin.",
        "Stel je voor dat ik een ridder ben.",
        "Stell dir vor, ich bin ein Ritter.",
        "Disons que tu es le juge et que je suis l'avocat.",
        "Suppose I were a lighthouse keeper.",
    ],
)
def test_what_is_said_inside_a_game_or_a_supposition_is_no_ones_life(opening: str) -> None:
    assert read(opening, "I live on a ship in Nassau.", "I have a parrot named Skully.") == []


def test_after_a_game_and_after_a_supposition_life_goes_on() -> None:
    assert [
        c.lines
        for c in read("Let's pretend I'm a smuggler.", "I live in Nassau.", "OK, enough of that.", "I live in Trier.")
    ] == [[4]]
    later = line("I live in Trier.", 2, said_at=SAID + timedelta(minutes=1))
    assert [c.lines for c in read("Suppose I were a nurse.", later)] == [[2]]


def test_a_word_that_opens_a_sentence_leads_back_to_life() -> None:
    told = "Let's say I had two boats and a plane, haha."
    assert [c.lines for c in read(told, "No, seriously: my one canoe, Tilda, is enough work.")] == [[2]]


def test_a_game_lasts_as_long_as_it_is_played() -> None:
    played = [line(f"I live in Nassau {n}.", n + 2, said_at=SAID + timedelta(minutes=20 * (n + 1))) for n in range(4)]
    assert read("Let's pretend I'm a smuggler.", *played) == []


@pytest.mark.parametrize(
    "text",
    [
        "Als ik rijk was, zou ik een boot kopen.",
        "Wenn ich reich wäre, würde ich ein Boot kaufen.",
        "Si j'étais riche, j'achèterais une île.",
        "Si tuviera dinero, compraría una casa en Cádiz.",
        "Se eu fosse rico, comprava uma casa em Faro.",
        "もし宝くじに当たったら、家を買います。",
        "Das war nur ein Witz: ich bin der Kaiser von China.",
        "妹は「納豆が嫌い」と言っていました。",
    ],
)
def test_other_languages_suppose_jest_and_quote_too(text: str) -> None:
    assert read(text) == []
