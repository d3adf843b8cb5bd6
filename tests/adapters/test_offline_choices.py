"""What the rules read as one choice that replaces another, as the end of a commitment, as a slip put right, and as a mere story."""

from __future__ import annotations

import pytest

from adapters.offline.apart import wishes_apart
from adapters.offline.choices import choices_of
from adapters.offline.kinds import sort_of
from adapters.offline.slots import slots_of
from models.closing import bare_closing, closing
from slowwave.format import Kind, Polarity
from tests.adapters.test_offline import read


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("The minutes go out as HTML now.", "minute_format", "HTML"),
        ("The roster: a spreadsheet from now on, no PDF.", "roster_format", "spreadsheet"),
        ("Use Penpot for all diagrams.", "diagram_tool", "Penpot"),
        ("Send reminders by text message.", "reminder_channel", "text message"),
        ("No beer for me any more.", "alcohol", "No beer"),
        ("My mornings start with an americano.", "coffee", "americano"),
    ],
)
def test_a_choice_is_a_slot_with_one_value(text: str, attribute: str, value: str) -> None:
    assert [(c.slot.attribute, c.slot.value) for c in choices_of(text)] == [(attribute, value)]


@pytest.mark.parametrize(
    "text", ["The report is late.", "We had coffee with Ana.", "The map in May was wrong.", "No coffee left."]
)
def test_other_talk_of_such_things_is_no_choice(text: str) -> None:
    assert choices_of(text) == []


@pytest.mark.parametrize(
    "text", ["The van is collected.", "I paid the fine.", "Dentist called, all fine.", "Die Rechnung ist bezahlt."]
)
def test_what_is_over_is_done(text: str) -> None:
    assert (end := closing(text))
    assert end.attribute == "done"


@pytest.mark.parametrize(
    "text",
    [
        "The van is not collected yet.",
        "The fine has to be paid.",
        "I'll have it fixed.",
        "The gate is still unpainted.",
    ],
)
def test_what_is_not_over_is_not_done(text: str) -> None:
    assert closing(text) is None


def test_a_bare_word_ends_what_the_sentence_before_it_names() -> None:
    (event, end) = read("The keys are with Priya.", "Tick it off.")
    assert (event.kind, event.attribute) == (Kind.SEMANTIC_FACT, "done")
    assert (end.kind, end.attribute, end.lines) == (Kind.GOAL_OR_COMMITMENT, "done", [1, 2])
    assert bare_closing("The keys are done.") is None


def test_a_list_of_wishes_comes_apart_by_kind() -> None:
    text = "Short answers, no emoji, metric units only."
    assert [(part, sort.kind) for part, sort in wishes_apart(text, sort_of(text))] == [
        ("Short answers, no emoji.", Kind.COMMUNICATION_PREFERENCE),
        ("Metric units only.", Kind.PREFERENCE),
    ]


def test_a_slip_put_right_is_read_as_it_was_meant() -> None:
    (claim,) = read("The yoga class is Mondays at 18:00.", "Oops, I mixed it up: it's Wednesdays at 18:00.")
    assert claim.statement == "The yoga class is Wednesdays at 18:00."
    assert claim.lines == [1, 2]


def test_what_follows_a_complaint_is_a_lesson_and_takes_along_what_it_points_to() -> None:
    *_, lesson = read("You took the prices for net.", "They are gross, so read them as such.")
    assert lesson.kind is Kind.TOOL_OR_WORKFLOW_LESSON
    assert lesson.lines == [1, 2]


def test_a_story_lasts_until_the_talk_turns_back() -> None:
    claims = read("Write a scene with a pirate.", "He is allergic to parrots.", "By the way, I am allergic to pollen.")
    assert [claim.lines for claim in claims] == [[3]]


@pytest.mark.parametrize(
    "text",
    [
        "The kitchen tap is made of brass.",
        "In my dream the birthday cake was baked.",
        "Hardly any of the fence is fixed.",
        "The train to Bruges is booked out.",
        "I used to love tea but now I drink coffee.",
        "Suppose the grant application was submitted.",
    ],
)
def test_what_a_thing_is_made_of_and_what_was_only_dreamt_is_not_done(text: str) -> None:
    assert closing(text) is None


@pytest.mark.parametrize(
    "text", ["I'm not allergic to nuts.", "I am no longer allergic to nuts.", "I was never allergic to nuts."]
)
def test_an_allergy_that_is_denied_is_none(text: str) -> None:
    assert [(slot.attribute, slot.value, slot.polarity) for slot in slots_of(text)] == [
        ("allergy", "nuts", Polarity.NEGATE)
    ]


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("I no longer live in Ghent; I moved to Leuven on Saturday.", "Leuven"),
        ("I don't live in Ghent, I live in Leuven.", "Leuven"),
        ("I no longer live in Ghent.", "Ghent"),
    ],
)
def test_what_came_in_its_place_fills_the_slot_rather_than_what_has_ended(text: str, city: str) -> None:
    assert [(slot.attribute, slot.value) for slot in slots_of(text)] == [("home_city", city)]
