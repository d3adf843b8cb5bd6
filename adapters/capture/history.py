"""What was captured of each message or signal before: every content it ever had, and which of them stands.

Held as columns of ids and times, never of texts, and looked up a batch at a time: so a store of millions of messages costs a capture
little memory. A row that nothing else bears on is settled by columns, and only the others one by one. Does not belong here: files
(`snapshots`), and making rows (`rows`).
"""

from __future__ import annotations

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
    """The contents known of one table's rows, by `key`; goes through a capture batch by batch: `take` its rows, then `close`."""

    def __init__(self, captured: pl.DataFrame, key: str) -> None:
        self.key = key
        self.captured = captured.select(key, "said_at", "content_hash", "edition")
        self.here: dict[str, Editions] = {}
        # Known contents that were read last but don't stand: whether they do now is seen at the end.
        self.pending: dict[str, Row] = {}
        self.fresh: list[pl.DataFrame] = []
        self.schema = self.captured.schema
        self.n_new = self.n_known = 0

    def take(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Those of a batch whose content is new for their key; each is kept as its key's next edition."""
        rows = (
            rows
            if "said_at" in rows.columns
            else rows.with_columns(said_at=pl.lit(None, self.captured.schema["said_at"]))
        )
        known = self._known(rows[self.key])
        is_new, is_same = self._settled(rows, known)
        rest = rows.filter(~(is_new | is_same))
        self.here = self._editions(known.join(rest, on=self.key, how="semi"))
        editions = pl.Series([self._take(row) for row in rest.iter_rows(named=True)], dtype=pl.Int64)
        others = rest.with_columns(edition=editions).drop_nulls("edition")
        self.n_new += int(is_new.sum())
        self.n_known += int(is_same.sum())
        fresh = pl.concat([rows.filter(is_new).with_columns(edition=pl.lit(0, pl.Int64)), others])
        self.fresh, self.schema = [*self.fresh, fresh], fresh.schema
        return fresh

    def _known(self, keys: pl.Series) -> pl.DataFrame:
        """What is known under these keys; of each the one that stands is last."""
        wanted = pl.DataFrame([keys.unique().alias(self.key)])
        return self.captured.join(wanted, on=self.key, how="semi").sort([self.key, "said_at", *LAST])

    def _settled(self, rows: pl.DataFrame, known: pl.DataFrame) -> tuple[pl.Series, pl.Series]:
        """Which rows are certainly new, and which are what stands: no other row of the batch, and none that is pending, bears on them."""
        stands = known.unique(self.key, keep="last").select(self.key, was_hash="content_hash", was_at="said_at")
        found = rows.select(self.key, "content_hash", "said_at").join(
            stands, on=self.key, how="left", maintain_order="left"
        )
        alone = pl.col(self.key).is_unique() & ~pl.col(self.key).is_in(list(self.pending))
        is_as_it_was = pl.col("content_hash").eq_missing(pl.col("was_hash"))
        is_same = is_as_it_was & pl.col("said_at").eq_missing(pl.col("was_at"))
        told = found.select(is_new=alone & pl.col("was_hash").is_null(), is_same=alone & is_same)
        return told["is_new"], told["is_same"]

    def _editions(self, known: pl.DataFrame) -> dict[str, Editions]:
        grouped = known.group_by(self.key, maintain_order=True).agg("content_hash", pl.col("said_at").last())
        return {key: Editions(tuple(hashes), at) for key, hashes, at in grouped.iter_rows()}

    def _take(self, row: Row) -> int | None:
        """The edition that a row's content is, if it is new for its key."""
        key, content, said_at = row[self.key], row["content_hash"], row["said_at"]
        known, pending = self.here.get(key, _NONE), self.pending.get(key)
        is_new = content not in known.hashes
        if is_new:
            self._keep(row, known)
        else:
            self.n_known += 1
        if not is_before(said_at, pending["said_at"] if pending else known.said_at):
            self.pending.pop(key, None)
            if not is_new and (content != known.hashes[-1] or said_at != known.said_at):
                self.pending[key] = row
        return len(known.hashes) if is_new else None

    def _keep(self, row: Row, known: Editions) -> None:
        self.here[row[self.key]] = known.with_one(row["content_hash"], row["said_at"])
        self.n_new += 1

    def close(self) -> pl.DataFrame:
        """The rows that were kept; from now on they are known."""
        fresh = pl.concat(self.fresh) if self.fresh else self.captured.clear()
        self.fresh, self.here = [], {}
        self.captured = self.captured.vstack(fresh.select(self.captured.columns))
        return fresh

    def take_back(self) -> None:
        """Keep what the sources end with where another content was captured after it: an edit that was taken back."""
        self.here = self._editions(self._known(pl.Series(list(self.pending), dtype=pl.String)))
        back: list[Row] = []
        for key, row in self.pending.items():
            known = self.here[key]
            if row["content_hash"] != known.hashes[-1] and not is_before(row["said_at"], known.said_at):
                back.append({**row, "edition": len(known.hashes)})
                self._keep(row, known)
                self.n_known -= 1
        self.fresh.append(pl.DataFrame(back, self.schema))
