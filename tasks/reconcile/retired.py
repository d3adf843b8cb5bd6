"""How much of what held before holds no longer: the figure by which a night is held for review."""

from __future__ import annotations

import polars as pl

from slowwave.format import Status

# Ageing and dates follow from the calendar, so only the others are anyone's doing.
_STANDING = [Status.ACTIVE.value, Status.ARCHIVED.value, Status.EXPIRED.value]


def retired_share(before: pl.DataFrame, after: pl.DataFrame, *, min_records: int = 20) -> float:
    """The largest share, over the scopes with at least `min_records` active memories before, that stands no longer after.

    Both are memories as `MemoryRow` has them. A memory stands if any of its claims still does, so that a new id for the
    same statement retires nothing.
    """
    active = before.filter(pl.col("status") == Status.ACTIVE).select("owner", "project", "id", "claim_ids")
    standing = after.filter(pl.col("status").is_in(_STANDING)).select(claim="claim_ids").explode("claim").unique()
    kept = active.explode("claim_ids").join(standing, left_on="claim_ids", right_on="claim", how="semi")
    scopes = (
        active.with_columns(is_kept=pl.col("id").is_in(kept["id"].implode()))
        .group_by("owner", "project")
        .agg(n=pl.len(), share=1 - pl.col("is_kept").mean())
        .filter(pl.col("n") >= min_records)
    )
    return float(scopes["share"].max() or 0.0)  # pyright: ignore[reportArgumentType]
