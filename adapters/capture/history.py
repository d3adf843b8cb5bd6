"""What was captured of each message or signal before: every content it ever had, and which of them stands.

Held as columns of ids and times, never of texts, and looked up a batch at a time: so a store of millions of messages costs a capture
little memory. Does not belong here: files (`snapshots`), and making rows (`rows`).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

import polars as pl

Row = dict[str, Any]
# What stands: the content said last, then the one captured last.
LAST = ["edition", "content_hash"]


class Editions(NamedTuple):
    """The contents of one message or signal: their hashes, the one that stands last, and when that one was said."""

    hashes: tuple[str, ...] = ()
    said_at: datetime | None = None

    def with_one(self, content_hash: str, said_at: datetime | None) -> Editions:
        """These and one more, which stands unless it was said before the one that does."""
        if is_before(said_at, self.said_at):
            return self._replace(hashes=(content_hash, *self.hashes))
        return Editions((*self.hashes, content_hash), said_at)


_NONE = Editions()


def is_before(one: datetime | None, other: datetime | None) -> bool:
    """Whether a time is before another; no time is before any."""
    return other is not None and (one is None or one < other)


class History:
    """The contents known of one table's rows, by `key`; goes through a capture batch by batch: `open`, `take` each row, `close`."""

    def __init__(self, captured: pl.DataFrame, key: str) -> None:
        self.key = key
        self.captured = captured.select(key, "said_at", "content_hash", "edition")
        self.here: dict[str, Editions] = {}
        # Known contents that were read last but don't stand: whether they do now is seen at the end.
        self.pending: dict[str, Row] = {}
        self.fresh: list[Row] = []
        self.n_new = self.n_known = 0

    def open(self, keys: Iterable[str]) -> None:
        """Look up what is known of a batch's rows."""
        wanted = pl.DataFrame({self.key: list(set(keys))}, {self.key: pl.String})
        found = self.captured.join(wanted, on=self.key, how="semi").sort([self.key, "said_at", *LAST])
        grouped = found.group_by(self.key, maintain_order=True).agg("content_hash", pl.col("said_at").last())
        self.here = {key: Editions(tuple(hashes), at) for key, hashes, at in grouped.iter_rows()}

    def take(self, row: Row) -> bool:
        """Whether the row's content is new for its key; then it is kept as its next edition."""
        key, content, said_at = row[self.key], row["content_hash"], row.get("said_at")
        known, pending = self.here.get(key, _NONE), self.pending.get(key)
        is_new = content not in known.hashes
        if is_new:
            self._keep(row, known)
        else:
            self.n_known += 1
        if not is_before(said_at, pending.get("said_at") if pending else known.said_at):
            self.pending.pop(key, None)
            if not is_new and (content != known.hashes[-1] or said_at != known.said_at):
                self.pending[key] = row
        return is_new

    def _keep(self, row: Row, known: Editions) -> None:
        row["edition"] = len(known.hashes)
        self.here[row[self.key]] = known.with_one(row["content_hash"], row.get("said_at"))
        self.fresh.append(row)
        self.n_new += 1

    def close(self) -> list[Row]:
        """The rows that were kept; from now on they are known."""
        fresh, self.fresh, self.here = self.fresh, [], {}
        columns = {name: [row.get(name) for row in fresh] for name in self.captured.columns}
        self.captured = self.captured.vstack(pl.DataFrame(columns, self.captured.schema))
        return fresh

    def take_back(self) -> None:
        """Keep what the sources end with where another content was captured after it: an edit that was taken back."""
        self.open(self.pending)
        for key, row in self.pending.items():
            known = self.here[key]
            if row["content_hash"] != known.hashes[-1] and not is_before(row.get("said_at"), known.said_at):
                self._keep(dict(row), known)
                self.n_known -= 1
