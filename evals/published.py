"""What a store has published, in the words of the case format: records, every text that left by the door, the run's report.

Belongs here: reading versions and runs. Does not belong here: how they came about (`text`), and whether they are right.
"""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import polars as pl

from flows import ledger
from flows.road import Outcome
from slowwave.format import PUBLISHED, Manifest, Memory, Turn
from slowwave.reader.tables import Tables
from slowwave.store import read_current, read_manifest, version_folder, versions

Row = dict[str, Any]
Place = tuple[str, str]
# The case format has other words for how a run ended.
_STATUS = {"published": "ok"}


def current(store: Path) -> Manifest | None:
    """The manifest that serves; None where nothing was published."""
    name = read_current(store) if store.is_dir() else None
    return read_manifest(store, name) if name else None


def records(store: Path) -> list[Row]:
    """The memories of the version that serves, in every status."""
    manifest = current(store)
    if manifest is None:
        return []
    tables = Tables(store, manifest)
    offsets = {(t.session_id, t.message_id): t.offset_minutes for t in tables.where("turns", Turn)}
    return [record(memory, offsets) for memory in tables.where("memories", Memory)]


def record(memory: Memory, offsets: Mapping[Place, int | None]) -> Row:
    """One memory. Its days are those of the clock it was said by, since a case states days and the format instants."""
    cited = sorted(memory.evidence, key=lambda e: (e.said_at is None, str(e.said_at), e.session_id, e.message_id))
    known = [found for e in cited if (found := offsets.get((e.session_id, e.message_id))) is not None]
    zone = timezone(timedelta(minutes=known[0])) if known else UTC
    return {
        "record_id": memory.id,
        "user_id": memory.owner,
        "project": memory.project,
        "subject": memory.subject,
        "kind": str(memory.kind),
        "text": memory.text,
        "status": str(memory.status),
        "evidence": [{"session_id": e.session_id, "message_id": e.message_id} for e in memory.evidence],
        "valid_from": _local(memory.valid_from, zone),
        "valid_to": _local(memory.valid_to, zone),
        "due": _local(memory.due_at, zone),
        "superseded_by": memory.superseded_by,
    }


def _local(time: datetime | None, zone: timezone) -> str | None:
    return time.astimezone(zone).isoformat() if time else None


def artefacts_text(store: Path) -> str:
    """Everything that left by the door, as one text: tables with their search columns, documents and manifests, reports."""
    return "\n".join([*_tables_text(store), *_files_text(store)])


def _tables_text(store: Path) -> Iterator[str]:
    import lance

    paths = {read_manifest(store, name).tables[table].path for name in versions(store) for table in PUBLISHED}
    for path in sorted(paths):
        rows = lance.dataset(str(store / path)).to_table()
        kept = [name for name in rows.column_names if name != "vector"]
        yield from words(rows.select(kept).to_pylist())


def _files_text(store: Path) -> Iterator[str]:
    for name in versions(store):
        for path in sorted(version_folder(store, name).iterdir()):
            yield from words(_read(path))
    for run in ledger.runs(store):
        for name in ("run.json", "audit.html"):
            path = store / "runs" / run / name
            if path.is_file():
                yield from words(_read(path))


def _read(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return json.loads(text)
    return html.unescape(text) if path.suffix == ".html" else text


def words(value: Any) -> Iterator[str]:
    """Every text inside a value, names of fields too, without the escapes that would hide one."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from words(inner)
    elif isinstance(value, Iterable):
        for inner in value:
            yield from words(inner)
    elif value is not None:
        yield str(value)


def run_table(store: Path, run: str | None, name: str) -> pl.DataFrame | None:
    """A table of a run, e.g. `sift.turns`; None where there was no run or it did not make that table."""
    path = store / "runs" / run / f"{name}.parquet" if run else None
    return pl.read_parquet(path) if path and path.is_file() else None


def report(store: Path, outcome: Outcome) -> Row:
    """The numbers of a run that it reports itself, in the words of the case format."""
    facts = outcome.facts
    stages = ledger.read(store, outcome.run).get("stages", {}) if outcome.run else {}
    decided = Counter(
        {key: n for stage in stages.values() for key, n in stage["n_decided"].items() if key.startswith("defer:")}
    )
    status = _STATUS.get(outcome.status, outcome.status)
    marked = _marked(store, outcome.run)
    return {
        "run_status": "ok_with_warnings" if status == "ok" and outcome.warnings else status,
        "llm_calls": sum(stage["calls"] for stage in stages.values()),
        "messages_read": facts["n_new_messages"] + facts["n_known_messages"] - marked["branch"] - marked["hidden"],
        "messages_on_other_branches": marked["branch"],
        "lines_quarantined": facts["n_quarantined"],
        "quarantined_line_numbers": _quarantined_lines(store, outcome.run),
        "unprocessed_messages": sum(decided.values()),
        "skipped_sessions": _skipped_sessions(store, outcome.run),
        "forget_requests_applied": _forget_requests(store, outcome.run, facts.get("n_forget_requests", 0)),
    }


def _marked(store: Path, run: str | None) -> Counter[str]:
    """How many messages their platform marked, by why."""
    messages = run_table(store, run, "begin.messages")
    return Counter() if messages is None else Counter(messages.get_column("mark").drop_nulls().to_list())


def _quarantined_lines(store: Path, run: str | None) -> list[int]:
    decisions = run_table(store, run, "begin.decisions")
    if decisions is None:
        return []
    places = decisions.filter(pl.col("action") == "quarantine").get_column("item_id").to_list()
    return sorted(int(place.rpartition(":")[2]) for place in places)


def _forget_requests(store: Path, run: str | None, erased: int) -> int:
    """The owner's messages at whose wish something was forgotten."""
    decisions = run_table(store, run, "sift.decisions")
    hidden = (
        0 if decisions is None else decisions.filter(pl.col("action") == "forget").get_column("other_id").n_unique()
    )
    return max(hidden, erased)


def _skipped_sessions(store: Path, run: str | None) -> list[str]:
    """Sessions of which sift kept no word."""
    messages, turns = run_table(store, run, "begin.messages"), run_table(store, run, "sift.turns")
    if messages is None or turns is None:
        return []
    return sorted({*messages.get_column("session_id")} - {*turns.get_column("session_id")})
