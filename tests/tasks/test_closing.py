"""Commitments that later words close: which one is meant, and which is not."""

from __future__ import annotations

from typing import Any

import pytest

from models.claim import ClaimRow, Mention
from models.closing import closing, says
from models.memory import MemoryRow
from models.rules import MergeRules, ReconcileRules
from models.table import empty, rows_to_frame
from slowwave.format import Kind
from tasks.merge import merge
from tasks.reconcile import reconcile
from tasks.reconcile.closing import words
from tests.make import at, claim

AS_OF = at("2026-05-01T12:00")
GOAL = Kind.GOAL_OR_COMMITMENT


def states(*claims: ClaimRow) -> dict[str, tuple[str | None, list[str]]]:
    rows = rows_to_frame(ClaimRow, list(claims))
    none, nobody = empty(MemoryRow), empty(Mention)
    merged = merge(rows, none, rules=MergeRules())
    made = reconcile(merged.memories, none, rows, nobody, rules=ReconcileRules(), as_of=AS_OF)
    texts = {m["id"]: m["text"] for m in made.memories.to_dicts()}
    return {m["text"]: (m["commitment_state"], [texts[i] for i in m["related_ids"]]) for m in made.memories.to_dicts()}


def promise(text: str, said: str = "2026-04-01T10:00", **more: Any) -> ClaimRow:
    return claim(text, said=said, kind=GOAL, **more)


def ended(text: str, attribute: str = "done", said: str = "2026-04-09T10:00", **more: Any) -> ClaimRow:
    return claim(text, said=said, attribute=attribute, value=text, **{"kind": Kind.EPISODIC_EVENT, **more})


def test_what_is_said_to_be_done_fulfils_the_promise_and_is_named_beside_it() -> None:
    told = "The poster proofs went to Ilse."
    made = states(promise("I promised Ilse the poster proofs.", due_at=at("2026-04-10")), ended(told))
    assert made["I promised Ilse the poster proofs."] == ("fulfilled", [told])
    assert made[told] == (None, [])


def test_what_is_called_off_is_cancelled_and_no_longer_overdue() -> None:
    made = states(
        promise("I give a tour for the Lindqvist school.", due_at=at("2026-04-20")),
        ended("The Lindqvist school cancelled the tour.", "called_off", kind=GOAL),
    )
    assert {state for state, _ in made.values()} == {"cancelled"}


@pytest.mark.parametrize(
    ("promised", "told", "said"),
    [
        ("I'll send the report to Ana.", "The gate is painted.", "2026-04-09T10:00"),
        ("I'll fix the bench at the pier.", "The bench at the pier is fixed.", "2026-03-09T10:00"),
        ("I'll fix the bench at the pier.", "The bench at the pier is fixed.", "2026-04-01T10:00"),
        ("I promised Ilse Maas ten lanterns.", "The price list went out to Ilse Maas.", "2026-04-09T10:00"),
        ("I owe Ilse Maas ten lanterns.", "Ilse Maas has been called.", "2026-04-09T10:00"),
    ],
    ids=["other words", "said before", "said with it", "another matter of one person", "one person"],
)
def test_other_words_and_earlier_ones_close_nothing(promised: str, told: str, said: str) -> None:
    assert states(promise(promised), ended(told, said=said))[promised] == ("open", [])


def test_a_call_that_was_made_is_the_one_that_was_owed() -> None:
    made = states(promise("I'll call Paulo."), promise("I'll call Ines."), ended("I called Paulo."))
    assert (made["I'll call Paulo."][0], made["I'll call Ines."][0]) == ("fulfilled", "open")
    roof, tax = "I'll call Paulo about the roof.", "I'll call Paulo about the tax."
    unclear = states(promise(roof), promise(tax), ended("I called Paulo."))
    assert {unclear[roof][0], unclear[tax][0]} == {"open"}
    off = states(promise("I'll call Ines."), ended("Ines called the party off.", "called_off", kind=GOAL))
    assert off["I'll call Ines."][0] == "open"


def test_a_promise_made_again_is_open_again() -> None:
    first, again = (
        promise("I'll water the ferns upstairs."),
        promise("I'll water the ferns upstairs.", said="2026-04-12T10:00"),
    )
    assert states(first, again, ended("The ferns upstairs are watered."))["I'll water the ferns upstairs."][0] == "open"


def test_one_shared_word_closes_only_where_it_leaves_no_choice() -> None:
    told = ended("The plumber is rung.")
    assert states(promise("I have to call the plumber."), told)["I have to call the plumber."][0] == "fulfilled"
    both = states(promise("I have to call the plumber."), promise("I have to pay the plumber.", message_id="m1"), told)
    assert {both["I have to call the plumber."][0], both["I have to pay the plumber."][0]} == {"open"}


def test_words_of_completion_do_not_say_what_is_over() -> None:
    told = ended("The report's sent, tick that off.")
    one, other = promise("I promised Marta the budget report."), promise("I owe Ana the report.", message_id="m1")
    assert states(one, told)["I promised Marta the budget report."][0] == "fulfilled"
    assert {states(one, other, told)[text][0] for text in (one.text, other.text)} == {"open"}


def test_another_project_is_another_promise() -> None:
    made = states(
        promise("I'll tag the release branch.", project="p1"), ended("The release branch is tagged.", project="p2")
    )
    assert made["I'll tag the release branch."][0] == "open"


def test_dates_and_common_words_tell_no_promise_from_another() -> None:
    assert words("I'll be done with it by Friday 20 March 2026, promised.") == frozenset()
    assert words("Cut the 0.4 tag.") == words("0.4 is tagged, cut.") == {"0.4", "cut", "tag"}


@pytest.mark.parametrize(
    ("happened", "precision", "state"),
    [
        ("2024-01-01", "year", "open"),
        ("2026-03-02", "month", "fulfilled"),
        ("2026-04-01", "day", "fulfilled"),
        ("2026-03-30", "day", "open"),
    ],
)
def test_what_was_over_before_the_promise_does_not_fulfil_it(happened: str, precision: str, state: str) -> None:
    told = ended("The contract for Marta was signed.", valid_from=at(happened), valid_precision=precision)
    assert states(promise("I will send the signed contract to Marta."), told)[
        "I will send the signed contract to Marta."
    ] == (state, [told.text] if state == "fulfilled" else [])


@pytest.mark.parametrize(
    ("promised", "told"),
    [
        ("I will return the borrowed ladder to the school.", "Piet's ladder was borrowed from the school."),
        ("I'll pay the deposit for the hall to Ana.", "The deposit was paid back to Kim, the other hall."),
        ("I'll repair the fence by the barn.", "The fence by the barn was photographed."),
        ("I need to renew the insurance of the van.", "The insurance of the van was explained to me."),
    ],
)
def test_another_deed_or_another_person_fulfils_nothing(promised: str, told: str) -> None:
    assert states(promise(promised), ended(told))[promised] == ("open", [])


@pytest.mark.parametrize(
    ("promised", "told"),
    [
        ("I will return the borrowed ladder to the school.", "The ladder was returned to the school."),
        ("I'll pay the deposit for the hall to Ana.", "The deposit for the hall is paid."),
        ("I'll repair the fence by the barn.", "The fence by the barn is fixed."),
        ("I'll carry the boxes to Ilse.", "The boxes were carried to Ilse Maas on Friday."),
        ("I'll clean the gutters of the shed.", "The gutters of the shed; tick it off."),
        ("I'll write the report for Ana.", "The report for Ana is in the post."),
    ],
)
def test_the_same_deed_or_one_of_completion_fulfils(promised: str, told: str) -> None:
    assert states(promise(promised), ended(told))[promised][0] == "fulfilled"


@pytest.mark.parametrize(
    "text",
    ["I promised to deliver the quilts by the fair.", "I agreed to sing.", "We decided to move.", "I offered help."],
)
def test_a_promise_is_not_its_own_fulfilment(text: str) -> None:
    assert closing(text) is None
    assert closing("I delivered the quilts.") is not None


def test_who_begins_a_sentence_is_a_name_all_the_same() -> None:
    """The first word has its capital from grammar: it is a name where it is written as one elsewhere."""
    cards, tiles = "Beatriz Lobo is getting the cards from me.", "I promised Beatriz Lobo the tiles."
    made = states(promise(cards), promise(tiles), ended("Beatriz Lobo doesn't need the tiles anymore.", "called_off"))
    assert (made[cards][0], made[tiles][0]) == ("open", "cancelled")


@pytest.mark.parametrize("other", ["Ana Petkova", "Henrik Vance"])
def test_the_same_thing_owed_to_two_is_ended_for_whom_it_is_said(other: str) -> None:
    def to(name: str, made: ClaimRow) -> list[tuple[str, str]]:
        return [(made.claim_id, "user"), (made.claim_id, name)]

    one = promise("By May I owe Ana Beltran the rental contract.")
    another = promise(f"By June I owe {other} the rental contract.")
    off = ended("The rental contract for Ana Beltran is cancelled.", "called_off", kind=GOAL)
    named = [*to("Ana Beltran", one), *to(other, another), *to("Ana Beltran", off)]
    rows = rows_to_frame(ClaimRow, [one, another, off])
    mentions = rows_to_frame(
        Mention,
        [Mention(claim_id=c, name=n, entity_id=f"ent_{n}", is_subject=n == "user") for c, n in named],
    )
    merged = merge(rows, empty(MemoryRow), rules=MergeRules())
    made = reconcile(merged.memories, empty(MemoryRow), rows, mentions, rules=ReconcileRules(), as_of=AS_OF)
    found = {m["text"]: m["commitment_state"] for m in made.memories.to_dicts()}
    assert (found[one.text], found[another.text]) == ("cancelled", "open")


@pytest.mark.parametrize(
    "text",
    [
        "Before I forget: I delivered the report to Yusuf today.",
        "Yusuf Demir has the test report now, done.",
        "Finished: the report went to Yusuf.",
    ],
)
def test_a_line_says_that_something_is_done_whatever_leads_up_to_it(text: str) -> None:
    assert says(text, "done")


def test_what_is_only_had_or_not_yet_done_says_no_such_thing() -> None:
    assert not says("Yusuf has the flu.", "done")
    assert not says("Yusuf Demir still needs the report now.", "done")
