"""The rules as a reader of lines: what they keep, what they leave, whom and when they mean."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.offline import Offline
from adapters.offline.people import kin_of, opening_name
from models.ask import Line, Question
from models.claim import Claim
from slowwave.format import Cardinality, Kind, Polarity

SAID = datetime(2026, 2, 2, 10, 0, tzinfo=UTC)


def line(text: str, number: int = 1, role: str = "user", **more: Any) -> Line:
    return Line(
        **{"number": number, "speaker": role, "role": role, "text": text, "said_at": SAID, "offset_minutes": 0, **more}
    )


def read(*lines: Line | str, **more: Any) -> list[Claim]:
    made = tuple(x if isinstance(x, Line) else line(x, i) for i, x in enumerate(lines, 1))
    answer = Offline()([Question(key="k", purpose="extract", lines=made, **more)])[0]
    assert answer.value is not None
    return answer.value.claims


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I am severely allergic to walnuts.", Kind.CONSTRAINT),
        ("Site data must never leave the servers in New Zealand.", Kind.CONSTRAINT),
        ("No merges to main on Fridays.", Kind.CONSTRAINT),
        ("Please answer me in bullet points.", Kind.COMMUNICATION_PREFERENCE),
        ("I really love rye bread with butter.", Kind.PREFERENCE),
        ("I no longer drink coffee in the evening, I gave up on it.", Kind.PREFERENCE),
        ("I'll send Haugstad the dataset by Friday.", Kind.GOAL_OR_COMMITMENT),
        ("We are planning to open a second shop in May.", Kind.GOAL_OR_COMMITMENT),
        ("Every Monday I plan the week at 07:30.", Kind.ROUTINE),
        ("On Thursdays we usually swim.", Kind.ROUTINE),
        ("My lead is Sam.", Kind.COLLABORATOR),
        ("My sister Dalia lives in Leeds.", Kind.COLLABORATOR),
        ("My novel is called Brine Ledger.", Kind.PROJECT),
        ("For the future: the importer needs the species file sorted by id first.", Kind.TOOL_OR_WORKFLOW_LESSON),
        ("You were wrong, the schema file is generated.", Kind.TOOL_OR_WORKFLOW_LESSON),
        ("I graduated from Porto in 2019.", Kind.TIMELINE_MILESTONE),
        ("Yesterday I talked to the harbour board.", Kind.EPISODIC_EVENT),
        ("I live in Porto.", Kind.SEMANTIC_FACT),
    ],
)
def test_kinds_by_their_wording(text: str, kind: Kind) -> None:
    assert [claim.kind for claim in read(text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "What should I grow on a windy balcony?",
        "Who is the mayor these days, is it Otilia Renn?",
        "If I moved to Reykjavik, I would need a licence for the dog.",
        "Let's say I had four dogs and a boat, haha.",
        "Just dreaming.",
        "Oh sure, I absolutely adore getting up at five in the sleet.",
        "hello!",
        "Good morning!",
        "Thanks, that looks great!",
        "OK.",
        "Run the gauge check and print everything.",
        "Make it shorter please, one line.",
        "Please forget what I told you about Carlota.",
        "I'm on step 3 of 5, port 8123 is taken.",
        "Use the staging key [secret:key] for the feed.",
        "nothing yet, just saying hi",
        "My tomatoes are drowning.",
    ],
)
def test_what_asserts_nothing_makes_no_claim(text: str) -> None:
    assert read(text) == []


def test_what_follows_irony_is_part_of_it() -> None:
    assert read("Oh sure, I just love getting up at five.", "My favourite thing in life.") == []


def test_a_pasted_scene_is_nobodys_life_and_a_short_title_is_no_quotation() -> None:
    claims = read(
        "Help me polish a scene, I write in first person: 'My name is Captain Vero Lund.",
        "I lost my left eye at Skarn and I never drink water after dark.'",
        "The novel is called 'Brine Ledger', I want the draft done by the end of August.",
    )
    assert [(claim.lines, claim.due) for claim in claims] == [([3], "the end of August")]


@pytest.mark.parametrize(
    ("text", "attribute", "value", "cardinality", "polarity"),
    [
        ("My name is Noor Valkenburg.", "name", "Noor Valkenburg", "single", "assert"),
        ("I live in Porto now.", "home_city", "Porto", "single", "assert"),
        ("We moved to Vezelay last year.", "home_city", "Vezelay", "single", "assert"),
        ("I work at Halden Optics as a designer.", "works_at", "Halden Optics", "multi", "assert"),
        ("I no longer work at Halden Optics.", "works_at", "Halden Optics", "multi", "negate"),
        ("I'm vegetarian.", "diet", "vegetarian", "single", "assert"),
        ("I'm no longer vegetarian.", "diet", "vegetarian", "single", "negate"),
        ("I'm allergic to walnuts.", "allergy", "walnuts", "multi", "assert"),
        ("i like olives", "likes", "olives", "multi", "assert"),
        ("I don't like olives any more.", "likes", "olives", "multi", "negate"),
        ("I hate cilantro.", "dislikes", "cilantro", "multi", "assert"),
        ("My favourite colour is green.", "favourite_colour", "green", "single", "assert"),
        ("I prefer metric units over imperial ones.", "prefers", "metric units", "multi", "assert"),
        ("My lead is Sam.", "lead", "Sam", "single", "assert"),
        ("My manager is now Paulo.", "manager", "Paulo", "single", "assert"),
        ("My manager is no longer Ines.", "manager", "Ines", "single", "negate"),
        ("My favourite colour is green again.", "favourite_colour", "green", "single", "assert"),
        ("My favourite colour is now blue.", "favourite_colour", "blue", "single", "assert"),
        ("My favourite colour isn't green any more.", "favourite_colour", "green", "single", "negate"),
        ("My favourite band is Once Again.", "favourite_band", "Once Again", "single", "assert"),
        ("I like coffee again.", "likes", "coffee", "multi", "assert"),
        ("I don't like coffee any more.", "likes", "coffee", "multi", "negate"),
        ("I like tea with milk.", "likes", "tea with milk", "multi", "assert"),
        ("I live in Por\u200bto.", "home_city", "Porto", "single", "assert"),
        ("I no longer live in Porto.", "home_city", "Porto", "single", "negate"),
        ("I'm not living in Porto any more.", "home_city", "Porto", "single", "negate"),
        ("I have never lived in Porto.", "home_city", "Porto", "single", "retract"),
        ("Actually I never worked at Halden Optics.", "works_at", "Halden Optics", "multi", "retract"),
    ],
)
def test_slots_where_a_pattern_gives_them(
    text: str, attribute: str, value: str, cardinality: str, polarity: str
) -> None:
    claim = read(text)[0]
    assert (claim.attribute, claim.value) == (attribute, value)
    assert (claim.cardinality, claim.polarity) == (Cardinality(cardinality), Polarity(polarity))


@pytest.mark.parametrize("text", ["My birthday is on 4 June.", "Our anniversary is on 4 June."])
def test_a_day_that_comes_round_is_no_promise(text: str) -> None:
    (claim,) = read(text)
    assert claim.kind is Kind.SEMANTIC_FACT


def test_a_switch_begins_one_thing_and_ends_another() -> None:
    begun, ended = read("I switched from matplotlib to Altair.")
    assert (begun.value, begun.polarity) == ("Altair", Polarity.ASSERT)
    assert (ended.value, ended.polarity, ended.attribute) == ("matplotlib", Polarity.NEGATE, "uses")


def test_third_persons_own_what_is_said_of_them() -> None:
    claims = read(
        "My flatmate Ruben is allergic to hazelnuts, we found out on Sunday.",
        "His sister Dalia, she's a paediatric nurse, drove him to the clinic.",
        "She lives two streets from us.",
    )
    assert [claim.subject for claim in claims] == ["Ruben", "Dalia", "Dalia"]
    assert claims[1].statement is not None and claims[1].statement.startswith("Ruben’s sister Dalia")
    assert claims[1].lines == [1, 2]
    assert claims[2].statement == "Dalia lives two streets from us."


def test_a_promise_that_points_back_takes_the_sentence_before_with_it() -> None:
    claims = read("Tom rang, the spare logger is ready at the workshop.", "I'll pick it up tomorrow.")
    assert claims[1].lines == [1, 2]
    assert claims[1].statement == "Tom rang, the spare logger is ready at the workshop; I'll pick it up tomorrow."
    assert claims[1].due == "tomorrow"


def test_a_long_sentence_with_two_facts_makes_two_claims() -> None:
    text = "We rotate that password on the first Monday of each month, and password managers are banned on the kiosk."
    assert [claim.statement for claim in read(text)] == [
        "We rotate that password on the first Monday of each month.",
        "Password managers are banned on the kiosk.",
    ]


def test_a_deadline_makes_a_commitment_and_a_limit_does_not() -> None:
    assert [(c.kind, c.due) for c in read("The permit renewal is owed to the harbour office by Friday.")] == [
        (Kind.GOAL_OR_COMMITMENT, "Friday")
    ]
    assert [(c.due, c.valid_to) for c in read("The feed is public until Friday, says Tom.")] == [(None, "Friday")]


def test_a_pet_is_the_users_affair() -> None:
    assert read("No, seriously: my one dog, Borka, is enough work.")[0].subject == "user"


def test_peers_speak_for_themselves() -> None:
    claims = read(
        line("I went to a support group yesterday and it was powerful.", role="participant", speaker="Caroline")
    )
    assert [(claim.subject, claim.valid_from) for claim in claims] == [("Caroline", "yesterday")]


def test_an_assistant_makes_no_claim_but_its_own_dated_word() -> None:
    advice = line("I love rosemary and thrift for wind, as a vegan I would feed them seaweed.", role="assistant")
    assert read(advice) == []
    assert read(line("I'll stay under five lines as you like.", role="assistant")) == []
    promise = read(line("I'll remind you tomorrow at 9am.", role="assistant"))
    assert [(c.subject, c.kind, c.due) for c in promise] == [("assistant", Kind.GOAL_OR_COMMITMENT, "tomorrow")]


@pytest.mark.parametrize("role", ["tool", "system"])
def test_tools_and_systems_state_nothing(role: str) -> None:
    assert read(line("I prefer tabs, always answer in bullet points.", role=role)) == []


def test_context_lines_are_read_but_not_cited() -> None:
    claims = read(line("My flatmate is called Ruben.", 1, is_evidence=False), "I like tea with lemon.")
    assert [claim.lines for claim in claims] == [[2]]


def test_each_half_of_a_sentence_with_two_dates_is_a_claim() -> None:
    claims = read("We move in tomorrow with a van, and the old flat ends on the last day of the month.")
    assert [claim.due for claim in claims] == ["tomorrow", "the last day of the month"]
    assert all(claim.statement for claim in claims)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Ma compagne s'appelle Solveig, elle est luthiere.", None),
        ("私は緑茶が好き。", Kind.PREFERENCE),
        ("妹のさくらは甲殻類アレルギーです。", Kind.CONSTRAINT),
    ],
)
def test_statements_in_other_languages_are_kept(text: str, kind: Kind | None) -> None:
    claims = read(text)
    assert len(claims) == 1
    assert kind is None or claims[0].kind is kind


def test_names_are_mentioned_without_the_words_around_them() -> None:
    claims = read("Yesterday Tomasz Ferreira-Ruhl and I visited Evans Bay on Monday.")
    assert claims[0].mentions == ["Tomasz Ferreira-Ruhl", "Evans Bay"]


@given(st.lists(st.text(max_size=120), max_size=8), st.sampled_from(["user", "participant", "assistant", "tool"]))
def test_any_text_gives_the_same_claims_twice_and_cites_lines_that_exist(texts: list[str], role: str) -> None:
    lines = tuple(line(text, i, role) for i, text in enumerate(texts, 1))
    first = Offline()([Question(key="k", purpose="extract", lines=lines)])
    assert first == Offline()([Question(key="k", purpose="extract", lines=lines)])
    assert first[0].value is not None
    assert all(1 <= n <= len(texts) for claim in first[0].value.claims for n in claim.lines)


def test_it_answers_each_question_in_order() -> None:
    questions = [Question(key=str(i), purpose="extract", lines=(line(f"I live in Porto{i}."),)) for i in range(3)]
    answers = Offline()(questions)
    assert [answer.key for answer in answers] == ["0", "1", "2"]
    assert [answer.value and answer.value.claims[0].value for answer in answers] == ["Porto0", "Porto1", "Porto2"]


@pytest.mark.parametrize(
    ("text", "kin"),
    [
        ("Sam, my lead, signs off on Fridays.", ("Sam", "lead", "my")),
        ("Sam is my lead.", ("Sam", "lead", "my")),
        ("Thankfully, my son's ok.", None),
        ("Thankfully, my sister was home.", None),
    ],
)
def test_a_relation_names_a_person_only_where_it_stands_for_one(text: str, kin: tuple[str, str, str] | None) -> None:
    assert kin_of(text) == kin


def test_a_capital_that_only_its_place_gave_is_no_name() -> None:
    assert opening_name("Wish I was that calm.", frozenset({"wish"})) is None
    assert opening_name("Now I was sure.", frozenset({"now", "i"})) is None


@pytest.mark.parametrize(
    ("text", "due", "until"),
    [
        ("Ik stuur het je vrijdag.", "vrijdag", None),
        ("Ik stuur de offerte uiterlijk dinsdag.", "dinsdag", None),
        ("Ich schicke es dir bis Freitag.", "Freitag", None),
        ("Ich zahle die Miete am 12. Mai.", "12. Mai", None),
        ("Je t'envoie le contrat d'ici vendredi.", "vendredi", None),
        ("Te mando el informe el viernes.", "viernes", None),
        ("Ich bin bis Freitag in Wien.", None, "Freitag"),
        ("Ik ben tot vrijdag in Gent.", None, "vrijdag"),
    ],
)
def test_a_promise_in_another_language_is_due(text: str, due: str | None, until: str | None) -> None:
    (claim,) = read(text)
    assert (claim.due, claim.valid_to) == (due, until)
    assert (claim.kind is Kind.GOAL_OR_COMMITMENT) is (due is not None)


def test_a_bare_mine_takes_what_was_asked_about() -> None:
    asked = line("Summarise this page about pond filters for me.")
    (claim,) = read(asked, line("Mine is 900 litres, so sponge it is.", number=2))
    assert claim.statement == "About pond filters: mine is 900 litres, so sponge it is."
    assert claim.lines == [1, 2]
