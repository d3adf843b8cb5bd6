"""All words of a false sentence may stand in a true line: who does what, how many, how surely, and what instead is judged too."""

from __future__ import annotations

import pytest

from models.claim import Claim
from models.rules import Owner
from slowwave.format import Kind
from tests.make import turn
from tests.tasks.test_extract import Told, run

OWNER = Owner(id="u-ana", names=("Ines Rocha",))


def reasons(line: str, statement: str | None, **more: str) -> set[str]:
    claim = Claim(**{"kind": Kind.SEMANTIC_FACT, "subject": "user", "lines": [1], "statement": statement, **more})
    made = run([turn(line)], Told(claim), owner=OWNER)
    return {row["reason"] for row in made.decisions.to_dicts() if row["action"] == "quarantine"}


@pytest.mark.parametrize(
    ("line", "statement"),
    [
        ("My cousin Rui collects stamps.", "The user collects stamps."),
        ("My cousin Rui collects stamps.", "Ines collects stamps."),
        ("She paints boats with Vera.", "The user paints boats with Vera."),
        ("Tomas lent me 70 euros.", "The user lent Tomas 70 euros."),
        ("I invited Tomas to the opening.", "Tomas invited the user to the opening."),
        ("Vera said he left the choir.", "The user left the choir."),
        ("My landlord is vegetarian.", "The user is vegetarian."),
        ("Only Vera may open the safe.", "The user may open the safe."),
        ("We flew from Faro to Kiel.", "The user flew from Kiel to Faro."),
        ("I prefer rice more than pasta.", "The user prefers pasta more than rice."),
        ("The studio has 4 kilns and 9 wheels.", "The studio has 9 kilns and 4 wheels."),
        ("I was hired on 3 May 2011 and promoted on 8 June 2019.", "The user was promoted on 3 May 2011."),
        ("I ordered 30 plates, not 45.", "The user ordered 45 plates."),
        ("I might rent the barn.", "The user rents the barn."),
        ("I might visit Porto in May.", "The user visited Porto in May."),
        ("I used to row.", "The user rows."),
    ],
)
def test_a_statement_of_true_words_that_says_something_else_is_found_out(line: str, statement: str) -> None:
    assert reasons(line, statement) & {"misplaced", "changed"}


@pytest.mark.parametrize(
    ("line", "statement"),
    [
        ("My cousin Rui collects stamps.", "The user's cousin Rui collects stamps."),
        ("Tomas lent me 70 euros.", "Tomas lent the user 70 euros."),
        ("We flew from Faro to Kiel.", "The user flew to Kiel from Faro."),
        ("I have 4 kilns and 9 wheels.", "The user has nine wheels and four kilns."),
        ("I was hired on 3 May 2011 and promoted on 8 June 2019.", "Ines was promoted on 8 June 2019."),
        ("I ordered 30 plates, not 45.", "The user ordered 30 plates, not 45."),
        ("I might visit Porto in May.", "The user might visit Porto in May."),
        ("I used to row.", "The user used to row."),
        ("I used to row.", "The user formerly rowed."),
        ("I never eat walnuts because I am allergic.", "Ines never eats walnuts, because they are allergic."),
        ("I would like to learn Danish.", "The user wants to learn Danish."),
        ("Moved to Kiel with Vera.", "The user moved to Kiel with Vera."),
        ("Vera and I run a bakery.", "The user and Vera run a bakery."),
    ],
)
def test_the_same_in_other_words_is_none(line: str, statement: str) -> None:
    assert not reasons(line, statement) & {"misplaced", "changed"}


def test_a_slot_of_the_users_is_not_filled_by_what_somebody_else_does() -> None:
    assert "misplaced" in reasons("My aunt lives in Faro.", None, attribute="home_city", value="Faro")
    assert not reasons("Vera is my dentist.", None, attribute="dentist", value="Vera")
    assert not reasons("I live in Faro.", None, attribute="home_city", value="Faro")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Do I have a meeting on Thursday?", "only_asked"),
        ("Heb ik morgen een afspraak?", "only_asked"),
        ("If I won the raffle I would buy a boat.", "supposed"),
        ("Let's pretend I am a knight of Malta.", "supposed"),
        ("Wenn ich reich wäre, würde ich ein Boot kaufen.", "supposed"),
        ("Si j'étais riche, j'achèterais un bateau.", "supposed"),
        ("Het was een grapje, ik ben de koning.", "supposed"),
    ],
)
def test_what_is_only_asked_or_supposed_states_nothing_whoever_reads_it(line: str, reason: str) -> None:
    assert reasons(line, None) == {reason}


@pytest.mark.parametrize(
    "line",
    [
        "I moved to Faro last week, did I tell you?",
        "Can you remind me to call Vera on Friday?",
        "I suppose I prefer the train.",
        "I asked Vera if she was free.",
        "Wenn es regnet, nehme ich den Bus.",
        "Si je vais à Faro, je dors chez Vera.",
    ],
)
def test_what_states_something_beside_it_is_none(line: str) -> None:
    assert not reasons(line, None)


@pytest.mark.parametrize(
    ("line", "attribute", "value", "kind", "stays"),
    [
        ("I don't live in Faro.", "home_city", "Faro", Kind.SEMANTIC_FACT, False),
        ("I never smoke.", "smokes", "smoke", Kind.ROUTINE, False),
        ("I live in Kiel, not in Faro.", "home_city", "Kiel", Kind.SEMANTIC_FACT, True),
        ("I've never sailed a dinghy.", "never_sailed", "dinghy", Kind.SEMANTIC_FACT, True),
        ("I never eat liver.", "avoids", "liver", Kind.CONSTRAINT, True),
    ],
)
def test_a_slot_is_left_empty_where_its_line_denies_what_it_holds(
    line: str, attribute: str, value: str, kind: Kind, stays: bool
) -> None:
    said = {"kind": kind, "subject": "user", "lines": [1], "attribute": attribute, "value": value}
    (kept,) = run([turn(line)], Told(Claim(**said)), owner=OWNER).claims.to_dicts()
    assert (kept["attribute"], kept["value"]) == ((attribute, value) if stays else (None, None))
    assert kept["text"] == line


@pytest.mark.parametrize(
    ("line", "attribute", "value", "is_right"),
    [
        ("I moved from Basel to Trier.", "home_city", "Basel", False),
        ("I moved from Basel to Trier.", "home_city", "Trier", True),
        ("I moved from Basel to Trier.", "previous_city", "Basel", True),
        ("We switched from Slack to Matrix, and Slack is gone.", "team_chat", "Slack", True),
        ("The budget went from 300 to 400 euros.", "budget", "300", False),
        ("I work from Basel to be near my sister.", "workplace", "Basel", True),
        ("I come from Basel.", "birthplace", "Basel", True),
    ],
)
def test_a_slot_holds_where_a_move_went_and_not_what_it_left(
    line: str, attribute: str, value: str, is_right: bool
) -> None:
    found = reasons(line, None, attribute=attribute, value=value)
    assert ("changed" not in found) is is_right


@pytest.mark.parametrize(
    ("line", "attribute", "value"),
    [
        ("Use Signal for reminders from now on, WhatsApp is muted.", "reminder_channel", "Signal"),
        ("The weekly report as PDF goes in the annex.", "report_format", "PDF"),
    ],
)
def test_what_a_thing_does_takes_no_slot_from_the_user(line: str, attribute: str, value: str) -> None:
    assert not reasons(line, None, attribute=attribute, value=value)


@pytest.mark.parametrize(
    ("line", "statement"),
    [
        ("I hate cilantro in soup.", "The user loves cilantro in soup."),
        ("I stopped drinking coffee in January.", "The user loves drinking coffee."),
        ("I quit my job at Acme.", "The user got a job at Acme."),
        ("I sold the Volvo to Peter.", "The user bought the Volvo from Peter."),
        ("I left the Rotary club in 2020.", "The user joined the Rotary club in 2020."),
        ("I started the Berlin project in 2021.", "The user finished the Berlin project in 2021."),
        ("Jonas owes me 40 euros.", "The user must pay Jonas 40 euros."),
        ("I lent Maria 200 euros.", "The user got 200 euros from Maria."),
        ("I refuse to work weekends for Lotte.", "The user agreed to work weekends for Lotte."),
        ("I forgot to pay the rent.", "The user paid the rent."),
        ("Call me after 18:00.", "Call the user before 18:00."),
        ("I need at least 8 hours of sleep.", "The user needs at most 8 hours of sleep."),
        ("I rarely eat red meat.", "The user often eats red meat."),
        ("I prefer trains over planes.", "The user prefers planes over trains."),
        ("Nobody but Ilse has the key.", "Nobody has the key, not Ilse."),
        ("If I win the lottery I'll move to Bali.", "The user will move to Bali."),
    ],
)
def test_a_word_is_not_turned_into_its_opposite(line: str, statement: str) -> None:
    assert reasons(line, statement)


@pytest.mark.parametrize(
    ("line", "statement"),
    [
        ("I sold the Volvo and bought a Saab.", "The user bought a Saab."),
        ("I quit smoking, and I like running.", "The user likes running."),
        ("I left Acme to join Umicore.", "The user joined Umicore."),
        ("I forgot to pay the rent.", "The user forgot to pay the rent."),
        ("I started on the roof before lunch.", "The user started on the roof before lunch."),
        ("If it rains I take the bus.", "The user takes the bus when it rains."),
        ("I prefer trains over planes.", "The user prefers trains over planes."),
    ],
)
def test_what_keeps_to_its_line_is_no_opposite(line: str, statement: str) -> None:
    assert not reasons(line, statement)


@pytest.mark.parametrize(
    ("line", "statement", "more"),
    [
        ("My sister Petra lives in Lyon.", "The user's sister Petra lives in Lyon.", ("home_city", "Lyon", "user")),
        ("I moved from Basel to Trier.", "The user moved from Basel to Trier.", ("home_city", "Basel", "user")),
        ("I have 7 cats and 5 dogs.", None, ("number_of_cats", "5", "user")),
        ("I told Sofie that I am moving to Porto.", None, ("home_city", "Porto", "Sofie")),
        ("I am allergic to walnuts.", None, ("allergy", "walnuts", "assistant")),
    ],
)
def test_a_slot_is_of_whom_and_of_what_the_line_says_it_is(
    line: str, statement: str | None, more: tuple[str, str, str]
) -> None:
    attribute, value, subject = more
    assert reasons(line, statement, attribute=attribute, value=value, subject=subject)


@pytest.mark.parametrize(
    ("line", "attribute", "value"),
    [
        ("I might adopt a greyhound.", "pet", "greyhound"),
        ("I almost bought a flat in Leuven.", "home", "flat in Leuven"),
        ("I'm considering switching to Linux.", "operating_system", "Linux"),
        ("Neither my brother nor I speak Czech.", "language", "Czech"),
        ("Je n'habite pas à Namur.", "residence", "Namur"),
    ],
)
def test_a_slot_of_what_is_only_thought_of_stays_empty(line: str, attribute: str, value: str) -> None:
    said = {"kind": Kind.SEMANTIC_FACT, "subject": "user", "lines": [1], "attribute": attribute, "value": value}
    (kept,) = run([turn(line)], Told(Claim(**said)), owner=OWNER).claims.to_dicts()
    assert (kept["attribute"], kept["value"]) == (None, None)


def test_a_promise_does_not_fall_due_on_another_day_of_its_line() -> None:
    line = "I met Noor on 3 January and will send the report by 9 October."
    kind = Kind.GOAL_OR_COMMITMENT
    assert reasons(line, None, kind=kind, due="3 January") == {"invented_date"}
    assert not reasons(line, None, kind=kind, due="9 October")


def test_a_slot_that_says_no_itself_keeps_what_its_line_denies() -> None:
    assert not reasons("I don't live in Faro.", None, attribute="home_city", value="Faro", polarity="negate")


def test_who_speaks_says_what_others_say_in_the_line() -> None:
    assert not reasons(
        "It's like they say, an empty cup pours nothing.", "Ines says: it's like they say, an empty cup pours nothing."
    )
