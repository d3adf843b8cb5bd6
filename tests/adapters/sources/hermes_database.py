"""Databases as Hermes writes them, made small."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from adapters.sources import hermes
from adapters.sources.protocol import Damaged, Item, RawMessage

SAMPLES = Path(os.environ.get("SLOWWAVE_SAMPLES", Path(__file__).parents[4] / "shared" / "samples"))


T = 1_775_000_000.25


def samples() -> Path:
    if not (SAMPLES / "hermes_state.db").exists():
        pytest.skip("no sample databases; set SLOWWAVE_SAMPLES to the folder that holds them")
    return SAMPLES


def said(items: list[Item]) -> list[RawMessage]:
    return [item for item in items if isinstance(item, RawMessage)]


def database(path: Path, sessions: list[dict[str, Any]], messages: list[dict[str, Any]]) -> Path:
    """A state.db with just the columns that are used."""
    con = sqlite3.connect(path)
    con.execute("CREATE TABLE schema_version (version INTEGER)")
    for table, rows, first in (
        ("sessions", sessions, "id TEXT PRIMARY KEY"),
        ("messages", messages, "id INTEGER PRIMARY KEY"),
    ):
        names = sorted({name for row in rows for name in row} - {"id"})
        con.execute(f"CREATE TABLE {table} ({', '.join([first, *names])})")
        for row in rows:
            con.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", [*row.values()])
    con.commit()
    con.close()
    return path


def row(number: int, session: str = "s", text: Any = "hello", **more: Any) -> dict[str, Any]:
    made = {"id": number, "session_id": session, "role": "user", "content": text, "timestamp": T + number}
    return {**made, **more}


def session(name: str = "s", source: str = "cli", **more: Any) -> dict[str, Any]:
    return {"id": name, "source": source, "started_at": T, **more}


def read_one(tmp_path: Path, *messages: dict[str, Any], **of_session: Any) -> list[RawMessage]:
    items = list(hermes.read(database(tmp_path / "state.db", [session(**of_session)], list(messages))))
    assert not [item for item in items if isinstance(item, Damaged)]
    return said(items)
