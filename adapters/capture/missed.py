"""What has gone at its source, as rows: missed for the first time, or back. A message is not missed beside its whole session.

Belongs here: what is written of it. Does not belong here: what places hold (`places`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import polars as pl

from adapters.capture import snapshots
from adapters.capture.rows import CapturedMessage
from adapters.capture.snapshots import ABSENT, MESSAGES, Staged
from models.message import Absence, Gone
from models.table import Frame, conform, polars_schema

SESSION = ["source", "platform", "session_id"]
ONE = [*SESSION, "msg_key"]
_IS_SESSION = pl.col("msg_key") == ""
_IS_OPEN = ~pl.col("is_back")


@dataclass(frozen=True)
class Missed:
    """How much is no longer at its source: whole sessions, and messages of sessions that are; and how much since this capture."""

    n_sessions: int = 0
    n_messages: int = 0
    n_new_sessions: int = 0
    n_new_messages: int = 0


def record(
    store: Path,
    staged: Staged,
    lost: pl.DataFrame,
    known: pl.DataFrame,
    gone: Frame[Gone],
    *,
    places: Sequence[str],
    sure: Sequence[str],
    as_of: datetime | None,
) -> Missed:
    """Stage a row for all that is `lost` for the first time in a place that is `sure`, and for what is back in any of `places`.

    `lost` has a row with an empty key for a whole session; `known` says when each place was read before.
    """
    latest = snapshots.load_all(store, ABSENT, Absence).sort("ordinal").unique(ONE, keep="last")
    missed = latest.filter(_IS_OPEN)
    new = lost.filter(pl.col("source").is_in(list(sure))).join(missed, on=ONE, how="anti")
    new = _without_deleted(new, gone)
    back = _back(missed.filter(pl.col("source").is_in(list(places))), lost)
    first = _named(new.join(known.select("source", last_seen_at="read_at"), on="source", how="left"), store)
    rows = pl.concat([_rows(first, latest, is_back=False, as_of=as_of), _rows(back, latest, is_back=True, as_of=as_of)])
    if rows.height:
        staged.put("places", ABSENT.removesuffix("*.parquet"), conform(rows, Absence), Absence)
    return _counted(pl.concat([missed.join(back, on=ONE, how="anti").select(ONE), new.select(ONE)]), new)


def _without_deleted(new: pl.DataFrame, gone: Frame[Gone]) -> pl.DataFrame:
    """What is merely absent: memory does not keep what its platform deleted."""
    whole = gone.filter(pl.col("message_id") == "")
    kept = new.join(whole, on=["platform", "session_id"], how="anti")
    return kept.join(gone.filter(pl.col("msg_key") != ""), on="msg_key", how="anti")


def _back(missed: pl.DataFrame, lost: pl.DataFrame) -> pl.DataFrame:
    """What was missed and is not lost now; a message of a lost session is."""
    whole = lost.filter(_IS_SESSION)
    return missed.join(lost, on=ONE, how="anti").join(whole, on=SESSION, how="anti")


def _named(new: pl.DataFrame, store: Path) -> pl.DataFrame:
    """With the platform's own id of each message."""
    if new.filter(~_IS_SESSION).is_empty():
        return new.with_columns(message_id=pl.lit(""))
    ids = snapshots.load_columns(store, MESSAGES, CapturedMessage, ["msg_key", "message_id"])
    ids = ids.join(new, on="msg_key", how="semi").unique("msg_key")
    return new.join(ids, on="msg_key", how="left").with_columns(pl.col("message_id").fill_null(""))


def _rows(frame: pl.DataFrame, latest: pl.DataFrame, *, is_back: bool, as_of: datetime | None) -> pl.DataFrame:
    """The rows that come after the latest ones of the same."""
    before = latest.select(*ONE, n="ordinal")
    columns = polars_schema(Absence)
    return (
        frame.join(before, on=ONE, how="left")
        .with_columns(
            ordinal=pl.col("n").fill_null(-1) + 1,
            is_back=pl.lit(is_back),
            at=pl.lit(as_of, columns["at"]),
        )
        .select(pl.col(name).cast(dtype) for name, dtype in columns.items())
    )


def _counted(left: pl.DataFrame, new: pl.DataFrame) -> Missed:
    n, n_new = left.filter(_IS_SESSION).height, new.filter(_IS_SESSION).height
    return Missed(n, left.height - n, n_new, new.height - n_new)
