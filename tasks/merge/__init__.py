"""Merge: claims into memories, by equality of slot and value alone.

Every claim of one slot, value and polarity becomes one memory here; whether a value came and went in several periods, and
which value holds, is reconcile's to say. Similarity plays no part. Only slots that the news touches are worked on.
"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from models.claim import ClaimRow
from models.decision import Action, Decision
from models.memory import MemoryRow
from models.rules import MergeRules
from models.table import Frame, Scan, conform
from tasks.merge.fold import fold
from tasks.merge.identity import identify
from tasks.merge.touched import touched
from tasks.verdict import gathered, verdicts


class Merged(NamedTuple):
    """What merge made: the memories of touched slots as if each value had one period, and which claim went where."""

    memories: Frame[MemoryRow]
    decisions: Frame[Decision]


def merge(claims: Scan[ClaimRow], settled: Scan[MemoryRow], *, rules: MergeRules) -> Merged:
    """Fold all claims of one slot and value into one memory, in every slot where claims differ from those `settled` before.

    Confidence is a noisy-or over independent messages, at most `rules.max_confidence`; the text is one claim's text.
    """
    placed = identify(touched(claims.lazy(), settled.lazy())).with_columns(period=pl.lit(0, pl.Int64))
    memories = fold(placed).with_columns(confidence=pl.min_horizontal("confidence", pl.lit(rules.max_confidence)))
    return Merged(conform(memories, MemoryRow), gathered(_folded(placed)))


def _folded(placed: pl.DataFrame) -> pl.DataFrame:
    """A create for the first claim of each memory in order of time, a merge for every other."""
    ordered = placed.select("claim_id", "memory_id", "at").sort("memory_id", "at", "claim_id")
    is_first = pl.col("memory_id").is_first_distinct()
    return verdicts(
        ordered,
        stage="merge",
        item="claim_id",
        other="memory_id",
        action=pl.when(is_first).then(pl.lit(Action.CREATE)).otherwise(pl.lit(Action.MERGE)),
        reason=pl.when(is_first).then(pl.lit("first_statement")).otherwise(pl.lit("same_again")),
    )
