"""Erase: captures, the inbox and recorded answers rewritten without what tombstones name. Done again it does the rest.

A capture's file is replaced by another one, since its name is its content's; a line of the inbox is written over where it stands, at its
length, since agents append to the same file meanwhile. Does not belong here: versions and runs (`purge`).
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import polars as pl

from adapters import files, lake
from adapters.capture.forgotten import without_messages, without_signals
from adapters.capture.rows import CapturedMessage, CapturedSignal
from adapters.capture.snapshots import MESSAGES, SIGNALS
from adapters.forget.lines import Said, said_in, written_over
from adapters.forget.values import texts_of
from adapters.llm.cache import AnswerCache
from models.forgotten import Forgotten
from models.table import Table, conform

ANSWERS = "cache/answers"
_TABLES: tuple[tuple[str, type[Table], str, Callable[[pl.DataFrame, Forgotten], pl.DataFrame]], ...] = (
    (MESSAGES, CapturedMessage, "", without_messages),
    (SIGNALS, CapturedSignal, "signals-", without_signals),
)


@dataclass
class Erased:
    """How much was taken out: messages and signals that lost words, answers, and lines of the inbox."""

    n_messages: int = 0
    n_signals: int = 0
    n_answers: int = 0
    n_lines: int = 0


@dataclass(frozen=True)
class _Change:
    """A file of captures, and its rows as they are to be."""

    path: Path
    prefix: str
    table: type[Table]
    rows: pl.DataFrame
    keys: list[str]


def erase(store: Path, forgotten: Forgotten) -> Erased:
    """Take what is forgotten out of captures, answers and inbox. The caller holds the store's lock. Raises StoreUnwritable."""
    changes = list(_changes(store, forgotten))
    keys = {change.table: [key for c in changes if c.table is change.table for key in c.keys] for change in changes}
    messages, signals = (set(keys.get(table, [])) for _, table, *_ in _TABLES)
    # Answers first: which of them are about a message is known only as long as its words are there to be found.
    n_answers = AnswerCache(store / ANSWERS).purge(messages) if messages else 0
    n_answers += _purge_retelling(store / ANSWERS, forgotten)
    n_lines = _write_inbox_over(store / "inbox", forgotten)
    for change in changes:
        _replace(change)
    # Guards' reports name files and jobs, and are made again.
    shutil.rmtree(store / "guards", ignore_errors=True)
    return Erased(len(messages), len(signals), n_answers, n_lines)


def _purge_retelling(folder: Path, forgotten: Forgotten) -> int:
    """Remove the answers that say it themselves, whatever message they are about; how many."""
    paths = sorted(folder.rglob("*.json")) if folder.is_dir() else []
    told = [path for path in paths if _tells(path.read_text("utf-8", "replace"), forgotten)]
    for path in told:
        path.unlink()
    return len(told)


def _tells(content: str, forgotten: Forgotten) -> bool:
    return any(True for text in texts_of(content) for _ in forgotten.found(text))


def touched(store: Path, forgotten: Forgotten) -> dict[str, str]:
    """The keys of messages that would lose words, and of signals that would: what is left of each."""
    found: dict[str, str] = {}
    for change in _changes(store, forgotten):
        key = change.table.key[0]
        texts = dict(change.rows.select(key, "text").iter_rows())
        found.update({one: texts.get(one, "") for one in change.keys})
    return found


def _changes(store: Path, forgotten: Forgotten) -> Iterator[_Change]:
    for pattern, table, prefix, without in _TABLES:
        for path in sorted((store / "snapshots").glob(f"*/*/{pattern}")):
            before = pl.read_parquet(path, glob=False)
            rows = without(before, forgotten)
            if rows is not before:
                same = [*table.key, "content_hash"]
                lost = before.join(rows, on=same, how="anti", maintain_order="left")
                yield _Change(path, prefix, table, rows, lost[table.key[0]].to_list())


def _replace(change: _Change) -> None:
    """The new file first, then the old one goes: a kill between leaves both, and the next time takes the old one away."""
    if change.rows.height:
        content = lake.to_parquet(conform(change.rows, change.table), change.table)
        files.write_bytes(change.path.with_name(f"{change.prefix}{sha256(content).hexdigest()[:24]}.parquet"), content)
    change.path.unlink()


def _write_inbox_over(inbox: Path, forgotten: Forgotten) -> int:
    sessions = inbox / "sessions"
    said = said_in(sessions)
    return sum(
        _write_over(path, said.get(path.name, {}) if path.parent == sessions else {}, forgotten)
        for path in sorted(inbox.glob("*/*"))
        if path.is_file()
    )


def _write_over(path: Path, said: Said, forgotten: Forgotten) -> int:
    """Write over the lines of one of the inbox's files that hold what is forgotten; how many."""
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        # Agents take the same lock to append.
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        n = 0
        for at, line in written_over(path, said, forgotten):
            os.pwrite(descriptor, line, at)
            n += 1
        if n:
            os.fsync(descriptor)
        return n
    finally:
        os.close(descriptor)
