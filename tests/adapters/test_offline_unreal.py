"""What is invented, quoted, wished, supposed or mocked is no one's life; what only looks alike is."""

from __future__ import annotations

import pytest

from adapters.offline.play import asks_fiction
from tests.adapters.test_offline import read


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
