"""Merge: equal slot and value make one memory; evidence is a set; a null never replaces a value."""

from __future__ import annotations

import polars as pl
import pytest

from models.claim import ClaimRow
from models.memory import MemoryRow
from models.rules import MergeRules
from models.table import empty, rows_to_frame
from slowwave.format import Cardinality, Kind, Privacy, Trust
from tasks.merge import Merged, merge
from tests.make import at, claim, evidence


def merged(*claims: ClaimRow, rules: MergeRules | None = None) -> Merged:
    return merge(rows_to_frame(ClaimRow, claims), empty(MemoryRow), rules=rules or MergeRules())


def one(*claims: ClaimRow) -> dict[str, object]:
    made = merged(*claims).memories
    assert made.height == 1
    return made.to_dicts()[0]


def pet(text: str = "Has a dog called Pixel.", **more: object) -> ClaimRow:
    return claim(text, **{"attribute": "pet_name", "value": "Pixel", **more})


def test_case_spacing_and_a_full_stop_make_no_other_value() -> None:
    memory = one(pet(session="s1"), pet(value="pixel.", session="s2"), pet(value=" PIXEL ", session="s3"))
    assert len(memory["evidence"]) == 3  # type: ignore[arg-type]


def test_a_look_alike_letter_makes_no_other_value_and_the_text_stays_as_said() -> None:
    said = pet("Has a dog called Pix\u0435l.", value="Pix\u0435l", session="s2")
    memory = one(pet(said="2026-03-01"), said)
    assert len(memory["evidence"]) == 2  # type: ignore[arg-type]
    assert memory["text"] in ("Has a dog called Pixel.", "Has a dog called Pix\u0435l.")


@pytest.mark.parametrize(
    "other",
    [
        {"owner": "u-bo"},
        {"project": "p"},
        {"subject": "Tom", "subject_key": "tom"},
        {"value": "Rex"},
        {"attribute": "a"},
    ],
)
def test_another_scope_subject_attribute_or_value_is_another_memory(other: dict[str, str]) -> None:
    made = merged(pet(), pet(**other))
    assert made.memories["id"].n_unique() == 2


def test_without_a_slot_only_equal_words_of_one_kind_meet() -> None:
    made = merged(
        claim("Saw a heron.", session="s1"),
        claim("saw a heron", session="s2"),
        claim("Saw a heron today.", session="s3"),
        claim("Saw a heron.", kind=Kind.EPISODIC_EVENT, session="s4"),
    )
    assert sorted(made.memories["claim_ids"].list.len()) == [1, 1, 2]


def test_the_same_message_never_counts_twice() -> None:
    memory = one(pet("First wording.", confidence=0.8), pet("Second wording.", confidence=0.7))
    assert memory["confidence"] == pytest.approx(0.8)


def test_independent_messages_add_up_and_are_capped() -> None:
    two = one(pet(confidence=0.6, session="s1"), pet("Pixel again.", confidence=0.5, session="s2"))
    assert two["confidence"] == pytest.approx(1 - 0.4 * 0.5)
    many = merged(*(pet(f"Said {n}.", session=f"s{n}") for n in range(9)), rules=MergeRules(max_confidence=0.97))
    assert many.memories["confidence"].to_list() == [0.97]


def test_a_copy_under_another_session_adds_nothing_but_a_repetition_does() -> None:
    copied = one(pet(session="s1", confidence=0.6), pet(session="s1-resumed", confidence=0.6))
    assert copied["confidence"] == pytest.approx(0.6)
    repeated = one(pet(session="s1", confidence=0.6), pet(session="s2", confidence=0.6, said="2026-02-05"))
    assert repeated["confidence"] == pytest.approx(0.84)


def test_one_claim_of_two_messages_is_as_sure_as_it_says() -> None:
    both = [evidence("words", message_id="m1"), evidence("more", message_id="m2")]
    assert one(pet(evidence=both, confidence=0.9))["confidence"] == pytest.approx(0.9)


def test_a_null_never_replaces_a_value_whichever_comes_last() -> None:
    told = [
        pet("a", said="2026-06-02", session="s1", valid_from=at("2026-04-15"), thread="#dogs"),
        pet("b", said="2026-06-05", session="s2", valid_to=at("2026-09-30"), due_at=at("2026-07-01")),
        pet("c", said="2026-06-09", session="s3"),
    ]
    memory = one(*told)
    assert one(*reversed(told)) == memory
    assert memory["valid_from"] == at("2026-04-15")
    assert memory["valid_to"] == at("2026-09-30")
    assert memory["due_at"] == at("2026-07-01")
    assert memory["thread"] == "#dogs"
    assert (memory["first_seen_at"], memory["last_seen_at"]) == (at("2026-06-02"), at("2026-06-09"))


def test_a_later_unbounded_statement_clears_an_end_and_an_earlier_one_does_not() -> None:
    bounded = pet("until May", said="2026-02-01", session="s1", valid_to=at("2026-05-01"))
    assert one(bounded, pet("for good", said="2026-03-01", session="s2", is_unbounded=True))["valid_to"] is None
    assert one(bounded, pet("for good", said="2026-01-01", session="s2", is_unbounded=True))["valid_to"] is not None


def test_the_words_are_one_claims_and_a_persons_before_a_tools() -> None:
    memory = one(
        pet("Tool's words.", trust=Trust.TOOL, confidence=0.99, session="s1"),
        pet("Owner's words.", confidence=0.7, session="s2"),
        pet("Owner's surer words.", confidence=0.8, session="s3"),
    )
    assert memory["text"] == "Owner's surer words."
    assert memory["trust"] == "owner"


def test_the_highest_of_importance_privacy_and_pin_counts() -> None:
    memory = one(
        pet("a", importance=0.2, privacy=Privacy.SENSITIVE, session="s1"),
        pet("b", importance=0.9, is_pinned=True, session="s2"),
    )
    assert (memory["importance"], memory["privacy"], memory["is_pinned"]) == (0.9, "sensitive", True)


def test_an_attribute_is_single_only_where_every_claim_says_so() -> None:
    told = pet("a", cardinality=Cardinality.SINGLE, session="s1"), pet("b", cardinality=Cardinality.MULTI, session="s2")
    assert one(*told)["cardinality"] == "multi"


def test_news_of_one_of_many_values_leaves_the_others_as_they_were_settled_unless_somebody_says_there_is_one() -> None:
    many = [pet(value=name, session=f"s-{name}") for name in ("Pixel", "Rex", "Momo")]
    known = merged(*many).memories
    again, only = pet(value="Rex", session="s9"), pet(value="Rex", cardinality=Cardinality.SINGLE, session="s9")
    worked_on = [
        set(merge(rows_to_frame(ClaimRow, [*many, news]), known, rules=MergeRules()).memories["value"])
        for news in (again, only)
    ]
    assert worked_on == [{"Rex"}, {"Pixel", "Rex", "Momo"}]


def test_every_claim_is_created_or_merged_into_a_memory() -> None:
    made = merged(pet(session="s1"), pet(session="s2", said="2026-02-05"), claim("Else."))
    assert sorted(made.decisions["action"]) == ["create", "create", "merge"]
    assert set(made.decisions["other_id"]) == set(made.memories["id"])
    later = made.decisions.filter(pl.col("action") == "merge")["item_id"].item()
    assert later == pet(session="s2", said="2026-02-05").claim_id


def test_nothing_in_nothing_out() -> None:
    assert merged().memories.is_empty()


def test_a_memory_is_told_anew_where_what_it_answered_was_taken_back() -> None:
    answer, other = pet("Pixel!", context="What is the secret dog called?"), claim("Else.", context="And now?")
    known = merged(answer, other).memories
    again = rows_to_frame(ClaimRow, [answer.model_copy(update={"context": ""}), other])
    made = merge(again, known, rules=MergeRules()).memories
    assert made.select("text", "context").rows() == [("Pixel!", "")]
