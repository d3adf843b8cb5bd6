"""Which memories wait for the owner's approval before they reach a prompt text: kept and searchable, never lost.

Belongs here: what waits, by the rules and the owner's last word. Does not belong here: who asks (`slowwave review`).
"""

from __future__ import annotations

from datetime import datetime

import polars as pl

from models.rules import ProjectRules
from models.table import beside
from slowwave.format import Review, Status, Trust, Verdict

_WORDS = {Verdict.APPROVED: Review.APPROVED, Verdict.PINNED: Review.APPROVED, Verdict.DECLINED: Review.DECLINED}


def with_review(
    memories: pl.DataFrame, feedback: pl.DataFrame, *, rules: ProjectRules, as_of: datetime
) -> pl.DataFrame:
    """The memories with `review`: what the owner said last, else waiting where the rules ask for it, else null.

    Who pins a memory approves of it. What the owner wrote by hand needs no second word.
    """
    told = beside(memories, _last_word(feedback, as_of))
    is_asked = pl.col("kind").is_in([str(kind) for kind in rules.review_kinds]) | pl.col("trust").is_in(
        [str(trust) for trust in rules.review_trusts]
    )
    is_by_hand = (pl.col("writer").struct.field("model") == "owner") & (pl.col("trust") == Trust.OWNER)
    waits = is_asked & ~is_by_hand & (pl.col("status") == Status.ACTIVE)
    return told.with_columns(
        review=pl.coalesce("word", pl.when(waits).then(pl.lit(Review.WAITING))).cast(pl.String)
    ).drop("word")


def _last_word(feedback: pl.DataFrame, as_of: datetime) -> pl.DataFrame:
    """What the owner said last of each memory."""
    said = feedback.filter(
        pl.col("verdict").is_in(list(_WORDS)) & (pl.col("trust") == Trust.OWNER) & (pl.col("at") <= as_of)
    ).sort("at", "feedback_id")
    last = said.unique("memory_id", keep="last", maintain_order=True)
    word = pl.col("verdict").replace_strict({k: str(v) for k, v in _WORDS.items()}, return_dtype=pl.String)
    return last.select(id="memory_id", word=word)
