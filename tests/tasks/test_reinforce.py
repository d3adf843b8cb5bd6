"""Reinforce: strength follows evidence, feedback and time; only small events fade, and being shown counts for nothing."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import polars as pl
import pytest

from models.claim import ClaimRow, Mention
from models.decision import Feedback
from models.ids import make_id
from models.memory import MemoryRow
from models.rules import MergeRules, ReconcileRules, ReinforceRules
from models.table import Frame, empty, rows_to_frame
from slowwave.format import Kind
from slowwave.strength import band, strength
from tasks.merge import merge
from tasks.reconcile import reconcile
from tasks.reinforce import Reinforced, reinforce
from tests.make import at, claim

AS_OF = at("2026-06-01")


def weighed(
    *claims: ClaimRow,
    feedback: tuple[Feedback, ...] = (),
    as_of: datetime = AS_OF,
    earlier: Frame[MemoryRow] | None = None,
    **rules: Any,
) -> Reinforced:
    frame = rows_to_frame(ClaimRow, claims)
    merged = merge(frame, empty(MemoryRow), rules=MergeRules())
    settled = reconcile(merged.memories, empty(MemoryRow), frame, empty(Mention), rules=ReconcileRules(), as_of=as_of)
    told = rows_to_frame(Feedback, feedback)
    known = empty(MemoryRow) if earlier is None else earlier
    return reinforce(settled.memories, frame, told, known, rules=ReinforceRules(**rules), as_of=as_of)


def saw(what: str = "a heron", said: str = "2025-09-01", **more: Any) -> ClaimRow:
    base = {"attribute": "saw", "value": what, "kind": Kind.EPISODIC_EVENT, "importance": 0.1, "session": f"s{said}"}
    return claim(f"Saw {what}.", said=said, **{**base, **more})


def says(verdict: str, memory_id: str, when: str = "2026-05-01", trust: str = "owner") -> Feedback:
    parts = (verdict, memory_id, when, trust)
    return Feedback(feedback_id=make_id("fb", *parts), memory_id=memory_id, verdict=verdict, at=at(when), trust=trust)


def only(made: Reinforced) -> dict[str, Any]:
    assert made.memories.height == 1
    return made.memories.to_dicts()[0]


def test_a_thing_said_once_has_the_initial_stability() -> None:
    assert only(weighed(saw(), initial_stability_days=42))["stability_days"] == 42


def test_spaced_confirmations_count_more_than_crammed_ones() -> None:
    once = only(weighed(saw()))["stability_days"]
    same_day = only(weighed(saw(), saw(said="2025-09-01T20:00")))["stability_days"]
    next_day = only(weighed(saw(), saw(said="2025-09-02")))["stability_days"]
    next_month = only(weighed(saw(), saw(said="2025-10-01")))["stability_days"]
    assert once == same_day < next_day < next_month <= 2 * once


def test_stability_has_a_ceiling() -> None:
    days = [saw(said=(at("2025-01-01") + timedelta(days=9 * n)).isoformat()) for n in range(40)]
    assert only(weighed(*days, max_stability_days=500))["stability_days"] == 500


def test_nothing_depends_on_the_number_of_runs_but_retention_on_time() -> None:
    first, later = weighed(saw("x", "2026-05-20")), weighed(saw("x", "2026-05-20"), as_of=AS_OF + timedelta(days=1))
    assert only(first)["stability_days"] == only(later)["stability_days"]
    assert only(first)["confidence"] == only(later)["confidence"]


def test_old_small_events_fade_and_nothing_else_does() -> None:
    made = weighed(
        saw("a heron"),
        saw("the comet", is_pinned=True),
        saw("a wedding", importance=0.5),
        saw("an otter"),
        saw("an otter", said="2026-05-25"),
        claim("Is called Ana.", said="2026-01-01", importance=0.1, session="s9"),
        saw("a tool hint", kind=Kind.INTERVENTION_OUTCOME),
    )
    faded = made.memories.filter(pl.col("status") == "archived")
    assert sorted(faded["value"]) == ["a heron", "a tool hint"]
    assert set(faded["tier"]) == {"archived"}
    assert set(made.decisions.filter(pl.col("action") == "archive")["item_id"]) == set(faded["id"])


def test_an_event_that_says_what_holds_since_does_not_fade() -> None:
    moved = saw("Porto", attribute="home_city", cardinality="single")
    assert only(weighed(moved))["status"] == "active"
    assert only(weighed(saw("Porto", attribute="visited_city")))["status"] == "archived"


def test_an_age_in_days_may_decide_instead_of_retention() -> None:
    assert only(weighed(saw(), archive_after_days=300))["status"] == "active"
    assert only(weighed(saw(), archive_after_days=200))["status"] == "archived"


def test_an_event_that_lies_ahead_does_not_fade() -> None:
    assert only(weighed(saw("a concert", valid_from=at("2026-08-05"))))["status"] == "active"


def test_a_new_statement_wakes_what_had_faded() -> None:
    made = weighed(saw(), saw(said="2026-05-25"))
    assert only(made)["status"] == "active"
    assert "wake" in made.decisions["action"].to_list()
    assert len(only(made)["evidence"]) == 2


def test_feedback_strengthens_and_weakens() -> None:
    plain = only(weighed(saw(importance=0.9)))
    confirmed = only(weighed(saw(importance=0.9), feedback=(says("confirmed", plain["id"]),)))
    reused = only(weighed(saw(importance=0.9), feedback=(says("reused", plain["id"]),)))
    denied = only(weighed(saw(importance=0.9), feedback=(says("contradicted", plain["id"]),)))
    assert plain["stability_days"] < reused["stability_days"] < confirmed["stability_days"]
    assert confirmed["last_confirmed_at"] == at("2026-05-01")
    assert reused["last_confirmed_at"] == plain["last_confirmed_at"]
    assert denied["stability_days"] < plain["stability_days"]
    assert denied["confidence"] < plain["confidence"]


def test_feedback_is_a_set_by_day_and_has_the_weight_of_its_voice() -> None:
    plain = only(weighed(saw(importance=0.9)))
    once = weighed(saw(importance=0.9), feedback=(says("contradicted", plain["id"]),))
    same_day = says("contradicted", plain["id"], "2026-05-01T09:00")
    twice = weighed(saw(importance=0.9), feedback=(says("contradicted", plain["id"]), same_day))
    assert only(once)["confidence"] == only(twice)["confidence"]
    agent = weighed(saw(importance=0.9), feedback=(says("contradicted", plain["id"], trust="agent"),))
    assert only(once)["confidence"] < only(agent)["confidence"] < plain["confidence"]
    tool = weighed(saw(importance=0.9), feedback=(says("contradicted", plain["id"], trust="tool"),))
    assert only(tool)["confidence"] == plain["confidence"]


@pytest.mark.parametrize("verdict", ["ignored", "shown"])
def test_being_shown_or_ignored_counts_for_nothing_and_says_so(verdict: str) -> None:
    plain = only(weighed(saw(importance=0.9)))
    made = weighed(saw(importance=0.9), feedback=(says(verdict, plain["id"]), says("confirmed", "mem_unknown")))
    assert only(made) == plain
    assert set(made.decisions["action"]) == {"promote", "drop"}
    assert made.decisions.filter(pl.col("action") == "drop").height == 2


def test_tiers_follow_from_status_kind_pin_and_strength() -> None:
    made = weighed(
        claim("Allergic to latex.", kind=Kind.CONSTRAINT, said="2024-01-01", session="a"),
        saw("an otter", said="2026-05-30"),
        claim("An old fact.", said="2024-01-01", importance=0.1, session="b"),
        saw("a heron"),
    )
    tiers = dict(made.memories.select("text", "tier").iter_rows())
    assert tiers == {
        "Allergic to latex.": "prompt",
        "Saw an otter.": "prompt",
        "An old fact.": "searchable",
        "Saw a heron.": "archived",
    }


def test_a_tier_that_changes_is_decided_once_with_a_reason() -> None:
    def moves(made: Reinforced) -> set[tuple[str, str, str]]:
        rows = made.decisions.filter(pl.col("action").is_in(["promote", "demote"]))
        return set(rows.select("action", "reason", "detail").iter_rows())

    told = (saw(), claim("Likes tea.", kind=Kind.PREFERENCE, said="2025-09-01"))
    first = weighed(*told, as_of=at("2025-09-02"))
    assert moves(first) == {("promote", "standing", "new to prompt"), ("promote", "strong", "new to prompt")}
    assert not moves(weighed(*told, as_of=at("2025-09-02"), earlier=first.memories))
    later = weighed(*told, as_of=at("2028-06-01"), earlier=first.memories)
    assert moves(later) == {("demote", "faded", "prompt to archived")}
    woken = weighed(*told, saw(said="2028-06-02"), as_of=at("2028-06-02"), earlier=later.memories)
    assert moves(woken) == {("promote", "strong", "archived to prompt")}


def test_the_band_of_a_tier_is_the_one_formulas() -> None:
    """The frame's arithmetic and the reader's agree on where the edge of a prompt lies."""
    for days in range(0, 120, 7):
        said = AS_OF - timedelta(days=days)
        made = weighed(claim("A fact.", said=said.isoformat(), importance=0.3), prompt_band=1)
        memory = only(made)
        now = strength(
            stability_days=memory["stability_days"],
            last_at=said,
            confidence=memory["confidence"],
            importance=memory["importance"],
            now=AS_OF,
        )
        assert (memory["tier"] == "prompt") == (band(now) <= 1)
