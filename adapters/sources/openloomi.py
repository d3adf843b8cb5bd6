"""OpenLoomi: one data.db of everybody's messages, the person's chats with the agent, and what the agent made of them.

Most raw messages are other people's: only a connector's own flag in the metadata makes one the owner's, never a name, which anybody
can take; the rest are third parties' under the name they carry. A raw message's session is its platform and channel, a chat's is the
chat; both keep their own ids, so that an upsert replaces and nothing comes twice. Archived messages are hidden, not withdrawn, and
are read. Insights are the agent's (imported) and summaries are marked; their message_id is TABLE/ID. One user of the database is its
owner whatever their id here; several are told apart by it.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from adapters.sources.database import decoded, has_tables, items, may_have_tables, missing, opened, refused, rows
from adapters.sources.folder import file_name, find_files
from adapters.sources.lines import source_error
from adapters.sources.protocol import (
    BadLine,
    Item,
    Origin,
    RawMessage,
    RawSignal,
    read_role,
    read_text,
    read_time,
    word,
)
from slowwave.errors import SourceError

PLATFORM = "openloomi"
SUFFIXES = (".db", ".sqlite", ".sqlite3")
NAME = "data.db"
_OWN = ("outgoing", "isOutgoing", "is_outgoing", "fromMe", "from_me", "isFromMe", "is_from_me")
_RAW = ("message_id", "platform", "user_id", "channel", "person", "timestamp", "content", "metadata")
_CHAT = ("id", "chatId", "role", "parts", "createdAt")
_SUMMARY = ("summary_id", "user_id", "summary_text", "created_at")
# Columns of insights are named either way, by version.
_INSIGHT = (
    "id",
    "title",
    "description",
    "project_name",
    "projectName",
    "due_date",
    "dueDate",
    "time",
    "created_at",
    "createdAt",
    "compacted_into_insight_id",
    "compactedIntoInsightId",
    "is_favorited",
    "isFavorited",
)
_NOTE = ("id", "content", "source", "created_at", "createdAt")
_TOOL_PART, _OURS = "tool-", "slowwave"


@dataclass
class _Reading:
    """What one walk remembers: whose chats are whose, whether users must be told apart, and each session's length."""

    chats: dict[str, str]
    is_shared: bool
    places: Counter[str] = field(default_factory=Counter[str])

    def user(self, value: Any) -> str | None:
        return word(value) if self.is_shared else None

    def seq(self, session: str) -> int:
        self.places[session] += 1
        return self.places[session] - 1


def read(path: Path) -> Iterator[Item]:
    """Every message, insight, summary and tool outcome of a database, or of a folder's. Raises SourceError where there is none."""
    found = _databases(path)
    if not found:
        raise source_error(path, "holds no OpenLoomi database")
    for file in found:
        name = file_name(path, file)
        try:
            with opened(file, name) as con:
                yield from missing(con, "raw_messages")
                yield from _items(con)
        except SourceError as error:
            if file == path:
                raise
            yield refused(name, error)


def looks_like(path: Path) -> bool:
    """Whether the file, or a file of the folder, is an OpenLoomi database."""
    return any(has_tables(file, "raw_messages") for file in find_files(path, SUFFIXES))


def _databases(path: Path) -> list[Path]:
    """A file that was named is read whatever it is; in a folder, what is recognised or carries the name."""
    if not path.is_dir():
        return [path]
    return [file for file in find_files(path, SUFFIXES) if file.name == NAME or may_have_tables(file, "raw_messages")]


def _items(con: sqlite3.Connection) -> Iterator[Item]:
    reading = _reading(con)
    for table, wanted, made, order in (
        ("raw_messages", _RAW, _raw, ("id",)),
        ("Message_v2", _CHAT, _chat, ("createdAt",)),
        ("Insight", _INSIGHT, _insight, ()),
        ("insight_notes", _NOTE, _note, ()),
        ("memory_summaries", _SUMMARY, _summary, ("created_at", "summary_id")),
    ):
        yield from items(con, table, wanted, partial(made, reading=reading), order)


def _reading(con: sqlite3.Connection) -> _Reading:
    chats = {row["id"]: row["userId"] for _, row in rows(con, "Chat", ("id", "userId")) if isinstance(row, dict)}
    users = set(chats.values())
    for _, row in rows(con, "raw_messages", ("user_id",)):
        if isinstance(row, dict):
            users.add(row["user_id"])
    return _Reading({str(chat): str(user) for chat, user in chats.items()}, len(users - {None, ""}) > 1)


def _made(place: str, reading: _Reading, session: str, message_id: str, role: str, text: str, at: Any) -> RawMessage:
    when = read_time(at)
    return RawMessage(
        place=place,
        platform=PLATFORM,
        session_id=session,
        message_id=message_id,
        seq=reading.seq(session),
        role=role,
        text=text,
        speaker=role,
        said_at=when.at,
        offset_minutes=when.offset_minutes,
        time_source="message" if when.at else "none",
    )


def _raw(row: dict[str, Any], place: str, reading: _Reading) -> Iterator[Item]:
    platform, channel, person = word(row["platform"]) or PLATFORM, word(row["channel"]), word(row["person"])
    metadata = decoded(row["metadata"])
    is_own = isinstance(metadata, dict) and any(metadata.get(name) is True for name in _OWN)
    made = _made(
        place,
        reading,
        f"{platform}/{channel or person or ''}",
        _required(row["message_id"]),
        "user" if is_own else "participant",
        read_text(row["content"]),
        row["timestamp"],
    )
    made.user_id = reading.user(row["user_id"])
    made.speaker = person or made.role
    made.trust = None if is_own else "third_party"
    # What we published here comes back as a boot file would.
    made.mark = "boot" if platform.casefold().startswith(_OURS) else None
    yield made


def _chat(row: dict[str, Any], place: str, reading: _Reading) -> Iterator[Item]:
    """A chat's message is its text parts; reasoning isn't speech, and of a tool's part only how it ended is told."""
    chat, native = _required(row["chatId"]), _required(row["id"])
    role, found = read_role(row["role"]), decoded(row["parts"])
    if not isinstance(found, list):
        raise BadLine("no content")
    parts = [part for part in found if isinstance(part, dict)]
    text = read_text([part for part in parts if part.get("type") == "text"])
    made = _made(place, reading, chat, native, role, text, row["createdAt"])
    made.user_id = reading.user(reading.chats.get(chat))
    yield made
    for index, part in enumerate(parts):
        if str(part.get("type")).startswith(_TOOL_PART):
            yield _tool_outcome(part, made, word(part.get("toolCallId")) or str(index))


def _tool_outcome(part: dict[str, Any], message: RawMessage, call: str) -> RawSignal:
    name = _required(part["type"]).removeprefix(_TOOL_PART)
    error = part.get("errorText")
    return RawSignal(
        place=message.place,
        platform=PLATFORM,
        native_id=f"{message.message_id}/{call}",
        kind="tool_outcome",
        user_id=message.user_id,
        session_id=message.session_id,
        at=message.said_at,
        offset_minutes=message.offset_minutes,
        text=": ".join(filter(None, (name, word(part.get("state")), error if isinstance(error, str) else None))),
    )


def _insight(row: dict[str, Any], place: str, reading: _Reading) -> Iterator[Item]:
    """One that was compacted into another is undone by it."""
    lines = [": ".join(filter(None, (word(row["title"]), word(row["description"]))))]
    if due := row["due_date"] or row["dueDate"]:
        # A connector may have copied the words of a mail here, which name no instant.
        lines.append(f"Due {due}" if isinstance(due, str) else f"Due {read_time(due).at:%Y-%m-%d %H:%M} UTC")
    text = "\n".join(lines)
    is_undone = row["compacted_into_insight_id"] or row["compactedIntoInsightId"]
    at = row["time"] or row["created_at"] or row["createdAt"]
    made = _record(place, reading, row["id"], text, at, "rewound" if is_undone else None)
    made.project = word(row["project_name"]) or word(row["projectName"])
    made.origin = Origin.OWNER_CURATED if row["is_favorited"] or row["isFavorited"] else Origin.RAW_NOTES
    yield made


def _note(row: dict[str, Any], place: str, reading: _Reading) -> Iterator[Item]:
    """A note that the owner wrote by hand, or one made of a chat."""
    at = row["created_at"] or row["createdAt"]
    made = _record(place, reading, row["id"], read_text(row["content"]), at, None)
    made.origin = Origin.OWNER_CURATED if row["source"] == "manual" else Origin.RAW_NOTES
    yield made


def _summary(row: dict[str, Any], place: str, reading: _Reading) -> Iterator[Item]:
    made = _record(place, reading, row["summary_id"], read_text(row["summary_text"]), row["created_at"], "summary")
    made.user_id = reading.user(row["user_id"])
    yield made


def _record(place: str, reading: _Reading, native: Any, text: str, at: Any, mark: str | None) -> RawMessage:
    table = place.rpartition(":")[0].rpartition("/")[2]
    made = _made(place, reading, table, f"{table}/{_required(native)}", "assistant", read_text(text), at)
    made.trust, made.mark = "imported", mark
    return made


def _required(value: Any) -> str:
    found = word(value)
    if found is None:
        raise BadLine("no id")
    return found
