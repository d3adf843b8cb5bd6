"""Verdicts: likeness nominates pairs, a model says how they stand, code decides; without a model both stay, linked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import polars as pl
import pytest

from models.ask import COMPARE, NOBODY, Answer, Ask, Question
from models.claim import Claim, ClaimRow, Claims, Mention
from models.memory import MemoryRow, VerdictRow
from models.rules import MergeRules, ReconcileRules
from models.table import Frame, empty, rows_to_frame
from slowwave.format import Kind, Privacy, Trust
from tasks.merge import merge
from tasks.reconcile import NO_VERDICTS, Reconciled, reconcile
from tests.make import at, claim

RANG = "Tom rang, the spare logger is ready, I'll pick it up on Saturday."
LONGER = "Tom rang, the spare logger is ready at the workshop, I'll pick it up on Saturday."


class Judge:
    """Says one word of every pair, and remembers what it was asked."""

    model, prompt = "judge", "compare/1"

    def __init__(self, word: str) -> None:
        self.word = word
        self.asked: list[Question] = []

    def __call__(self, questions: Sequence[Question]) -> list[Answer]:
        self.asked += questions
        return [Answer(q.key, Claims(claims=[self._of(n) for n in range(1, len(q.lines), 2)])) for q in questions]

    def _of(self, n: int) -> Claim:
        facts = {"kind": Kind.SEMANTIC_FACT, "subject": "pair", "lines": [n, n + 1], "value": self.word}
        return Claim.model_validate(facts)


def told(*texts: str, **more: Any) -> list[ClaimRow]:
    """A claim a text, each a day after the one before, of a message of its own."""
    return [
        claim(text, session=f"s{n}", message_id=f"m{n}", said=f"2026-02-{n + 1:02}T10:00", **more)
        for n, text in enumerate(texts)
    ]


def settled(
    claims: list[ClaimRow], ask: Ask = NOBODY, known: Frame[VerdictRow] = NO_VERDICTS, **rules: Any
) -> Reconciled:
    frame, none = rows_to_frame(ClaimRow, claims), empty(MemoryRow)
    made = merge(frame, none, rules=MergeRules())
    return reconcile(
        made.memories,
        none,
        frame,
        empty(Mention),
        known,
        rules=ReconcileRules(**rules),
        as_of=at("2026-06-01"),
        ask=ask,
    )


def by_text(made: Reconciled) -> dict[str, dict[str, Any]]:
    return {row["text"]: row for row in made.memories.to_dicts()}


def test_without_a_model_both_stay_linked() -> None:
    found = by_text(settled(told(RANG, LONGER, "Likes green tea in the morning.")))
    assert {row["status"] for row in found.values()} == {"active"}
    assert found[RANG]["related_ids"] == [found[LONGER]["id"]]
    assert found[LONGER]["related_ids"] == [found[RANG]["id"]]
    assert found["Likes green tea in the morning."]["related_ids"] == []


def test_same_makes_one_memory_of_all_their_evidence_where_nothing_is_lost() -> None:
    made = settled(told(RANG, LONGER), Judge("same"))
    (row,) = made.memories.to_dicts()
    assert {proof["message_id"] for proof in row["evidence"]} == {"m0", "m1"}
    assert len(row["claim_ids"]) == 2
    assert made.settled.height == 2, "what was settled keeps them apart"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The spare logger is ready on 14 March.", "The spare logger is ready on 15 March."),
        ("The spare logger is ready for Tom.", "The spare logger is ready for Ada."),
        ("The spare logger is ready at last.", "The spare logger is not ready at last."),
        ("The spare logger is ready on weekdays.", "The spare logger is ready only on weekdays."),
    ],
)
def test_no_word_of_a_model_drops_a_number_a_name_or_a_no(one: str, other: str) -> None:
    made = settled(told(one, other), Judge("same"))
    assert sorted(made.memories["text"]) == sorted([one, other])
    assert made.memories["related_ids"].list.len().to_list() == [1, 1]


def test_an_update_takes_the_place_of_the_older_whatever_order_it_came_in() -> None:
    claims = told("The spare logger lives at the workshop.", "The spare logger lives at the harbour.")
    for order in permutations(claims):
        found = by_text(settled(list(order), Judge("updates")))
        old, new = (found[one.text] for one in claims)
        assert (old["status"], old["superseded_by"], new["status"]) == ("superseded", new["id"], "active")
        assert old["valid_to"] == new["said_at"]


def test_a_lesser_voice_or_a_pin_is_not_overruled() -> None:
    first, second = told("The spare logger lives at the workshop.", "The spare logger lives at the harbour.")
    weak = second.model_copy(update={"trust": Trust.THIRD_PARTY})
    pinned = first.model_copy(update={"is_pinned": True})
    for claims in ([first, weak], [pinned, second]):
        assert set(settled(claims, Judge("updates")).memories["status"]) == {"active"}


def test_a_contradiction_is_disputed_and_the_unrelated_are_not_linked() -> None:
    claims = told("The spare logger lives at the workshop.", "The spare logger lives at the harbour.")
    assert set(settled(claims, Judge("contradicts")).memories["status"]) == {"disputed"}
    apart = settled(claims, Judge("unrelated")).memories
    assert set(apart["status"]) == {"active"} and apart["related_ids"].list.len().sum() == 0


def test_one_call_of_so_many_pairs_and_what_is_known_is_not_asked_again() -> None:
    texts = [f"The spare logger number {word} lives at the workshop." for word in ("alpha", "bravo", "delta", "gamma")]
    judge = Judge("unrelated")
    made = settled(told(*texts), judge, max_asked_pairs=4)
    assert [(q.purpose, len(q.lines)) for q in judge.asked] == [(COMPARE, 8)]
    again = Judge("unrelated")
    settled(told(*texts), again, made.verdicts, max_asked_pairs=4)
    assert [len(q.lines) for q in again.asked] == [4], "the two pairs that were left"
    silent = Judge("same")
    settled(told(*texts), silent, max_asked_pairs=0)
    assert silent.asked == []


def test_what_may_not_be_shown_is_not_asked_about() -> None:
    judge = Judge("same")
    settled(told(RANG, LONGER, privacy=Privacy.SENSITIVE), judge)
    assert judge.asked == []


def test_a_slot_settles_itself_and_words_that_are_none_are_none() -> None:
    judge = Judge("same")
    settled(told(RANG, LONGER, attribute="call", value="x"), judge)
    assert judge.asked == []
    assert settled(told(RANG, LONGER), Judge("delete both")).memories.height == 2


def test_a_verdict_on_what_is_gone_is_forgotten() -> None:
    made = settled(told(RANG, LONGER), Judge("unrelated"))
    assert made.verdicts.height == 1
    assert settled(told(RANG), NOBODY, made.verdicts).verdicts.height == 0


def test_what_a_verdict_ended_is_decided() -> None:
    claims = told("The spare logger lives at the workshop.", "The spare logger lives at the harbour.")
    decisions = settled(claims, Judge("updates")).decisions
    (row,) = decisions.filter(pl.col("reason") == "a model's verdict").to_dicts()
    assert row["action"] == "supersede" and row["other_id"]
