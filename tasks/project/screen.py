"""Screening: a memory that orders its reader about may be searched for, but stands in no prompt text, whoever said it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from models.decision import Action, Decision
from slowwave.orders import is_order
from slowwave.text import legible


def ordering(memories: pl.DataFrame) -> list[str]:
    """Ids of the memories whose line, or whose subject, is an order: a prompt that held it would be obeyed."""
    told = memories.select("id", "text", "subject").iter_rows()
    return sorted(key for key, *words in told if any(is_order(legible(text)) for text in words))


def kept_out(ids: Iterable[str]) -> Iterator[Decision]:
    """The decision on each: kept, and out of every prompt text."""
    return (Decision(stage="project", item_id=one, action=Action.QUARANTINE, reason="order_to_reader") for one in ids)
