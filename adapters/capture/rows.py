"""Raw items into captured rows: keys, trust, redaction. Every string of a row that a person may have typed is redacted here.

Does not belong here: which rows are new (`snapshots`), and whether they are evidence (sift).
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256
from typing import Any

from pydantic import Field

from adapters.redact import hide, redact
from adapters.sources.protocol import RawMessage, RawSignal
from models.ids import digest, make_id, message_key
from models.message import Message, Signal
from slowwave.format import Trust

TRUST = {
    "user": Trust.OWNER,
    "participant": Trust.PARTICIPANT,
    "assistant": Trust.AGENT,
    "tool": Trust.TOOL,
    "system": Trust.SYSTEM,
}
# What a session's earlier texts gave away; more would be a dump, which is not worth holding in memory.
_MAX_VALUES = 50
# Ids that only look like tokens: those of calls and sessions, and long numbers with a lucky check digit.
_ID = re.compile(r"(?:sess|fc|co)_")
_NUMBERS = {"card", "iban"}


class CapturedMessage(Message):
    """A message with what capture alone needs to know."""

    key = ("msg_key", "edition")
    edition: int = Field(ge=0, description="How many contents of this message were captured before this one.")


class CapturedSignal(Signal):
    """A signal with what capture alone needs to know."""

    key = ("signal_key", "edition")
    content_hash: str = Field(description="Hash of the signal: an outcome may come in later.")
    edition: int = Field(ge=0, description="How many contents of this signal were captured before this one.")


def trust_of(raw: RawMessage) -> Trust:
    """The authority of the place it was said: the source's word where it has one; machine text in user position has the system's."""
    if raw.trust:
        return Trust(raw.trust)
    if raw.role == "user" and raw.tool_name:
        return Trust.SYSTEM
    return TRUST[raw.role]


class Rows:
    """Makes rows, and remembers each session's secrets while it runs, so that they are hidden where they come back bare."""

    def __init__(self) -> None:
        self.values: dict[str, tuple[str, ...]] = {}

    def message(self, raw: RawMessage, source: str) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The row of a message, and the kinds of secrets that were taken out of it."""
        clean = redact(raw.text)
        text = self._hidden(raw.session_id, clean.text, clean.values)
        n_repeated = text.count("[secret:repeated]") - clean.text.count("[secret:repeated]")
        caption = _clean(raw.caption)
        row = {
            "session_id": clean_id(raw.session_id),
            "message_id": clean_id(raw.message_id),
            "seq": raw.seq,
            "platform": raw.platform,
            "owner": raw.user_id or "",
            "role": raw.role,
            "speaker": _clean(raw.speaker) or raw.role,
            "said_at": raw.said_at,
            "offset_minutes": raw.offset_minutes,
            "project": _clean(raw.project),
            "thread": _clean(raw.thread),
            "trust": trust_of(raw).value,
            "msg_key": message_key(raw.platform, raw.session_id, raw.message_id, raw.seq),
            "content_hash": _hash(text, caption, raw.role, raw.tool_name, raw.mark),
            "text": text,
            "source": source,
            "time_source": raw.time_source,
            "tool_name": _clean(raw.tool_name),
            "mark": _clean(raw.mark),
            "caption": caption,
            "n_redactions": clean.n + n_repeated,
        }
        return row, clean.kinds if clean.n else (("repeated",) if n_repeated else ())

    def signal(self, raw: RawSignal) -> dict[str, Any]:
        """The row of a signal."""
        row = {
            "platform": raw.platform,
            "owner": raw.user_id or "",
            "kind": raw.kind,
            "session_id": clean_id(raw.session_id) if raw.session_id else raw.session_id,
            "at": raw.at,
            "offset_minutes": raw.offset_minutes,
            "project": _clean(raw.project),
            "user_state": _clean(raw.user_state),
            "mode": _clean(raw.mode),
            "channel": _clean(raw.channel),
            "urgency": _clean(raw.urgency),
            "outcome": _clean(raw.outcome),
            "text": self._hidden(raw.session_id or "", redact(raw.text).text, ()),
        }
        content = digest({**row, "owner": ""})[:16]
        row["signal_key"] = make_id("sig", raw.platform, raw.native_id or ["content", content])
        row["content_hash"] = content
        return row

    def _hidden(self, session: str, text: str, found: tuple[str, ...]) -> str:
        known = self.values.get(session, ())
        if found and len(known) < _MAX_VALUES:
            self.values[session] = tuple(sorted({*known, *found}))
        return hide(text, known) if known else text


def _hash(*parts: str | None) -> str:
    """A content's hash; lengths keep parts from running together. Quicker than canonical JSON, and a night makes millions."""
    framed = "".join(f"{-1 if part is None else len(part)}:{part}" for part in parts)
    return "txt_" + sha256(framed.encode()).hexdigest()[:16]


@lru_cache(maxsize=4096)
def clean_id(native: str) -> str:
    """A platform's own id; one that holds a secret becomes a hash, the same each time, so that ids stay apart."""
    if _ID.match(native) or not set(redact(native).kinds) - _NUMBERS:
        return native
    return f"id_{sha256(native.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


@lru_cache(maxsize=4096)
def _clean(text: str | None) -> str | None:
    return redact(text).text if text else None
