"""Finds the slots whose claims disagree, and turns their timelines back into rows.

Belongs here: the way from frames to `timeline` and back. Does not belong here: who wins.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import polars as pl

from models.ids import make_id
from models.rules import ReconcileRules
from tasks.merge.identity import memory_id
from tasks.reconcile.timeline import Period, Statement, replay

PERIODS = pl.Schema({"claim_id": pl.String, "memory_id": pl.String, "period": pl.Int64, "told_stance": pl.String})
FATES = pl.Schema({"id": pl.String, "fate": pl.String, "reason": pl.String, "successor": pl.String, "rival": pl.String})
_BEFORE_ALL = -(2**62)  # a claim without a time is older than any with one
_PARTS = ("owner", "project", "subject_key", "attribute_key")


def contested(told: pl.DataFrame) -> pl.DataFrame:
    """All claims of slots where something has to be decided: two stands, a retraction, or an end that may have passed."""
    slots = (
        told.group_by("slot")
        .agg(
            n=pl.len(),
            n_stands=pl.col("memory_id").n_unique(),
            has_retract=pl.col("is_retract").any(),
            has_end=pl.col("valid_to").is_not_null().any(),
        )
        .filter((pl.col("n_stands") > 1) | pl.col("has_retract") | (pl.col("has_end") & (pl.col("n") > 1)))
    )
    return told.join(slots.select("slot"), on="slot", how="semi")


def replayed(slots: pl.DataFrame, rules: ReconcileRules) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Each contested claim's period, and each period's fate."""
    periods: list[tuple[Any, ...]] = []
    fates: list[tuple[Any, ...]] = []
    columns = ("slot", "memory_id", *_PARTS)
    rows = slots.sort("slot", "claim_id").select(
        *columns,
        "claim_id",
        "value_key",
        "polarity",
        _micros("at"),
        _micros("said_at"),
        "rank",
        "confidence",
        pl.col("valid_to").dt.epoch("us"),
        "is_unbounded",
    )
    by_slot: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows.iter_rows():
        by_slot[row[0]].append(row)
    for told in by_slot.values():
        statements = [Statement(claim_id, value or "", *rest) for _, _, _, _, _, _, claim_id, value, *rest in told]
        _, whole, *parts = told[0]
        ids = _named(replay(statements, rules.min_supersede_confidence), parts[:4], whole)
        for period, (name, ordinal) in ids.items():
            periods += [(s.claim_id, name, ordinal, period.polarity) for s in period.statements]
            successor, rival = (ids[p][0] if p in ids else None for p in (period.successor, period.rival))
            fates.append((name, period.status.value, period.reason, successor, rival))
    return pl.DataFrame(periods, PERIODS, orient="row"), pl.DataFrame(fates, FATES, orient="row")


def _micros(name: str) -> pl.Expr:
    return pl.col(name).dt.epoch("us").fill_null(_BEFORE_ALL)


def _named(periods: list[Period], parts: list[Any], whole: str) -> dict[Period, tuple[str, int]]:
    """Each period's memory id and ordinal: periods of a value are counted in order of time."""
    ids: dict[Period, tuple[str, int]] = {}
    seen: dict[tuple[str, str], int] = defaultdict(int)
    owner, project, subject, attribute = parts
    for period in sorted(periods, key=lambda p: p.order):
        ordinal = seen[period.key]
        seen[period.key] += 1
        if attribute is None:
            name = make_id("mem", whole, ordinal) if ordinal else whole
        else:
            name = memory_id(owner, project, subject, attribute, period.value, period.polarity, ordinal)
        ids[period] = (name, ordinal)
    return ids
