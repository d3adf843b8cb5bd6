"""What nights asked of models: each call's row as Parquet, one file a run, and sums over them through DuckDB.

Rows are written to a journal before a request leaves (`adapters.llm.books`) and sealed into Parquet when the night ends; those of a
killed night when the next one begins. Ids of messages, never their words.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from adapters import lake
from adapters.capture import load_messages
from adapters.llm.books import read_journal
from models.call import Call
from models.table import rows_to_frame
from slowwave.errors import UsageError
from slowwave.format import TableRef
from slowwave.text import legible

# What sums may be grouped by; the names are columns, and nothing else ever reaches the query.
GROUPS = ("store", "stage", "model", "prompt", "run", "host", "outcome", "month")
_SUMS = """count(*) AS calls, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cached_tokens) AS cached_tokens, round(sum(cost), 6) AS cost, round(sum(seconds), 1) AS seconds"""


def seal(store: Path) -> None:
    """Every journal of the store as Parquet; the journal goes when its rows are safe."""
    for journal in sorted((store / "ledger").glob("*.jsonl")):
        path = f"ledger/{journal.stem}.parquet"
        fresh = [row for row in map(_row, read_journal(journal)) if row is not None]
        known = [row for row in _rows(store, path) if row["call_id"] not in {r["call_id"] for r in fresh}]
        named = [{**row, "store": store.resolve().name} for row in [*known, *fresh]]
        lake.write_table(store, path, rows_to_frame(Call, named), Call)
        journal.unlink()


def _row(line: dict[str, Any]) -> dict[str, Any] | None:
    """A journal's call as a row; None where the line that said what was sent is lost."""
    if "sent_at" not in line:
        return None
    return {**line, "sent_at": datetime.fromisoformat(line["sent_at"])}


def _rows(store: Path, path: str) -> list[dict[str, Any]]:
    if not (store / path).is_file():
        return []
    return lake.read_table(store, TableRef(path=path, sha256="", rows=0), Call).to_dicts()


def left(store: Path, run: str) -> list[dict[str, Any]]:
    """What left the machine in a run: for each model and host, the calls, and the messages by source and project."""
    calls = [row for row in _rows(store, f"ledger/{run}.parquet") if row["has_left"]]
    if not calls:
        return []
    places = load_messages(store).select("msg_key", "source", "project")
    return [
        {"model": model, "host": host, **_told([c for c in calls if (c["model"], c["host"]) == (model, host)], places)}
        for model, host in sorted({(call["model"], call["host"]) for call in calls})
    ]


def _told(calls: list[dict[str, Any]], places: pl.DataFrame) -> dict[str, Any]:
    keys = sorted({key for call in calls for key in call["messages"]})
    sent = places.filter(pl.col("msg_key").is_in(keys))
    return {
        "n_calls": len(calls),
        "n_messages": len(keys),
        "by_source": dict(sorted(sent["source"].value_counts().iter_rows())),
        "by_project": dict(sorted(sent["project"].fill_null("none").value_counts().iter_rows())),
    }


def sent_to(store: Path, keys: set[str]) -> list[tuple[str, str, int]]:
    """The models and hosts outside this machine that messages of these keys went to, and how many of them."""
    sent: dict[tuple[str, str], set[str]] = {}
    for row in calls([store]) if (store / "ledger").is_dir() else ():
        if row["has_left"] and (these := keys & set(row["messages"])):
            sent.setdefault((row["model"], row["host"]), set()).update(these)
    return [(model, host, len(these)) for (model, host), these in sorted(sent.items())]


def summed(stores: Sequence[Path], by: Sequence[str], *, run: str | None = None) -> list[dict[str, Any]]:
    """Calls, tokens, cost and seconds of these stores, by some of `GROUPS`. Raises UsageError for another name."""
    strangers = [name for name in by if name not in GROUPS]
    if strangers:
        raise UsageError(f"there is nothing to sum by called {strangers[0]!r}", f"Choose from {', '.join(GROUPS)}.")
    names = ", ".join(by)
    return _asked(
        stores, f"SELECT {names}, {_SUMS} FROM calls WHERE ? IS NULL OR run = ? GROUP BY {names} ORDER BY {names}", run
    )


def calls(stores: Sequence[Path], *, run: str | None = None) -> list[dict[str, Any]]:
    """Every call, with whom it went to and the keys of its messages."""
    return _asked(stores, "SELECT * FROM calls WHERE ? IS NULL OR run = ? ORDER BY call_id", run)


def _asked(stores: Sequence[Path], query: str, run: str | None) -> list[dict[str, Any]]:
    found = opened(stores).execute(query, [run, run])
    columns = [column[0] for column in found.description or []]
    return [dict(zip(columns, row, strict=True)) for row in found.fetchall()]


def as_table(rows: Sequence[dict[str, Any]]) -> str:
    """Rows in columns, for a terminal."""
    if not rows:
        return "no model was asked"
    cells = [list(rows[0]), *([_cell(value) for value in row.values()] for row in rows)]
    widths = [max(len(line[at]) for line in cells) for at in range(len(cells[0]))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in cells)


def _cell(value: Any) -> str:
    return legible(f"{len(value)} messages" if isinstance(value, list) else str(value))


def opened(stores: Sequence[Path]) -> Any:
    """A DuckDB connection with the view `calls` over the Parquet of these stores; a month is written like 2026-11."""
    import duckdb

    files = [str(path) for store in stores for path in sorted((store / "ledger").glob("*.parquet"))]
    connection = duckdb.connect()
    quoted = ", ".join("'" + file.replace("'", "''") + "'" for file in files)
    source = f"read_parquet([{quoted}], union_by_name = true)" if files else "nothing"
    if not files:
        connection.register("nothing", rows_to_frame(Call, []).to_arrow())
    connection.execute(f"CREATE VIEW calls AS SELECT *, strftime(sent_at, '%Y-%m') AS month FROM {source}")
    return connection
