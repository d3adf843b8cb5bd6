"""Generic JSONL: one message a line, or one signal a line under the key `signal`.

A message has session_id, message_id, user_id, role, content, created_at (ISO with an offset), platform, and where it fits speaker,
project, thread, tool_name, mark and caption. A signal has kind, at, and where it fits id, session_id, user_id, user_state, mode,
channel, urgency, outcome, text, project. A deletion has `"deleted": true`, platform, session_id, and message_id or for a message without
one what it said; with neither it is of the whole session. It may have an at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from adapters.sources.folder import file_name, find_files, printable
from adapters.sources.lines import first_objects, objects
from adapters.sources.protocol import (
    BadLine,
    Damaged,
    Gone,
    Item,
    RawMessage,
    RawSignal,
    read_role,
    read_text,
    read_time,
    word,
)
from models.ids import digest

SUFFIXES = (".jsonl", ".ndjson")
PLATFORM = "generic"
_OPTIONAL = frozenset({"project", "thread", "tool_name", "mark", "caption"})


def looks_like(path: Path) -> bool:
    """Whether a few lines are signals, or messages under the names of this form."""
    keys = [line.keys() for line in first_objects(path, SUFFIXES)]
    return any("signal" in line or {"session_id", "role"} <= line or {"session_id", "deleted"} <= line for line in keys)


def read(path: Path) -> Iterator[Item]:
    """Every line of a file, or of a folder's files in order, as an item. Raises SourceError where `path` is unreadable."""
    places: Counter[tuple[str, str]] = Counter()
    for file in find_files(path, SUFFIXES):
        seen: Counter[str] = Counter()
        name, stem = file_name(path, file), printable(file.stem)
        for number, found in objects(path, file):
            if isinstance(found, Damaged):
                yield found
                continue
            try:
                yield _item(found, f"{name}:{number}", stem, places, seen)
            except BadLine as error:
                yield Damaged(name, number, str(error), digest(found)[:16])


def _item(
    line: dict[str, Any], place: str, stem: str, places: Counter[tuple[str, str]], seen: Counter[str]
) -> RawMessage | RawSignal | Gone:
    if "signal" in line:
        return _signal(line, place)
    if line.get("deleted") is True:
        return _deletion(line, place, stem)
    session = word(line.get("session_id")) or stem
    platform = word(line.get("platform")) or PLATFORM
    made = _message(line, place, platform, session)
    here = platform, session
    made.seq = places[here]
    made.message_id = made.message_id or _made_id(made, seen)
    places[here] = made.seq + 1
    return made


def _message(line: dict[str, Any], place: str, platform: str, session: str) -> RawMessage:
    told = line.get
    role = read_role(told("role"))
    content = told("content", told("text"))
    text = "" if content is None and "tool_calls" in line else read_text(content)
    at, offset_minutes = read_time(told("created_at", told("timestamp")))
    optional = [(name, word(line[name])) for name in _OPTIONAL & line.keys()]
    # In the order in which they are declared: by name takes twice as long, and there is one for every message.
    made = RawMessage(
        place,
        platform,
        session,
        word(told("message_id")) or "",
        0,
        role,
        text,
        word(told("speaker")) or word(told("name")) or role,
        word(told("user_id")),
        at,
        offset_minutes,
        "message" if at else "none",
    )
    for name, value in optional:
        setattr(made, name, value)
    return made


def _deletion(line: dict[str, Any], place: str, stem: str) -> Gone:
    """What takes back what it names. One that names nothing takes nothing: a file's name is no session that somebody deleted."""
    message, session = word(line.get("message_id")) or "", word(line.get("session_id"))
    platform = word(line.get("platform")) or PLATFORM
    if "role" in line and not message:
        message = _made_id(_message(line, place, platform, session or stem), Counter())
    if not (message or session):
        raise BadLine("a deletion of nothing")
    return Gone(place, platform, session or stem, message, "deleted", read_time(line.get("at")).at)


def _made_id(made: RawMessage, seen: Counter[str]) -> str:
    """An id where the line has none: of what was said and when, since a line's place moves when logs are rotated."""
    content = digest(made.platform, made.session_id, made.role, made.text, made.said_at)[:16]
    seen[content] += 1
    return content if seen[content] == 1 else f"{content}-{seen[content]}"


def _signal(line: dict[str, Any], place: str) -> RawSignal:
    body = line["signal"]
    if not isinstance(body, dict):
        raise BadLine("not an object")
    kind = word(body.get("kind"))
    if kind is None:
        raise BadLine("signal without a kind")
    when = read_time(body.get("at"))
    names = ("session_id", "user_id", "project", "user_state", "mode", "channel", "urgency", "outcome")
    return RawSignal(
        place=place,
        platform=word(body.get("platform")) or word(line.get("platform")) or PLATFORM,
        native_id=word(body.get("id")) or "",
        kind=kind,
        at=when.at,
        offset_minutes=when.offset_minutes,
        text=word(body.get("text")) or "",
        **{name: word(body.get(name)) for name in names},
    )
