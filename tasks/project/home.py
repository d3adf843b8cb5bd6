"""The zone in which a memory's dates are read: the owner's, or the offset that the owner's own messages state."""

from __future__ import annotations

import polars as pl

from models.rules import Owner
from slowwave.format import Trust
from slowwave.zones import offset_name


def home_zone(turns: pl.DataFrame, owner: Owner) -> str:
    """The owner's zone where one is set, else the offset most owner's turns state (of two, the later said); empty for none."""
    if owner.zone:
        return owner.zone
    said = turns.filter((pl.col("trust") == Trust.OWNER) & pl.col("offset_minutes").is_not_null())
    counted = said.group_by("offset_minutes").agg(n=pl.len(), last=pl.col("said_at").max())
    most = counted.sort("n", "last", "offset_minutes", nulls_last=False)["offset_minutes"].to_list()
    return offset_name(most[-1]) if most else ""
