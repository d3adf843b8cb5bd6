"""What is invented, quoted, wished, supposed or mocked is no one's life; what only looks alike is."""

from __future__ import annotations

import pytest

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
