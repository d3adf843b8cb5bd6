"""What OpenClaw says about a session as a whole: who holds it, whether it is a group, what it was copied from, whether it is forgotten.

Belongs here: the index of the JSON lines, the tables about sessions, and how a session's key reads. Does not belong here: entries.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from adapters.sources.database import rows
from adapters.sources.notes import whole_text
from adapters.sources.openclaw.messages import PLATFORM
from adapters.sources.protocol import BadLine, Damaged, Gone, Item, read_time

_TOMBSTONES = "memory_session_tombstones"
_GROUPS = ("group", "channel")
# Whose words stand in the user's place where no person holds the session: a hook's are those of whoever sent it.
_HELD: dict[str, tuple[str, str]] = {
    "cron": ("cron", "system"),
    "subagent": ("subagent", "agent"),
    "spawn": ("subagent", "agent"),
    "hook": ("cron", "third_party"),
    "heartbeat": ("heartbeat", "system"),
    "dreaming": ("hidden", "system"),
}
_KEY = re.compile(r"(?:agent:[^:]*:)?(cron|subagent|hook|heartbeat|dreaming)\b")
_COPYING = frozenset({"fork", "rewind", "compaction", "recovery", "switch"})


@dataclass
class Facts:
    """What is known of one session; `kept` are the entries that a rewind let stand, null where there was none."""

    mark: str | None = None
    trust: str | None = None
    is_group: bool = False
    is_main: bool = False
    is_forgotten: bool = False
    parent: str | None = None
    is_rewind: bool = False
    started_at: datetime | None = None
    last_at: datetime | None = None
    kept: set[str] | None = None
    sender_ids: set[str] = field(default_factory=set)
    sender_names: set[str] = field(default_factory=set)

    def held_by(self, key: Any, chat_type: Any, *reasons: Any) -> None:
        """Learn from a session's key, its kind of chat, and whatever else says how it came to be."""
        text = key if isinstance(key, str) else ""
        found = _KEY.match(text)
        for why in (found[1] if found else None, *reasons):
            if isinstance(why, str) and why in _HELD:
                self.mark, self.trust = _HELD[why]
                break
        self.is_group |= chat_type in _GROUPS or any(f":{kind}:" in text for kind in _GROUPS)
        self.is_main |= text == "main" or text.endswith(":main")


Book = defaultdict[str, Facts]


def learn_index(root: Path, file: Path, name: str, book: Book) -> Iterator[Item]:
    """Learn from a `sessions.json`; one that can't be read is damaged, and its sessions are read without it."""
    text = whole_text(root, file, name)
    try:
        found = text if isinstance(text, Damaged) else json.loads(text)
    except (ValueError, RecursionError):
        found = Damaged(name, 0, "broken JSON")
    if isinstance(found, Damaged):
        yield found
        return
    for key, entry in found.items() if isinstance(found, dict) else ():
        if isinstance(entry, dict):
            for session in _sessions(entry):
                book[session].held_by(key, entry.get("chatType"), "spawn" if entry.get("spawnedBy") else None)


def _sessions(entry: dict[str, Any]) -> Iterator[str]:
    """The session under a key now, and those that were under it before where the index still says so."""
    earlier = entry.get("usageFamilySessionIds")
    for session in (entry.get("sessionId"), *(earlier if isinstance(earlier, list) else ())):
        if isinstance(session, str):
            yield session


def learn_tables(con: sqlite3.Connection, book: Book) -> Iterator[Item]:
    """Learn from a database's sessions, and from what its owner asked to be forgotten."""
    nodes: dict[Any, dict[str, Any]] = {}
    wanted = ("session_key", "current_session_id", "created_via", "spawned_by", "fork_source_session_id")
    for row in _good(con, "session_nodes", wanted):
        if isinstance(row, Damaged):
            yield row
            continue
        nodes[row["session_key"]] = row
        if isinstance(row["current_session_id"], str):
            facts = book[row["current_session_id"]]
            _learn(facts, row, None)
            facts.parent = facts.parent or _text(row["fork_source_session_id"])
    wanted = ("session_id", "session_key", "chat_type", "previous_session_id", "reason", "spawned_by")
    for row in _good(con, "session_windows", (*wanted, "hook_external_content_source")):
        if isinstance(row, Damaged):
            yield row
        elif isinstance(row["session_id"], str):
            _learn_window(book[row["session_id"]], row, nodes.get(row["session_key"], {}))
    for number, row in rows(con, _TOMBSTONES, ("session_id", "created_at")):
        if isinstance(row, Damaged):
            yield row
        elif isinstance(row["session_id"], str) and row["session_id"] and "\0" not in row["session_id"]:
            book[row["session_id"]].is_forgotten = True
            place = f"{getattr(con, 'name', '')}/{_TOMBSTONES}:{number}"
            yield Gone(place, PLATFORM, row["session_id"], "", "forgotten", _when(row["created_at"]))


def _when(value: Any) -> datetime | None:
    try:
        return read_time(value).at
    except BadLine:
        return None


def _learn_window(facts: Facts, row: dict[str, Any], node: dict[str, Any]) -> None:
    _learn(facts, {**row, "created_via": node.get("created_via")}, row["chat_type"])
    if row["hook_external_content_source"]:
        facts.mark, facts.trust = _HELD["hook"]
    if row["reason"] in _COPYING:
        facts.parent = _text(row["previous_session_id"]) or facts.parent
        facts.is_rewind = row["reason"] == "rewind"


def _learn(facts: Facts, row: dict[str, Any], chat_type: Any) -> None:
    facts.held_by(row["session_key"], chat_type, row["created_via"], "spawn" if row["spawned_by"] else None)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _good(con: sqlite3.Connection, table: str, wanted: tuple[str, ...]) -> Iterator[dict[str, Any] | Damaged]:
    return (row for _, row in rows(con, table, wanted))
