"""Laws of the memory from link to reinforce: what holds for every set of claims, in any order and any split into nights."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.claim import ClaimRow
from models.decision import Decision, Feedback
from models.ids import make_id
from models.memory import MemoryRow
from models.message import Message
from models.rules import LinkRules, MergeRules, Owner, ReconcileRules, ReinforceRules
from models.table import Frame, empty, rows_to_frame
from models.turn import Turn
from slowwave.format import Cardinality, Kind, Polarity, Status, Trust
from tasks.link import Linked, link
from tasks.merge import Merged, merge
from tasks.reconcile import Reconciled, reconcile
from tasks.reconcile.timeline import Statement, replay
from tasks.reinforce import Reinforced, reinforce
from tests.make import claim

AS_OF = datetime(2026, 6, 1, tzinfo=UTC)
DAYS = st.integers(0, 20).map(lambda n: (datetime(2026, 1, 1) + timedelta(days=7 * n)).isoformat())
ALWAYS, FOREVER = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
MOMENTS = st.none() | st.integers(-30, 300).map(lambda n: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=n))


@st.composite
def claims(draw: st.DrawFn) -> ClaimRow:
    """A claim on one of a few slots, so that most of them meet others."""
    value = draw(st.sampled_from(["Porto", "porto.", "Aveiro", "Lisbon", None]))
    attribute = draw(st.sampled_from(["home_city", "likes", "pets", None]))
    # Claims on one attribute may disagree on whether it holds one value or many.
    cardinality = {"likes": Cardinality.MULTI, "pets": draw(st.sampled_from(Cardinality))}.get(attribute or "")
    polarity = draw(st.sampled_from([Polarity.ASSERT] * 5 + [Polarity.NEGATE, Polarity.RETRACT]))
    said = draw(DAYS)
    mark = draw(st.sampled_from([".", ".", "!", " and"]))
    return claim(
        f"{polarity} {attribute} {value}{mark}",
        said=said,
        session=draw(st.sampled_from(["s1", "s2", "s3"])),
        message_id=f"m{said[5:10]}",
        subject=draw(st.sampled_from(["user", "Tom", "tom "])),
        kind=draw(st.sampled_from([Kind.SEMANTIC_FACT, Kind.EPISODIC_EVENT])),
        attribute=attribute,
        value=value,
        cardinality=cardinality or Cardinality.SINGLE,
        polarity=polarity,
        confidence=draw(st.sampled_from([0.3, 0.7, 0.95])),
        importance=draw(st.sampled_from([0.1, 0.6])),
        trust=draw(st.sampled_from([Trust.OWNER, Trust.OWNER, Trust.IMPORTED, Trust.TOOL])),
        valid_from=draw(MOMENTS),
        valid_to=draw(MOMENTS),
        is_unbounded=draw(st.booleans()),
    )


SETS = st.lists(claims(), min_size=1, max_size=9, unique_by=lambda c: c.claim_id)


class Night:
    """One walk from link to reinforce over plain tables."""

    def __init__(self, new: list[ClaimRow], before: Night | None = None, as_of: datetime = AS_OF) -> None:
        given_claims = rows_to_frame(ClaimRow, new)
        known = before.linked.claims if before else empty(ClaimRow)
        settled = before.reconciled.settled if before else empty(MemoryRow)
        self.linked: Linked = link(
            given_claims,
            known,
            empty(Message),
            empty(Decision),
            empty(Decision),
            empty(Turn),
            rules=LinkRules(),
            owner=Owner(id="u-ana"),
        )
        self.merged: Merged = merge(self.linked.claims, settled, rules=MergeRules())
        self.reconciled: Reconciled = reconcile(
            self.merged.memories,
            settled,
            self.linked.claims,
            self.linked.mentions,
            rules=ReconcileRules(),
            as_of=as_of,
        )
        self.reinforced: Reinforced = reinforce(
            self.reconciled.memories,
            self.linked.claims,
            empty(Feedback),
            before.memories if before else empty(MemoryRow),
            rules=ReinforceRules(),
            as_of=as_of,
        )

    @property
    def memories(self) -> Frame[MemoryRow]:
        return self.reinforced.memories


@settings(max_examples=25, deadline=None)
@given(SETS, st.randoms(use_true_random=False))
def test_order_does_not_matter(told: list[ClaimRow], rng: random.Random) -> None:
    shuffled = rng.sample(told, len(told))
    assert Night(told).memories.equals(Night(shuffled).memories)


@settings(max_examples=20, deadline=None)
@given(SETS)
def test_twice_is_once(told: list[ClaimRow]) -> None:
    once = Night(told)
    twice = Night(told, once)
    assert once.memories.equals(twice.memories)
    assert once.linked.entities.equals(twice.linked.entities)


@settings(max_examples=25, deadline=None)
@given(SETS, st.data())
def test_two_nights_are_one(told: list[ClaimRow], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(told)))
    first = Night(told[:cut], as_of=AS_OF - timedelta(days=30))
    second = Night(told[cut:], first)
    together = Night(told)
    assert second.memories.equals(together.memories)
    assert second.linked.claims.equals(together.linked.claims)


@settings(max_examples=30, deadline=None)
@given(SETS)
def test_nothing_is_lost(told: list[ClaimRow]) -> None:
    night = Night(told)
    accepted = set(night.linked.claims["claim_id"])
    decided = {stage: set(made.decisions["item_id"]) for stage, made in _stages(night).items()}
    assert {c.claim_id for c in told} <= accepted | decided["link"]
    assert accepted <= set(night.merged.memories.explode("claim_ids")["claim_ids"])
    assert accepted == {i for i in decided["merge"] if i.startswith("clm_")}
    before, after = night.merged.memories, night.reconciled.memories
    assert set(before["id"]) <= set(after["id"]) | decided["reconcile"]
    rejected = night.reconciled.decisions.filter(pl.col("action") == "reject")["item_id"]
    assert accepted - set(rejected) == set(after.explode("claim_ids")["claim_ids"])
    assert set(after["id"]) == set(night.memories["id"])
    changed = night.memories.filter(pl.col("status") != Status.ACTIVE)["id"]
    assert set(changed) <= decided["reconcile"] | decided["reinforce"]


@settings(max_examples=30, deadline=None)
@given(SETS)
def test_supersession_is_a_forest_with_one_head_a_slot(told: list[ClaimRow]) -> None:
    memories = Night(told).memories
    successor = dict(memories.select("id", "superseded_by").iter_rows())
    for start in successor:
        seen, at = {start}, successor[start]
        while at is not None:
            assert at in successor, "a successor that is nowhere"
            assert at not in seen, "a memory that supersedes itself"
            seen.add(at)
            at = successor[at]
    superseded = memories.filter(pl.col("status") == Status.SUPERSEDED)
    assert superseded["superseded_by"].null_count() == 0
    heads = memories.filter(
        (pl.col("status") == Status.ACTIVE)
        & (pl.col("polarity") == Polarity.ASSERT)
        & (pl.col("attribute") == "home_city")
        & pl.col("value").is_not_null()
        & (pl.col("kind") != Kind.EPISODIC_EVENT)
    )
    # A change that is announced ahead stands beside what it will follow, so one head means: one at every moment.
    for _, slot in heads.group_by("subject_key"):
        held = sorted((row["valid_from"] or ALWAYS, row["valid_to"] or FOREVER) for row in slot.to_dicts())
        assert all(end <= start for (_, end), (start, _) in pairwise(held)), "two values of one slot at one moment"


@settings(max_examples=60, deadline=None)
@given(SETS)
def test_no_period_ends_before_it_begins(told: list[ClaimRow]) -> None:
    memories = Night(told).memories
    assert memories.filter(pl.col("valid_to") < pl.col("valid_from")).height == 0


@settings(max_examples=30, deadline=None)
@given(SETS)
def test_evidence_is_closed(told: list[ClaimRow]) -> None:
    night = Night(told)
    said = {(e.session_id, e.message_id, e.quote) for c in told for e in c.evidence}
    cited = night.memories.explode("evidence")["evidence"]
    assert {(e["session_id"], e["message_id"], e["quote"]) for e in cited} <= said
    texts = {c.text for c in told}
    assert set(night.memories["text"]) <= texts
    assert set(night.linked.mentions["entity_id"]) == set(night.linked.entities["id"])
    assert set(night.memories.explode("entity_ids")["entity_ids"].drop_nulls()) <= set(night.linked.entities["id"])


@settings(max_examples=20, deadline=None)
@given(SETS)
def test_a_night_of_shown_memories_teaches_nothing(told: list[ClaimRow]) -> None:
    """Thirty nights that only pass leave evidence, words and confidence as they were."""
    night = Night(told)
    same = ["id", "text", "confidence", "evidence", "stability_days"]
    for n in (1, 30):
        later = Night([], night, AS_OF + timedelta(days=n))
        assert later.memories.select(same).equals(night.memories.select(same))


def _stages(night: Night) -> dict[str, Linked | Merged | Reconciled | Reinforced]:
    return {
        "link": night.linked,
        "merge": night.merged,
        "reconcile": night.reconciled,
        "reinforce": night.reinforced,
    }


STATEMENTS = st.builds(
    Statement,
    claim_id=st.integers(0, 10**9).map(lambda n: make_id("clm", n)),
    value=st.sampled_from("abc"),
    polarity=st.sampled_from([Polarity.ASSERT.value] * 4 + [Polarity.NEGATE.value, Polarity.RETRACT.value]),
    at=st.integers(0, 9),
    said=st.integers(0, 9),
    rank=st.sampled_from([0, 0, 0, 3, 5]),
    confidence=st.sampled_from([0.3, 0.9]),
    end=st.none() | st.integers(0, 12),
    is_unbounded=st.booleans(),
)


@settings(max_examples=1000, deadline=None)
@given(st.lists(STATEMENTS, max_size=14, unique_by=lambda s: s.claim_id), st.randoms(use_true_random=False))
def test_a_timeline_is_a_function_of_its_statements(told: list[Statement], rng: random.Random) -> None:
    one, other = (replay(order, 0.5) for order in (told, rng.sample(told, len(told))))
    assert _shape(one) == _shape(other)
    placed = [s.claim_id for period in one for s in period.statements]
    assert sorted(placed) == sorted(s.claim_id for s in told), "each statement is in one period"


def _shape(periods: list) -> list[tuple]:
    def name(period: object) -> object:
        return None if period is None else period.order  # type: ignore[attr-defined]

    return sorted(
        (p.key, p.order, p.status.value, p.reason, str(name(p.successor)), sorted(s.claim_id for s in p.statements))
        for p in periods
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_long_history_is_the_same_in_any_split(seed: int) -> None:
    """Many claims at once, split into many nights in any order."""
    rng = random.Random(seed)
    told = [
        claim(
            f"Statement {n}.",
            said=(datetime(2025, 1, 1) + timedelta(hours=rng.randrange(4000))).isoformat(),
            session=f"s{rng.randrange(9)}",
            message_id=f"m{rng.randrange(30)}",
            subject=rng.choice(["user", "Tom", "Ada"]),
            attribute=(attribute := rng.choice(["home_city", "employer", "likes"])),
            value=rng.choice("abcdef"),
            cardinality="multi" if attribute == "likes" else "single",
            confidence=rng.choice([0.3, 0.9]),
        )
        for n in range(120)
    ]
    whole = Night(told).memories
    night, shuffled = None, rng.sample(told, len(told))
    cuts = sorted([0, len(told), *(rng.randrange(len(told)) for _ in range(3))])
    for start, stop in pairwise(cuts):
        night = Night(shuffled[start:stop], night)
    assert night is not None
    assert night.memories.equals(whole)
