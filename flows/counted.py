"""What a night counts when it has ended, for the charts of its own report and of later ones."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import polars as pl

from expectations.report.parts import Counted
from flows import ledger
from flows.ended import Ended, Row
from slowwave.format import Status
from slowwave.strength import DAY_SECONDS

_TENTHS = 10
_SUMMED = ("input_tokens", "output_tokens")
_WEIGHED = ("confidence", "importance", "stability_days", "last_confirmed_at", "last_seen_at")


def counts(ended: Ended) -> dict[str, Any]:
    """Active memories by kind, and by tenths of strength at the night's time."""
    made = ended.table("project", "memories", ["kind", *_WEIGHED], pl.col("status") == Status.ACTIVE)
    if made is None:
        return {}
    kinds = dict(sorted(made["kind"].value_counts().iter_rows()))
    at = pl.lit(datetime.fromisoformat(str(ended.entry["as_of"])))
    days = (
        ((at - pl.coalesce("last_confirmed_at", "last_seen_at")).dt.total_seconds() / DAY_SECONDS).clip(0).fill_null(0)
    )
    # The formula of `slowwave.strength`.
    kept = pl.when(pl.col("stability_days") > 0).then((-days / pl.col("stability_days")).exp()).otherwise(0.0)
    strength = pl.col("confidence") * (0.5 * kept + 0.5 * pl.col("importance"))
    tenths = made.select((strength * _TENTHS).floor().clip(0, _TENTHS - 1).cast(pl.Int64)).to_series().to_list()
    return {"kinds": kinds, "strengths": [tenths.count(place) for place in range(_TENTHS)]}


def nights(ended: Ended) -> Iterator[Counted]:
    """What this night counted and those before it that published, newest first."""
    n = 0
    for run in (one for one in ledger.runs(ended.store) if one <= ended.run):
        entry = ended.entry if run == ended.run else ledger.read(ended.store, run)
        counted = entry.get("counted")
        if isinstance(counted, dict) and (run == ended.run or entry.get("status") == "published"):
            yield _counted(run, entry, counted)
            n += 1
        if n == ended.reports.max_nights:
            return


def _counted(run: str, entry: Row, counted: Row) -> Counted:
    taken = [one for one in (entry.get("stages") or {}).values() if isinstance(one, dict)]
    tokens = sum(int(one.get(name) or 0) for one in taken for name in _SUMMED)
    cost = sum(float(one.get("cost") or 0) for one in taken)
    return Counted(run, str(entry.get("as_of", "")), counted["kinds"], counted["strengths"], tokens, cost)
