"""Entries of OpenClaw's sessions: texts, roles, times.

Belongs here: one entry by itself. Does not belong here: what its session or its branch makes of it (`sessions`).
Times are instants: the Z of an entry and the zone in an envelope are the host's clock, never the owner's offset.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from adapters.sources.openclaw.speech import Said, read_said, without_system_lines
from adapters.sources.protocol import BadLine, RawMessage, read_text, read_time, word
from models.ids import digest

PLATFORM = "openclaw"
_ROLES = {
    "user": "user",
    "assistant": "assistant",
    "toolResult": "tool",
    "bashExecution": "tool",
    "custom": "system",
    "system": "system",
    "branchSummary": "assistant",
    "compactionSummary": "assistant",
}
_SPEAKING = {"compaction": "compactionSummary", "branch_summary": "branchSummary", "custom_message": "custom"}
# What the harness made itself: never anybody's words.
OWN_MARKS = {"branchSummary": "summary", "compactionSummary": "summary", "custom": "hidden"}


def body_of(entry: dict[str, Any]) -> dict[str, Any] | None:
    """An entry's message, or the entry itself where it speaks for itself; None for bookkeeping. Raises BadLine."""
    kind = entry.get("type")
    if isinstance(kind, str) and kind in _SPEAKING:
        return {**entry, "role": _SPEAKING[kind]}
    if kind != "message":
        return None
    message = entry.get("message")
    if not isinstance(message, dict):
        raise BadLine("no message")
    return message


def entry_id(entry: dict[str, Any]) -> str:
    """An entry's id; the oldest format has none, so there it is known by what it says and when."""
    found = entry.get("id")
    return found if isinstance(found, str) and found else digest(entry.get("message"), entry.get("timestamp"))[:16]


def time_of(entry: dict[str, Any]) -> datetime | None:
    """When an entry was written. Raises BadLine."""
    message = entry.get("message")
    own = message.get("timestamp") if isinstance(message, dict) else None
    return read_time(entry.get("timestamp") or own).at


def text_of(body: dict[str, Any]) -> str:
    """The words of a message, without reasoning, calls and pictures. Raises BadLine."""
    role = body.get("role")
    if role in ("branchSummary", "compactionSummary"):
        return read_text(body.get("summary"))
    if role == "bashExecution":
        return "\n".join(read_text(body.get(name, "")) for name in ("command", "output"))
    text = read_text(body.get("content"))
    return without_system_lines(text) if role == "user" else text


def said_in(entry: dict[str, Any]) -> Said | None:
    """Who said an entry in the user's place; None where it stands in another or can't be read."""
    try:
        body = body_of(entry)
        return read_said(text_of(body), body.get("provenance")) if body and body.get("role") == "user" else None
    except BadLine:
        return None


def message_of(entry: dict[str, Any], place: str, session_id: str, seq: int) -> RawMessage | None:
    """The message of an entry; None for bookkeeping. Raises BadLine."""
    body = body_of(entry)
    if body is None:
        return None
    role = body.get("role")
    if not isinstance(role, str) or role not in _ROLES:
        raise BadLine("no role" if role is None else "unknown role")
    at = time_of(entry)
    message_id = entry_id(entry)
    if "\0" in message_id:
        raise BadLine("NUL in a field")
    return RawMessage(
        place=place,
        platform=PLATFORM,
        session_id=session_id,
        message_id=message_id,
        seq=seq,
        role=_ROLES[role],
        text=text_of(body),
        speaker=_ROLES[role],
        said_at=at,
        time_source="message" if at else "none",
        tool_name=_tool(body),
        mark=OWN_MARKS.get(role),
        trust="system" if role in OWN_MARKS else None,
    )


def _tool(body: dict[str, Any]) -> str | None:
    """Which tool answered or ran, or is called first."""
    if body.get("role") == "bashExecution":
        return "bash"
    if body.get("role") == "toolResult":
        return word(body.get("toolName"))
    parts = body.get("content") if body.get("role") == "assistant" else None
    calls = [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    return next((word(call.get("name")) for call in calls if call.get("type") == "toolCall"), None)
