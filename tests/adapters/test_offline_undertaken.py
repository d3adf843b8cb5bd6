"""Who is to do what: orders that hold for good, promises that are none, other people's deeds, and what closes nothing."""

from __future__ import annotations

import pytest

from models.closing import CALLED_OFF, DONE, closing
from slowwave.format import Kind
from tests.adapters.test_offline import read

GOAL, COMMUNICATION = Kind.GOAL_OR_COMMITMENT, Kind.COMMUNICATION_PREFERENCE


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to penicillin, please never forget that.",
        "Find me a pancake recipe, I'm allergic to eggs.",
        "Don't forget that I have a severe allergy to nuts.",
    ],
)
def test_what_one_cannot_eat_or_take_is_kept_whatever_is_asked_with_it(text: str) -> None:
    assert [claim.kind for claim in read(text)] == [Kind.CONSTRAINT]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Please stop adding emojis to your answers.", COMMUNICATION),
        ("Stop apologising all the time.", COMMUNICATION),
        ("Don't use so many exclamation marks.", COMMUNICATION),
        ("Don't book anything before 10 on Mondays.", Kind.CONSTRAINT),
        ("Don't schedule calls on Fridays.", Kind.CONSTRAINT),
        ("Use pnpm, not npm, in the atlas repo.", Kind.TOOL_OR_WORKFLOW_LESSON),
        ("Write tests with pytest, not unittest.", Kind.TOOL_OR_WORKFLOW_LESSON),
        ("Use metric units, not imperial.", Kind.PREFERENCE),
    ],
)
def test_an_order_that_holds_for_good_is_kept(text: str, kind: Kind) -> None:
    assert [claim.kind for claim in read(text)] == [kind]


@pytest.mark.parametrize("text", ["Stop the server.", "Book Tuesday, not Wednesday.", "Don't send the mail yet."])
def test_an_order_for_this_once_is_work(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "I promised nobody anything.",
        "I didn't promise Tom the deck.",
        "I will not be at the party on Saturday.",
        "I won't finish the deck by Friday.",
        "If I get the job I'll move to Oslo.",
        "Unless it rains I'll cycle to Ghent on Sunday.",
        "I'm thinking of maybe learning Basque someday.",
        "My boss wants me to finish the deck by Wednesday, but I told her I won't.",
    ],
)
def test_what_is_not_undertaken_is_no_promise_and_never_due(text: str) -> None:
    (claim,) = read(text)
    assert claim.kind is not GOAL
    assert claim.due is None


@pytest.mark.parametrize(
    "text",
    [
        "I won't forget to call Ana tomorrow.",
        "If you like, I'll send it on Friday.",
        "I can't make it on Monday, but I will send the deck by Friday.",
        "I'm planning to learn Basque.",
    ],
)
def test_what_only_sounds_like_a_refusal_is_a_promise(text: str) -> None:
    assert [claim.kind for claim in read(text)] == [GOAL]


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Tom borrowed my drill; he'll bring it back on Saturday.", "Tom"),
        ("Ana lent me her bike and she needs to fetch it by Friday.", "Ana"),
        ("My wife will send the contract tomorrow.", "wife"),
        ("My landlord has to fix the boiler by Friday.", "landlord"),
        ("My wife needs the contract by Friday.", "user"),
        ("Tom called and he'll come, so I'll bake a cake on Saturday.", "user"),
    ],
)
def test_anothers_deed_is_theirs(text: str, subject: str) -> None:
    assert [claim.subject for claim in read(text)] == [subject]


@pytest.mark.parametrize(
    "text",
    [
        "My ex-husband Karel got the house in Mechelen.",
        "I was diagnosed with coeliac disease in 2019.",
        "We got married ten years ago this June.",
        "We got engaged in Rome.",
        "I was raised in Lyon.",
    ],
)
def test_a_turn_in_life_closes_nothing(text: str) -> None:
    assert closing(text) is None


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("Cancel the reminder about the notary, it's done.", DONE),
        ("Delete the reminder for the rent, I paid it.", DONE),
        ("Drop the reminder about the dentist, I'm not going.", CALLED_OFF),
        ("Don't remind me about the dentist on Thursday, I cancelled it.", CALLED_OFF),
        ("Don't remind me about the gym any more.", CALLED_OFF),
    ],
)
def test_a_reminder_that_is_taken_back_closes_what_it_was_for(text: str, attribute: str) -> None:
    assert [(claim.kind, claim.attribute) for claim in read(text)] == [(GOAL, attribute)]


def test_a_reminder_that_is_only_put_off_closes_nothing() -> None:
    assert closing("Don't remind me about the dentist before Friday.") is None


@pytest.mark.parametrize(
    "text", ["I'm joking, I don't really hate Mondays.", "That was a joke, I'm not moving to Mars."]
)
def test_a_joke_says_nothing(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize("text", ["I don't need the weekly summary anymore.", "We no longer need the daily notes."])
def test_what_is_no_longer_wanted_is_no_habit(text: str) -> None:
    assert [claim.kind for claim in read(text)] == [Kind.PREFERENCE]


def test_a_fact_put_right_is_a_fact_and_a_manner_put_right_is_a_lesson() -> None:
    (claim,) = read("No, you got it wrong: my daughter is called Mila, not Mira.")
    assert (claim.subject, claim.kind) == ("Mila", Kind.COLLABORATOR)
    (claim,) = read("You got my name wrong: I'm Noor, not Nora.")
    assert (claim.kind, claim.statement) == (Kind.SEMANTIC_FACT, "I'm Noor, not Nora.")
    (claim,) = read("You got it wrong: the report must be in PDF.")
    assert claim.kind is Kind.TOOL_OR_WORKFLOW_LESSON


def test_an_event_of_one_day_is_due_and_what_comes_round_is_a_habit() -> None:
    (once,) = read("The surgery is on the 14th.")
    assert (once.kind, once.due) == (GOAL, "the 14th")
    (habit,) = read("Choir is on the 14th.")
    assert (habit.kind, habit.due) == (Kind.ROUTINE, None)


def test_a_japanese_deadline_is_due() -> None:
    (claim,) = read("来週の金曜日までに報告書を送ります。")
    assert (claim.kind, claim.due) == (GOAL, "来週の金曜日")
