"""What the owner decided over memories by hand: pinned or not, archived or restored. The last word on each counts.

Belongs here: which decision stands. Does not belong here: what the owner states in a memory's place (`tasks.link.hand`), and what
waits for approval (`tasks.project.review`).
"""

from __future__ import annotations

from datetime import datetime

import polars as pl

from models.table import beside
from slowwave.format import Status, Trust, Verdict

PINS, PLACES = (Verdict.PINNED, Verdict.UNPINNED), (Verdict.ARCHIVED, Verdict.RESTORED)


def decided(feedback: pl.DataFrame, memories: pl.DataFrame, as_of: datetime) -> pl.DataFrame:
    """The owner's decisions over known memories that are not ahead of the night, each with its feedback's columns."""
    is_hand = pl.col("verdict").is_in([*PINS, *PLACES]) & (pl.col("trust") == Trust.OWNER)
    ordered = feedback.filter(is_hand & (pl.col("at") <= as_of)).sort("at", "feedback_id")
    return ordered.join(memories, left_on="memory_id", right_on="id", how="semi", maintain_order="left")


def with_hand(memories: pl.DataFrame, hand: pl.DataFrame) -> pl.DataFrame:
    """The memories with `is_pinned` as the owner last said, and `is_put_away` where the owner archived one and nobody said it since."""
    told = beside(memories, _last(hand, PINS, "pin")).pipe(beside, _last(hand, PLACES, "place"))
    said_since = (pl.col("last_seen_at") > pl.col("place_at")).fill_null(False)
    return told.with_columns(
        is_pinned=pl.when(pl.col("pin").is_null()).then("is_pinned").otherwise(pl.col("pin") == Verdict.PINNED),
        is_put_away=(
            (pl.col("place") == Verdict.ARCHIVED) & (pl.col("status") == Status.ACTIVE) & ~said_since
        ).fill_null(False),
    ).drop("pin", "pin_at", "place", "place_at")


def _last(hand: pl.DataFrame, verdicts: tuple[str, ...], name: str) -> pl.DataFrame:
    """The last of these verdicts on each memory, and when it was given."""
    kept = hand.filter(pl.col("verdict").is_in(verdicts)).unique("memory_id", keep="last", maintain_order=True)
    return kept.select(id="memory_id", **{name: pl.col("verdict"), f"{name}_at": pl.col("at")})
