"""Rows of decisions made from a frame, for stages that decide about many things at once.

Belongs here: the shape of a decision frame. Does not belong here: any reason of any stage.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from models.decision import Action, Decision
from models.table import Frame, conform, empty

COLUMNS = ("stage", "item_id", "action", "reason", "other_id", "detail")


def verdicts(
    frame: pl.DataFrame,
    *,
    stage: str,
    item: str,
    action: Action | pl.Expr,
    reason: str | pl.Expr,
    other: str | None = None,
    detail: str | pl.Expr = "",
) -> pl.DataFrame:
    """One decision a row of `frame`: `item` and `other` name the columns that hold the two ids."""
    return frame.select(
        stage=pl.lit(stage),
        item_id=pl.col(item),
        action=_text(action),
        reason=_text(reason),
        other_id=pl.col(other).fill_null("") if other else pl.lit(""),
        detail=_text(detail),
    )


def gathered(*parts: pl.DataFrame) -> Frame[Decision]:
    """All parts as one conformed table; a decision made twice is one."""
    frames = [part.select(COLUMNS).cast(pl.String) for part in parts if part.height]
    if not frames:
        return empty(Decision)
    return conform(pl.concat(frames).unique(subset=list(Decision.key), keep="first", maintain_order=True), Decision)


def _text(value: Any) -> pl.Expr:
    return value.cast(pl.String) if isinstance(value, pl.Expr) else pl.lit(str(value))
