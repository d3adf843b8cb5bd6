"""Reconcile: which of a slot's values holds, from when to when; and what the date alone decides.

Belongs here: supersession, disputes, closing, retraction, periods, expiry and overdue commitments. Only claims of one slot
are ever weighed against each other. Does not belong here: strength and archiving.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

import polars as pl

from models.ask import NOBODY, Ask
from models.claim import ClaimRow, Mention
from models.decision import Action, Decision
from models.memory import MemoryRow, VerdictRow
from models.rules import ReconcileRules
from models.table import Frame, Scan, beside, collected, conform, empty, pairs_once
from slowwave.format import CommitmentState, Kind, Status
from tasks.merge.fold import fold
from tasks.merge.identity import identify
from tasks.merge.touched import claims_of, quiet
from tasks.reconcile.alike import alike, united
from tasks.reconcile.closing import CLOSES, closed
from tasks.reconcile.related import related
from tasks.reconcile.retired import retired_share
from tasks.reconcile.slots import contested, replayed
from tasks.reconcile.verdicts import repeated, stood, told_of
from tasks.verdict import gathered, verdicts

__all__ = ["Reconciled", "reconcile", "retired_share"]

_EVENTS = (Kind.EPISODIC_EVENT, Kind.TIMELINE_MILESTONE, Kind.INTERVENTION_OUTCOME)
_ACTIONS = {
    Status.SUPERSEDED: Action.SUPERSEDE,
    Status.DISPUTED: Action.DISPUTE,
    Status.RETRACTED: Action.RETRACT,
}
NO_VERDICTS = empty(VerdictRow)
_OWN_END = {attribute: state.value for attribute, state in CLOSES.items()}


class Reconciled(NamedTuple):
    """Every memory with its status, and why; `settled` is the same before the date, and what closes promises, had their say."""

    settled: Frame[MemoryRow]
    memories: Frame[MemoryRow]
    verdicts: Frame[VerdictRow]
    decisions: Frame[Decision]


def reconcile(
    memories: Frame[MemoryRow],
    settled: Scan[MemoryRow],
    claims: Scan[ClaimRow],
    mentions: Frame[Mention],
    verdicts: Frame[VerdictRow] = NO_VERDICTS,
    *,
    rules: ReconcileRules,
    as_of: datetime,
    ask: Ask = NOBODY,
) -> Reconciled:
    """Tell the timeline of every contested slot among the new `memories` from its claims, beside those `settled` before that the
    news leaves quiet; then tell once what is said in the same words, close what is told as done, and let the date expire what has ended.

    What is alike and has no slot is linked; `verdicts` of earlier nights and those that `ask` gives say how it stands; code applies them.
    Claims said more than `rules.max_future_skew_minutes` after `as_of` are rejected, and count for nothing tonight.
    """
    every = claims.lazy()
    anew = _anew(memories, every, rules, as_of)
    # In their final order from here on: what follows shares the columns that it does not change.
    both = quiet(settled.lazy(), every, anew.placed).merge_sorted(anew.memories.sort("id").lazy(), key="id")
    whole = conform(_named(collected(both), mentions), MemoryRow)
    heads = alike(whole)
    once = united(whole, heads, every)
    told = told_of(once, related(once, rules.min_pair_similarity), verdicts, rules, ask)
    repeats = repeated(told, once)
    linked, compared = stood(united(once, repeats, every), told, repeats)
    # What is told once may begin with one of its claims and end with another.
    told_once = _in_order(linked)
    told_in_one = pl.concat([heads, repeats])
    apart = memories.join(told_in_one, on="id", how="anti")
    ends = closed(told_once, mentions)
    dated = _dated(_closed(told_once, ends), as_of)
    return Reconciled(
        whole,
        conform(dated, MemoryRow),
        conform(told.known, VerdictRow),
        gathered(
            *_reasons(anew, apart, dated),
            _ended(ends),
            _united(heads),
            _united(repeats),
            compared,
        ),
    )


class _Anew(NamedTuple):
    """The new memories as their slots' timelines have them, and how: which claims were placed, lie ahead or were told anew."""

    memories: pl.DataFrame
    placed: pl.DataFrame
    ahead: pl.DataFrame
    again: pl.DataFrame
    periods: pl.DataFrame
    fates: pl.DataFrame


def _anew(memories: pl.DataFrame, claims: pl.LazyFrame, rules: ReconcileRules, as_of: datetime) -> _Anew:
    placed = identify(collected(claims.join(claims_of(memories.lazy()), on="claim_id", how="semi")))
    is_ahead = (pl.col("said_at") > as_of + timedelta(minutes=rules.max_future_skew_minutes)).fill_null(False)
    ahead, told = placed.filter(is_ahead), placed.filter(~is_ahead)
    slots = contested(told)
    disturbed = pl.concat([ahead.select("memory_id"), slots.select("memory_id")]).unique()
    again = told.join(disturbed, on="memory_id", how="semi")
    periods, fates = replayed(slots, rules)
    plain = memories.join(disturbed, left_on="id", right_on="memory_id", how="anti")
    judged = _in_order(_judge(pl.concat([plain, _folded(again, periods, memories)]), fates))
    # Only ids go on from here: the claims themselves would be held till the end.
    placed, ahead, again = (part.select("claim_id", "memory_id") for part in (placed, ahead, again))
    return _Anew(judged, placed, ahead, again, periods, fates)


def _named(memories: pl.DataFrame, mentions: pl.DataFrame) -> pl.DataFrame:
    """The memories with the entities that their claims mention: a name may have been joined or parted since they were settled."""
    entities = mentions.select(pl.col("entity_id").unique().sort()).with_row_index("e")
    met = mentions.select("claim_id", "entity_id").join(entities, on="entity_id").select("claim_id", "e")
    rows = memories.select(claim_id="claim_ids").with_row_index("n")
    # Numbers are told apart and sorted where ids would be: there are as many as names in claims.
    told = collected(rows.lazy().explode("claim_id").join(met.lazy(), on="claim_id").select("n", "e"))
    named = pairs_once(told["n"], told["e"])
    found = named.select("n", entity_ids=entities["entity_id"].gather(named["e"])).group_by("n", maintain_order=True)
    known = beside(rows.select("n"), found.agg("entity_ids"), on="n")
    return memories.with_columns(known["entity_ids"].fill_null([]))


def _folded(again: pl.DataFrame, periods: pl.DataFrame, memories: pl.DataFrame) -> pl.DataFrame:
    """Memories made anew, a period each; never surer than all of a value's claims together."""
    placed = again.rename({"memory_id": "whole"}).join(periods, on="claim_id", how="left", maintain_order="left")
    placed = placed.with_columns(
        memory_id=pl.coalesce("memory_id", "whole"),
        period=pl.col("period").fill_null(0),
        stance=pl.coalesce("told_stance", "stance"),
        is_retract=pl.col("is_retract") & pl.col("told_stance").fill_null("assert").ne("negate"),
    )
    known = memories.select(whole="id", at_most="confidence")
    bounds = placed.select("whole", id="memory_id").unique().join(known, on="whole").group_by("id")
    return (
        fold(placed)
        .join(bounds.agg(pl.col("at_most").max()), on="id", how="left")
        .with_columns(confidence=pl.min_horizontal("confidence", "at_most"))
        .select(memories.columns)
    )


def _judge(memories: pl.DataFrame, fates: pl.DataFrame) -> pl.DataFrame:
    """Writes each period's fate into its memory: a superseded one ends where its successor begins, or before."""
    starts = memories.select(successor="id", next_from=pl.coalesce("valid_from", "said_at"))
    joined = memories.join(fates, on="id", how="left", maintain_order="left").join(
        starts, on="successor", how="left", maintain_order="left"
    )
    is_retracted = pl.col("fate") == Status.RETRACTED
    return joined.with_columns(
        status=pl.coalesce("fate", "status"),
        superseded_by=pl.coalesce("successor", "superseded_by"),
        valid_to=pl.when(is_retracted).then("valid_from").otherwise(pl.min_horizontal("valid_to", "next_from")),
        related_ids=pl.when(pl.col("rival").is_not_null()).then(pl.concat_list("rival")).otherwise("related_ids"),
        commitment_state=_commitment(),
    ).select(memories.columns)


def _in_order(memories: pl.DataFrame) -> pl.DataFrame:
    """A beginning that lies after the end was only the day of its saying, or was contradicted since: it is not known."""
    is_after = (pl.col("valid_from") > pl.col("valid_to")).fill_null(False)
    return memories.with_columns(
        pl.when(~is_after).then(name).alias(name) for name in ("valid_from", "valid_precision")
    ).select(memories.columns)


def _commitment() -> pl.Expr:
    """A commitment that was denied or taken back is cancelled; one that is only told as done, or as called off, is so."""
    is_over = pl.col("fate").is_in([Status.SUPERSEDED.value, Status.RETRACTED.value]) | (pl.col("polarity") == "negate")
    is_commitment = pl.col("commitment_state").is_not_null()
    return (
        pl.when(is_commitment & is_over.fill_null(False))
        .then(pl.lit(CommitmentState.CANCELLED))
        .when(is_commitment)
        .then(pl.coalesce(pl.col("attribute").replace_strict(_OWN_END, default=None), "commitment_state"))
    )


def _closed(memories: pl.DataFrame, ends: pl.DataFrame) -> pl.DataFrame:
    """Writes the end of each closed commitment, and what closed it, into its memory."""
    if ends.is_empty():
        return memories
    joined = beside(memories, ends)
    is_closed = pl.col("closer").is_not_null()
    related = pl.col("related_ids").list.concat(pl.concat_list("closer")).list.unique().list.sort()
    return joined.with_columns(
        commitment_state=pl.coalesce("closed", "commitment_state"),
        related_ids=pl.when(is_closed).then(related).otherwise("related_ids"),
    ).select(memories.columns)


def _ended(ends: pl.DataFrame) -> pl.DataFrame:
    return verdicts(ends, stage="reconcile", item="id", action=Action.CLOSE, reason=pl.col("closed"), other="closer")


def _united(heads: pl.DataFrame) -> pl.DataFrame:
    others = heads.filter(pl.col("id") != pl.col("head"))
    return verdicts(others, stage="reconcile", item="id", action=Action.MERGE, reason="same_words", other="head")


def _dated(memories: pl.DataFrame, as_of: datetime) -> pl.DataFrame:
    """What the date decides: an end in the past expires, a due time in the past is overdue and stays active."""
    is_active = pl.col("status") == Status.ACTIVE
    # An event that was told when it was over never was "current", so its end retires nothing.
    is_story = pl.col("kind").is_in([kind.value for kind in _EVENTS]) & (
        pl.col("valid_to") <= pl.col("first_seen_at")
    ).fill_null(False)
    has_ended = (pl.col("valid_to") <= as_of).fill_null(False)
    is_late = (pl.col("commitment_state") == CommitmentState.OPEN) & (pl.col("due_at") < as_of).fill_null(False)
    return memories.with_columns(
        status=pl.when(is_active & has_ended & ~is_story).then(pl.lit(Status.EXPIRED)).otherwise("status"),
        commitment_state=pl.when(is_active & is_late)
        .then(pl.lit(CommitmentState.OVERDUE))
        .otherwise("commitment_state"),
    )


def _reasons(anew: _Anew, before: pl.DataFrame, after: pl.DataFrame) -> list[pl.DataFrame]:
    moved = anew.again.select("claim_id", whole="memory_id").join(anew.periods, on="claim_id")
    after = after.select("id", "status", "commitment_state")
    gone = before.join(after, on="id", how="anti").filter(~pl.col("id").is_in(moved["whole"].implode()))
    late = after.filter((pl.col("commitment_state") == CommitmentState.OVERDUE) & (pl.col("status") == Status.ACTIVE))
    told = anew.fates.filter(pl.col("fate").is_in(list(_ACTIONS))).with_columns(other=pl.coalesce("successor", "rival"))
    split = moved.filter(pl.col("memory_id") != pl.col("whole"))
    emptied = before.select("id").join(after, on="id", how="anti").join(moved, left_on="id", right_on="whole")
    expired = after.filter(pl.col("status") == Status.EXPIRED)
    action = (
        pl.when(pl.col("reason") == "denied")
        .then(pl.lit(Action.CLOSE))
        .otherwise(pl.col("fate").replace_strict({k.value: v.value for k, v in _ACTIONS.items()}, default=None))
    )
    return [
        verdicts(anew.ahead, stage="reconcile", item="claim_id", action=Action.REJECT, reason="future"),
        verdicts(gone, stage="reconcile", item="id", action=Action.REJECT, reason="future"),
        verdicts(told, stage="reconcile", item="id", action=action, reason=pl.col("reason"), other="other"),
        verdicts(
            split, stage="reconcile", item="claim_id", action=Action.SPLIT, reason="own_period", other="memory_id"
        ),
        verdicts(emptied, stage="reconcile", item="id", action=Action.SPLIT, reason="own_period", other="memory_id"),
        verdicts(expired, stage="reconcile", item="id", action=Action.EXPIRE, reason="end_passed"),
        verdicts(late, stage="reconcile", item="id", action=Action.EXPIRE, reason="overdue", detail="stays active"),
    ]
