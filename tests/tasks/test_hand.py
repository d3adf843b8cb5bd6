"""The owner's hand in the stages: pins and archiving, words that stand in a memory's place, and what waits for approval."""

from __future__ import annotations

from typing import Any

import polars as pl

from models.claim import ClaimRow
from models.decision import Feedback
from models.ids import make_id
from models.memory import MemoryRow
from models.rules import ProjectRules
from models.table import empty, rows_to_frame
from models.turn import Turn
from slowwave.format import Kind, Privacy
from slowwave.ids import digest
from tasks.link.hand import stated
from tasks.project.review import with_review
from tests.make import NOW, at, claim, memory, turn
from tests.tasks.test_reinforce import only, saw, says, weighed

AT = "2026-02-01T10:00"


def hand_id(text: str) -> str:
    return f"h-{digest(text)[:6]}"


def hand(verdict: str, text: str, **slot: Any) -> tuple[Feedback, Turn]:
    """A statement of the owner's and the turn that holds it."""
    spoken = turn(text, session="owner", said=AT, message_id=hand_id(text))
    known = {"kind": Kind.SEMANTIC_FACT, "subject": "user", "cardinality": "single", "is_pinned": False} | slot
    parts = {"memory_id": "mem_1", "verdict": verdict, "at": at(AT), "trust": "owner", "msg_key": spoken.msg_key}
    return Feedback(feedback_id=make_id("fbk", verdict, text, slot), **{**parts, **known}), spoken


def claims_of(said: Feedback, *turns: Turn, among: tuple[ClaimRow, ...] = ()) -> Any:
    return stated(rows_to_frame(Feedback, [said]), rows_to_frame(ClaimRow, among), rows_to_frame(Turn, turns))


def test_a_pin_keeps_what_would_fade_and_the_last_word_counts() -> None:
    faded = only(weighed(saw()))
    assert (faded["status"], faded["tier"]) == ("archived", "archived")
    kept = only(weighed(saw(), feedback=(says("pinned", faded["id"]),)))
    assert (kept["status"], kept["tier"], kept["is_pinned"]) == ("active", "prompt", True)
    both = (says("pinned", faded["id"]), says("unpinned", faded["id"], when="2026-05-02"))
    assert not only(weighed(saw(), feedback=both))["is_pinned"]


def test_only_the_owner_pins_archives_and_restores() -> None:
    faded = only(weighed(saw()))
    for verdict in ("pinned", "restored"):
        assert only(weighed(saw(), feedback=(says(verdict, faded["id"], trust="agent"),)))["status"] == "archived"
    fresh = only(weighed(saw(said="2026-05-20")))
    put_away = says("archived", fresh["id"], when="2026-05-25", trust="agent")
    assert only(weighed(saw(said="2026-05-20"), feedback=(put_away,)))["status"] == "active"


def test_what_was_archived_by_hand_stays_so_until_it_is_said_again_or_restored() -> None:
    fresh = saw(said="2026-05-20", kind=Kind.PREFERENCE)
    memory_id = only(weighed(fresh))["id"]
    archived = says("archived", memory_id, when="2026-05-25")
    made = weighed(fresh, feedback=(archived,))
    assert (only(made)["status"], only(made)["tier"]) == ("archived", "archived")
    assert {("archive", "by_hand"), ("keep", "archived")} <= set(made.decisions.select("action", "reason").iter_rows())
    again = saw(said="2026-05-28", kind=Kind.PREFERENCE)
    assert only(weighed(fresh, again, feedback=(archived,)))["status"] == "active"
    restored = says("restored", memory_id, when="2026-05-26")
    assert only(weighed(fresh, feedback=(archived, restored)))["status"] == "active"


def test_who_restores_what_faded_confirms_it() -> None:
    faded = only(weighed(saw()))
    woken = only(weighed(saw(), feedback=(says("restored", faded["id"]),)))
    assert (woken["status"], woken["last_confirmed_at"]) == ("active", at("2026-05-01"))
    assert woken["stability_days"] > faded["stability_days"]


def test_a_decision_ahead_of_the_night_waits() -> None:
    faded = only(weighed(saw()))
    assert not only(weighed(saw(), feedback=(says("pinned", faded["id"], when="2026-07-01"),)))["is_pinned"]


def test_a_correction_retracts_the_old_value_and_states_the_new_one() -> None:
    slot = {"attribute": "home_city", "value": "Trier", "old_value": "Basel", "old_text": "I live in Basel."}
    said, spoken = hand("corrected", "I live in Trier.", **slot)
    made = claims_of(said, spoken)
    rows = {row["polarity"]: row for row in made.claims.to_dicts()}
    assert (rows["assert"]["value"], rows["retract"]["value"]) == ("Trier", "Basel")
    assert rows["assert"]["text"] == rows["assert"]["evidence"][0]["quote"] == "I live in Trier."
    assert not made.unheard.height


def test_other_words_for_the_same_value_retract_nothing() -> None:
    slot = {"attribute": "home_city", "value": "basel", "old_value": "Basel", "old_text": "I live in Basel."}
    made = claims_of(*hand("corrected", "My home is Basel.", **slot))
    assert made.claims["polarity"].to_list() == ["assert"]


def test_a_statement_without_a_slot_takes_the_place_of_its_old_words() -> None:
    made = claims_of(*hand("corrected", "The kiln is electric.", old_text="The kiln burns gas."))
    texts = dict(made.claims.select("polarity", "text").iter_rows())
    assert texts == {"assert": "The kiln is electric.", "retract": "The kiln burns gas."}


def test_what_was_read_out_of_the_same_message_gives_way() -> None:
    words = "I never work on Sundays."
    said, spoken = hand("stated", words, is_pinned=True)
    read = claim(words, session="owner", message_id=hand_id(words))
    other = claim("I keep bees.")
    made = claims_of(said, spoken, among=(read, other))
    assert sorted(made.claims["text"].to_list()) == ["I keep bees.", "I never work on Sundays."]
    assert made.read["claim_id"].to_list() == [read.claim_id]
    assert made.claims.filter(pl.col("is_pinned"))["text"].to_list() == ["I never work on Sundays."]


def test_words_that_sift_left_out_are_not_remembered_and_one_that_was_never_heard_is_told() -> None:
    said, spoken = hand("stated", "I like tea.")
    assert claims_of(said).unheard["feedback_id"].to_list() == [said.feedback_id]
    unfit = spoken.model_copy(update={"is_evidence": False})
    assert not claims_of(said, unfit).claims.height


def test_a_sensitive_statement_is_sensitive() -> None:
    made = claims_of(*hand("stated", "I was diagnosed with diabetes."))
    assert made.claims["privacy"].to_list() == [Privacy.SENSITIVE]


def reviewed(*feedback: Feedback, **rules: Any) -> str | None:
    frame = rows_to_frame(MemoryRow, [memory("I like tea.", kind=Kind.PREFERENCE, id="mem_1")])
    told = rows_to_frame(Feedback, feedback) if feedback else empty(Feedback)
    return with_review(frame, told, rules=ProjectRules(**rules), as_of=NOW)["review"].item()


def test_chosen_kinds_wait_until_the_owner_approves_or_pins() -> None:
    asked = {"review_kinds": (Kind.PREFERENCE,)}
    assert reviewed() is None
    assert reviewed(**asked) == reviewed(review_trusts=("owner",)) == "waiting"
    early = "2026-02-20"
    for verdict in ("approved", "pinned"):
        assert reviewed(says(verdict, "mem_1", when=early), **asked) == "approved"
    assert reviewed(says("approved", "mem_1", when=early, trust="agent"), **asked) == "waiting"
    both = says("approved", "mem_1", when="2026-02-19"), says("declined", "mem_1", when=early)
    assert reviewed(*both, **asked) == "declined"
    assert reviewed(says("declined", "mem_1", when=early)) == "declined"


def test_a_promise_that_is_stated_falls_due_on_the_day_it_names() -> None:
    promised = {"kind": Kind.GOAL_OR_COMMITMENT, "old_text": "I promised Rita the plan by 1 March 2026."}
    made = claims_of(*hand("corrected", "I promised Rita the plan by 5 March 2026.", **promised))
    due = {row["polarity"]: row["due_at"] for row in made.claims.to_dicts()}
    assert due == {"assert": at("2026-03-05T23:59:59"), "retract": None}
    assert claims_of(*hand("stated", "Lunch is on 5 March 2026.")).claims["due_at"].to_list() == [None]
