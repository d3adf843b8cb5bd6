"""Reconcile: what holds, from when to when, by the rules of slots; similarity and order of arrival play no part."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import permutations
from typing import Any

import polars as pl
import pytest

from models.claim import ClaimRow, Mention
from models.memory import MemoryRow
from models.rules import MergeRules, ReconcileRules
from models.table import empty, rows_to_frame
from slowwave.format import Cardinality, Kind, Polarity, Status, Trust
from tasks.merge import merge
from tasks.reconcile import Reconciled, reconcile, retired_share
from tests.make import at, claim

AS_OF = at("2026-06-01")
KINDS = (Kind.SEMANTIC_FACT, Kind.PREFERENCE, Kind.ROUTINE, Kind.CONSTRAINT, Kind.COLLABORATOR)


def settled(*claims: ClaimRow, as_of: datetime = AS_OF, rules: ReconcileRules | None = None) -> Reconciled:
    frame = rows_to_frame(ClaimRow, claims)
    made = merge(frame, empty(MemoryRow), rules=MergeRules())
    return reconcile(
        made.memories, empty(MemoryRow), frame, empty(Mention), rules=rules or ReconcileRules(), as_of=as_of
    )


def city(value: str, said: str, **more: Any) -> ClaimRow:
    text = more.pop("text", f"Lives in {value}.")
    base = {"attribute": "home_city", "value": value, "cardinality": Cardinality.SINGLE, "session": f"s-{said}-{value}"}
    return claim(text, said=said, **{**base, **more})


def drinks(value: str, said: str, **more: Any) -> ClaimRow:
    return city(value, said, **{"attribute": "drinks", "cardinality": Cardinality.MULTI, **more})


def states(made: Reconciled) -> dict[str, list[str]]:
    """Statuses by value, in order of period."""
    rows = made.memories.sort("value", "polarity", "period").select("value", "status").rows()
    found: dict[str, list[str]] = {}
    for value, status in rows:
        found.setdefault(value, []).append(status)
    return found


def row(made: Reconciled, value: str, **match: Any) -> dict[str, Any]:
    found = [r for r in made.memories.to_dicts() if r["value"] == value and match.items() <= r.items()]
    assert len(found) == 1, found
    return found[0]


def test_the_newer_value_holds_and_the_older_ends_where_it_begins() -> None:
    made = settled(city("Aveiro", "2025-09-14"), city("Porto", "2026-02-09", valid_from=at("2026-02-01")))
    old, new = row(made, "Aveiro"), row(made, "Porto")
    assert (old["status"], new["status"]) == ("superseded", "active")
    assert old["valid_to"] == new["valid_from"] == at("2026-02-01")
    assert old["superseded_by"] == new["id"]
    decision = made.decisions.to_dicts()[0]
    assert (decision["action"], decision["item_id"], decision["other_id"]) == ("supersede", old["id"], new["id"])


def test_a_period_that_ended_before_it_was_told_has_an_unknown_beginning() -> None:
    made = settled(city("Lisbon", "2026-03-01"), city("Porto", "2026-03-05", valid_from=at("2026-02-23")))
    old = row(made, "Lisbon")
    assert (old["status"], old["valid_from"], old["valid_to"]) == ("superseded", None, at("2026-02-23"))
    stated = city("Lisbon", "2026-03-01", valid_from=at("2020-01-01"), valid_precision="year")
    known = row(settled(stated, city("Porto", "2026-03-05", valid_from=at("2026-02-23"))), "Lisbon")
    assert (known["valid_from"], known["valid_precision"]) == (at("2020-01-01"), "year")


def test_a_beginning_that_lies_after_the_stated_end_is_not_known() -> None:
    trip = city("Rome", "2026-02-10", valid_from=at("2026-02-09"), valid_to=at("2026-02-05"), valid_precision="day")
    made = row(settled(trip), "Rome")
    assert (made["valid_from"], made["valid_precision"], made["valid_to"]) == (None, None, at("2026-02-05"))


def test_a_change_told_late_wins_over_what_was_said_before_it_was_told() -> None:
    made = settled(city("Aveiro", "2026-01-10"), city("Porto", "2026-02-09", valid_from=at("2026-01-05")))
    assert states(made) == {"Aveiro": ["superseded"], "Porto": ["active"]}


def test_a_closed_past_told_late_retires_nothing() -> None:
    past = city("Kells", "2026-05-01", valid_from=at("2019-01-01"), valid_to=at("2021-01-01"))
    made = settled(city("Porto", "2026-04-01"), past)
    assert states(made) == {"Kells": ["expired"], "Porto": ["active"]}
    assert row(made, "Kells")["superseded_by"] is None


def test_an_old_session_loaded_late_does_not_win() -> None:
    told = [city("Porto", "2026-04-20"), city("Kells", "2024-10-02")]
    for order in permutations(told):
        made = settled(*order)
        assert states(made) == {"Kells": ["superseded"], "Porto": ["active"]}
        assert row(made, "Kells")["valid_to"] == at("2026-04-20")


def test_equal_weight_at_one_instant_is_disputed_and_a_later_word_settles_it() -> None:
    tie = city("Aveiro", "2026-02-01"), city("Porto", "2026-02-01")
    made = settled(*tie)
    assert states(made) == {"Aveiro": ["disputed"], "Porto": ["disputed"]}
    assert row(made, "Aveiro")["related_ids"] == [row(made, "Porto")["id"]]
    assert states(settled(*tie, city("Porto", "2026-03-01"))) == {"Aveiro": ["superseded"], "Porto": ["active"]}
    after = settled(*tie, city("Lisbon", "2026-03-01"))
    assert states(after) == {"Aveiro": ["superseded"], "Lisbon": ["active"], "Porto": ["superseded"]}


def test_a_returned_value_is_a_new_period_with_its_own_evidence() -> None:
    made = settled(city("Porto", "2023-02-01"), city("Aveiro", "2024-03-01"), city("Porto", "2026-05-04"))
    assert states(made) == {"Aveiro": ["superseded"], "Porto": ["superseded", "active"]}
    first, second = row(made, "Porto", period=0), row(made, "Porto", period=1)
    assert first["valid_to"] == at("2024-03-01")
    assert [e["session_id"] for e in second["evidence"]] == ["s-2026-05-04-Porto"]
    assert first["confidence"] == second["confidence"] == pytest.approx(0.9)
    split = made.decisions.filter(pl.col("action") == "split")
    assert split["other_id"].to_list() == [second["id"]]


def test_a_mumble_is_disputed_until_something_firm_comes() -> None:
    plain, mumble = city("slate", "2026-01-31", confidence=0.95), city("tin", "2026-02-28", confidence=0.3)
    made = settled(plain, mumble)
    assert states(made) == {"slate": ["active"], "tin": ["disputed"]}
    assert made.decisions["reason"].to_list() == ["low_confidence"]
    firm = settled(plain, mumble, city("reed", "2026-03-30"))
    assert states(firm) == {"reed": ["active"], "slate": ["superseded"], "tin": ["disputed"]}
    same = settled(plain, mumble, city("tin", "2026-03-30"))
    assert states(same) == {"slate": ["superseded"], "tin": ["active"]}
    assert len(row(same, "tin")["evidence"]) == 2


def test_two_mumbles_make_no_plain_word() -> None:
    mumbles = [city("tin", f"2026-02-{day}", confidence=0.45) for day in ("10", "20")]
    assert states(settled(city("slate", "2026-01-31"), *mumbles)) == {"slate": ["active"], "tin": ["disputed"]}


def test_a_mumble_between_two_statements_breaks_no_period() -> None:
    made = settled(city("slate", "2026-01-01"), city("tin", "2026-02-01", confidence=0.3), city("slate", "2026-03-01"))
    assert states(made) == {"slate": ["active"], "tin": ["disputed"]}


def test_lower_authority_never_supersedes() -> None:
    made = settled(city("Porto", "2026-01-01"), city("Aveiro", "2026-02-01", trust=Trust.TOOL))
    assert states(made) == {"Aveiro": ["disputed"], "Porto": ["active"]}
    assert made.decisions["reason"].to_list() == ["lower_authority"]
    older = settled(city("Aveiro", "2026-01-01", trust=Trust.TOOL), city("Porto", "2026-02-01"))
    assert states(older) == {"Aveiro": ["superseded"], "Porto": ["active"]}


def test_a_denial_closes_the_value_and_stands_itself() -> None:
    made = settled(
        drinks("coffee", "2025-12-01"),
        drinks("mint tea", "2025-12-01"),
        drinks("coffee", "2026-03-18", polarity=Polarity.NEGATE, text="No coffee any more."),
    )
    closed, denial = row(made, "coffee", polarity="assert"), row(made, "coffee", polarity="negate")
    assert (closed["status"], denial["status"], row(made, "mint tea")["status"]) == ("superseded", "active", "active")
    assert closed["valid_to"] == denial["valid_from"] == at("2026-03-18")
    assert made.decisions["action"].to_list() == ["close"]


def test_a_denied_value_that_returns_ends_the_denial() -> None:
    made = settled(
        drinks("coffee", "2025-12-01"),
        drinks("coffee", "2026-01-01", polarity=Polarity.NEGATE),
        drinks("coffee", "2026-03-01"),
    )
    assert states(made) == {"coffee": ["superseded", "active", "superseded"]}


def test_a_retracted_value_was_never_true_and_the_rest_is_as_without_it() -> None:
    made = settled(
        city("Aveiro", "2025-09-14"),
        city("Porto", "2026-02-09"),
        city("Porto", "2026-02-10", polarity=Polarity.RETRACT, text="I never lived in Porto."),
    )
    assert states(made) == {"Aveiro": ["active"], "Porto": ["retracted"]}
    assert row(made, "Aveiro")["valid_to"] is None
    assert row(made, "Porto")["valid_to"] == row(made, "Porto")["valid_from"]
    assert row(made, "Porto")["text"] == "Lives in Porto."


def test_a_backfilled_statement_of_a_retracted_value_stays_retracted_and_a_later_one_is_new() -> None:
    taken_back = city("Porto", "2026-02-10", polarity=Polarity.RETRACT, text="I never lived in Porto.")
    assert states(settled(taken_back, city("Porto", "2025-01-01"))) == {"Porto": ["retracted"]}
    assert states(settled(taken_back, city("Porto", "2026-03-01"))) == {"Porto": ["retracted", "active"]}


def test_a_tool_cannot_retract_the_owners_word() -> None:
    made = settled(
        city("Porto", "2026-01-01"), city("Porto", "2026-02-01", polarity=Polarity.RETRACT, trust=Trust.TOOL)
    )
    assert states(made) == {"Porto": ["active", "disputed"]}


def test_what_ended_expires_and_an_unbounded_word_clears_the_end() -> None:
    leave = city("on leave", "2026-02-01", valid_to=at("2026-05-01"))
    assert row(settled(leave, as_of=at("2026-04-01")), "on leave")["status"] == "active"
    ended = settled(leave)
    assert row(ended, "on leave")["status"] == "expired"
    assert ended.decisions["action"].to_list() == ["expire"]
    cleared = settled(leave, city("on leave", "2026-04-01", is_unbounded=True))
    assert (row(cleared, "on leave")["status"], row(cleared, "on leave")["valid_to"]) == ("active", None)


def test_an_event_told_when_it_was_over_does_not_expire() -> None:
    trip = city("Rome", "2026-02-10", kind=Kind.EPISODIC_EVENT, valid_from=at("2026-02-01"), valid_to=at("2026-02-05"))
    assert row(settled(trip), "Rome")["status"] == "active"


def test_a_value_that_ended_by_itself_is_not_superseded() -> None:
    made = settled(city("Porto", "2025-01-01", valid_to=at("2025-06-01")), city("Aveiro", "2026-01-01"))
    assert states(made) == {"Aveiro": ["active"], "Porto": ["expired"]}


def test_a_commitment_falls_overdue_and_stays_active() -> None:
    promise = drinks("file the renewal", "2026-04-01", kind=Kind.GOAL_OR_COMMITMENT, due_at=at("2026-04-17"))
    assert row(settled(promise, as_of=at("2026-04-10")), "file the renewal")["commitment_state"] == "open"
    late = row(settled(promise), "file the renewal")
    assert (late["status"], late["commitment_state"]) == ("active", "overdue")


def test_a_denied_commitment_is_cancelled() -> None:
    made = settled(
        drinks("demo", "2026-03-01", kind=Kind.GOAL_OR_COMMITMENT),
        drinks("demo", "2026-03-20", kind=Kind.GOAL_OR_COMMITMENT, polarity=Polarity.NEGATE),
    )
    assert row(made, "demo", polarity="assert")["commitment_state"] == "cancelled"


def test_a_claim_from_the_future_counts_for_nothing_tonight() -> None:
    ahead, now = city("Porto", "2027-01-14"), city("Porto", "2026-02-01")
    made = settled(ahead, now, city("Lisbon", "2027-01-01"))
    assert states(made) == {"Porto": ["active"]}
    assert row(made, "Porto")["claim_ids"] == [now.claim_id]
    assert row(made, "Porto")["confidence"] == pytest.approx(0.9)
    rejected = made.decisions.filter(pl.col("action") == "reject")
    assert set(rejected["reason"]) == {"future"}
    assert ahead.claim_id in rejected["item_id"].to_list()
    within = settled(city("Porto", (AS_OF + timedelta(minutes=9)).isoformat()))
    assert states(within) == {"Porto": ["active"]}


def test_statements_without_a_slot_never_end_each_other() -> None:
    made = settled(claim("Likes tea.", said="2026-01-01"), claim("Hates tea.", said="2026-02-01", session="s2"))
    assert set(made.memories["status"]) == {"active"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ([("a", "2026-01-01", {}), ("b", "2026-02-01", {})], {"a": ["superseded"], "b": ["active"]}),
        (
            [("a", "2026-01-01", {}), ("a", "2026-02-01", {"polarity": Polarity.NEGATE})],
            {"a": ["superseded", "active"]},
        ),
        ([("a", "2026-01-01", {}), ("a", "2026-02-01", {"polarity": Polarity.RETRACT})], {"a": ["retracted"]}),
        ([("a", "2026-01-01", {}), ("b", "2026-01-01", {})], {"a": ["disputed"], "b": ["disputed"]}),
        (
            [("a", "2026-01-01", {}), ("b", "2026-02-01", {}), ("a", "2026-03-01", {})],
            {"a": ["superseded", "active"], "b": ["superseded"]},
        ),
    ],
    ids=["other_value", "denial", "retraction", "tie", "return"],
)
def test_shapes_of_contradiction_in_every_order_with_an_old_session_again(
    kind: Kind, told: list[tuple[str, str, dict[str, Any]]], expected: dict[str, list[str]]
) -> None:
    claims = [city(value, said, kind=kind, **more) for value, said, more in told]
    bystander = city("a", "2026-01-15", kind=kind, attribute="other")
    for order in permutations(claims):
        made = settled(*order, bystander)
        mine = made._replace(memories=made.memories.filter(pl.col("attribute") == "home_city"))
        assert _by_value(mine) == {value: sorted(found) for value, found in expected.items()}
        assert made.memories.filter(pl.col("attribute") == "other")["status"].to_list() == ["active"]


def _by_value(made: Reconciled) -> dict[str, list[str]]:
    return {value: sorted(found) for value, found in states(made).items()}


def memories(made: Reconciled) -> pl.DataFrame:
    return rows_to_frame(MemoryRow, made.memories.to_dicts())


def test_the_retired_share_counts_what_no_longer_stands_by_scope() -> None:
    rooms = [city("old lamp", "2026-01-01", subject=f"room {n}", project="p") for n in range(4)]
    news = [city("unknown", "2026-02-01", subject=f"room {n}", project="p") for n in range(3)]
    home = city("Porto", "2026-01-01")
    before, after = settled(*rooms, home), settled(*rooms, *news, home)
    assert retired_share(before.memories, after.memories, min_records=4) == pytest.approx(0.75)
    assert retired_share(before.memories, after.memories, min_records=5) == 0.0
    assert retired_share(before.memories, before.memories, min_records=1) == 0.0


def test_dates_and_new_ids_retire_nothing() -> None:
    leave = city("on leave", "2026-02-01", valid_to=at("2026-05-01"))
    before, after = settled(leave, as_of=at("2026-04-01")), settled(leave)
    assert after.memories["status"].to_list() == [Status.EXPIRED]
    assert retired_share(before.memories, after.memories, min_records=1) == 0.0
    home = city("Porto", "2026-01-01")
    renumbered = settled(home, city("Porto", "2020-01-01"), city("Aveiro", "2021-01-01"))
    assert row(renumbered, "Porto", period=1)["id"] != settled(home).memories["id"].item()
    assert retired_share(settled(home).memories, renumbered.memories, min_records=1) == 0.0


def test_a_memory_knows_the_entities_of_its_claims() -> None:
    told = city("Porto", "2026-01-05", session="s1"), city("Porto", "2026-02-05", session="s2")
    frame = rows_to_frame(ClaimRow, told)
    pairs = zip(told, "ab", ("e2", "e1"), strict=True)
    rows = [Mention(claim_id=c.claim_id, name=n, entity_id=e, is_subject=False) for c, n, e in pairs]
    fresh, none = merge(frame, empty(MemoryRow), rules=MergeRules()).memories, empty(MemoryRow)
    made = reconcile(fresh, none, frame, rows_to_frame(Mention, rows), rules=ReconcileRules(), as_of=AS_OF)
    assert made.memories["entity_ids"].to_list() == [["e1", "e2"]]


def test_only_slots_that_the_news_touches_are_worked_on() -> None:
    old = [city(value, "2026-01-05", subject=f"person {n}") for n, value in enumerate(("Porto", "Faro", "Braga"))]
    before = settled(*old)
    news = [city("Lisbon", "2026-02-05", subject="person 1"), drinks("tea", "2026-02-05", subject="person 0")]
    frame = rows_to_frame(ClaimRow, [*old, *news])
    fresh = merge(frame, before.settled, rules=MergeRules())
    assert sorted(fresh.memories["value"]) == ["Faro", "Lisbon", "tea"]
    assert fresh.decisions.height == 3
    made = reconcile(fresh.memories, before.settled, frame, empty(Mention), rules=ReconcileRules(), as_of=AS_OF)
    assert made.memories.equals(settled(*old, *news).memories)


def test_a_claim_that_went_takes_its_slot_along() -> None:
    old = city("Porto", "2026-01-05"), city("Faro", "2026-02-05")
    before, frame = settled(*old), rows_to_frame(ClaimRow, old[:1])
    fresh = merge(frame, before.settled, rules=MergeRules())
    made = reconcile(fresh.memories, before.settled, frame, empty(Mention), rules=ReconcileRules(), as_of=AS_OF)
    assert made.memories.equals(settled(*old[:1]).memories)


def test_the_same_words_without_a_slot_are_told_once_by_all_who_said_them() -> None:
    first = claim("The grant report is due 15 May 2026.", session="s1", said="2026-02-01")
    again = claim("Grant report, due 15 May 2026!", session="s2", said="2026-02-20", confidence=0.7)
    made = settled(first, again)
    memory = made.memories.to_dicts()[0]
    assert made.memories.height == 1
    assert (memory["text"], memory["confidence"], len(memory["evidence"])) == (first.text, 0.9, 2)
    assert memory["last_seen_at"] == at("2026-02-20")
    assert made.settled.height == 2
    assert made.decisions.filter(pl.col("reason") == "same_words")["other_id"].to_list() == [memory["id"]]
    assert made.decisions.filter(pl.col("reason") == "future").is_empty()


@pytest.mark.parametrize(
    "other",
    [
        "The grant report is not due 15 May 2026.",
        "The grant report is due 16 May 2026.",
        "The grant report was due 15 May 2026.",
        "Due 15 May 2026: the report, grant.",
        "Is the grant report due 15 May 2026?",
    ],
)
def test_one_other_word_or_order_is_another_statement(other: str) -> None:
    made = settled(claim("The grant report is due 15 May 2026.", session="s1"), claim(other, session="s2"))
    assert made.memories.height == 2


def test_what_is_told_once_by_two_never_ends_before_it_begins() -> None:
    begun = claim("Metric and ISO dates.", said="2026-02-09", valid_from=at("2026-02-09"))
    ended = claim("Metric, ISO dates!", said="2026-03-01", session="s2", valid_to=at("2026-01-20"))
    (one,) = settled(begun, ended).memories.to_dicts()
    assert len(one["claim_ids"]) == 2
    assert one["valid_from"] is None or one["valid_from"] <= one["valid_to"]
