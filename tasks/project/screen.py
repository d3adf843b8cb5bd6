"""Screening: a memory that orders its reader about may be searched for, but stands in no prompt text, whoever said it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from models.decision import Action, Decision
from slowwave.orders import is_order
from slowwave.records import line_of
from slowwave.text import legible

_TOLD = ("id", "kind", "text", "subject", "due_at", "commitment_state")


def ordering(memories: pl.DataFrame, zone: str) -> list[str]:
    """Ids of the memories of which a line, or the subject, is an order: a prompt that held it would be obeyed."""
    rows = memories.select(_TOLD).iter_rows(named=True)
    told = ((row["id"], {**row, "line": legible(row["text"])}) for row in rows)
    return sorted(
        key
        for key, row in told
        if any(map(is_order, {line_of(row, zone, is_exact=True), line_of(row, zone, is_exact=False)}))
        or _is_name_order(row["subject"])
    )


def _is_name_order(subject: str) -> bool:
    return subject not in ("user", "assistant") and is_order(legible(subject))


def kept_out(ids: Iterable[str]) -> Iterator[Decision]:
    """The decision on each: kept, and out of every prompt text."""
    return (Decision(stage="project", item_id=one, action=Action.QUARANTINE, reason="order_to_reader") for one in ids)
