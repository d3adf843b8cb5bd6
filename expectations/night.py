"""The promises of a whole night: gathered from every room of this house, asserted in one go, told in one report.

`check` is the gate before publishing. Each table is put before the suite derived from its class; everything a class
cannot say is worked out as a number first and asserted as a fact.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import polars as pl
import pyarrow as pa

from expectations import gx
from expectations.candidates import candidate_facts
from expectations.derive import scalars, suite_of
from expectations.guards.nights import drift_fact, index_fact, least_rows, retirement_fact, told_facts
from expectations.promise import Fact, Promise, Report, Severity
from expectations.references import evidence_facts, link_facts, period_facts, supersession_facts
from expectations.regressions import regression_facts
from expectations.texts import document_facts, secret_fact
from models.memory import (
    DocumentRow,
    EdgeRow,
    EntityRow,
    EpisodeRow,
    PublishedMemory,
    PublishedTurn,
    Vector,
    WorkingRow,
)
from models.rules import StageRules
from models.table import Column, Table

__all__ = ["TABLES", "Promise", "Report", "Severity", "check"]

# What is published, and the class whose suite it has to pass.
TABLES: dict[str, type[Table]] = {
    "memories": PublishedMemory,
    "turns": PublishedTurn,
    "episodes": EpisodeRow,
    "entities": EntityRow,
    "edges": EdgeRow,
    "working": WorkingRow,
    "documents": DocumentRow,
    "vectors": Vector,
}


def check(
    tables: Mapping[str, pl.DataFrame],
    *,
    parent: Mapping[str, pl.DataFrame] | None = None,
    facts: Mapping[str, float] | None = None,
    rules: StageRules | None = None,
    dead: Collection[str] = (),
) -> Report:
    """Check what a night would publish.

    `tables` holds the published tables by name, `heard` (all turns, with their captured text) and `signals` where they
    are cited. `parent` holds what was there before, by the same names. `facts` are numbers that the flow counted:
    `unaccounted_<stage>` has to be 0, `retired_share` stays within the rules, any other is shown. `dead` are the keys of messages
    that are deleted, left out or forgotten. Never raises for a broken promise; a table that is missing is one.
    """
    before, chosen = parent or {}, rules or StageRules()
    missing = sorted(name for name in TABLES if name not in tables)
    if missing:
        return Report((_absent(missing),))
    promises = gx.run([_shaped(name, tables[name], least_rows(before, name)) for name in TABLES])
    if any(not promise.is_kept and not promise.name.endswith(".rows") for promise in promises):
        # What a table holds can only be judged once the table is what its class says.
        return Report(tuple(promises))
    told = (
        *_facts(tables, before, facts or {}, chosen),
        *regression_facts(tables, before, chosen.project.budgets, dead),
    )
    found = {fact.name: fact for fact in told}
    return Report((*promises, *gx.run_facts(list(found.values()))))


def _shaped(name: str, frame: pl.DataFrame, least: int) -> gx.Check:
    """A table's scalar columns, the suite of its class, and its key."""
    table = TABLES[name]
    seen = {column.name: column for column in scalars(table)}
    plain = frame.select(
        # The library hashes every value of a frame, twice: of a text that must only be there, it sees whether it is.
        pl.col(column).is_not_null().replace(False, None) if column in seen and _is_free_text(seen[column]) else column
        for column in frame.columns
        if not frame.schema[column].is_nested()
    )
    key = tuple(key for key in table.key if key in seen)
    return gx.Check(plain.to_pandas(), suite_of(name, table, least_rows=least), key)


def _is_free_text(column: Column) -> bool:
    return pa.types.is_string(column.dtype) and not column.values and not column.is_key


def _facts(
    tables: Mapping[str, pl.DataFrame],
    before: Mapping[str, pl.DataFrame],
    counted: Mapping[str, float],
    rules: StageRules,
) -> Iterator[Fact]:
    yield from told_facts(counted)
    yield from evidence_facts(tables)
    yield from link_facts(tables)
    yield from supersession_facts(tables)
    yield from period_facts(tables)
    yield from document_facts(tables, rules.project.budgets)
    yield from candidate_facts(tables, rules.segment, rules.project.budgets)
    yield secret_fact(tables)
    yield index_fact(tables)
    old, new = before.get("memories"), tables["memories"]
    yield retirement_fact(old, new, rules.reconcile, share=counted.get("retired_share"))
    yield drift_fact(old, new)


def _absent(missing: list[str]) -> Promise:
    about = "every table of a version is there to be checked"
    return Promise("tables_are_there", Severity.BLOCKING, about, False, len(missing), tuple(missing))
