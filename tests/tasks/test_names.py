"""Names that are one: learned from what people said and how they talk to each other; likeness alone joins nothing."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import polars as pl
import pytest

from models.claim import ClaimRow
from models.decision import Decision
from models.message import Message, Signal
from models.rules import LinkRules, Owner
from models.table import empty, rows_to_frame
from models.turn import Turn
from slowwave.format import Kind
from tasks.link import Linked, link
from tests.make import claim, signal, turn

OWNER = Owner(id="u-ana", names=("Ines Duarte",))


def linked(said: list[Turn], *claims: ClaimRow, **rules: Any) -> Linked:
    return link(
        rows_to_frame(ClaimRow, claims),
        empty(ClaimRow),
        empty(Message),
        empty(Decision),
        empty(Decision),
        rows_to_frame(Turn, said),
        rules=LinkRules(**rules),
        owner=OWNER,
    )


def told(*texts: str, **more: Any) -> list[Turn]:
    """Turns of one session, in order."""
    return [turn(text, seq=seq, **more) for seq, text in enumerate(texts)]


def are_one(said: list[Turn], one: str, other: str, **rules: Any) -> bool:
    """Whether both names are one entity where a claim is made of each."""
    made = linked(said, claim("One.", subject=one), claim("Other.", subject=other), **rules)
    return made.claims["subject_key"].n_unique() == 1


@pytest.mark.parametrize(
    ("text", "alias", "name"),
    [
        ("Everyone calls Katarzyna a saint, and everyone calls her Kasia.", "Kasia", "Katarzyna"),
        ("My sister is Katarzyna but everyone calls her Kasia.", "Kasia", "Katarzyna"),
        ("Elisabeth, or Lis for short, plays the oboe.", "Lis", "Elisabeth"),
        ("Aro is short for Aroha.", "Aro", "Aroha"),
        ("The TNB, i.e. the Tern Neighbourhood Board, meets monthly.", "TNB", "Tern Neighbourhood Board"),
        ("Last week the auditor, Mireille Kahn, was here.", "the auditor", "Mireille Kahn"),
        ("This folder is Ostara, the greenhouse project.", "the greenhouse project", "Ostara"),
        ("My landlord Piet said no.", "my landlord", "Piet"),
        ("Ada Okafor is my manager.", "my manager", "Ada Okafor"),
        ("Marek, mk in the commit log, broke the build.", "mk", "Marek"),
    ],
)
def test_what_people_say_of_a_name_makes_an_alias(text: str, alias: str, name: str) -> None:
    assert are_one(told(text), alias, name)


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("In the morning, Tom, needs coffee.", "the morning", "Tom"),
        ("I sent the report, Tom.", "the report", "Tom"),
        ("Anna, the dog, and Ben came along.", "the dog", "Anna"),
        ("We sail a boat called Ostara.", "boat", "Ostara"),
        ("They're called Peruvian Lilies.", "They're", "Peruvian Lilies"),
        ("Ask Tom, the usual.", "the usual", "Tom"),
        ("We love Lisbon, the food, the people.", "the food", "Lisbon"),
        ("Mia, my sister Ana, and I went.", "Mia", "Ana"),
    ],
)
def test_what_only_stands_beside_a_name_makes_none(text: str, one: str, other: str) -> None:
    assert not are_one(told(text), one, other)


def test_a_description_of_two_people_means_neither() -> None:
    said = told("Last week the auditor, Mireille Kahn, was here.", "Today the auditor, Jonas Weil, was here.")
    made = linked(said, claim("x", subject="the auditor"), claim("y", subject="Mireille Kahn"))
    assert made.claims["subject_key"].n_unique() == 2
    assert made.decisions.filter(pl.col("action") == "split")["item_id"].to_list() == ["the auditor"]


def test_a_surname_stands_for_the_one_person_who_bears_it() -> None:
    said = told("Mireille Kahn has the ledgers.") + told("I mailed it to Kahn.", session="s2")
    assert are_one(said, "Kahn", "Mireille Kahn")
    rival = told("Otto Kahn was there, too.", session="s3")
    assert not are_one(said + rival, "Kahn", "Mireille Kahn")


def test_a_surname_that_is_a_place_as_well_stands_for_nobody() -> None:
    said = told("Jack London was on the radio.", "We moved to London.", "A card to London.")
    assert not are_one(said, "London", "Jack London")


def test_a_first_name_needs_a_talk_that_has_the_whole() -> None:
    whole, part = "Mireille Kahn has the ledgers.", "I asked Mireille."
    assert are_one(told(whole, part), "Mireille", "Mireille Kahn")
    assert not are_one(told(whole) + told(part, session="s2"), "Mireille", "Mireille Kahn")


@pytest.mark.parametrize(
    "others",
    [
        ("My sister Mireille came, and Mireille Kahn, my boss, rang.",),
        ("Mireille Kahn rang.", "Another Mireille came by, I asked Mireille."),
        ("Mireille Kahn rang.", "I asked Mireille.", "Mireille Vos was there."),
        ("Mireille Kahn rang.", "I asked Mir."),
    ],
)
def test_two_people_with_one_name_stay_two(others: tuple[str, ...]) -> None:
    short = "Mir" if others[-1].endswith("Mir.") else "Mireille"
    assert not are_one(told(*others), short, "Mireille Kahn")


def test_a_name_that_begins_another_is_nobodys_while_it_may_be_either() -> None:
    said = told("Ben Okoye has my bike.", "Benedikt Sand is the statistician.", "I asked Ben.")
    assert not are_one(said, "Ben", "Ben Okoye")
    assert not are_one(said, "Ben", "Benedikt Sand")


def test_initials_and_cut_first_names_are_the_one_person_of_that_surname() -> None:
    said = told(
        "Mireille Kahn is the auditor.", "Waiting for the ledgers from M. Kahn.", "Dinner with Ana and Mir Kahn."
    )
    assert are_one(said, "M. Kahn", "Mireille Kahn")
    assert are_one(said, "Mir Kahn", "Mireille Kahn")


def test_who_is_answered_by_name_is_who_spoke() -> None:
    said = [
        turn("The pump is fixed.", role="participant", speaker="mkahn"),
        turn("Well done, Mireille.", seq=1),
        turn("By the way, mkahn is Mireille Kahn.", seq=2),
    ]
    assert are_one(said, "mkahn", "Mireille Kahn")
    assert are_one(said, "Mireille", "mkahn")
    assert not are_one([said[0].model_copy(update={"speaker": "bo"}), *said[1:]], "Mireille", "bo")


def test_the_owner_is_meant_by_their_first_name_and_by_what_they_ask_to_be_called() -> None:
    said = told("Ines here, from the mill.", "Please call me Nes.")
    made = linked(said, claim("a", subject="Ines"), claim("b", subject="Nes"))
    assert set(made.claims["subject_key"]) == {"user"}


def test_agents_and_tools_teach_no_names() -> None:
    text = "Aro is short for Aroha."
    assert not are_one(told(text, role="assistant"), "Aro", "Aroha")
    assert not are_one(told(text, role="tool"), "Aro", "Aroha")


def test_a_join_shows_its_evidence_and_is_undone_by_losing_it_or_by_a_rule() -> None:
    said = told("Aro is short for Aroha.")
    made = linked(said, claim("Aro rang.", subject="Aroha"))
    assert made.decisions.filter(pl.col("item_id") == "aro").select("other_id", "detail").row(0) == ("aroha", "s1/m0")
    (entity,) = (row for row in made.entities.to_dicts() if row["name"] == "Aroha")
    assert entity["aliases"] == ["Aro"]
    assert "Aro is short for Aroha." in [proof["quote"] for proof in entity["evidence"]]
    assert not are_one([], "Aro", "Aroha")
    assert not are_one(said, "Aro", "Aroha", apart=(("Aroha", "Aro"),))
    assert not are_one([*said, turn("Aro is not Aroha.", seq=1)], "Aro", "Aroha")


def test_what_is_said_of_an_alias_is_said_of_its_entity() -> None:
    said = told("Aro is short for Aroha.", "Last week the auditor, Mireille Kahn, was here.")
    rang = claim("Aro rang; The auditor wrote.", kind=Kind.EPISODIC_EVENT)
    made = linked(said, rang, claim("x", subject="Aroha"), claim("y", subject="Mireille Kahn"))
    spoken = made.mentions.filter(pl.col("claim_id") == rang.claim_id)
    names = dict(made.entities.select("id", "name").iter_rows())
    assert {(name, names[entity]) for name, entity in spoken.select("name", "entity_id").iter_rows()} >= {
        ("Aro", "Aroha"),
        ("the auditor", "Mireille Kahn"),
    }


def test_no_order_of_turns_makes_a_difference() -> None:
    said = told("Aro is short for Aroha.", "Mireille Kahn has it.", "I asked Kahn.", "Aroha Kahn is new.")
    rows = (claim("a", subject="Aro"), claim("b", subject="Kahn"), claim("c", subject="Mireille Kahn"))
    first = linked(said, *rows)
    for order in permutations(said):
        again = linked(list(order), *rows)
        assert again.entities.equals(first.entities)
        assert again.claims.equals(first.claims)


def _of_work(text: str, message_id: str = "m0", **more: Any) -> ClaimRow:
    return claim(text, message_id=message_id, kind=Kind.PROJECT, **more)


def test_what_is_said_of_work_belongs_to_the_one_project_that_it_names() -> None:
    said = [turn("x", seq=0), turn("y", seq=1, project="ostara"), turn("z", seq=2, project="rigging")]
    for n in range(3):
        said[n] = said[n].model_copy(update={"msg_key": claim("q", message_id=f"m{n}").evidence[0].source_id})
    rows = (
        _of_work("Ostara is late."),
        _of_work("Ostara waits for Rigging."),
        _of_work("It rains."),
        _of_work("Ostara costs 5.", attribute="cost", value="5"),
        claim("I promised Ostara by May.", kind=Kind.GOAL_OR_COMMITMENT),
        _of_work("Ostara was never heard.", message_id="m9"),
    )
    made = linked(said, *rows).claims
    given = {
        text: (project, ground)
        for text, project, ground in made.select("text", "project", "project_ground").iter_rows()
    }
    assert given.pop("Ostara is late.") == ("ostara", "entity")
    assert set(given.values()) == {(None, None)}
    again = linked([said[0]], *[ClaimRow(**row) for row in made.to_dicts()]).claims
    assert again["project"].null_count() == again.height, "what nothing names any more is null again"


def test_a_session_beside_which_the_observer_saw_one_project_is_of_it() -> None:
    said = [turn("x", seq=0).model_copy(update={"msg_key": claim("q").evidence[0].source_id})]

    def seen(*projects: str) -> list[str | None]:
        rows = [
            signal(text=name, project=name, session_id="s1", when=f"2026-02-01T1{n}:00")
            for n, name in enumerate(projects)
        ]
        made = link(
            rows_to_frame(ClaimRow, [_of_work("It is late.")]),
            empty(ClaimRow),
            empty(Message),
            empty(Decision),
            empty(Decision),
            rows_to_frame(Turn, said),
            rows_to_frame(Signal, rows),
            rules=LinkRules(),
            owner=OWNER,
        )
        return made.claims.select("project", "project_ground").row(0)  # type: ignore[return-value]

    assert seen("Ostara") == ("Ostara", "observer")
    assert seen("Ostara", "Rigging") == (None, None)
    assert seen() == (None, None)
