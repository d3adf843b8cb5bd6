"""Single events: from memories that say what happened, and from signals, by code alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import polars as pl

from models.ids import make_id
from slowwave.format import CommitmentState, Episode, Evidence, Kind, Precision
from slowwave.text import squash

# Memories have no kind of their own for decisions, so a decision is known by its words.
_DECIDED = re.compile(r"\b(decid(e|ed|es)|decision|agreed|settled on|besloten|besluit|entschieden|décidé)\b", re.I)
_TITLE_CHARS = 60
_SIGNAL_KINDS = {"transition": "transition", "tool_outcome": "outcome"}
_SIGNAL_FIELDS = ("project", "user_state", "mode", "channel", "urgency", "outcome")
_SIGNAL_IMPORTANCE = 0.3
_DATED = (Kind.EPISODIC_EVENT, Kind.TIMELINE_MILESTONE)
_A_WEEK = timedelta(days=7)
_A_MONTH = timedelta(days=31)
ALL_PERIODS = frozenset({"week", "month"})
_PERIODS: dict[str, frozenset[str]] = {
    Precision.INSTANT: ALL_PERIODS,
    Precision.DAY: ALL_PERIODS,
    Precision.WEEKEND: ALL_PERIODS,
    Precision.WEEK: ALL_PERIODS,
    Precision.MONTH: frozenset({"month"}),
}


def memory_event(row: Mapping[str, Any]) -> Episode | None:
    """The event that a memory tells of, or None where it tells of a state of things."""
    kind = _event_kind(row)
    if kind is None:
        return None
    people = [] if row["subject"] in ("user", "assistant") else [row["subject"]]
    return Episode(
        id=make_id("epi", row["owner"], "event", row["id"]),
        owner=row["owner"],
        level="event",
        kind=kind,
        title=shorten(row["text"]),
        text=row["text"],
        started_at=happened_at(row),
        ended_at=row["due_at"] or row["valid_to"],
        project=row["project"],
        people=people,
        session_ids=sorted({proof["session_id"] for proof in row["evidence"] if proof["session_id"]}),
        importance=row["importance"],
        part_ids=[row["id"]],
        evidence=to_evidence(row["evidence"]),
    )


def _event_kind(row: Mapping[str, Any]) -> str | None:
    match row["kind"]:
        case Kind.GOAL_OR_COMMITMENT:
            return "outcome" if row["commitment_state"] == CommitmentState.FULFILLED else "commitment"
        case Kind.EPISODIC_EVENT | Kind.TIMELINE_MILESTONE:
            is_decision = row["attribute"] in ("decision", "decided") or _DECIDED.search(row["text"])
            return "decision" if is_decision else "milestone"
        case _:
            return None


def happened_at(row: Mapping[str, Any]) -> datetime | None:
    """When it took place: the stated time of an event, the time of saying for a promise or a fact."""
    stated: datetime | None = row["valid_from"] if row["kind"] in _DATED else None
    return stated or row["said_at"] or row["first_seen_at"] or row["valid_from"]


def periods_of(row: Mapping[str, Any], zone: str) -> frozenset[str]:
    """The levels of period that its time is known well enough for: "in 2016" belongs to no week of that year."""
    starts_at: datetime | None = row["valid_from"]
    if starts_at is None or row["valid_precision"] is None or row["kind"] not in _DATED:
        return ALL_PERIODS
    if row["valid_precision"] == Precision.APPROXIMATE:
        return _approximate_periods(starts_at, row["valid_to"] or starts_at, zone)
    return _PERIODS.get(row["valid_precision"], frozenset())


def _approximate_periods(starts_at: datetime, ends_at: datetime, zone: str) -> frozenset[str]:
    # "Approximate" does not say how wide: without an end, a bare year or month shows as its first midnight.
    first = starts_at.astimezone(ZoneInfo(zone or "UTC"))
    is_midnight = first.time() == time()
    if ends_at - starts_at > _A_MONTH or (is_midnight and (first.month, first.day) == (1, 1)):
        return frozenset()
    if ends_at - starts_at > _A_WEEK or (is_midnight and first.day == 1):
        return frozenset({"month"})
    return ALL_PERIODS


def is_told() -> pl.Expr:
    """Whether a signal is an event worth telling: bare observations are too many and too small."""
    has_words = pl.any_horizontal(pl.col(name).fill_null("") != "" for name in _SIGNAL_FIELDS)
    is_event = pl.col("kind").is_in([*_SIGNAL_KINDS, "intervention", "feedback"]) | pl.col("outcome").is_not_null()
    return is_event & (has_words | (pl.col("text") != "")) & (pl.col("kind") != "observation")


def signal_event(row: Mapping[str, Any]) -> Episode:
    """The event that a signal records, in its own words and fields."""
    text = _signal_text(row)
    quote = row["text"] or next(row[name] for name in reversed(_SIGNAL_FIELDS) if row[name])
    return Episode(
        id=make_id("epi", row["owner"], "event", row["signal_key"]),
        owner=row["owner"],
        level="event",
        kind=_SIGNAL_KINDS.get(row["kind"], "intervention"),
        title=shorten(text),
        text=text,
        started_at=row["at"],
        ended_at=row["at"],
        platform=row["platform"],
        project=row["project"],
        session_ids=[row["session_id"]] if row["session_id"] else [],
        importance=_SIGNAL_IMPORTANCE,
        evidence=[
            Evidence(
                source_kind="signal",
                source_id=row["signal_key"],
                session_id=row["session_id"] or "",
                message_id="",
                start=0,
                end=len(quote),
                quote=quote,
                said_at=row["at"],
            )
        ],
    )


def _signal_text(row: Mapping[str, Any]) -> str:
    fields = ", ".join(f"{name.replace('_', ' ')} {row[name]}" for name in _SIGNAL_FIELDS if row[name])
    label = row["kind"].replace("_", " ").capitalize()
    words = squash(row["text"])
    return f"{label}: {words} ({fields})" if words and fields else f"{label}: {words or fields}"


def shorten(text: str) -> str:
    """The first words of a text, whole ones, for a title."""
    line = squash(text)
    if len(line) <= _TITLE_CHARS:
        return line
    head, _, _ = line[:_TITLE_CHARS].rpartition(" ")
    return f"{head or line[:_TITLE_CHARS]}…"


def to_evidence(proofs: list[dict[str, Any]]) -> list[Evidence]:
    """Evidence as the format's own class, from a frame's structs."""
    return [Evidence(**proof) for proof in proofs]
