"""One look of the guards: open the version that serves, read the files that are watched, check, report.

It takes no lease, publishes nothing and writes nothing but its report in the store's `guards/`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import polars as pl

from adapters.settings import Settings, load
from adapters.watched import read_watched
from expectations.guards.page import as_html, as_markdown
from expectations.guards.repeats import Month, by_month
from expectations.guards.seen import DOCUMENT_COLUMNS, MEMORY_COLUMNS, Seen
from expectations.guards.watch import GUARDS, check
from expectations.promise import Report
from flows.guard_reports import REPORT, write
from models.guarding import GuardName
from models.memory import DocumentRow, PublishedMemory
from models.table import Table, polars_schema
from slowwave import store as layout
from slowwave.errors import PromiseBroken
from slowwave.format import Kind, Manifest
from slowwave.reader.tables import Tables
from slowwave.zones import zone_of

Which = Literal["daily", "weekly", "all"]


@dataclass(frozen=True)
class Looked:
    """What guards saw: the report, errors by month, and the folder that holds both."""

    report: Report
    months: tuple[Month, ...]
    folder: Path
    version: str
    n_files: int

    @property
    def exit_status(self) -> int:
        """3 where something is broken, as of a refused night; else 0."""
        return PromiseBroken.exit_status if self.report.broken else 0


def guard(store: Path, which: Which = "all", as_of: datetime | None = None) -> Looked:
    """Let the guards of this hour look at the version that serves and at the files of the settings. Raises SlowwaveError."""
    settings = load(store)
    manifest = layout.read_whole(store, layout.required_current(store))
    seen = _seen(store, settings, manifest, as_of or datetime.now(UTC))
    names = _names(settings, which)
    report = check(seen, settings.guards, names)
    months = tuple(by_month(seen, settings.guards)) if "repeats" in names else ()
    name = f"{seen.as_of:%Y%m%dT%H%M%SZ}-{which}"
    record = {"run": name, "as_of": seen.as_of.isoformat(), "version": manifest.version, "n_files": len(seen.files)}
    texts = {REPORT: as_markdown(report, record, months), "audit.html": as_html(report, record, months)}
    told = {"guards": ["files", *names], "report": report.to_dict(), "months": list(map(asdict, months))}
    folder = write(store, name, {**record, **told}, texts, settings.guards.keep_reports)
    return Looked(report, months, folder, manifest.version, len(seen.files))


def _names(settings: Settings, which: Which) -> tuple[GuardName, ...]:
    chosen = {"daily": settings.guards.daily, "weekly": settings.guards.weekly, "all": tuple(GUARDS)}
    return chosen[which]


def _seen(store: Path, settings: Settings, manifest: Manifest, as_of: datetime) -> Seen:
    tables = Tables(store, manifest)
    lessons = tables.rows("memories", ["id", "evidence"], f"kind = '{Kind.TOOL_OR_WORKFLOW_LESSON}'")
    return Seen(
        memories=_frame(tables, "memories", PublishedMemory, MEMORY_COLUMNS),
        documents=_frame(tables, "documents", DocumentRow, DOCUMENT_COLUMNS),
        quotes={row["id"]: tuple(one["quote"] for one in row["evidence"]) for row in lessons},
        as_of=as_of.astimezone(UTC),
        zone=zone_of(manifest.zone or settings.owner.zone),
        files=tuple(read_watched(settings.guards, store)),
        profiles=settings.rules.project.budgets,
    )


def _frame(tables: Tables, name: str, table: type[Table], columns: tuple[str, ...]) -> pl.DataFrame:
    """A few columns of a published table: the rest of a large one would be loaded for nothing."""
    schema = polars_schema(table)
    return pl.DataFrame(tables.rows(name, list(columns)), schema={column: schema[column] for column in columns})
