"""Working sets: verbatim, bounded, the same however the turns arrived, and promoted by evidence alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.memory import MemoryRow, WorkingRow
from models.message import Signal
from models.rules import Owner, Profile, ProjectRules, SegmentRules
from models.table import Frame, empty, rows_to_frame
from models.turn import Span, Turn
from slowwave.format import Kind, Privacy, Status, Trust
from tasks.project.documents import write_documents
from tasks.project.working import publish_working
from tasks.segment.cues import is_promise, is_taste
from tasks.segment.gist import names
from tasks.segment.said import MAX_SENTENCE_CHARS, sentences_of
from tasks.segment.working import working_sets
from tests.make import at, evidence, memory, signal, turn, unreviewed
from tests.stores import entity

LISTS = ("summary", "commitments", "preferences")
Row = dict[str, Any]


def frame(turns: Sequence[Turn]) -> Frame[Turn]:
    return rows_to_frame(Turn, turns) if turns else empty(Turn)


def sets(
    turns: Sequence[Turn], earlier: Sequence[Turn] = (), signals: Sequence[Signal] = (), **rules: Any
) -> Frame[WorkingRow]:
    seen = rows_to_frame(Signal, signals) if signals else empty(Signal)
    return working_sets(frame(turns), frame(earlier), seen, SegmentRules(**rules))


def one(turns: Sequence[Turn], **more: Any) -> Row:
    return sets(turns, **more).row(0, named=True)


def quotes(row: Row, name: str) -> list[str]:
    return [candidate["quote"] for candidate in row[name]]


TALK = [
    turn("The Halyard survey needs a new tide table before March.", seq=0, said="2026-02-01T10:00"),
    turn("I will draft the tide table tonight.", seq=1, role="assistant", said="2026-02-01T10:01"),
    turn("I prefer metric units in the tide table, Ruben Okafor hates feet.", seq=2, said="2026-02-01T10:02"),
    turn("If I ever won a boat I would sail to Bergen.", seq=3, said="2026-02-01T10:03"),
]


# What a session was about -------------------------------------------------------------------------------------------


def test_a_session_is_one_row_of_verbatim_candidates() -> None:
    row = one(TALK)
    assert (row["n_turns"], row["started_at"], row["ended_at"]) == (4, at("2026-02-01T10:00"), at("2026-02-01T10:03"))
    assert quotes(row, "commitments") == ["I will draft the tide table tonight."]
    assert quotes(row, "preferences") == ["I prefer metric units in the tide table, Ruben Okafor hates feet."]
    assert {"Halyard", "Ruben Okafor"} <= set(row["entities"])
    texts = {said.model_dump()["msg_key"]: said.text for said in TALK}
    for name in LISTS:
        for held in row[name]:
            assert texts[held["source_id"]][held["start"] : held["end"]] == held["quote"]
            assert held["memory_ids"] == []


def test_the_summary_is_what_people_said_most_about_and_says_nothing_twice() -> None:
    said = ["The kiln fires the celadon bowls badly at the top shelf.", "My train was late again this grey morning."]
    said += [
        "The celadon bowls crack on the top shelf of the kiln.",
        "The celadon bowls crack on the top shelf of the kiln.",
    ]
    row = one([turn(text, seq=n) for n, text in enumerate(said)], working_sentences=1)
    assert quotes(row, "summary") == [said[2]]


def test_what_is_no_sentence_of_people_stays_out_of_the_summary() -> None:
    bye = turn("Good night Pip, talk to you soon, take care!", seq=4)
    tool = turn("The Halyard survey needs a new tide table printed.", seq=5, role="tool", is_evidence=False)
    secret = turn("The tide table survey login Halyard is [secret:password] for now.", seq=6)
    paste = turn("Halyard tide table survey " * 20, seq=7)
    every = [q for name in LISTS for q in quotes(one([*TALK, bye, tool, secret, paste], working_sentences=9), name)]
    assert not [
        q for q in every if "[secret" in q or "printed" in q or "Good night" in q or len(q) > MAX_SENTENCE_CHARS
    ]


def test_a_forgotten_span_is_not_in_it() -> None:
    text = "I promise to send Lotte the file. I prefer tea to coffee at work."
    kept = turn(text, spans=[Span(start=34, end=len(text))])
    gone = turn("I will meet Lotte at the harbour tomorrow.", seq=1, spans=[])
    row = one([kept, gone])
    assert "Lotte" not in str(row) and row["n_turns"] == 1


def test_sensitive_words_are_marked() -> None:
    row = one([turn("I will see my therapist about the panic attacks on Monday.")])
    assert [held["privacy"] for held in row["commitments"]] == ["sensitive"]


@pytest.mark.parametrize(
    ("text", "promise", "taste"),
    [
        ("I'll send Hanneke the price list by Friday.", True, False),
        ("Ich muss morgen den Bericht abgeben.", True, False),
        ("No more voice messages, please.", False, True),
        ("Je préfère le train.", False, True),
        ("Will I have to pay for it?", False, False),
        ("If I won a boat I will be rich.", False, False),
        ("She wrote “I will never sail again” on the wall.", False, False),
        ("The kiln is at temperature.", False, False),
    ],
)
def test_cues(text: str, promise: bool, taste: bool) -> None:
    assert (is_promise(text), is_taste(text)) == (promise, taste)


def test_names_need_more_than_a_capital() -> None:
    said = [
        "Great, thanks.",
        "Kiln repairs wait for Hanneke Bral.",
        "Bral comes on Wednesdays.",
        "READ THIS NOW Please OK",
    ]
    session = rows_to_frame(Turn, [turn(text, seq=n) for n, text in enumerate(said)])
    assert names(sentences_of(session), 9) == ["Hanneke Bral"]


def test_guesses_at_the_project_say_their_ground() -> None:
    other = [turn("Hello there.", session="s2", project="tideline")]
    seen = [signal(project="harbour", session_id="s1"), signal(project="elsewhere", session_id="s9")]
    turns = [turn("Back to Tideline, and the Skagen project too.", project="atlas")]
    row = next(r for r in sets([*turns, *other], signals=seen).to_dicts() if r["session_id"] == "s1")
    found = [(guess["name"], guess["ground"]) for guess in row["projects"]]
    assert found == [("atlas", "metadata"), ("harbour", "observer"), ("Skagen", "words")]
    plain = next(r for r in sets([turn("Back to Tideline then."), *other]).to_dicts() if r["session_id"] == "s1")
    assert plain["projects"] == [{"name": "tideline", "ground": "words", "n": 1}]


def test_a_session_is_closed_by_a_leave_taking_or_by_the_next_one() -> None:
    first = [turn("Let us look at the tide table.", said="2026-02-01T10:00")]
    later = [turn("The tide table again.", session="s2", said="2026-02-02T10:00")]
    elsewhere = [turn("The rota.", session="s3", said="2026-02-03T10:00", project="rota")]
    state = {r["session_id"]: r["is_open"] for r in sets([*first, *later, *elsewhere]).to_dicts()}
    assert state == {"s1": False, "s2": True, "s3": True}
    assert not one([*first, turn("Good night, see you tomorrow!", seq=1)])["is_open"]


def test_it_is_bounded() -> None:
    day = timedelta(days=1)
    turns = [
        turn(f"I will write to Person{n % 40} Nobody{n} about tide table number {n}.", session=f"s{n % 9}", seq=n)
        for n in range(400)
    ]
    moved = [row.model_copy(update={"said_at": at("2026-01-01") + n * day}) for n, row in enumerate(turns)]
    rows = sets(moved, working_sessions=5, working_turns=30, working_sentences=2, working_candidates=4).to_dicts()
    assert sorted(row["session_id"] for row in rows) == ["s0", "s1", "s2", "s3", "s8"]
    assert all(len(row["summary"]) <= 2 and len(row["commitments"]) == 4 and len(row["entities"]) <= 4 for row in rows)
    assert all(row["n_turns"] > 30 for row in rows)


# Laws ---------------------------------------------------------------------------------------------------------------

WORDS = (
    "I will send the tide table",
    "I prefer tea",
    "Ask Ruben Okafor about it",
    "bye, take care",
    "Why so late?",
    "海を見る予定です",
)


@st.composite
def talks(draw: st.DrawFn) -> list[Turn]:
    texts = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=14))
    start = at("2026-02-01T10:00")
    rows = [turn(f"{text} {n // 2}.", session=f"s{n % 3}", seq=n) for n, text in enumerate(texts)]
    return [row.model_copy(update={"said_at": start + timedelta(minutes=n)}) for n, row in enumerate(rows)]


@given(talks(), st.integers(0, 14), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_two_nights_are_one_and_order_does_not_matter(talk: list[Turn], cut: int, chance: random.Random) -> None:
    whole = sets(talk)
    mixed = chance.sample(talk, len(talk))
    assert sets(mixed).equals(whole)
    before, tonight = talk[:cut], talk[cut:]
    assert sets(tonight, earlier=before).equals(whole)
    assert sets(tonight, earlier=talk).equals(whole)


# What became of it --------------------------------------------------------------------------------------------------


def promoted(turns: Sequence[Turn], memories: Sequence[MemoryRow], **more: Any) -> tuple[list[Row], list[Any]]:
    known = rows_to_frame(MemoryRow, memories) if memories else empty(MemoryRow)
    rows, decisions = publish_working(sets(turns), known, more.get("entities", empty(type(entity("x")))))
    return rows.to_dicts(), decisions


def cites(said: Turn, text: str, **more: Any) -> MemoryRow:
    """A memory whose evidence is some words of a turn."""
    row = said.model_dump()
    start = row["text"].index(text)
    proof = evidence(text).__dict__ | {"source_id": row["msg_key"], "start": start, "end": start + len(text)}
    return memory(text, evidence=[proof], **more)


def test_a_candidate_names_the_memory_that_rests_on_its_words() -> None:
    kept = cites(TALK[2], "I prefer metric units", kind=Kind.PREFERENCE, privacy=Privacy.SENSITIVE)
    rows, decisions = promoted(TALK, [kept])
    assert [(c["memory_ids"], c["privacy"]) for c in rows[0]["preferences"]] == [
        ([kept.model_dump()["id"]], "sensitive")
    ]
    assert [c["memory_ids"] for c in rows[0]["commitments"]] == [[]] and decisions == []


def test_a_candidate_whose_memories_are_all_over_is_left_out_and_decided() -> None:
    old = cites(TALK[2], "I prefer metric units", status=Status.SUPERSEDED, superseded_by="mem_x")
    rows, decisions = promoted(TALK, [old])
    assert rows[0]["preferences"] == []
    assert [(d.item_id, d.other_id, d.reason) for d in decisions] == [
        (rows[0]["id"], old.model_dump()["id"], "not_current")
    ]


def test_names_take_their_fullest_form() -> None:
    known = rows_to_frame(type(entity("x")), [entity("Halyard Hydrographic", "Halyard")])
    rows, _ = promoted(TALK, [], entities=known)
    assert "Halyard Hydrographic" in rows[0]["entities"] and "Halyard" not in rows[0]["entities"]


# The current thread -------------------------------------------------------------------------------------------------


def thread(memories: Sequence[MemoryRow], turns: Sequence[Turn] = TALK, **profile: Any) -> Row:
    rows, _ = promoted(turns, memories)
    rules = ProjectRules(profiles={"snapshot": Profile(**profile)}, thread_share=0.5)
    frame = rows_to_frame(MemoryRow, memories)
    owner = Owner(id="u-ana", zone="Pacific/Auckland")
    documents = write_documents(unreviewed(frame), [], rows, rules=rules, owner=owner)
    return documents.filter(pl.col("name") == "snapshot.md").row(0, named=True)


def test_the_thread_quotes_promoted_sentences_with_their_day_and_evidence() -> None:
    kept = cites(TALK[2], "I prefer metric units", kind=Kind.PREFERENCE)
    made = thread([kept])
    section = made["text"].partition("## Current thread\n")[2]
    assert section.splitlines() == [
        "Last talk on 1 February 2026, word for word:",
        "- user: “I prefer metric units in the tide table, Ruben Okafor hates feet.”",
    ]
    assert [(q["message_id"], q["quote"]) for q in made["thread"]] == [("m2", TALK[2].text)]
    assert (made["n_chars"], made["memory_ids"]) == (len(made["text"]), [kept.model_dump()["id"]])


def test_nothing_unpromoted_private_untrusted_or_past_is_in_the_thread() -> None:
    other = memory("I like tea.", session="s9")
    for more in (
        {"privacy": Privacy.SENSITIVE},
        {"trust": Trust.IMPORTED},
        {"trust": Trust.THIRD_PARTY},
        {"status": Status.ARCHIVED},
    ):
        made = thread([cites(TALK[2], "I prefer metric units", **more), other])
        assert "Current thread" not in made["text"] and made["thread"] == []
    assert (
        "Current thread"
        in thread([cites(TALK[2], "I prefer metric units", privacy="sensitive")], max_privacy="sensitive")["text"]
    )


def test_the_thread_keeps_to_its_share() -> None:
    kept = cites(TALK[2], "I prefer metric units", kind=Kind.PREFERENCE)
    for chars in range(0, 400, 7):
        made = thread([kept], max_chars=chars)
        section = made["text"].partition("\n## Current thread")
        assert made["n_chars"] <= chars and len("".join(section[1:])) <= chars / 2
