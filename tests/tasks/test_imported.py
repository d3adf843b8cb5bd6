"""Records of an agent's own memory: relied on as far as their origin, below whatever the owner says, and never a confirmation."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from flows.part import walk_part
from models.claim import ClaimRow
from models.memory import MemoryRow
from models.rules import MergeRules
from models.table import empty, rows_to_frame
from slowwave.format import Cardinality, Kind, Trust
from tasks.merge import merge
from tests.make import NOW, at, claim, turn
from tests.tasks.test_extract import Told, reasons, run
from tests.tasks.test_extract import claim as told

TEA = {"attribute": "drink", "value": "tea"}


def note(text: str, **more: Any) -> Any:
    return turn(
        text, **{"role": "assistant", "trust": Trust.IMPORTED, "speaker": "hermes", "origin_trust": 0.9, **more}
    )


@pytest.mark.parametrize("number", [1.0, 0.9, 0.6, 0.0])
def test_a_claims_confidence_is_scaled_by_the_trust_in_its_origin(number: float) -> None:
    made = run([note("The user drinks tea.", origin_trust=number)], Told(told(confidence=0.8)))
    (row,) = made.claims.to_dicts()
    assert (row["trust"], row["confidence"]) == ("imported", pytest.approx(0.8 * number))


def test_what_people_say_is_not_scaled_and_an_assistants_words_still_state_nothing() -> None:
    assert run([turn("I drink tea.")], Told(told(confidence=0.8))).claims["confidence"].to_list() == [0.8]
    said = turn("You drink tea.", role="assistant", trust=Trust.AGENT)
    assert ("quarantine", "untrusted_origin") in reasons(run([said], Told(told())))


@pytest.mark.parametrize(
    ("stated", "found"),
    [(Kind.ROUTINE, Kind.ROUTINE), (Kind.SEMANTIC_FACT, Kind.PREFERENCE), (None, Kind.PREFERENCE)],
)
def test_a_record_is_of_the_kind_its_platform_says_unless_that_says_nothing(stated: Any, found: Kind) -> None:
    made = run([note("The user drinks tea.", kind=stated)], Told(told(kind=Kind.PREFERENCE)))
    assert made.claims["kind"].to_list() == [found.value]


def memory(*claims: ClaimRow) -> dict[str, Any]:
    (row,) = merge(rows_to_frame(ClaimRow, claims), empty(MemoryRow), rules=MergeRules()).memories.to_dicts()
    return row


def test_a_note_of_what_was_said_makes_it_no_surer() -> None:
    said = claim("Drinks tea.", confidence=0.6, **TEA)
    noted = claim("The user drinks tea.", confidence=0.8, session="notes", trust=Trust.IMPORTED, **TEA)
    copied = claim("Tea drinker.", confidence=0.7, session="other notes", trust=Trust.IMPORTED, **TEA)
    both = memory(said, noted, copied)
    assert (both["confidence"], both["trust"], both["text"]) == (memory(said)["confidence"], "owner", said.text)
    assert len(both["evidence"]) == 3
    assert memory(noted, copied)["confidence"] == pytest.approx(0.8)


def test_a_note_counts_over_a_strangers_word() -> None:
    noted = claim("The user drinks tea.", confidence=0.8, session="notes", trust=Trust.IMPORTED, **TEA)
    stranger = claim("He drinks tea.", confidence=0.2, session="mail", trust=Trust.THIRD_PARTY, **TEA)
    assert memory(noted, stranger)["confidence"] == pytest.approx(1 - 0.2 * 0.8)


def night(*claims: ClaimRow) -> pl.DataFrame:
    tables = {"link.claims": [row.model_dump() for row in claims]}
    return walk_part(tables, start="merge", stop="reinforce", as_of=NOW)["reinforce.memories"]


def test_a_note_neither_confirms_nor_strengthens() -> None:
    said = claim("Drinks tea.", said="2026-01-01T10:00", **TEA)
    noted = claim("Tea.", said="2026-02-20T10:00", session="notes", trust=Trust.IMPORTED, **TEA)
    alone, both = night(said).to_dicts()[0], night(said, noted).to_dicts()[0]
    assert both["stability_days"] == alone["stability_days"]
    assert both["last_confirmed_at"] == at("2026-01-01T10:00")


@pytest.mark.parametrize("noted_at", ["2026-02-20T10:00", "2025-12-01T10:00", None])
def test_a_note_never_supersedes_what_the_owner_said(noted_at: str | None) -> None:
    home = {"attribute": "home_city", "cardinality": Cardinality.SINGLE}
    said = claim("I live in Lisbon.", said="2026-01-01T10:00", confidence=0.7, value="Lisbon", **home)
    noted = claim("Lives in Porto.", session="notes", trust=Trust.IMPORTED, confidence=1.0, value="Porto", **home)
    noted = noted.model_copy(update={"said_at": at(noted_at) if noted_at else None})
    status = dict(night(said, noted).select("value", "status").iter_rows())
    assert status["Lisbon"] == "active"
    assert status["Porto"] != "active"
