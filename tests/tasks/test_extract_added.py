"""A statement says nothing that its lines don't: a name in small letters is seen, plain rewording adds nothing."""

from __future__ import annotations

import pytest

from tasks.extract.added import added


@pytest.mark.parametrize(
    ("said", "statement", "new"),
    [
        ("I live in Porto with my dog.", "The user lives in Porto with alice and their dog.", ["alice"]),
        ("I live in Porto.", "The user lives in porto, near braga.", ["braga"]),
        ("We bought a boat.", "The user bought a boat and a caravan.", ["caravan"]),
        ("Ik woon in Gent.", "De gebruiker woont in Gent met sofie.", ["sofie"]),
        ("I like tea.", "The user likes tea because of a divorce.", ["divorce"]),
        ("I play the oboe.", "The user's friend plays the oboe.", ["friend"]),
    ],
)
def test_a_word_of_the_models_own_is_named(said: str, statement: str, new: list[str]) -> None:
    assert added(statement, [said]) == new


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        (
            "I moved to Porto in May 2024, and my dog hates it!",
            "The user moved to Porto in May 2024; their dog hates it.",
        ),
        ("I'm allergic to walnuts.", "The user has an allergy to walnuts."),
        ("My sister Mia's training for the marathon.", "The user's sister Mia trains for the marathon."),
        ("We're so proud of the bees.", "They're so proud of the bees."),
        ("No more coffee for me, tea it is.", "The user no longer drinks coffee and prefers tea instead."),
        ("Ich wohne seit 2020 in Köln.", "Die Nutzerin wohnt seit 2020 in Köln."),
        ("Ik drink geen koffie meer.", "De gebruiker drinkt geen koffie meer."),
        ("Moro em Braga com a minha irmã.", "A utilizadora mora em Braga com a sua irmã."),
        ("毎朝走ります。", "毎朝走る。"),
    ],
)
def test_telling_it_again_adds_nothing(said: str, statement: str) -> None:
    assert added(statement, [said]) == []
