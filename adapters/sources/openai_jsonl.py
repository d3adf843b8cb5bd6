"""OpenAI-style logs: a conversation a line, a message a line, or a request with its response a line.

Conversations are exported again as they grow, and every request repeats its history: a message is known by its place in its
conversation, so a repeated prefix is the same messages. The standard has no time of a message; what a log states is used. A line with
`"deleted": true` and a conversation's id says that it was deleted, or with an `index` its message at that place.
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
    When,
    read_role,
    read_text,
    read_time,
    word,
)
from models.ids import digest

SUFFIXES = (".jsonl", ".ndjson")
PLATFORM = "openai"
_TIMES = ("timestamp", "created_at", "created", "ts")
_SESSIONS = ("conversation_id", "session_id", "thread_id")


# Fields beside a role that other platforms' lines have.
_OTHERS = frozenset({"session_id", "created_at", "uuid", "message"})


def looks_like(path: Path) -> bool:
    """Whether a few lines are conversations, requests, or bare messages with nothing of the generic form."""
    return any(
        isinstance(line.get("messages"), list)
        or isinstance(line.get("request"), dict)
        or ("role" in line and not _OTHERS & line.keys())
        for line in first_objects(path, SUFFIXES)
    )


def read(path: Path) -> Iterator[Item]:
    """Every message of a file, or of a folder's files in order. Raises SourceError where `path` is unreadable."""
    for file in find_files(path, SUFFIXES):
        places: Counter[str] = Counter()
        name = file_name(path, file)
        for number, found in objects(path, file):
            if isinstance(found, Damaged):
                yield found
                continue
            try:
                yield from _messages(found, f"{name}:{number}", printable(file.stem), places)
            except BadLine as error:
                yield Damaged(name, number, str(error), digest(found)[:16])


def _messages(line: dict[str, Any], place: str, stem: str, places: Counter[str]) -> Iterator[Item]:
    if line.get("deleted") is True:
        yield _deletion(line, place)
        return
    if "messages" in line or "request" in line:
        yield from _conversation(line, place)
        return
    session = _session(line) or stem
    yield _message(line, place, session, places[session], When(), line)
    places[session] += 1


def _deletion(line: dict[str, Any], place: str) -> Gone:
    session, index = word(line.get("id")) or _session(line), line.get("index")
    if not session:
        raise BadLine("a deletion of nothing")
    if index is not None and type(index) is not int:
        raise BadLine("bad index")
    message = "" if index is None else f"{session}#{index}"
    return Gone(place, PLATFORM, session, message, "deleted", _time(line).at)


def _conversation(line: dict[str, Any], place: str) -> Iterator[Item]:
    said = _said(line)
    session = word(line.get("id")) if "request" not in line else None
    session = session or _session(line) or _first_words(said)
    started = _time(line)
    file, _, number = place.rpartition(":")
    for index, message in enumerate(said):
        try:
            yield _message(message, place, session, index, started, line)
        except BadLine as error:
            yield Damaged(file, int(number), f"message {index}: {error}", digest(message)[:16])


def _said(line: dict[str, Any]) -> list[Any]:
    """The conversation's messages; a response's first choice is what was said last."""
    request = line.get("request")
    said = (request if isinstance(request, dict) else line).get("messages")
    if not isinstance(said, list):
        raise BadLine("no messages")
    response = line.get("response")
    choices = response.get("choices") if isinstance(response, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    answer = first.get("message") if isinstance(first, dict) else None
    return [*said, answer] if isinstance(answer, dict) else said


def _session(line: dict[str, Any]) -> str | None:
    metadata = line.get("metadata")
    for holder in (line, metadata if isinstance(metadata, dict) else {}):
        for name in _SESSIONS:
            if found := word(holder.get(name)):
                return found
    return None


def _first_words(said: list[Any]) -> str:
    """A conversation without an id is known by what opened it, which every later request repeats."""
    opening = [m for m in said if isinstance(m, dict) and m.get("role") not in ("system", "developer")]
    return f"conversation-{digest(opening[:1])[:16]}"


def _time(holder: dict[str, Any]) -> When:
    for name in _TIMES:
        if holder.get(name) is not None:
            return read_time(holder[name])
    return When()


def _message(
    message: Any, place: str, session: str, index: int, started: When, conversation: dict[str, Any]
) -> RawMessage:
    if not isinstance(message, dict):
        raise BadLine("not an object")
    role = read_role(message.get("role"))
    content = message.get("content")
    own = _time(message)
    when = own if own.at else started
    source = "message" if own.at else "session"
    return RawMessage(
        place=place,
        platform=PLATFORM,
        session_id=session,
        message_id=f"{session}#{index}",
        seq=index,
        role=role,
        text="" if content is None else read_text(content),
        speaker=word(message.get("name")) or role,
        user_id=word(message.get("user_id")) or word(conversation.get("user_id")) or word(conversation.get("user")),
        said_at=when.at,
        offset_minutes=when.offset_minutes,
        time_source=source if when.at else "none",
        tool_name=_tool(message) if role in ("assistant", "tool") else None,
    )


def _tool(message: dict[str, Any]) -> str | None:
    calls = message.get("tool_calls")
    call = calls[0] if isinstance(calls, list) and calls and isinstance(calls[0], dict) else {}
    function = call.get("function") or message.get("function_call")
    name = function.get("name") if isinstance(function, dict) else message.get("name")
    return word(name)
