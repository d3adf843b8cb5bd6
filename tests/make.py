"""Short ways to make rows for tests: every argument has a plain default, and ids follow from the content."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import polars as pl

from models.claim import ClaimRow
from models.ids import make_id, message_key
from models.memory import MemoryRow
from models.message import Message, Signal
from models.turn import Span, Turn
from slowwave.format import Cardinality, Evidence, Kind, Polarity, Privacy, Status, Tier, Trust, Writer


def at(text: str) -> datetime:
    """A UTC time from ISO text; a naive one is taken as UTC."""
    made = datetime.fromisoformat(text)
    return made.replace(tzinfo=UTC) if made.tzinfo is None else made.astimezone(UTC)


NOW = at("2026-03-01T03:00")


def message(
    text: str, *, session: str = "s1", seq: int = 0, said: str | None = "2026-02-01T10:00", **more: Any
) -> Message:
    native = more.pop("message_id", f"m{seq}")
    role = more.get("role", "user")
    return Message(
        **{
            "msg_key": message_key("test", session, native, seq),
            "content_hash": make_id("txt", text),
            "text": text,
            "source": "jsonl",
            "time_source": "message" if said else "none",
            "session_id": session,
            "message_id": native,
            "seq": seq,
            "platform": "test",
            "owner": "u-ana",
            "role": role,
            "speaker": role,
            "said_at": at(said) if said else None,
            "offset_minutes": 0 if said else None,
            "trust": {
                "user": Trust.OWNER,
                "assistant": Trust.AGENT,
                "tool": Trust.TOOL,
                "participant": Trust.PARTICIPANT,
            }.get(role, Trust.SYSTEM),
            **more,
        }
    )


def turn(text: str, *, session: str = "s1", seq: int = 0, said: str | None = "2026-02-01T10:00", **more: Any) -> Turn:
    spans = more.pop("spans", [Span(start=0, end=len(text))])
    is_evidence = more.pop("is_evidence", True)
    row = message(text, session=session, seq=seq, said=said, **more).model_dump()
    kept = {name: row[name] for name in Turn.model_fields if name in row}
    return Turn(**{**kept, "spans": spans, "is_evidence": is_evidence})


def evidence(
    quote: str = "words", *, session: str = "s1", message_id: str = "m0", said: str = "2026-02-01T10:00"
) -> Evidence:
    return Evidence(
        source_id=message_key("test", session, message_id, 0),
        session_id=session,
        message_id=message_id,
        start=0,
        end=len(quote),
        quote=quote,
        said_at=at(said),
    )


def claim(
    text: str, *, said: str = "2026-02-01T10:00", session: str = "s1", message_id: str = "m0", **more: Any
) -> ClaimRow:
    subject = more.get("subject", "user")
    row: dict[str, Any] = {
        "owner": "u-ana",
        "kind": Kind.SEMANTIC_FACT,
        "subject": subject,
        "subject_key": subject.casefold(),
        "cardinality": Cardinality.MULTI,
        "polarity": Polarity.ASSERT,
        "text": text,
        "confidence": 0.9,
        "importance": 0.5,
        "said_at": at(said),
        "trust": Trust.OWNER,
        "privacy": Privacy.PERSONAL,
        "mentions": [],
        "evidence": [evidence(text, session=session, message_id=message_id, said=said)],
        "writer": Writer(stage="extract", model="test"),
        **more,
    }
    row.setdefault("claim_id", make_id("clm", {k: v for k, v in row.items() if k != "writer"}))
    return ClaimRow(**row)


def signal(kind: str = "intervention", *, when: str = "2026-02-01T10:00", **more: Any) -> Signal:
    row: dict[str, Any] = {
        "platform": "test",
        "owner": "u-ana",
        "kind": kind,
        "at": at(when),
        "offset_minutes": 0,
        **more,
    }
    row.setdefault("signal_key", make_id("sig", row))
    return Signal(**row)


def memory(
    text: str, *, said: str = "2026-02-01T10:00", session: str = "s1", message_id: str = "m0", **more: Any
) -> MemoryRow:
    subject = more.get("subject", "user")
    row: dict[str, Any] = {
        "owner": "u-ana",
        "kind": Kind.SEMANTIC_FACT,
        "subject": subject,
        "subject_key": subject.casefold(),
        "text": text,
        "confidence": 0.9,
        "importance": 0.5,
        "stability_days": 30.0,
        "tier": Tier.PROMPT,
        "status": Status.ACTIVE,
        "first_seen_at": at(said),
        "last_seen_at": at(said),
        "said_at": at(said),
        "trust": Trust.OWNER,
        "evidence": [evidence(text, session=session, message_id=message_id, said=said)],
        "writer": Writer(stage="extract", model="test"),
        "claim_ids": [],
        "period": 0,
        **more,
    }
    row.setdefault("id", make_id("mem", {k: v for k, v in row.items() if k not in ("writer", "evidence")}))
    return MemoryRow(**row)


def unreviewed(memories: pl.DataFrame) -> pl.DataFrame:
    """Rows of the night as they are published where no rule asks for the owner's approval."""
    return memories.with_columns(review=pl.lit(None, pl.String))
