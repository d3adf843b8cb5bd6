"""What a night says of damaged input: which places, and why, for a person and for the run's ledger. Never what stands there."""

from __future__ import annotations

from collections import defaultdict

import polars as pl

from models.decision import Action

# As many damaged places as a person reads; every one stands in the decisions.
_MAX_PLACES = 100


def quarantined(decisions: pl.DataFrame) -> set[tuple[str, str, str]]:
    """Damaged places: where, why, and the digest of what stands there."""
    found = decisions.filter(pl.col("action") == Action.QUARANTINE)
    return set(found.select("item_id", "reason", "other_id").iter_rows())


def _reasons(decisions: pl.DataFrame) -> list[tuple[str, str]]:
    """Each damaged place and why it is, in order; a source that was refused as a whole says why itself."""
    found = decisions.filter(pl.col("action") == Action.QUARANTINE).select("item_id", "reason", "detail").iter_rows()
    return sorted(((place, detail or reason) for place, reason, detail in found), key=lambda one: _in_file(one[0]))


def places(decisions: pl.DataFrame) -> list[list[str]]:
    """What the report lists; the decisions hold them all."""
    return [list(one) for one in _reasons(decisions)[:_MAX_PLACES]]


def told(decisions: pl.DataFrame) -> list[str]:
    """A line for each reason, the commonest first."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    for place, reason in _reasons(decisions):
        by_reason[reason].append(place)
    ordered = sorted(by_reason.items(), key=lambda one: (-len(one[1]), one[0]))
    return [
        f"{len(found)} damaged place{'s' if len(found) > 1 else ''} quarantined ({reason}), the first at {found[0]}"
        for reason, found in ordered
    ]


def _in_file(place: str) -> tuple[str, int]:
    """A place's file and line, for sorting: line 4 comes before line 29."""
    file, _, line = place.rpartition(":")
    return (file, int(line)) if line.isdecimal() else (place, 0)
