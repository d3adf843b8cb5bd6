"""Where a memory's evidence was said and by whom: told by its turns, so that readers can narrow by it."""

from __future__ import annotations

import polars as pl

from models.memory import PLACES
from models.table import Frame, beside
from models.turn import Turn

_OF_TURNS = dict(zip(PLACES, ("platform", "thread", "speaker"), strict=True))


def with_places(memories: pl.DataFrame, turns: Frame[Turn]) -> pl.DataFrame:
    """The memories with platforms, channels and speakers of the turns they cite; empty where they cite none."""
    told = _cited(memories).join(turns.select("msg_key", *_OF_TURNS.values()), on="msg_key")
    places = told.group_by("id").agg(
        pl.col(said).drop_nulls().unique().sort().alias(name) for name, said in _OF_TURNS.items()
    )
    return beside(memories, places).with_columns(pl.col(PLACES).fill_null([]))


def _cited(memories: pl.DataFrame) -> pl.DataFrame:
    proofs = memories.select("id", pl.col("evidence").list.eval(pl.element().struct.field("source_id")))
    return proofs.explode("evidence").rename({"evidence": "msg_key"})
