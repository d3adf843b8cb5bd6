"""Candidates of a record-level case as claims, and what a person asked to forget.

Belongs here: the words of the case format (`origin`, `event_time`, `sources`) turned into ours. Does not belong here: any
judgement that a stage makes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from slowwave.text import normalise

TRUST = {"user": "owner", "assistant": "agent"}
TRUSTS = ("owner", "participant", "agent", "imported", "third_party", "tool", "system")
Row = dict[str, Any]
Message = tuple[str, str, str]


@dataclass
class Forgotten:
    """Messages that a person asked to forget, as (user, session, message); `*` stands for every user."""

    messages: set[Message] = field(default_factory=set)

    def add(self, requests: Iterable[Mapping[str, Any]], accepted: list[Row]) -> None:
        """Take requests in; one by entity names every message that a claim about the entity cites."""
        for request in requests:
            owner = request.get("user_id") or "*"
            if request["by"] == "evidence":
                self.messages.add((owner, request["session_id"], request["message_id"]))
                continue
            name = normalise(request["subject"])
            keys = {row["subject_key"] for row in accepted if normalise(row["subject"]) == name}
            about = [row for row in accepted if owner in ("*", row["owner"]) and _is_about(row, name, keys)]
            self.messages |= {(row["owner"], *place(e)) for row in about for e in row["evidence"]}

    def spare(self, row: Row) -> Row:
        """The claim without the evidence that is forgotten."""
        kept = [
            e
            for e in row["evidence"]
            if (row["owner"], *place(e)) not in self.messages and ("*", *place(e)) not in self.messages
        ]
        return {**row, "evidence": kept}


def place(evidence: Mapping[str, Any]) -> tuple[str, str]:
    """Where a piece of evidence was said."""
    return evidence["session_id"], evidence["message_id"]


def _is_about(row: Row, name: str, keys: set[str]) -> bool:
    words = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    said = (row["text"], row["value"], *row["mentions"])
    return row["subject_key"] in keys or any(words.search(normalise(text)) for text in said)


@dataclass
class Taken:
    """Candidates as claims, the candidates behind each claim, and those that are no claims at all."""

    claims: dict[str, Row] = field(default_factory=dict)
    behind: dict[str, list[str]] = field(default_factory=dict)
    rejected: list[dict[str, str]] = field(default_factory=list)

    def refuse(self, claim_id: str, reason: str) -> None:
        """Say of every candidate behind a claim why it was rejected."""
        self.rejected += [{"cand_id": name, "reason": reason} for name in self.behind.get(claim_id, [])]


def take(candidates: Iterable[Mapping[str, Any]], known: set[str] | None, forgotten: Forgotten) -> Taken:
    """Turn candidates into claims. What no claim can hold is rejected here: a time without an offset, nothing cited."""
    taken = Taken()
    for candidate in candidates:
        claim = _claim(candidate, known) if not _is_naive(candidate) else "naive_time"
        if isinstance(claim, dict) and claim["evidence"]:
            claim = forgotten.spare(claim)
            claim = claim if claim["evidence"] else "forgotten"
        if isinstance(claim, str):
            taken.rejected.append({"cand_id": candidate["cand_id"], "reason": claim})
            continue
        taken.claims[claim["claim_id"]] = claim
        taken.behind.setdefault(claim["claim_id"], []).append(candidate["cand_id"])
    return taken


def _is_naive(candidate: Mapping[str, Any]) -> bool:
    said = candidate.get("event_time")
    return bool(said) and datetime.fromisoformat(said).tzinfo is None


def when(text: str | None) -> datetime | None:
    """A UTC time from ISO text; a bare day is that day's start in UTC."""
    if not text:
        return None
    made = datetime.fromisoformat(text)
    return made.replace(tzinfo=UTC) if made.tzinfo is None else made.astimezone(UTC)


def _claim(candidate: Mapping[str, Any], known: set[str] | None) -> Row:
    said_at, subject = when(candidate.get("event_time")), str(candidate["subject"])
    sources = [s for s in candidate["sources"] if known is None or f"{s['session_id']}/{s['message_id']}" in known]
    origin = candidate.get("origin", "user")
    trust = TRUST.get(origin, origin)
    row: Row = {
        "owner": candidate["user_id"],
        "project": candidate.get("project"),
        "kind": candidate["kind"],
        "subject": subject,
        "subject_key": candidate.get("subject_id") or normalise(subject),
        "attribute": candidate.get("attribute"),
        "value": candidate.get("value"),
        "cardinality": candidate.get("cardinality") or "multi",
        "polarity": candidate.get("polarity") or "assert",
        "text": candidate["text"],
        "context": "",
        "confidence": candidate.get("confidence") or 0.0,
        "importance": _or(candidate.get("importance"), 0.5),
        "said_at": said_at,
        "valid_from": when(candidate.get("valid_from")),
        "valid_to": when(candidate.get("valid_to")),
        "due_at": when(candidate.get("due")),
        "is_unbounded": bool(candidate.get("unbounded")),
        "is_pinned": bool(candidate.get("pinned")),
        "trust": trust if trust in TRUSTS else "third_party",
        "privacy": "personal",
        "mentions": candidate.get("mentions") or [],
        "evidence": [_evidence(s, candidate["text"], said_at) for s in sources],
        "writer": {"stage": "extract", "model": "case", "prompt": ""},
    }
    return {"claim_id": f"clm_{sha256(json.dumps(row, sort_keys=True, default=str).encode()).hexdigest()[:16]}", **row}


def _or(value: float | None, default: float) -> float:
    return default if value is None else value


def _evidence(source: Mapping[str, str], quote: str, said_at: datetime | None) -> Row:
    key = f"msg_{sha256(json.dumps([source['session_id'], source['message_id']]).encode()).hexdigest()[:16]}"
    return {
        "source_kind": "message",
        "source_id": key,
        **{name: source[name] for name in ("session_id", "message_id")},
        "start": 0,
        "end": len(quote),
        "quote": quote,
        "said_at": said_at,
    }
