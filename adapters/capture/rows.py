"""Raw items into captured rows: keys, trust, redaction. Every string of a row that a person may have typed is redacted here.

Rows are made a column at a time, since a history has millions of them. Does not belong here: which rows are new (`snapshots`), and
whether they are evidence (sift).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Any, cast

import polars as pl
import pyarrow as pa
from pydantic import Field

from adapters.redact import Redacted, find_all, hide, redact
from adapters.settings import TrustSettings
from adapters.sources.protocol import Gone, Origin, RawMessage, RawSignal
from models.ids import digest, make_id, message_key
from models.message import Message, Signal
from models.table import Table, arrow_schema
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
# What a signal's content is, besides whose it is.
_SIGNAL_CONTENT = (
    *("platform", "kind", "session_id", "at", "offset_minutes", "project"),
    *("user_state", "mode", "channel", "urgency", "outcome", "text"),
)
_NOTHING: tuple[int, str | None] = (0, None)


class CapturedMessage(Message):
    """A message with what capture alone needs to know."""

    key = ("msg_key", "edition")
    edition: int = Field(ge=0, description="How many contents of this message were captured before this one.")


class CapturedSignal(Signal):
    """A signal with what capture alone needs to know."""

    key = ("signal_key", "edition")
    content_hash: str = Field(description="Hash of the signal: an outcome may come in later.")
    edition: int = Field(ge=0, description="How many contents of this signal were captured before this one.")


def _without_edition(table: type[Table], *more: pa.Field) -> pa.Schema:
    return pa.schema([*(column for column in arrow_schema(table) if column.name != "edition"), *more])


_MESSAGES = _without_edition(CapturedMessage, pa.field("kinds", pa.string()), pa.field("place", pa.uint32()))
_SIGNALS = _without_edition(CapturedSignal)


def trust_of(raw: RawMessage) -> Trust:
    """The authority of the place it was said: the source's word where it has one; machine text in user position has the system's."""
    if raw.trust:
        return Trust(raw.trust)
    if raw.role == "user" and raw.tool_name:
        return Trust.SYSTEM
    return TRUST[raw.role]


@dataclass
class Batch:
    """Items as they were read, side by side with the kind of each one's source and the number of its place."""

    raws: list[RawMessage | RawSignal] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    n_chars: int = 0

    def add(self, raw: RawMessage | RawSignal, source: str, place: int) -> None:
        """Take one more."""
        self.raws.append(raw)
        self.sources.append(source)
        self.places.append(place)
        self.n_chars += len(raw.text)


class Rows:
    """Makes rows, and remembers each session's secrets while it runs, so that they are hidden where they come back bare."""

    def __init__(self, trust: TrustSettings) -> None:
        self.origins: dict[Origin, float] = {origin: getattr(trust, origin) for origin in Origin}
        self.values: dict[str, tuple[str, ...]] = {}

    def made(self, batch: Batch) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The messages and the signals of a batch, each in its order and without its edition.

        A message has the number of its `place` besides, and the `kinds` of secrets that were taken out of it, null for none.
        """
        texts, told = self._said(batch.raws)
        signals = [
            self._signal(raw, text) for raw, text in zip(batch.raws, texts, strict=True) if isinstance(raw, RawSignal)
        ]
        at = [at for at, raw in enumerate(batch.raws) if isinstance(raw, RawMessage)]
        lost = [told.get(i, _NOTHING) for i in at]
        messages = {
            **self._columns([cast(RawMessage, batch.raws[i]) for i in at], [texts[i] for i in at]),
            "source": [batch.sources[i] for i in at],
            "n_redactions": [n for n, _ in lost],
            "kinds": [kinds for _, kinds in lost],
            "place": [batch.places[i] for i in at],
        }
        return pl.DataFrame(pa.table(messages, schema=_MESSAGES)), pl.DataFrame(pa.Table.from_pylist(signals, _SIGNALS))

    def _said(self, raws: Sequence[RawMessage | RawSignal]) -> tuple[list[str], dict[int, tuple[int, str]]]:
        """The texts as they are kept, and by place how many secrets of which kinds each has lost."""
        texts = [raw.text for raw in raws]
        found, told = find_all(texts), dict[int, tuple[int, str]]()
        for at, raw in enumerate(raws) if found or self.values else ():
            clean, known = found.get(at), self.values.get(raw.session_id or "")
            if clean is None and known is None:
                continue
            clean = clean or Redacted(raw.text)
            texts[at] = text = hide(clean.text, known or ())
            if isinstance(raw, RawMessage):
                self._remember(raw.session_id, clean.values)
                n_repeated = _n_repeated(text) - _n_repeated(clean.text)
                if n := clean.n + n_repeated:
                    told[at] = n, ", ".join(clean.kinds if clean.n else ("repeated",))
        return texts, told

    def _remember(self, session: str, found: tuple[str, ...]) -> None:
        known = self.values.get(session, ())
        if found and len(known) < _MAX_VALUES:
            self.values[session] = tuple(sorted({*known, *found}))

    def _columns(self, raws: Sequence[RawMessage], texts: Sequence[str]) -> dict[str, Sequence[Any]]:
        captions, relied = _cleaned([raw.caption for raw in raws]), [self._relied_on(raw) for raw in raws]
        return {
            "session_id": clean_ids([raw.session_id for raw in raws]),
            "message_id": clean_ids([raw.message_id for raw in raws]),
            "seq": [raw.seq for raw in raws],
            "platform": [raw.platform for raw in raws],
            "owner": [raw.user_id or "" for raw in raws],
            "role": [raw.role for raw in raws],
            "speaker": [
                said or raw.role for said, raw in zip(_cleaned([raw.speaker for raw in raws]), raws, strict=True)
            ],
            "said_at": [raw.said_at for raw in raws],
            "offset_minutes": [raw.offset_minutes for raw in raws],
            "project": _cleaned([raw.project for raw in raws]),
            "thread": _cleaned([raw.thread for raw in raws]),
            "trust": [trust_of(raw) for raw in raws],
            "msg_key": [message_key(raw.platform, raw.session_id, raw.message_id, raw.seq) for raw in raws],
            "content_hash": list(map(_hash, texts, captions, raws, relied)),
            "text": texts,
            "time_source": [raw.time_source for raw in raws],
            "tool_name": _cleaned([raw.tool_name for raw in raws]),
            "mark": _cleaned([raw.mark for raw in raws]),
            "caption": captions,
            "kind": [raw.kind for raw in raws],
            "origin_trust": relied,
        }

    def _relied_on(self, raw: RawMessage) -> float | None:
        return self.origins[raw.origin or Origin.AGENT_CURATED] if raw.trust == Trust.IMPORTED else None

    def _signal(self, raw: RawSignal, text: str) -> Row:
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
            "text": text,
        }
        content = signal_hash(row)
        row["signal_key"] = make_id("sig", raw.platform, raw.native_id or ["content", content])
        row["content_hash"] = content
        return row


def signal_hash(row: Row) -> str:
    """A signal's content hash, whoever's it is said to be."""
    return digest({**{name: row[name] for name in _SIGNAL_CONTENT}, "owner": ""})[:16]


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


def _hash(text: str, caption: str | None, raw: RawMessage, relied: float | None) -> str:
    return content_hash(text, caption, raw.role, raw.tool_name, raw.mark, raw.kind, relied, raw.trust)


def content_hash(
    text: str,
    caption: str | None,
    role: str,
    tool_name: str | None,
    mark: str | None,
    kind: str | None,
    relied: float | None,
    trust: str | None,
) -> str:
    """A content's hash; lengths keep parts from running together. Quicker than canonical JSON, and a night makes millions."""
    # What else is a record's content: one that is relied on differently, or is the owner's now, is read anew.
    record = () if kind is None and relied is None else (kind or "", str(relied), trust or "")
    framed = f"{len(text)}:{text}{_framed(caption, role, tool_name, mark, *record)}"
    return "txt_" + sha256(framed.encode()).hexdigest()[:16]


@lru_cache(maxsize=1024)
def _framed(*parts: str | None) -> str:
    return "".join(f"{-1 if part is None else len(part)}:{part}" for part in parts)


@lru_cache(maxsize=4096)
def clean_id(native: str) -> str:
    """A platform's own id; one that holds a secret becomes a hash, the same each time, so that ids stay apart."""
    return clean_ids([native])[0]


def clean_ids(natives: Sequence[str]) -> list[str]:
    """Each id as `clean_id` makes it."""
    distinct = list(dict.fromkeys(natives))
    changed = {distinct[at]: _clean_id(distinct[at], found) for at, found in find_all(distinct).items()}
    return [changed.get(native, native) for native in natives] if changed else list(natives)


def _clean_id(native: str, found: Redacted) -> str:
    if _ID.match(native) or not set(found.kinds) - _NUMBERS:
        return native
    return f"id_{sha256(native.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _cleaned(texts: Sequence[str | None]) -> list[str | None]:
    """Each text without its secrets; null for none."""
    distinct = [text for text in dict.fromkeys(texts) if text]
    found = find_all(distinct)
    made = {text: found[at].text if at in found else text for at, text in enumerate(distinct)}
    return [made.get(text) if text else None for text in texts] if made else [None] * len(texts)


@lru_cache(maxsize=4096)
def _clean(text: str | None) -> str | None:
    return redact(text).text if text else None
