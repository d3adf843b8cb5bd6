"""What a person left out for good: sessions, sources and runs whose words are no evidence, whenever they are captured.

    snapshots/left_out/left-out-<hash>.parquet

Belongs here: finding what a name holds, and marking it. Does not belong here: forgetting, which removes the words themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from adapters.capture import snapshots
from adapters.capture.places import Held
from adapters.capture.snapshots import HELD, LEFT_OUT, MESSAGES, SIGNALS, Staged
from models.message import LeftOut
from models.table import Frame, rows_to_frame
from slowwave.errors import UsageError

WAYS = ("session", "source", "run")
_RUN_TABLES = {"messages": "msg_key", "signals": "signal_key", "feedback": "feedback_id"}


def leave_out(store: Path, names: Sequence[str], *, at: datetime) -> dict[str, int]:
    """Leave sessions, sources and runs out for good; how many messages each name holds by now. The caller holds the lock.

    A name is `session:ID`, `source:KIND`, `source:KIND=PATH` or `run:NAME`, or that without its beginning where only one fits.
    Raises UsageError.
    """
    rows: list[dict[str, Any]] = []
    counts: dict[str, int] = {}
    for name in names:
        way, bare = _way(store, name)
        items = _run_items(store, bare) if way == "run" else [""]
        rows += [{"what": way, "name": bare, "item_id": item, "at": at} for item in items]
        counts[f"{way}:{bare}"] = _count(store, way, bare)
    staged = Staged(store)
    staged.put("left_out", LEFT_OUT.removesuffix("*.parquet"), rows_to_frame(LeftOut, rows), LeftOut)
    staged.commit()
    return counts


def _way(store: Path, name: str) -> tuple[str, str]:
    """Which kind of thing a name names, and its bare name."""
    way, _, bare = name.partition(":")
    fitting = [(way, bare)] if way in WAYS and bare else [(way, name) for way in WAYS]
    found = [(way, bare) for way, bare in fitting if _is_there(store, way, bare)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(
            f"{name!r} is the name of several things", f"Say which: {' or '.join(f'{w}:{b}' for w, b in found)}."
        )
    raise UsageError(
        f"{name!r} is no session, source or run of this store",
        "Name it as session:ID (as its platform writes it), source:KIND or source:KIND=PATH (as for --source), or run:NAME "
        "(slowwave log names runs).",
    )


def _is_there(store: Path, way: str, name: str) -> bool:
    return _run_folder(store, name).is_dir() if way == "run" else _count(store, way, name) > 0


def _count(store: Path, way: str, name: str) -> int:
    if way == "run":
        return len(_run_items(store, name, only="messages"))
    rows = rows_to_frame(LeftOut, [{"what": way, "name": name, "item_id": "", "at": datetime.min.replace(tzinfo=UTC)}])
    spoken = ["msg_key", "session_id", "source"]
    messages = snapshots.load_columns(store, MESSAGES, snapshots.CapturedMessage, spoken).unique("msg_key")
    n = messages.filter(_is_left_out(store, rows, messages, "msg_key")).height
    if n or way != "session":
        return n
    signals = snapshots.load_columns(store, SIGNALS, snapshots.CapturedSignal, ["signal_key", "session_id"])
    return signals.filter(pl.col("session_id") == name).height


def _run_folder(store: Path, run: str) -> Path:
    return store / "runs" / Path(run).name


def _run_items(store: Path, run: str, only: str = "") -> list[str]:
    """Keys of the messages that a run read, and of the signals and feedback that it was the first to."""
    items: set[str] = set()
    for table, key in _RUN_TABLES.items():
        path = _run_folder(store, run) / f"begin.{table}.parquet"
        if path.is_file() and only in ("", table):
            items |= set(pl.read_parquet(path, columns=[key]).to_series()) - _earlier(store, run, table, key)
    return sorted(items)


def _earlier(store: Path, run: str, table: str, key: str) -> set[str]:
    """All signals and all feedback are given to every night; messages only to the one that is to read them."""
    if table == "messages":
        return set()
    before = [path.parent.name for path in (store / "runs").glob(f"*/begin.{table}.parquet") if path.parent.name < run]
    paths = [store / "runs" / name / f"begin.{table}.parquet" for name in before]
    return {item for path in paths for item in pl.read_parquet(path, columns=[key]).to_series()}


def marked(store: Path, messages: pl.DataFrame) -> pl.DataFrame:
    """Messages with the mark of those that were left out: another content, so that a night takes back what rests on them."""
    rows = load_left_out(store)
    if rows.is_empty():
        return messages
    is_out = _is_left_out(store, rows, messages, "msg_key")
    return messages.with_columns(
        mark=pl.when(is_out).then(pl.lit("left_out")).otherwise("mark"),
        content_hash=pl.when(is_out).then(pl.col("content_hash") + "-left-out").otherwise("content_hash"),
    )


def without(store: Path, rows: pl.DataFrame, key: str) -> pl.DataFrame:
    """Signals or feedback without those that were left out: all of it is read every night, so nothing rests on what is not."""
    left = load_left_out(store)
    return rows if left.is_empty() else rows.filter(~_is_left_out(store, left, rows, key))


def load_left_out(store: Path) -> Frame[LeftOut]:
    """Everything that was ever left out. Raises SourceError."""
    return snapshots.load_all(store, LEFT_OUT, LeftOut)


def _is_left_out(store: Path, rows: pl.DataFrame, found: pl.DataFrame, key: str) -> pl.Expr:
    """Whether a row is of a session, a source or a run that was left out."""
    named = {way: rows.filter(pl.col("what") == way) for way in WAYS}
    sources, items = named["source"]["name"].to_list(), named["run"]["item_id"]
    held = snapshots.load_columns(store, HELD, Held, ["source", "session_id", "msg_key"]) if sources else None
    is_out = pl.col("session_id").is_in(named["session"]["name"].implode()) | pl.col(key).is_in(items.implode())
    if held is not None:
        there = held.filter(pl.col("source").is_in(sources))
        # Of a signal only its session says from where it came.
        of_place = ("msg_key", there["msg_key"]) if key == "msg_key" else ("session_id", there["session_id"])
        is_out |= pl.col(of_place[0]).is_in(of_place[1].unique().implode())
        kind = "source" if "source" in found.columns else "platform" if "platform" in found.columns else None
        is_out |= pl.col(kind).is_in(sources) if kind else pl.lit(False)
    return is_out.fill_null(False)
