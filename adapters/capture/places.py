"""Which messages each source place holds, so that what has gone from there since an earlier capture is known; nothing rests on that.

    snapshots/places/held-<hash>.parquet    which messages a place ever held: keys, never texts
    snapshots/places/absent-<hash>.parquet  what went, and what came back
    snapshots/places/read.parquet           how each place was last read; the one file of the snapshots that is written anew

A place is a kind and a path, as named. Only one that was read whole, and is still the same, can miss anything: one that holds none of
what it held, and names no owner, may be another account's. Belongs here: what is held. Does not belong here: what is written of what
is missed (`missed`), and what was deleted (`Gone`), which does take back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import Field

from adapters.capture import snapshots
from adapters.capture.missed import ONE, SESSION, Missed, record
from adapters.capture.snapshots import HELD, READ, Staged
from adapters.redact import redact
from adapters.sources import Damaged, Source
from adapters.sources.folder import printable
from models.message import Gone
from models.table import Frame, Table, conform, rows_to_frame

_KEY = ["place", "msg_key"]
_HERE = ["place", "platform", "session_id"]


class Held(Table):
    """A message that a place held at some capture."""

    key = ("source", "platform", "session_id", "msg_key")
    source: str = Field(description="The place: its kind and path, as named.")
    platform: str = Field(description="The message's platform.")
    session_id: str = Field(description="Its session.")
    msg_key: str = Field(description="Its key.")


class Place(Table):
    """How a place was last read whole: what could not be read of it then can hide nothing that it held."""

    key = ("source",)
    source: str = Field(description="The place: its kind and path, as named.")
    damage: list[str] = Field(description="Its files that could not be read as a whole, each with why.")
    read_at: datetime | None = Field(default=None, description="The time of the night that read it, UTC.")


@dataclass
class _Reading:
    """What is met while one place is read."""

    damage: set[str] = field(default_factory=set)
    files: list[Path] = field(default_factory=list)
    is_whole: bool = True
    names_owner: bool = False


class Places:
    """The places of one capture: `enter` each, `hold` its rows batch by batch, then `close`."""

    def __init__(self, store: Path, staged: Staged, sources: Sequence[Source]) -> None:
        self.store, self.staged = store, staged
        self.names = [place_name(store, source) for source in sources]
        self.readings = [_Reading() for _ in self.names]
        self.here = -1
        # By number, since a path is long and there is one for every message.
        self.numbers = pl.DataFrame({"source": self.names, "place": range(len(self.names))}).unique("source")
        self.numbers = self.numbers.cast({"source": pl.String, "place": pl.UInt32})
        known = snapshots.load_columns(store, HELD, Held, ["source", "msg_key"])
        self.before = known.join(self.numbers, on="source").select(_KEY).unique()
        self.seen = self.before.clear()
        self.sessions = pl.DataFrame(schema={"place": pl.UInt32, "platform": pl.String, "session_id": pl.String})

    def enter(self, source: Source) -> None:
        """From now on, what is read is this place's."""
        name = place_name(self.store, source)
        self.here = int(self.numbers.filter(pl.col("source") == name)["place"][0])

    @property
    def reading(self) -> _Reading:
        """The place that is being read."""
        return self.readings[self.here]

    def damaged(self, item: Damaged) -> None:
        """A file that could not be read as a whole; a damaged line hides no more than itself."""
        if item.line == 0:
            self.reading.damage.add(f"{item.file}: {item.reason}")

    def hold(self, messages: pl.DataFrame) -> None:
        """Take a batch's messages, each with the number of the place that holds it."""
        batch = messages.select("place", *ONE[1:]).unique(_KEY)
        batch = batch.join(self.seen, on=_KEY, how="anti")
        self.seen = self.seen.vstack(batch.select(_KEY))
        sessions = batch.select(*_HERE).unique()
        self.sessions = self.sessions.vstack(sessions.join(self.sessions, on=_HERE, how="anti"))
        fresh = batch.join(self.before, on=_KEY, how="anti").join(self.numbers, on="place")
        for (place,), group in sorted(fresh.partition_by("place", as_dict=True).items()):
            self.readings[place].files.append(self.staged.put("places", "held-", conform(group, Held), Held))

    def close(self, gone: Frame[Gone], as_of: datetime | None) -> Missed:
        """Stage what is missed for the first time, and what is back; `gone` is what platforms say was deleted."""
        known = snapshots.load_all(self.store, READ, Place)
        ways = {row["source"]: row for row in known.iter_rows(named=True)}
        lost = self._lost()
        sure = [name for name, number in self.numbers.iter_rows() if self._is_sure(number, lost, ways.get(name))]
        places = self.numbers["source"].to_list()
        missed = record(self.store, self.staged, lost, known, gone, places=places, sure=sure, as_of=as_of)
        self._note(ways, sure, as_of)
        return missed

    def _lost(self) -> pl.DataFrame:
        """What places held before and don't hold now: sessions of which nothing is left, without a key, and messages."""
        missing = self.before.join(self.seen, on=_KEY, how="anti")
        if missing.is_empty():
            return pl.DataFrame(schema=dict.fromkeys(ONE, pl.String))
        held = snapshots.load_columns(self.store, HELD, Held, ONE).join(self.numbers, on="source")
        lost = held.join(missing, on=_KEY, how="semi").unique(ONE)
        whole = lost.join(self.sessions, on=_HERE, how="anti").select(SESSION).unique()
        parts = lost.join(self.sessions, on=_HERE, how="semi").select(ONE)
        return pl.concat([whole.with_columns(msg_key=pl.lit("")), parts])

    def _is_sure(self, number: int, lost: pl.DataFrame, known: dict[str, Any] | None) -> bool:
        """Whether what is not met in a place is not there."""
        reading = self.readings[number]
        if not self._is_same(number):
            # Nothing of it is kept: else another account's export would be this place the next time.
            self.staged.unstage(reading.files)
            return False
        is_full = lost.filter(pl.col("source") == self.names[number]).is_empty()
        is_read = reading.damage <= set(known["damage"] if known else ())
        return reading.is_whole and (is_full or is_read)

    def _is_same(self, number: int) -> bool:
        before = self.before.filter(pl.col("place") == number)
        is_met = before.join(self.seen, on=_KEY, how="semi").height > 0
        return before.is_empty() or is_met or self.readings[number].names_owner

    def _note(self, ways: dict[str, dict[str, Any]], sure: Sequence[str], as_of: datetime | None) -> None:
        """How each place was read that was read whole; of the others the last time stands."""
        for name, number in self.numbers.iter_rows():
            if name in sure:
                read_at = as_of or (ways[name]["read_at"] if name in ways else None)
                ways[name] = {"source": name, "damage": sorted(self.readings[number].damage), "read_at": read_at}
        if ways:
            self.staged.replace("places", READ, rows_to_frame(Place, list(ways.values())), Place)


def place_name(store: Path, source: Source) -> str:
    """How a place is known from night to night; the store's own inbox stays the same one when the store moves."""
    if source.path.is_relative_to(store):
        return f"{source.kind}={source.path.relative_to(store).as_posix()}"
    return redact(f"{source.kind}={printable(str(source.path))}").text


def sources_of(store: Path) -> list[str]:
    """The places that the store was ever read from, its own inbox apart."""
    names = snapshots.load_columns(store, HELD, Held, ["source"])["source"].unique().sort()
    return [name for name in names if name != place_name(store, Source("jsonl", store / "inbox" / "sessions"))]
