"""Raw items into captured rows: keys, trust, redaction. Every string of a row that a person may have typed is redacted here.

Does not belong here: which rows are new (`snapshots`), and whether they are evidence (sift).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

from pydantic import Field

from adapters.redact import Redacted, hide, redact, redact_all
from adapters.settings import TrustSettings
from adapters.sources.protocol import Gone, Origin, RawMessage, RawSignal
from models.ids import digest, make_id, message_key
from models.message import Message, Signal
from slowwave.format import Trust

Row = dict[str, Any]
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

    def __init__(self, trust: TrustSettings) -> None:
        self.origins: dict[Origin, float] = {origin: getattr(trust, origin) for origin in Origin}
        self.values: dict[str, tuple[str, ...]] = {}

    def made(self, raws: Sequence[tuple[RawMessage | RawSignal, str]]) -> Iterator[tuple[Row, tuple[str, ...]]]:
        """The rows of a batch in its order, each with the kinds of secrets that were taken out; `raws` name their source's kind."""
        texts = redact_all([raw.text for raw, _ in raws])
        ids = clean_ids([raw.message_id if isinstance(raw, RawMessage) else "" for raw, _ in raws])
        for (raw, source), clean, native in zip(raws, texts, ids, strict=True):
            if isinstance(raw, RawMessage):
                yield self._message(raw, source, clean, native)
            else:
                yield self._signal(raw, clean), ()

    def _message(self, raw: RawMessage, source: str, clean: Redacted, native: str) -> tuple[Row, tuple[str, ...]]:
        text = self._hidden(raw.session_id, clean.text, clean.values)
        n_repeated = 0 if text is clean.text else _n_repeated(text) - _n_repeated(clean.text)
        caption, trust = _clean(raw.caption), trust_of(raw)
        is_imported = trust is Trust.IMPORTED
        origin_trust = self.origins[raw.origin or Origin.AGENT_CURATED] if is_imported else None
        row = {
            "session_id": clean_id(raw.session_id),
            "message_id": native,
            "seq": raw.seq,
            "platform": raw.platform,
            "owner": raw.user_id or "",
            "role": raw.role,
            "speaker": _clean(raw.speaker) or raw.role,
            "said_at": raw.said_at,
            "offset_minutes": raw.offset_minutes,
            "project": _clean(raw.project),
            "thread": _clean(raw.thread),
            "trust": trust.value,
            "msg_key": message_key(raw.platform, raw.session_id, raw.message_id, raw.seq),
            "content_hash": _hash(text, caption, raw.role, raw.tool_name, raw.mark, *_record(raw, origin_trust)),
            "text": text,
            "source": source,
            "time_source": raw.time_source,
            "tool_name": _clean(raw.tool_name),
            "mark": _clean(raw.mark),
            "caption": caption,
            "kind": raw.kind,
            "origin_trust": origin_trust,
            "n_redactions": clean.n + n_repeated,
        }
        return row, clean.kinds if clean.n else (("repeated",) if n_repeated else ())

    def _signal(self, raw: RawSignal, clean: Redacted) -> Row:
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
            "text": self._hidden(raw.session_id or "", clean.text, ()),
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


def gone_row(raw: Gone) -> Row:
    """The row of a deletion: ids as its message's row has them."""
    whole = not raw.message_id
    return {
        "platform": raw.platform,
        "session_id": clean_id(raw.session_id),
        "message_id": clean_id(raw.message_id),
        "reason": raw.reason,
        "msg_key": "" if whole else message_key(raw.platform, raw.session_id, raw.message_id, 0),
        "at": raw.at,
    }


def _n_repeated(text: str) -> int:
    return text.count("[secret:repeated]")


def _record(raw: RawMessage, origin_trust: float | None) -> tuple[str, ...]:
    """What else is a record's content: one that is relied on differently, or is the owner's now, is read anew."""
    is_record = raw.kind is not None or origin_trust is not None
    return (raw.kind or "", str(origin_trust), raw.trust or "") if is_record else ()


def _hash(*parts: str | None) -> str:
    """A content's hash; lengths keep parts from running together. Quicker than canonical JSON, and a night makes millions."""
    framed = "".join([f"{-1 if part is None else len(part)}:{part}" for part in parts])
    return "txt_" + sha256(framed.encode()).hexdigest()[:16]


@lru_cache(maxsize=4096)
def clean_id(native: str) -> str:
    """A platform's own id; one that holds a secret becomes a hash, the same each time, so that ids stay apart."""
    return _clean_id(native, redact(native))


def clean_ids(natives: Sequence[str]) -> list[str]:
    """Each id as `clean_id` makes it."""
    return [_clean_id(native, found) for native, found in zip(natives, redact_all(natives), strict=True)]


def _clean_id(native: str, found: Redacted) -> str:
    if not found.n or _ID.match(native) or not set(found.kinds) - _NUMBERS:
        return native
    return f"id_{sha256(native.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


@lru_cache(maxsize=4096)
def _clean(text: str | None) -> str | None:
    return redact(text).text if text else None
