"""What held in the world at a time: memories by the time they were true, whatever became of them since.

Belongs here: which rows that is. Does not belong here: what a version knew at a time (open that version).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from slowwave import rank
from slowwave.format import Kind, Status
from slowwave.reader.candidates import Candidate, in_order
from slowwave.reader.tables import Hit, instant

# What was ever true: a retraction says that it never was.
HELD = frozenset([Status.ACTIVE, Status.ARCHIVED, Status.DISPUTED, Status.SUPERSEDED, Status.EXPIRED])
_EVENTS = ", ".join(f"'{kind}'" for kind in (Kind.EPISODIC_EVENT, Kind.TIMELINE_MILESTONE, Kind.INTERVENTION_OUTCOME))


def held_at(at: datetime | None) -> list[str]:
    """The condition on a memory: it had begun and had not ended; an event had happened. What ended nobody knows when is left out."""
    if at is None:
        return []
    has_begun = f"coalesce(valid_from, first_seen_at) <= {instant(at)}"
    holds = f"valid_to > {instant(at)} OR (valid_to IS NULL AND status != '{Status.SUPERSEDED}')"
    return [has_begun, f"((kind IN ({_EVENTS}) AND status != '{Status.SUPERSEDED}') OR {holds})"]


def said_by(at: datetime | None) -> list[str]:
    """The condition on a turn: it had been said."""
    return [] if at is None else [f"said_at <= {instant(at)}"]


def as_then(hits: list[Hit]) -> list[Hit]:
    """Hits as they stood: what was superseded or ended since was current, and words that led elsewhere led nowhere else."""
    found = {hit.id for hit in hits if hit.table == "memories"}
    since = (Status.SUPERSEDED, Status.EXPIRED)
    for hit in hits:
        is_elsewhere = hit.table == "turns" and not found & set(hit.row["memory_ids"] or ())
        if hit.row["status"] in since and not is_elsewhere:
            hit.row = {**hit.row, "status": Status.ACTIVE}
    return [hit for hit in hits if hit.row["status"] not in since]


def standing(candidates: Mapping[str, Candidate], weights: rank.Weights) -> list[Candidate]:
    """Candidates as they are, best first: none stands for another."""
    return in_order(candidates.values(), weights)
