"""What every source hands over: raw messages, raw signals, and damaged places by name. Nothing is judged or redacted here.

Belongs here: the shapes and the small readings that all sources share (roles, times, text parts). Does not belong here: any one
platform's format.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from pydantic_core import from_json

from slowwave.format import Kind

ROLES = {
    "user": "user",
    "human": "user",
    "participant": "participant",
    "assistant": "assistant",
    "ai": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "tool": "tool",
    "function": "tool",
    "system": "system",
    "developer": "system",
}


class Origin(StrEnum):
    """Who vouches for an imported record; how far each is relied on is a setting of the same name."""

    OWNER_CURATED = "owner_curated"
    AGENT_CURATED = "agent_curated"
    RAW_NOTES = "raw_notes"


# Numbers above this are milliseconds: as seconds they would lie past the year 5100.
_MILLISECONDS = 1e11
# No platform nests its JSON so deeply, and whoever walks what does may run out of stack.
_MAX_DEPTH = 200


@dataclass(slots=True)
class RawMessage:
    """One message as its platform wrote it, before redaction. `kind` and `origin` are for records of an agent's own memory."""

    place: str
    platform: str
    session_id: str
    message_id: str
    seq: int
    role: str
    text: str
    speaker: str = ""
    user_id: str | None = None
    said_at: datetime | None = None
    offset_minutes: int | None = None
    time_source: str = "none"
    project: str | None = None
    thread: str | None = None
    tool_name: str | None = None
    mark: str | None = None
    caption: str | None = None
    trust: str | None = None
    kind: Kind | None = None
    origin: Origin | None = None


@dataclass(slots=True)
class RawSignal:
    """One observer or intervention event as its platform wrote it; `native_id` is empty where it has none."""

    place: str
    platform: str
    native_id: str
    kind: str
    user_id: str | None = None
    session_id: str | None = None
    at: datetime | None = None
    offset_minutes: int | None = None
    project: str | None = None
    user_state: str | None = None
    mode: str | None = None
    channel: str | None = None
    urgency: str | None = None
    outcome: str | None = None
    text: str = ""


@dataclass(slots=True)
class Damaged:
    """A place that could not be read: `line` 0 means the whole file. `digest` tells two states of one line apart."""

    file: str
    line: int
    reason: str
    digest: str = ""


@dataclass(slots=True)
class Gone:
    """A platform's own record that somebody deleted a message, or with an empty `message_id` a whole session; its text may be gone."""

    place: str
    platform: str
    session_id: str
    message_id: str
    reason: str
    at: datetime | None = None


Item = RawMessage | RawSignal | Damaged | Gone
Read = Callable[[Path], Iterator[Item]]


class BadLine(ValueError):
    """Why a line is no message; the words are the decision's reason and never quote the line."""


class When(NamedTuple):
    """A time as read: null where the source states none, or one without an offset."""

    at: datetime | None = None
    offset_minutes: int | None = None


def read_time(value: Any) -> When:
    """A time from ISO text with an offset, or from epoch seconds or milliseconds. Raises BadLine on anything else.

    A naive time names no instant, so it gives no time at all: nothing is invented. UTC is how programs write an instant, not where a
    person was, so it states no offset: days are then the owner's.
    """
    if value is None or value == "":
        return When()
    try:
        if isinstance(value, str):
            return _from_text(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            seconds = value / 1000 if abs(value) > _MILLISECONDS else value
            return When(datetime.fromtimestamp(seconds, UTC), None)
    except (ValueError, OverflowError, OSError) as error:
        raise BadLine("bad time") from error
    raise BadLine("bad time")


def _from_text(value: str) -> When:
    stated = datetime.fromisoformat(value)
    if stated.tzinfo is UTC:
        return When(stated)
    offset = stated.utcoffset()
    if offset is None:
        return When()
    return When(stated.astimezone(UTC), round(offset.total_seconds() / 60) or None)


def read_line(raw: bytes) -> Any:
    """What a line of JSON says, as `read_json` reads it, by a quicker reader. Raises ValueError where that one can't tell."""
    found = from_json(raw, cache_strings="keys")
    if raw.count(b"[") + raw.count(b"{") > _MAX_DEPTH and _is_deep(found):
        raise BadLine("nested too deeply")
    return found


def read_json(text: str) -> Any:
    """What JSON says. Raises BadLine where it is broken, nested too deeply, or says what can't be stored."""
    found = parsed_json(text)
    try:
        # A lone half of a surrogate pair is legal JSON and can't be written in UTF-8.
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise BadLine("half a character") from error
    return found


def parsed_json(text: str) -> Any:
    """What JSON says, half characters included. Raises BadLine where it is broken or nested too deeply."""
    try:
        found = json.loads(text)
    except RecursionError as error:
        raise BadLine("nested too deeply") from error
    except ValueError as error:
        raise BadLine("broken JSON") from error
    if text.count("[") + text.count("{") > _MAX_DEPTH and _is_deep(found):
        raise BadLine("nested too deeply")
    return found


def _is_deep(found: Any) -> bool:
    level = [found]
    for _ in range(_MAX_DEPTH):
        inside = (one.values() if isinstance(one, dict) else one for one in level if isinstance(one, (dict, list)))
        level = [child for children in inside for child in children]
    return bool(level)


def read_role(value: Any) -> str:
    """Our word for a platform's role. Raises BadLine."""
    role = ROLES.get(value.casefold()) if isinstance(value, str) else None
    if role is None:
        raise BadLine("no role" if value is None else "unknown role")
    return role


def read_text(value: Any) -> str:
    """The text of a content field: a string, or the text parts of a list of parts. Raises BadLine."""
    if isinstance(value, str):
        text = value
    elif isinstance(value, list):
        text = "\n".join(part for part in map(_part, value) if part)
    else:
        raise BadLine("no content")
    if "\0" in text:
        raise BadLine("NUL in text")
    return text


def _part(part: Any) -> str:
    """A part's own words; pictures, sound and files have none."""
    if isinstance(part, str):
        return part
    text = part.get("text") or part.get("refusal") if isinstance(part, dict) else None
    return text if isinstance(text, str) else ""


def word(value: Any) -> str | None:
    """A short field as text: null for null and empty, numbers as written. Raises BadLine on anything nested."""
    if isinstance(value, str) and "\0" not in value:
        return value or None
    if value is None:
        return None
    if isinstance(value, (dict, list)):
        raise BadLine("a field is nested")
    text = str(value)
    if "\0" in text:
        raise BadLine("NUL in a field")
    return text
