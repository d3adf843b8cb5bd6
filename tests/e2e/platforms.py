"""One good part of every platform's log, made small, and what can stand in its place: for tests that damage it.

A platform is a kind of source, and the file that a part of it lies in. `said` are (session, id, text) of what the owner said.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.adapters.sources import hermes_database, openclaw_logs, test_chatgpt, test_claude_ai, test_claude_code
from tests.adapters.sources.test_openloomi import raw
from tests.adapters.sources.workspace import intervention, message, write_tables

Row = dict[str, Any]


@dataclass(frozen=True)
class Lines:
    """A platform of JSON lines: where a file of a name lies, the lines before the first message, and one message."""

    kind: str
    place: Callable[[str], str]
    line: Callable[[str, str], Row]
    head: Callable[[str], list[Row]] = lambda _: []

    def write(self, root: Path, name: str, *lines: bytes) -> str:
        """Writes a file of these lines, the last one without an end; returns its name."""
        path = root / self.place(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\n".join([*(json.dumps(one).encode() for one in self.head(name)), *lines]))
        return self.place(name)

    def raw(self, name: str, text: str) -> bytes:
        """One message as the bytes of its line."""
        return json.dumps(self.line(name, text)).encode()

    @property
    def first(self) -> int:
        """The number of the first line that is a message."""
        return len(self.head("")) + 1


def _generic(name: str, text: str) -> Row:
    return {"session_id": f"s-{name}", "message_id": name, "user_id": "u-ana", "role": "user", "content": text,
            "created_at": "2026-03-01T10:00:00+01:00"}  # fmt: skip


def _openai(name: str, text: str) -> Row:
    return {"id": name, "messages": [{"role": "user", "content": text, "timestamp": 1772355600}]}


LINES = (
    Lines("jsonl", lambda name: f"{name}.jsonl", _generic),
    Lines("openai_jsonl", lambda name: f"{name}.jsonl", _openai),
    Lines(
        "claude_code",
        lambda name: f"projects/{test_claude_code.FOLDER}/{name}.jsonl",
        lambda name, text: {**test_claude_code.line(f"u-{name}", None, text), "sessionId": name},
    ),
    Lines(
        "openclaw",
        lambda name: f"agents/main/sessions/{name}.jsonl",
        lambda name, text: openclaw_logs.entry(f"e-{name}", None, text),
        lambda name: [openclaw_logs.header("".join(filter(str.isalnum, name.encode("ascii", "ignore").decode())))],
    ),
)


@dataclass(frozen=True)
class Exported:
    """A platform of exports: the files that hold its conversations, and one conversation of one message."""

    kind: str
    conversation: Callable[[str, str], Row]

    def raw(self, name: str, text: str) -> bytes:
        """One conversation as the bytes of an element."""
        return json.dumps(self.conversation(name, text)).encode()


EXPORTS = (
    Exported("chatgpt", lambda name, text: test_chatgpt.conversation(test_chatgpt.node(name, None, text), name=name)),
    Exported(
        "claude_ai", lambda name, text: test_claude_ai.conversation(test_claude_ai.message(name, text), name=name)
    ),
)


@dataclass(frozen=True)
class Tables:
    """A platform of databases: where the database of a name lies, its table of messages, and one message of a number."""

    kind: str
    place: Callable[[str], str]
    table: str
    text: str
    row: Callable[[str, int, str], Row]
    write: Callable[[Path, list[Row]], Path]
    # What stands in a column in place of its value, and why the row is then none.
    odd: dict[str, tuple[Row, str]]
    # How a table without the column of texts is named: by row, or as a whole where a row may well have none.
    textless: tuple[int, str] = (1, "no content")

    def database(self, root: Path, name: str, *texts: str) -> Path:
        """Writes a database with these messages, numbered from 1."""
        path = root / self.place(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        return self.write(path, [self.row(name, number, text) for number, text in enumerate(texts, 1)])


def _events(path: Path, rows: list[Row]) -> Path:
    return openclaw_logs.database(path, {}, transcript_events=[tuple(row.values()) for row in rows])


def _event(name: str, number: int, text: str) -> Row:
    event = openclaw_logs.entry(f"{name}-{number}", f"{name}-{number - 1}" if number > 1 else None, text)
    return {"session_id": name, "seq": number, "event_json": json.dumps(event), "created_at": 0}


TABLES = (
    Tables(
        "seraph",
        lambda name: f"{name}/seraph.db",
        "messages",
        "content",
        lambda name, number, text: message(id=f"{name}-{number}", session_id=name, content=text),
        lambda path, rows: write_tables(path, {"messages": rows, "guardian_interventions": [intervention()]}),
        {
            "time": ({"created_at": "at noon"}, "bad time"),
            "role": ({"role": 5}, "unknown role"),
            "id": ({"id": None}, "no id"),
            "session": ({"session_id": ""}, "no session"),
            "number": ({"content": 5}, "no content"),
            "nothing": ({"content": None}, "no content"),
            "blob": ({"content": b"\xff\xfe"}, "no content"),
        },
    ),
    Tables(
        "hermes",
        lambda name: f"{name}/state.db",
        "messages",
        "content",
        lambda name, number, text: hermes_database.row(number, name, text),
        lambda path, rows: hermes_database.database(
            path, [hermes_database.session(name) for name in sorted({row["session_id"] for row in rows})], rows
        ),
        {
            "time": ({"timestamp": "at noon"}, "bad time"),
            "role": ({"role": 5}, "unknown role"),
            "session": ({"session_id": ""}, "no session"),
            "number": ({"content": 5}, "no content"),
            "blob": ({"content": b"\xff\xfe"}, "no content"),
        },
        (0, "no such column"),
    ),
    Tables(
        "openclaw",
        lambda name: f"agents/{name}/agent/openclaw-agent.sqlite",
        "transcript_events",
        "event_json",
        _event,
        _events,
        {
            "number": ({"event_json": 5}, "not an object"),
            "nothing": ({"event_json": None}, "no content"),
            "blob": ({"event_json": b"\xff\xfe"}, "invalid UTF-8"),
            "cut": ({"event_json": '{"type": "mess'}, "broken JSON"),
            "list": ({"event_json": "[]"}, "not an object"),
        },
    ),
    Tables(
        "openloomi",
        lambda name: f"{name}/data.db",
        "raw_messages",
        "content",
        lambda name, number, text: raw(message_id=f"{name}-{number}", content=text),
        lambda path, rows: write_tables(path, {"raw_messages": rows}),
        {
            "time": ({"timestamp": "at noon"}, "bad time"),
            "id": ({"message_id": None}, "no id"),
            "number": ({"content": 5}, "no content"),
            "nothing": ({"content": None}, "no content"),
            "blob": ({"content": b"\xff\xfe"}, "no content"),
            "metadata": ({"metadata": "{"}, "broken JSON"),
        },
    ),
)
