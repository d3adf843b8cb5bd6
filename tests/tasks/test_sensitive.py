"""Which words tell a private matter, and which only sound like one."""

from __future__ import annotations

import pytest

from tasks.extract.sensitive import is_private_matter


@pytest.mark.parametrize(
    "text",
    [
        "My neighbour Karel beats his wife.",
        "My dad hits me.",
        "He threatened my sister.",
        "Hij slaat zijn vrouw.",
        "Er schlägt seine Frau.",
        "I go to AA meetings on Tuesdays.",
        "I'm two years sober.",
        "I'm doing the twelve steps.",
        "Ik ben verslaafd.",
        "My partner is trans.",
        "Noor came out to her parents.",
        "I'm non-binary.",
        "Mijn dochter is niet-binair.",
        "I see a shrink on Mondays.",
        "Je vois un psy le lundi.",
        "My BMI is 34.",
        "I weigh 98 kilos.",
        "I fast during Ramadan.",
        "I gave up sugar for Lent.",
        "We go to mass on Sundays.",
        "I keep kosher.",
        "I'm on parole until June.",
        "My court date is 5 May.",
        "Er ist vorbestraft.",
        "Il a un casier judiciaire.",
        "I owe Marek 50 euros.",
        "I owe the bank money.",
        "I owe Tom €20.",
        "My therapist is Ana.",
        "Mi terapeuta se llama Ana.",
    ],
)
def test_a_private_matter_is_told_by_its_words(text: str) -> None:
    assert is_private_matter(text)


@pytest.mark.parametrize(
    "text",
    [
        "I owe Marek an answer before Easter.",
        "I owe you an apology.",
        "The parcel weighs 3 kilos.",
        "Beats me.",
        "It hit me that the shop was closed.",
        "I bought AA batteries.",
        "The trans-Siberian railway is long.",
        "The bundle shrinks by half.",
        "I eat breakfast fast.",
        "I lent Tom my drill.",
        "Pull the celery stalk apart.",
        "The mass of the buoy is 40 kg.",
        "My job has a probation period.",
        "We won by a landslide, it was a hit with my readers.",
        "I cut the cake with my sister.",
        "My member number is 12.",
        "We broke the ice.",
        "The court is closed for tennis.",
        "I came out of the shop.",
        "The tests are transient.",
        "I fasten the boat.",
    ],
)
def test_a_like_word_of_another_sense_is_none(text: str) -> None:
    assert not is_private_matter(text)
