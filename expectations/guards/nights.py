"""Guards against what a whole night could do to a memory: retire too much of it, empty a table, or change at a leap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from expectations.promise import RETIREMENT, Fact, Severity, found
from models.rules import ReconcileRules
from slowwave.format import Status

_UNACCOUNTED = "unaccounted_"
# Shares at which a person should take a look; none of them is wrong by itself.
_NOTABLE = {"deferred_share": 0.2, "quarantined_share": 0.05}
_MAX_DRIFT = 0.5


def retirement_fact(
    before: pl.DataFrame | None, after: pl.DataFrame, rules: ReconcileRules, *, share: float | None = None
) -> Fact:
    """How many of the memories that were active before are not any more, as a share; small memories are never held.

    `share` is the share where the caller has worked it out already.
    """
    active = _active(before) if before is not None else set()
    gone = active - _active(after)
    observed = share if share is not None else len(gone) / max(len(active), 1)
    is_large = len(active) >= rules.max_retire_min_records
    return Fact(
        RETIREMENT,
        f"a night retires at most {rules.max_retire_fraction:.0%} of {rules.max_retire_min_records} or more active memories",
        observed if is_large else 0.0,
        most=rules.max_retire_fraction,
        examples=tuple(sorted(gone)[:5]) if is_large else (),
    )


def _active(memories: pl.DataFrame) -> set[str]:
    return set(memories.filter(pl.col("status") == Status.ACTIVE).get_column("id").to_list())


def least_rows(parent: Mapping[str, pl.DataFrame], name: str) -> int:
    """A table that held something last night may not be empty tonight; forgetting has a road of its own."""
    return 1 if name in parent and parent[name].height else 0


def told_facts(facts: Mapping[str, float]) -> Iterator[Fact]:
    """The facts that the flow worked out: what each stage cannot account for, shares, and whatever else it reports."""
    for name, value in facts.items():
        if name.startswith(_UNACCOUNTED):
            stage = name.removeprefix(_UNACCOUNTED)
            yield Fact(f"{stage}_loses_nothing", f"every input of {stage} is in its output or decided", value)
        elif name != "retired_share":
            about = f"{name.replace('_', ' ')}, as the night counted it"
            yield Fact(name, about, value, most=_NOTABLE.get(name), severity=Severity.REPORTING)


def drift_fact(before: pl.DataFrame | None, after: pl.DataFrame) -> Fact:
    """The share of earlier memories whose words are others tonight, or that are gone."""
    old = dict(before.select("id", "text").iter_rows()) if before is not None else {}
    new = dict(after.select("id", "text").iter_rows())
    changed = sum(new.get(key) != text for key, text in old.items())
    about = f"at most {_MAX_DRIFT:.0%} of the memories of last night read otherwise"
    return Fact("small_drift", about, changed / max(len(old), 1), most=_MAX_DRIFT, severity=Severity.REPORTING)


def index_fact(tables: Mapping[str, pl.DataFrame]) -> Fact:
    """Rows that name a vector that is not there: they would be found by words and never by meaning."""
    known = set(tables["vectors"].get_column("embedding_id").to_list())
    rows = [
        f"{name} {row}"
        for name in ("memories", "turns", "episodes")
        if name in tables
        for row, vector in tables[name].select("id", "embedding_id").iter_rows()
        if vector and vector not in known
    ]
    return found("vectors_exist", "every vector that a row names is there", rows)
