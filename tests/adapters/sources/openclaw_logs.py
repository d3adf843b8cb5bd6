"""Sessions and databases as OpenClaw writes them, made small."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from adapters.sources import openclaw
from adapters.sources.protocol import Damaged, Item, RawMessage

SAMPLES = Path(os.environ.get("SLOWWAVE_SAMPLES", Path(__file__).parents[4] / "shared" / "samples"))


SCHEMA = """
CREATE TABLE session_nodes (session_key TEXT, current_session_id TEXT, created_via TEXT, spawned_by TEXT);
CREATE TABLE session_windows (session_id TEXT, session_key TEXT, chat_type TEXT, previous_session_id TEXT, reason TEXT);
CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER);
CREATE TABLE memory_session_tombstones (session_id TEXT);
CREATE TABLE session_transcript_index_state (session_id TEXT, leaf_event_id TEXT, needs_rebuild INTEGER);
"""


def samples() -> Path:
    if not (SAMPLES / "openclaw").exists():
        pytest.skip("no sample sessions; set SLOWWAVE_SAMPLES to the folder that holds them")
    return SAMPLES / "openclaw"


def read(path: Path) -> list[Item]:
    return list(openclaw.read(path))


def said(items: list[Item]) -> list[RawMessage]:
    return [item for item in items if isinstance(item, RawMessage)]


def damaged(items: list[Item]) -> list[Damaged]:
    return [item for item in items if isinstance(item, Damaged)]


def clock(minute: int) -> str:
    return f"2026-04-02T{minute // 60:02}:{minute % 60:02}:00.000Z"


def header(name: str, minute: int = 0, **more: Any) -> dict[str, Any]:
    return {"type": "session", "version": 3, "id": name, "timestamp": clock(minute), **more}


def entry(name: str, parent: str | None, text: Any, minute: int = 1, role: str = "user", **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}] if isinstance(text, str) else text
    message = {"role": role, "content": content, **more}
    return {"type": "message", "id": name, "parentId": parent, "timestamp": clock(minute), "message": message}


def sent(text: str, sender: str = "+64 1", name: str = "Noor", **more: Any) -> str:
    info = {"message_id": "x", "sender_id": sender, "sender": name, **more}
    return f"Conversation info (untrusted metadata):\n```json\n{json.dumps(info, indent=2)}\n```\n\n{text}"


def write(path: Path, *entries: dict[str, Any] | str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join((e if isinstance(e, str) else json.dumps(e)) + "\n" for e in entries))
    return path


def index(folder: Path, **keys: Any) -> None:
    (folder / "sessions.json").write_text(json.dumps(keys["keys"]))


def database(path: Path, sessions: dict[str, list[dict[str, Any]]], **more: list[tuple[Any, ...]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    con = sqlite3.connect(path)
    con.executescript(SCHEMA)
    for name, entries in sessions.items():
        for seq, event in enumerate(entries):
            con.execute("INSERT INTO transcript_events VALUES (?, ?, ?, 0)", (name, seq, json.dumps(event)))
    for table, rows in more.items():
        for values in rows:
            con.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)
    con.commit()
    con.close()
    return path


def marks(items: list[Item]) -> dict[str, str | None]:
    return {m.message_id: m.mark for m in said(items)}
