"""Captured rows without what is forgotten. The same words are taken out of a row when it is erased as when it is read again.

A message that loses all its words stays as a row without any, so that it is known. Belongs here: columns. Does not belong here: files.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from adapters.capture.rows import content_hash, signal_hash
from models.forgotten import Forgotten, Place, Voice, left_of
from models.message import FORGOTTEN
from models.tombstone import session_key
from slowwave.format import Trust

Row = dict[str, Any]
_NAMES = ("speaker", "project", "thread", "tool_name", "caption")
_OBSERVED = ("project", "user_state", "mode", "channel", "urgency", "outcome")
_SPOKEN = (Trust.PARTICIPANT, Trust.AGENT)


def without_messages(frame: pl.DataFrame, forgotten: Forgotten) -> pl.DataFrame:
    """The messages with what is left of each, in their order; the very frame where all is left."""
    columns = [name for name in frame.columns if name not in ("n_redactions", "kinds", "place", "edition", "_n")]
    changed = {
        n: left for n, row in enumerate(frame.select(columns).iter_rows(named=True)) if (left := _left(row, forgotten))
    }
    return _with(frame, changed)


def unknown_without(
    frame: pl.DataFrame,
    known: pl.DataFrame,
    without: Callable[[pl.DataFrame, Forgotten], pl.DataFrame],
    forgotten: Forgotten,
) -> pl.DataFrame:
    """The rows of a batch `without` what is forgotten, in their order. What is `known` as it stands was looked at when it was captured."""
    same = [name for name in ("msg_key", "signal_key", "content_hash") if name in frame.columns]
    numbered = frame.with_row_index("_n")
    rest = numbered.join(known, on=same, how="anti", maintain_order="left")
    left = without(rest, forgotten)
    if left is rest:
        return frame
    return pl.concat([numbered.join(known, on=same, how="semi"), left]).sort("_n").drop("_n")


def place_of(row: Row) -> Place:
    """Where and by whom a message was said. What nobody said in a talk, a tool's output too, is a copy."""
    voice = Voice.COPY
    if not row["mark"]:
        if row["role"] == "user":
            voice = Voice.OWNER if row["trust"] == Trust.OWNER else voice
        elif row["trust"] in _SPOKEN:
            voice = Voice.OTHER
    return Place(row["msg_key"], session_key(row["platform"], row["session_id"]), row["said_at"], voice)


def _left(row: Row, forgotten: Forgotten) -> Row | None:
    """The row as it is to be, None where it may stay as it is."""
    place = place_of(row)
    text = "" if forgotten.is_whole(place) else left_of(row["text"], place, forgotten)
    names = {name: _name(row, name, place, forgotten) for name in _NAMES}
    if text == row["text"] and all(names[name] == row[name] for name in _NAMES):
        return None
    if not text and row["text"]:
        names |= {"caption": None, "mark": FORGOTTEN}
    left = {**row, **names, "text": text}
    hashed = (left[name] for name in ("text", "caption", "role", "tool_name", "mark", "kind", "origin_trust", "trust"))
    return {**names, "text": text, "content_hash": content_hash(*hashed)}


def _name(row: Row, name: str, place: Place, forgotten: Forgotten) -> str | None:
    """A name as it is, unless it holds what is forgotten: then nothing, and of a speaker the role."""
    if not row[name] or not forgotten.spans(row[name], place):
        return row[name]
    return row["role"] if name == "speaker" else None


def without_signals(frame: pl.DataFrame, forgotten: Forgotten) -> pl.DataFrame:
    """The signals that are left, with what is left of each."""
    rows = frame.iter_rows(named=True)
    kept = [not _is_gone(row, forgotten) for row in rows]
    frame = frame if all(kept) else frame.filter(pl.Series(kept, dtype=pl.Boolean))
    changed = {n: left for n, row in enumerate(frame.iter_rows(named=True)) if (left := _seen(row, forgotten))}
    return _with(frame, changed)


def _place(row: Row) -> Place:
    session = session_key(row["platform"], row["session_id"]) if row["session_id"] else ""
    return Place("", session, row["at"])


def _is_gone(row: Row, forgotten: Forgotten) -> bool:
    return row["signal_key"] in forgotten.signals or forgotten.is_whole(_place(row))


def _seen(row: Row, forgotten: Forgotten) -> Row | None:
    place = _place(row)
    left: Row = {"text": left_of(row["text"], place, forgotten)}
    left |= {name: None if row[name] and forgotten.spans(row[name], place) else row[name] for name in _OBSERVED}
    if all(left[name] == row[name] for name in left):
        return None
    return {**left, "content_hash": signal_hash({**row, **left})}


def _with(frame: pl.DataFrame, changed: dict[int, Row]) -> pl.DataFrame:
    if not changed:
        return frame
    names = list(next(iter(changed.values())))
    names += [name for row in changed.values() for name in row if name not in names]
    places = pl.Series(list(changed), dtype=pl.UInt32)
    made = {
        name: pl.Series([row.get(name, frame[name][n]) for n, row in changed.items()], dtype=frame.schema[name])
        for name in dict.fromkeys(names)
    }
    return frame.with_columns(frame[name].scatter(places, values) for name, values in made.items())
