"""The same facts asked in several languages: one talk in each, and each finds nearly what English finds."""

from __future__ import annotations

import pytest

from evals.languages import EMBEDDERS, LANGUAGES, measure, talk
from slowwave.language import language


@pytest.fixture(scope="module")
def figures() -> dict[str, dict[str, dict[str, float]]]:
    return measure()


def test_every_language_tells_the_same_facts_at_the_same_places_and_asks_twice() -> None:
    english = [(line.id, line.fact, line.role) for line in talk("en")]
    assert len(english) == 120 and len({fact for _, fact, _ in english if fact}) == 24
    for code in LANGUAGES:
        lines = talk(code)
        assert [(line.id, line.fact, line.role) for line in lines] == english
        assert all(len(set(line.asked)) == 2 for line in lines if line.fact)
        asked = [text for line in lines for text in line.asked]
        assert {language(text) for text in asked} <= {code, "zh"}, "a question is taken for one in its own language"


@pytest.mark.parametrize("embedder", EMBEDDERS)
@pytest.mark.parametrize("name", ["dutch", "french", "japanese"])
def test_a_language_finds_nine_tenths_of_what_english_finds(
    figures: dict[str, dict[str, dict[str, float]]], name: str, embedder: str
) -> None:
    assert figures[embedder]["found_at_10"]["english"] > 80
    assert figures[embedder]["of_english"][name] >= 90
