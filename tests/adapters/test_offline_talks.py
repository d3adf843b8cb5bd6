"""What the rules make of short talks in many fields: half of them were fitted on, half the rules had never met."""

from __future__ import annotations

from functools import cache

import pytest

from tests.adapters.talks import Result, heard, talks

# Of what is wanted; the held half is the honest figure, the open half only says how well the rules were fitted.
FLOORS = {"held": 0.75, "open": 0.85}


@cache
def results(half: str) -> list[Result]:
    return [heard(talk) for talk in talks(half)]


@pytest.mark.parametrize("half", ["held", "open"])
def test_most_of_what_is_wanted_is_remembered_with_its_kind_and_status(half: str) -> None:
    made = results(half)
    n_wanted, n_missing = sum(r.n_wanted for r in made), sum(len(r.missing) for r in made)
    assert 1 - n_missing / n_wanted >= FLOORS[half], [(r.name, r.missing) for r in made if r.missing]


@pytest.mark.parametrize("half", ["held", "open"])
def test_stories_games_jokes_and_small_talk_are_not_remembered(half: str) -> None:
    assert not [(r.name, r.unwanted) for r in results(half) if r.unwanted]


def test_the_halves_are_as_large_and_ask_for_every_kind_that_people_state() -> None:
    assert len(talks("held")) >= 30
    assert len(talks("open")) >= 30
    kinds = {one.split()[0] for half in FLOORS for talk in talks(half) for one in talk.get("wanted", [])}
    assert len(kinds) == 11, kinds
