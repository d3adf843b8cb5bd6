"""Statements without a slot that use the same words in the same order, but for articles, joining words and punctuation: told once.

"Metric and ISO dates." and "Metric, ISO dates!" are one memory. This is equality of what is left, never likeness: one other word, number,
name or order, and both stay. What was settled keeps them apart, so that they part again when one of them goes. Belongs here: which
memories are one, and the row that they make.
"""

from __future__ import annotations

import polars as pl

from models.table import collected
from slowwave.format import Status
from tasks.merge.fold import fold
from tasks.merge.identity import identify

_SAME = ["owner", "project", "subject_key", "kind", "polarity", "said"]
_LITTLE = r"\b(?:the|an?|is|are|to|that|and)\b|(?:^|: )(?:The|An?)\b"
_MARKS = r"[.,;:!…\"“”«»()]+(\s|$)|(^|\s)[\"“«(]+|\s[–—-]\s"


def alike(memories: pl.DataFrame) -> pl.DataFrame:
    """`id` and `head` of every memory that others say as well; the head is the one said first."""
    is_plain = (pl.col("status") == Status.ACTIVE) & pl.col("attribute").is_null() & (pl.col("period") == 0)
    plain = collected(memories.lazy().filter(is_plain).select("id", "first_seen_at", *_SAME[:-1], said=_said()))
    # Hashes are counted, being short; the words decide.
    met = plain.filter((pl.col("said") != "") & (pl.len().over(pl.struct(_SAME).hash()) > 1))
    told = met.filter(pl.len().over(_SAME) > 1).sort("first_seen_at", "id", nulls_last=True)
    return told.select("id", head=pl.col("id").first().over(_SAME))


def united(memories: pl.DataFrame, heads: pl.DataFrame, claims: pl.LazyFrame) -> pl.DataFrame:
    """The memories with those that are `alike` as one, of all their claims; it is as sure as the surest of them."""
    if heads.is_empty():
        return memories
    told = memories.join(heads, on="id")
    held = told.lazy().select("head", claim_id="claim_ids").explode("claim_id")
    placed = identify(collected(claims.join(held, on="claim_id"))).with_columns(
        memory_id=pl.col("head"), period=pl.lit(0, pl.Int64)
    )
    kept = told.group_by("head").agg(
        surest=pl.col("confidence").max(), names=pl.col("entity_ids").explode().drop_nulls().unique()
    )
    made = fold(placed).join(kept, left_on="id", right_on="head")
    whole = made.with_columns(confidence=pl.col("surest"), entity_ids=pl.col("names").list.sort())
    return pl.concat([memories.join(heads, on="id", how="anti"), whole.select(memories.columns)])


def _said() -> pl.Expr:
    """What a text says once its little words and marks are gone."""
    bare = pl.col("text").str.replace_all(_LITTLE, " ").str.replace_all(_MARKS, " ").str.to_lowercase()
    return bare.str.replace_all(r"\s+", " ").str.strip_chars()
