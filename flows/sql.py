"""A store in SQL: DuckDB over its files, for reading alone. One statement, a SELECT, over views that are made ready.

Belongs here: the views, an example each, and the fence. Does not belong here: sums that a command has already (`costs`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flows import ledger
from models.call import Call
from models.decision import Decision
from models.memory import MemoryRow
from models.table import Table, arrow_schema
from slowwave import store as layout
from slowwave.errors import SlowwaveError, UsageError
from slowwave.format import PUBLISHED, Manifest

EXAMPLES = {
    "runs": "SELECT run, as_of, status, version, cost, seconds FROM runs ORDER BY run DESC LIMIT 10",
    "stages": "SELECT stage, avg(seconds), sum(n_kept) FROM stages GROUP BY stage ORDER BY 2 DESC",
    "decisions": "SELECT run, stage, action, reason, count(*) FROM decisions GROUP BY ALL ORDER BY ALL",
    "promises": "SELECT run, name, observed FROM promises WHERE NOT is_kept",
    "calls": "SELECT model, count(*), sum(input_tokens), sum(cost) FROM calls GROUP BY ALL",
    "versions": "SELECT version, as_of, n_memories, parent FROM versions ORDER BY as_of DESC",
    "history": "SELECT version, text, status FROM history WHERE text ILIKE '%kiln%' ORDER BY version",
    **{name: f"SELECT count(*) FROM {name}" for name in PUBLISHED},
    "memories": "SELECT kind, text, valid_from, evidence[1].quote FROM memories WHERE status = 'active' LIMIT 10",
}


# What a store may have none of yet.
_EMPTY: dict[str, type[Table]] = {"calls": Call, "decisions": Decision, "history": MemoryRow}


@dataclass(frozen=True)
class Found:
    """What a query found: the columns' names, and rows of plain values."""

    columns: list[str]
    rows: list[tuple[Any, ...]]


def query(store: Path, text: str, version: str | None = None) -> Found:
    """Run one SELECT over a store; the published tables are those of `version`, or of the one that serves.

    Raises UsageError for anything but a SELECT, and for what DuckDB does not take.
    """
    import duckdb

    connection = duckdb.connect()
    try:
        statements = duckdb.extract_statements(text)
        if len(statements) != 1 or statements[0].type not in (
            duckdb.StatementType.SELECT,
            duckdb.StatementType.EXPLAIN,
        ):
            raise UsageError("only one SELECT is run", "Views and examples: slowwave sql --store DIR")
        _open(connection, store, version)
        found = connection.execute(statements[0])
        return Found([column[0] for column in found.description or ()], found.fetchall())
    except duckdb.Error as error:
        raise UsageError(
            f"DuckDB does not take that: {error}", "Views and examples: slowwave sql --store DIR"
        ) from error
    finally:
        connection.close()


def _open(connection: Any, store: Path, version: str | None) -> None:
    """Make the views; from then on nothing outside the store's folder can be read, and nothing written."""
    import pyarrow as pa

    for name, rows in {
        "runs": _runs(store),
        "stages": _stages(store),
        "promises": _promises(store),
        "versions": _versions(store),
    }.items():
        listed = list(rows)
        made = pa.Table.from_pylist(listed or [dict.fromkeys(_COLUMNS[name])]).slice(0 if listed else 1)
        connection.register(name, made)
    _over_files(
        connection,
        "decisions",
        store,
        "runs/*/*.decisions.parquet",
        "regexp_extract(filename, 'runs/([^/]+)/', 1) AS run",
    )
    _over_files(connection, "calls", store, "ledger/*.parquet", "")
    _over_files(
        connection,
        "history",
        store,
        "runs/*/project.memories.parquet",
        "versions.version",
        "JOIN versions ON versions.run = regexp_extract(filename, 'runs/([^/]+)/', 1)",
    )
    serving = version or layout.read_current(store)
    if serving:
        # What a version published lies beside what else its run made.
        run = Path(str(layout.read_whole(store, serving).provenance["run"])).name
        for name in PUBLISHED:
            _over_files(connection, name, store, f"runs/{run}/project.{name}.parquet", "")
    connection.execute(f"SET allowed_directories = [{_quoted(str(store.resolve()) + '/')}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


_COLUMNS = {
    "runs": (
        "run",
        "as_of",
        "status",
        "trigger",
        "version",
        "parent",
        "error",
        "calls",
        "tokens",
        "cost",
        "seconds",
        "n_warnings",
    ),
    "stages": (
        "run",
        "stage",
        "n_in",
        "n_kept",
        "calls",
        "input_tokens",
        "output_tokens",
        "cost",
        "seconds",
        "is_cached",
    ),
    "promises": ("run", "name", "severity", "about", "is_kept", "observed"),
    "versions": ("version", "as_of", "parent", "run", "n_memories", "n_turns", "is_serving", "purged_at"),
}


def _over_files(connection: Any, name: str, store: Path, pattern: str, more: str, join: str = "") -> None:
    if not any(store.resolve().glob(pattern)):
        if name in _EMPTY:
            connection.register(name, arrow_schema(_EMPTY[name]).empty_table())
        return
    files = _quoted(f"{store.resolve()}/{pattern}")
    columns = f"{more}, files.* EXCLUDE (filename)" if more else "files.* EXCLUDE (filename)"
    connection.execute(
        f"CREATE VIEW {name} AS SELECT {columns} FROM read_parquet({files}, filename = true, union_by_name = true) AS files {join}"
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _runs(store: Path) -> Iterator[dict[str, Any]]:
    for run in ledger.runs(store):
        entry, stages = ledger.read(store, run), ledger.stages(store, run).values()
        yield {
            "run": run,
            **{name: _text(entry.get(name)) for name in ("as_of", "status", "trigger", "version", "parent", "error")},
            "calls": sum(stage["calls"] for stage in stages),
            "tokens": sum(stage["input_tokens"] + stage["output_tokens"] for stage in stages),
            "cost": float(sum(stage["cost"] for stage in stages)),
            "seconds": round(float(sum(stage["seconds"] for stage in stages)), 3),
            "n_warnings": len(entry.get("warnings", ())),
        }


def _stages(store: Path) -> Iterator[dict[str, Any]]:
    for run in ledger.runs(store):
        for stage in ledger.stages(store, run).values():
            yield {"run": run, **{name: stage[name] for name in _COLUMNS["stages"][1:]}}


def _promises(store: Path) -> Iterator[dict[str, Any]]:
    for run in ledger.runs(store):
        for promise in (ledger.read(store, run).get("promises") or {}).get("promises", ()):
            yield {
                "run": run,
                **{name: promise[name] for name in _COLUMNS["promises"][1:-1]},
                "observed": _text(promise["observed"]),
            }


def _versions(store: Path) -> Iterator[dict[str, Any]]:
    serving = layout.read_current(store)
    for name in layout.versions(store):
        try:
            yield _version(layout.read_manifest(store, name), serving)
        except SlowwaveError:
            continue


def _version(manifest: Manifest, serving: str | None) -> dict[str, Any]:
    rows = {name: ref.rows for name, ref in manifest.tables.items()}
    return {
        "version": manifest.version,
        "as_of": manifest.as_of,
        "parent": manifest.provenance.get("parent"),
        "run": manifest.provenance.get("run"),
        "n_memories": rows.get("memories"),
        "n_turns": rows.get("turns"),
        "is_serving": manifest.version == serving,
        "purged_at": manifest.purged_at,
    }


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value, default=str)
