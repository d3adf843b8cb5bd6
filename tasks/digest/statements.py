"""Statements: one row for each told memory and each session that it cites, placed in time and in the session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import polars as pl

from slowwave.format import Evidence, Kind
from tasks.digest.events import happened_at, periods_of, to_evidence

_EVENTS = (Kind.EPISODIC_EVENT, Kind.TIMELINE_MILESTONE)


@dataclass(frozen=True)
class Statement:
    """One memory's sentence as one session said it."""

    memory_id: str
    owner: str
    text: str
    subject: str
    project: str | None
    importance: float
    is_pinned: bool
    has_media: bool
    stability_days: float
    entity_ids: tuple[str, ...]
    thread: str | None
    is_event: bool
    happened_at: datetime | None
    levels: frozenset[str]
    platform: str | None
    session_id: str
    seq: int
    start: int
    evidence: tuple[Evidence, ...]

    @property
    def place(self) -> tuple[int, int, str]:
        """Where in the session it was said."""
        return self.seq, self.start, self.memory_id

    @property
    def weight(self) -> tuple[bool, bool, float, str]:
        """How much it has to be told: pinned first, what happened before what holds or is planned, then by importance; ids break ties."""
        return not self.is_pinned, not self.is_event, -self.importance, self.memory_id


def statements_of(memories: Iterable[Mapping[str, Any]], turns: pl.DataFrame, zone: str) -> list[Statement]:
    """One statement for each memory and session, in the order of sessions and places."""
    cited = turns.select("msg_key", "platform", "seq")
    known = {key: (platform, seq) for key, platform, seq in cited.iter_rows()}
    pictured = set(turns.filter(pl.col("caption").is_not_null())["msg_key"])
    found: list[Statement] = []
    for row in memories:
        proofs = [proof for proof in to_evidence(row["evidence"]) if proof.source_kind == "message"]
        for session in sorted({proof.session_id for proof in proofs}):
            here = tuple(proof for proof in proofs if proof.session_id == session)
            places = [(*known.get(proof.source_id, (None, 0)), proof.start) for proof in here]
            platform, seq, start = min(places, key=lambda place: (place[1], place[2], place[0] or ""))
            found.append(
                Statement(
                    memory_id=row["id"],
                    owner=row["owner"],
                    text=row["text"],
                    subject=row["subject"],
                    project=row["project"],
                    importance=row["importance"],
                    is_pinned=row["is_pinned"],
                    has_media=any(proof.source_id in pictured for proof in here),
                    stability_days=row["stability_days"],
                    entity_ids=tuple(row["entity_ids"]),
                    thread=row["thread"],
                    is_event=row["kind"] in _EVENTS,
                    happened_at=happened_at(row),
                    levels=periods_of(row, zone),
                    platform=platform,
                    session_id=session,
                    seq=seq,
                    start=start,
                    evidence=here,
                )
            )
    return sorted(found, key=lambda one: (one.platform or "", one.session_id, one.place))
