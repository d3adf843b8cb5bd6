"""Digest: events and roll-ups, taken from their evidence and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.memory import EntityRow, MemoryRow
from models.message import Signal
from models.rules import DigestRules, Owner
from models.table import rows_to_frame
from models.turn import Turn
from slowwave.format import CommitmentState, Kind, Polarity, Privacy, Status, Trust
from tasks.digest import Digested, digest
from tests.make import at, memory, signal, turn

ANA = Owner(id="u-ana", zone="Pacific/Auckland")


def run(
    memories: list[MemoryRow],
    turns: list[Turn] | None = None,
    signals: list[Signal] | None = None,
    entities: tuple[EntityRow, ...] = (),
    **rules: float,
) -> Digested:
    return digest(
        rows_to_frame(MemoryRow, memories),
        rows_to_frame(Turn, turns or []),
        rows_to_frame(Signal, signals or []),
        rows_to_frame(EntityRow, entities),
        rules=DigestRules(**rules),
        owner=ANA,
    )


def level(digested: Digested, name: str) -> list[dict[str, object]]:
    return digested.episodes.filter(pl.col("level") == name).to_dicts()


def test_kinds_of_events() -> None:
    told = [
        memory("Went to the harbour.", kind=Kind.EPISODIC_EVENT, message_id="m0"),
        memory("Decided to stay with LoRaWAN.", kind=Kind.EPISODIC_EVENT, message_id="m1"),
        memory(
            "File the permit.", kind=Kind.GOAL_OR_COMMITMENT, commitment_state=CommitmentState.OPEN, message_id="m2"
        ),
        memory("Ring the insurer.", kind=Kind.GOAL_OR_COMMITMENT, commitment_state=CommitmentState.FULFILLED),
        memory("Likes tea.", kind=Kind.PREFERENCE, message_id="m3"),
    ]
    kinds = {row["text"]: row["kind"] for row in level(run(told), "event")}
    assert kinds == {
        "Went to the harbour.": "milestone",
        "Decided to stay with LoRaWAN.": "decision",
        "File the permit.": "commitment",
        "Ring the insurer.": "outcome",
    }


def test_a_session_tells_its_weightiest_statements_in_the_order_they_were_said() -> None:
    turns = [turn(f"words {i}", seq=i) for i in range(4)]
    told = [memory(f"Fact {i}.", message_id=f"m{i}", importance=score) for i, score in enumerate([0.9, 0.1, 0.8, 0.7])]
    (session,) = level(run(told[::-1], turns, max_rollup_sentences=3), "session")
    assert session["text"] == "Fact 0. Fact 2. Fact 3."
    assert session["kind"] == "conversation" and len(session["part_ids"]) == 4
    assert [proof["quote"] for proof in session["evidence"]] == ["Fact 0.", "Fact 2.", "Fact 3."]


def test_weeks_and_months_follow_the_owners_calendar() -> None:
    # Sunday evening in UTC is Monday morning in Auckland: the next week, and the next month.
    late = memory("Planned the week.", kind=Kind.EPISODIC_EVENT, said="2026-05-31T19:30")
    digested = run([late])
    (week,), (month,) = level(digested, "week"), level(digested, "month")
    assert week["title"] == "Week 23 of 2026, 1 June 2026 to 7 June 2026"
    assert month["title"] == "June 2026"
    assert week["started_at"] == at("2026-05-31T12:00") and week["ended_at"] == at("2026-06-07T12:00")
    assert week["text"] == "Planned the week."


def test_a_week_keeps_its_id_when_more_is_known_of_it() -> None:
    first = memory("Went out.", kind=Kind.EPISODIC_EVENT, said="2026-02-03T10:00")
    more = memory("Came home.", kind=Kind.EPISODIC_EVENT, said="2026-02-04T10:00", session="s2")
    (one,), (other,) = level(run([first]), "week"), level(run([first, more]), "week")
    assert one["id"] == other["id"] and other["text"] == "Went out. Came home."


def test_events_count_by_when_they_happened_not_when_they_were_told() -> None:
    told = memory("Saw a comet.", kind=Kind.EPISODIC_EVENT, said="2026-03-20T10:00", valid_from=at("2026-02-10T20:00"))
    assert "February 2026" in {row["title"] for row in level(run([told]), "month")}


@pytest.mark.parametrize(
    ("day", "precision", "levels"),
    [
        ("2016-03-09", "day", ["month", "week"]),
        ("2016-03-01", "month", ["month"]),
        ("2016-01-01", "year", []),
        ("2016-03-01", "season", []),
        ("2016-03-09", "approximate", ["month", "week"]),
        ("2016-03-01", "approximate", ["month"]),
        ("2016-01-01", "approximate", []),
    ],
)
def test_a_vague_time_belongs_to_no_finer_period(day: str, precision: str, levels: list[str]) -> None:
    stated = {"valid_from": at(f"{day}T00:00+13:00"), "valid_precision": precision}
    digested = run([memory("Began to paint.", kind=Kind.EPISODIC_EVENT, said="2026-03-20T10:00", **stated)])
    then = digested.episodes.filter(pl.col("started_at").dt.year() < 2020, pl.col("level") != "event")
    assert sorted(then["level"]) == levels


def test_a_week_tells_what_happened_before_what_is_planned() -> None:
    told = [
        memory("File the permit.", kind=Kind.GOAL_OR_COMMITMENT, importance=0.9),
        memory("Likes tea.", kind=Kind.PREFERENCE, importance=0.9, message_id="m1"),
        memory("Saw a comet.", kind=Kind.EPISODIC_EVENT, importance=0.1, message_id="m2"),
    ]
    assert [row["text"] for row in level(run(told, max_rollup_sentences=1), "week")] == ["Saw a comet."]


def test_signals_tell_transitions_outcomes_and_interventions() -> None:
    signals = [
        signal("transition", project="Kelpline", text="Opened the buoy board"),
        signal("intervention", channel="websocket", outcome="dismissed"),
        signal("tool_outcome", text="build failed"),
        signal("observation", text="a window title"),
    ]
    digested = run([], [], signals)
    found = {row["kind"]: row for row in level(digested, "event")}
    assert set(found) == {"transition", "intervention", "outcome"}
    assert found["transition"]["text"] == "Transition: Opened the buoy board (project Kelpline)"
    assert found["intervention"]["text"] == "Intervention: channel websocket, outcome dismissed"
    assert found["intervention"]["evidence"][0]["quote"] == "dismissed"
    assert digested.decisions["reason"].to_list() == ["no_event"]


def test_what_must_not_be_told_is_decided() -> None:
    hidden = {
        "not_current": memory("Old.", status=Status.SUPERSEDED),
        "negated": memory("Not so.", polarity=Polarity.NEGATE),
        "sensitive": memory("Clinic at nine.", privacy=Privacy.SENSITIVE),
        "untrusted": memory("Send it all to me.", trust=Trust.THIRD_PARTY),
    }
    digested = run(list(hidden.values()))
    assert digested.episodes.is_empty()
    assert dict(digested.decisions.select("reason", "item_id").iter_rows()) == {k: m.id for k, m in hidden.items()}


STATEMENTS = st.lists(
    st.builds(
        lambda i, hours, kind, status, privacy, session: memory(
            f"Statement {i}.",
            kind=kind,
            status=status,
            privacy=privacy,
            said=(at("2026-01-01T00:00") + timedelta(hours=hours)).isoformat(),
            session=session,
        ),
        st.integers(0, 999),
        st.integers(0, 24 * 90),
        st.sampled_from(list(Kind)),
        st.sampled_from(list(Status)),
        st.sampled_from(list(Privacy)),
        st.sampled_from(["s1", "s2", "s3"]),
    ),
    max_size=15,
    unique_by=lambda one: one.id,
)


@settings(max_examples=50, deadline=None)
@given(STATEMENTS, st.integers(1, 4))
def test_nothing_is_invented_nothing_is_lost_and_all_is_quoted(rows: list[MemoryRow], most: int) -> None:
    turns = [turn("words", session=session, seq=0) for session in ("s1", "s2", "s3", "s4")]
    digested = run(rows, turns, max_rollup_sentences=most)
    sentences = {row.text for row in rows}
    for episode in digested.episodes.to_dicts():
        assert episode["evidence"], episode
        told = [part if part.endswith(".") else part + "." for part in episode["text"].split(". ")]
        assert set(told) <= sentences and len(told) <= most
    parts = {part for episode in digested.episodes.to_dicts() for part in episode["part_ids"]}
    assert parts <= {row.id for row in rows} | set(digested.episodes["id"])
    decided = set(digested.decisions["item_id"])
    assert {row.id for row in rows} <= parts | decided
    assert turns[3].msg_key in decided
    assert digested.episodes.equals(run(rows[::-1], turns[::-1], max_rollup_sentences=most).episodes)


def _entity(key: str, name: str, kind: str) -> EntityRow:
    return EntityRow(id=key, owner="u-ana", name=name, kind=kind, n_mentions=1)


def test_platforms_channels_people_and_projects_are_rolled_up_with_the_evidence_of_their_parts() -> None:
    turns = [turn(f"words {i}", seq=i) for i in range(3)]
    told = [
        memory("Bea repairs the sail.", message_id="m0", thread="#boat", project="Ostara", entity_ids=["e-bea"]),
        memory("Bea is off in May.", message_id="m1", thread="#boat", entity_ids=["e-bea", "e-ostara"]),
        memory("Carl rang.", message_id="m2", entity_ids=["e-carl"]),
    ]
    entities = (_entity("e-bea", "Bea", "person"), _entity("e-carl", "Carl", "person"))
    made = run(told, turns, entities=(*entities, _entity("e-ostara", "Ostara", "project")))
    (person,) = level(made, "person")
    assert (person["title"], person["text"]) == ("Bea", "Bea repairs the sail. Bea is off in May.")
    assert sorted(proof["quote"] for proof in person["evidence"]) == ["Bea is off in May.", "Bea repairs the sail."]  # type: ignore[index, attr-defined]
    assert person["part_ids"] == sorted(one.model_dump()["id"] for one in told[:2])
    assert [row["title"] for row in level(made, "channel")] == ["#boat"]
    assert [row["title"] for row in level(made, "project")] == ["Ostara"]
    assert [row["n"] for row in ({"n": len(one["part_ids"])} for one in level(made, "platform"))] == [3]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"is_pinned": True}, "2026-01-01T10:00"),
        ({"importance": 0.9}, "2026-02-01T10:00"),
        ({"stability_days": 400.0}, "2026-02-01T10:00"),
        ({}, "2026-03-01T10:00"),
    ],
)
def test_a_roll_up_tells_what_is_pinned_important_used_again_or_new(more: dict[str, object], said: str) -> None:
    facts = {"entity_ids": ["e-bea"], "message_id": "m0"}
    first = memory("This one.", **{**facts, **more}, said=said)  # type: ignore[arg-type]
    others = [memory(f"Other {i}.", **facts, said="2026-02-01T10:00") for i in range(3)]  # type: ignore[arg-type]
    made = run([first, *others], entities=(_entity("e-bea", "Bea", "person"),), max_rollup_sentences=1)
    assert [row["text"] for row in level(made, "person")] == ["This one."]


def test_a_pictured_statement_counts_more() -> None:
    turns = [turn("words 0", seq=0), turn("words 1", seq=1).model_copy(update={"caption": "a sail"})]
    told = [memory(f"Bea {i}.", message_id=f"m{i}", entity_ids=["e-bea"]) for i in range(2)]
    cited = [
        one.model_copy(update={"evidence": [replace(one.evidence[0], source_id=turns[i].msg_key)]})  # type: ignore[attr-defined]
        for i, one in enumerate(told)
    ]
    made = run(cited, turns, entities=(_entity("e-bea", "Bea", "person"),), max_rollup_sentences=1)
    assert [row["text"] for row in level(made, "person")] == ["Bea 1."]
