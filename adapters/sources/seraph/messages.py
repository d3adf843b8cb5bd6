"""Seraph's conversations, and what its observer saw on the screen as a tool's words.

Does not belong here: what the agent or the owner keep on record (`records`), and outcomes (`signals`).
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from adapters.sources.database import decoded, items
from adapters.sources.protocol import BadLine, Item, RawMessage, read_role, read_text, word
from adapters.sources.seraph.notes import Notes

PLATFORM = "seraph"
SCREENS = "screen_observations"
SCREEN_COLUMNS = (
    "id",
    "timestamp",
    "app_name",
    "window_title",
    "activity_type",
    "project",
    "summary",
    "details_json",
    "blocked",
)
_COLUMNS = ("id", "session_id", "role", "content", "tool_used", "created_at")
# A step is a tool's own output; an error is the program's word to the person.
_ROLES = {"step": "tool", "error": "system"}


def read(con: sqlite3.Connection, notes: Notes) -> Iterator[Item]:
    """The conversations' messages in the order they were said, then the screens."""
    places: Counter[str] = Counter()
    yield from items(con, "messages", _COLUMNS, partial(_message, notes=notes, places=places), ("created_at", "id"))
    yield from items(con, SCREENS, SCREEN_COLUMNS, partial(_screen, notes=notes, places=places), ("timestamp", "id"))


def record(
    row: dict[str, Any], place: str, notes: Notes, places: Counter[str], *, role: str, trust: str, text: str, at: str
) -> RawMessage:
    """A row of another table as a message: its session is the table, and its id names the table too. Raises BadLine."""
    table = place.rpartition(":")[0].rpartition("/")[2]
    when = notes.when(row[at])
    places[table] += 1
    return RawMessage(
        place=place,
        platform=PLATFORM,
        session_id=table,
        message_id=f"{table}/{_id(row)}",
        seq=places[table] - 1,
        role=role,
        text=read_text(text),
        speaker=role,
        said_at=when.at,
        offset_minutes=when.offset_minutes,
        time_source="message" if when.at else "none",
        trust=trust,
    )


def shown(row: dict[str, Any]) -> str:
    """What a screen row says that isn't a stranger's text: where the person was, and the observer's sentence. Raises BadLine."""
    where = ", ".join(filter(None, (word(row["app_name"]), word(row["window_title"]))))
    return ": ".join(filter(None, (where, word(row["summary"]))))


def _message(row: dict[str, Any], place: str, notes: Notes, places: Counter[str]) -> Iterator[Item]:
    session = word(row["session_id"])
    if session is None:
        raise BadLine("no session")
    role = _ROLES.get(str(row["role"])) or read_role(row["role"])
    when = notes.when(row["created_at"])
    made = RawMessage(
        place=place,
        platform=PLATFORM,
        session_id=session,
        message_id=_id(row),
        seq=places[session],
        role=role,
        text=read_text(row["content"]),
        speaker=role,
        said_at=when.at,
        offset_minutes=when.offset_minutes,
        time_source="message" if when.at else "none",
        tool_name=word(row["tool_used"]) if role == "tool" else None,
    )
    places[session] += 1
    yield made


def _screen(row: dict[str, Any], place: str, notes: Notes, places: Counter[str]) -> Iterator[Item]:
    """A private program's screen has no content, and says nothing."""
    if row["blocked"]:
        return
    details = decoded(row["details_json"])
    lines = [line for line in details if isinstance(line, str)] if isinstance(details, list) else []
    text = "\n".join([shown(row), *lines]).strip()
    made = record(row, place, notes, places, role="tool", trust="tool", text=text, at="timestamp")
    made.tool_name, made.project = SCREENS, word(row["project"])
    yield made


def _id(row: dict[str, Any]) -> str:
    found = word(row["id"])
    if found is None:
        raise BadLine("no id")
    return found
