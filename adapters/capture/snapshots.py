"""Immutable Parquet of what was captured, by platform and day. Nothing here is ever changed, only added.

    snapshots/<platform>/<day>/<hash>.parquet, signals-<hash>.parquet
    snapshots/quarantine/lines-<hash>.parquet, gone/gone-<hash>.parquet, places/ (see `places`)

Belongs here: files, and which row is the latest of its key. Does not belong here: making rows.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import polars as pl
import pyarrow as pa

from adapters.capture.history import LAST, History
from adapters.capture.rows import CapturedMessage, CapturedSignal
from adapters.files import make_folder, write_bytes
from adapters.lake import to_arrow, to_parquet
from models.decision import Decision
from models.message import Gone, Message, Signal
from models.table import Frame, Table, conform, empty, polars_schema, rows_to_frame
from slowwave.errors import SourceError

T = TypeVar("T", bound=Table)
# Where no source names a user and no setting does, the store still has one owner.
DEFAULT_OWNER = "user"
_UNSAFE = re.compile(r"[^a-z0-9_-]+")
MESSAGES, SIGNALS = "[0-9a-f]*.parquet", "signals-*.parquet"
_QUARANTINE, _GONE, LEFT_OUT = "lines-*.parquet", "gone-*.parquet", "left-out-*.parquet"
HELD, ABSENT, READ = "held-*.parquet", "absent-*.parquet", "read.parquet"
# Files that belong to no day lie in a folder of their own.
_FOLDERS = {
    _QUARANTINE: "quarantine/",
    _GONE: "gone/",
    LEFT_OUT: "left_out/",
    **dict.fromkeys((HELD, ABSENT, READ), "places/"),
}


def safe_name(name: str) -> str:
    """A folder's name for a platform's: small letters, digits and hyphens; what had to be changed gets a hash, so none meet."""
    plain = _UNSAFE.sub("-", name.casefold()).strip("-_")[:40]
    return plain if plain and plain == name else f"{plain or 'platform'}-{sha256(name.encode()).hexdigest()[:8]}"


class Staged:
    """Files written under temporary names, that appear all together at the end, or never."""

    def __init__(self, store: Path) -> None:
        self.root = store / "snapshots"
        self.waiting: list[tuple[Path, Path]] = []

    def put(self, folder: str, prefix: str, frame: pl.DataFrame | pa.Table, table: type[Table]) -> Path:
        """Write a conformed frame, or a part of one, for later; equal rows make the same name, which is returned."""
        content = to_parquet(frame, table)
        target = self.root / folder / f"{prefix}{sha256(content).hexdigest()[:24]}.parquet"
        self._stage(target, content)
        return target

    def replace(self, folder: str, name: str, frame: pl.DataFrame, table: type[Table]) -> None:
        """Write a conformed frame in the place of the file of that name, unless it is the same."""
        content, target = to_parquet(frame, table), self.root / folder / name
        if not target.is_file() or target.read_bytes() != content:
            self._stage(target, content)

    def unstage(self, targets: Iterable[Path]) -> None:
        """Take back what was put."""
        unwanted = set(targets)
        for waiting, target in self.waiting:
            if target in unwanted:
                waiting.unlink(missing_ok=True)
        self.waiting = [pair for pair in self.waiting if pair[1] not in unwanted]

    def _stage(self, target: Path, content: bytes) -> None:
        waiting = target.with_name(f".{target.name}.{os.getpid()}.staged")
        _private(target.parent, self.root.parent)
        write_bytes(waiting, content)
        self.waiting.append((waiting, target))

    def sweep(self) -> None:
        """Remove what a killed capture staged: nobody reads it, and it holds what people said."""
        for left in [*self.root.rglob(".*.staged"), *self.root.rglob(".*.tmp")]:
            left.unlink(missing_ok=True)

    def commit(self) -> None:
        """Let every file appear under its name."""
        for waiting, target in self.waiting:
            os.replace(waiting, target)
        self.waiting.clear()

    def drop(self) -> None:
        """Forget what was staged."""
        for waiting, _ in self.waiting:
            waiting.unlink(missing_ok=True)
        self.waiting.clear()


def _private(folder: Path, store: Path) -> None:
    """Make a folder and those above it up to the store, each its owner's alone."""
    for part in reversed([folder, *folder.parents][: len(folder.relative_to(store).parts) + 1]):
        make_folder(part)


def put_rows(staged: Staged, rows: pl.DataFrame, table: type[Table], time: str, prefix: str = "") -> None:
    """Stage rows by platform and UTC day."""
    if rows.is_empty():
        return
    frame = conform(rows, table).with_columns(_day=pl.col(time).dt.date()).sort("platform", "_day", maintain_order=True)
    arrow, at = to_arrow(frame.drop("_day"), table), 0
    for platform, day, n in frame.group_by("platform", "_day", maintain_order=True).len().iter_rows():
        staged.put(f"{safe_name(platform)}/{day or 'undated'}", prefix, arrow.slice(at, n), table)
        at += n


def known_messages(store: Path) -> History:
    """The contents captured so far of every message."""
    return History(_known(store, MESSAGES, CapturedMessage, pl.col("said_at")), "msg_key")


def known_signals(store: Path) -> History:
    """The contents captured so far of every signal; which of them stands, no time tells."""
    no_time = pl.lit(None, polars_schema(CapturedMessage)["said_at"])
    return History(_known(store, SIGNALS, CapturedSignal, no_time), "signal_key")


def _known(store: Path, pattern: str, table: type[Table], said_at: pl.Expr) -> pl.DataFrame:
    columns = [name for name in (*table.key, "said_at", "content_hash") if name in table.model_fields]
    found = _read(store, pattern, columns)
    return (empty(table) if found is None else found).with_columns(said_at=said_at)


def captured_owner(store: Path) -> str:
    """The owner of what was captured before; empty where no user was ever named."""
    for pattern in (MESSAGES, SIGNALS):
        found = _read(store, pattern, ["owner"])
        if found is not None and (named := _named(found)):
            return named
    return ""


def _named(found: pl.DataFrame) -> str:
    return min((owner for owner in found["owner"].unique() if owner), default="")


def load_messages(store: Path) -> Frame[Message]:
    """Every captured message, the latest content of each: the later said, then the later captured. Raises SourceError.

    What a platform recorded as deleted is marked so, whichever of the two was captured first.
    """
    found = _latest(store, MESSAGES, Message, ["msg_key", "said_at"], list(CapturedMessage.model_fields))
    gone = load_gone(store)
    return conform(_without_gone(found, gone), Message) if gone.height else found


def load_all(store: Path, pattern: str, table: type[T]) -> Frame[T]:
    """Every row of a table's files, each once. Raises SourceError."""
    found = _read(store, pattern, list(table.model_fields))
    return empty(table) if found is None else conform(found.unique(list(table.key)), table)


def load_columns(store: Path, pattern: str, table: type[Table], columns: list[str]) -> pl.DataFrame:
    """Some columns of a table's files as they stand. Raises SourceError."""
    found = _read(store, pattern, columns)
    return empty(table).select(columns) if found is None else found


def load_gone(store: Path) -> Frame[Gone]:
    """Every deletion that a platform recorded. Raises SourceError."""
    return load_all(store, _GONE, Gone)


def put_gone(staged: Staged, known: Frame[Gone], rows: list[dict[str, Any]]) -> tuple[int, Frame[Gone]]:
    """Stage the deletions that are met for the first time; how many there are, and all of them, known ones included."""
    fresh = rows_to_frame(Gone, rows).join(known, on=list(Gone.key), how="anti")
    if fresh.height:
        staged.put("gone", _GONE.removesuffix("*.parquet"), fresh, Gone)
    return fresh.height, conform(pl.concat([known, fresh]), Gone)


def _without_gone(messages: pl.DataFrame, gone: pl.DataFrame) -> pl.DataFrame:
    """Messages with the mark of those that were deleted: another content, so that a night takes back what rests on them."""
    sessions = gone.filter(pl.col("message_id") == "").select("platform", "session_id", is_gone=True).unique()
    keys = gone.filter(pl.col("message_id") != "")["msg_key"]
    is_gone = pl.col("is_gone").fill_null(False) | pl.col("msg_key").is_in(keys.implode())
    joined = messages.join(sessions, on=["platform", "session_id"], how="left", maintain_order="left")
    return joined.with_columns(
        mark=pl.when(is_gone).then(pl.lit("deleted")).otherwise("mark"),
        content_hash=pl.when(is_gone).then(pl.col("content_hash") + "-deleted").otherwise("content_hash"),
    )


def load_signals(store: Path) -> Frame[Signal]:
    """Every captured signal, the latest content of each. Raises SourceError."""
    return _latest(store, SIGNALS, Signal, ["signal_key"], list(CapturedSignal.model_fields))


def load_quarantined(store: Path) -> Frame[Decision]:
    """The damaged places met so far. Raises SourceError."""
    return load_all(store, _QUARANTINE, Decision)


def put_quarantined(staged: Staged, decisions: Iterable[Decision]) -> None:
    """Stage the damaged places that are met for the first time."""
    if rows := list(decisions):
        staged.put("quarantine", "lines-", rows_to_frame(Decision, rows), Decision)


def _latest(store: Path, pattern: str, table: type[T], order: list[str], columns: list[str]) -> Frame[T]:
    found = _read(store, pattern, columns)
    if found is None:
        return empty(table)
    owner = _named(found) if pattern == MESSAGES else ""
    found = found.with_columns(pl.col("owner").replace("", owner or captured_owner(store) or DEFAULT_OWNER))
    if found[order[0]].n_unique() == found.height:
        return conform(found, table)
    content = [order[0], "content_hash"]
    stands = found.sort([*order, *LAST], nulls_last=False).unique(order[0], keep="last").select(content)
    # A content that came back has a row for each time; the first one says when it was said.
    first = found.sort([*content, "edition"]).unique(content, keep="first", maintain_order=True)
    return conform(first.join(stands, on=content, how="semi"), table)


def _files(store: Path, pattern: str) -> list[Path]:
    depth = _FOLDERS.get(pattern, "*/*/")
    return sorted((store / "snapshots").glob(depth + pattern))


def _read(store: Path, pattern: str, columns: list[str]) -> pl.DataFrame | None:
    files = _files(store, pattern)
    if not files:
        return None
    try:
        return cast(pl.DataFrame, pl.read_parquet(files, columns=columns, glob=False))
    except (OSError, pl.exceptions.PolarsError):
        # One of them is from another time, or damaged: which one, only a look at each tells.
        return pl.concat([_frame(file, columns) for file in files])


def _columns(file: Path, columns: list[str]) -> pl.DataFrame:
    """A file's columns; one from before a column was declared has none of it, and all that came since may be null."""
    try:
        return cast(pl.DataFrame, pl.read_parquet(file, columns=columns, glob=False))
    except pl.exceptions.ColumnNotFoundError:
        older = cast(pl.DataFrame, pl.read_parquet(file, glob=False))
        known = {**polars_schema(CapturedMessage), **polars_schema(CapturedSignal)}
        return older.select(
            pl.col(name) if name in older.columns else pl.lit(None, known[name]).alias(name) for name in columns
        )


def _frame(file: Path, columns: list[str]) -> pl.DataFrame:
    try:
        return _columns(file, columns)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise SourceError(
            f"the snapshot {file} cannot be read: {error}",
            "Restore it from a backup, or move it away and run `slowwave night` with the same sources again.",
        ) from error
