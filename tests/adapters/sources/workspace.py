"""A Seraph workspace made for tests: its rows, and a database with any tables of just the columns that their rows have."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from adapters.sources import seraph
from adapters.sources.protocol import RawMessage, RawSignal

AT = "2026-04-05 20:10:00.000000"


def message(**given: Any) -> dict[str, Any]:
    return {
        "id": "m1",
        "session_id": "s1",
        "role": "user",
        "content": "The kiln stays locked.",
        "created_at": AT,
        **given,
    }


def intervention(**given: Any) -> dict[str, Any]:
    return {
        "id": "i1",
        "session_id": "s1",
        "urgency": 3,
        "content_excerpt": "Tide table is out.",
        "user_state": "available",
        "interruption_mode": "balanced",
        "transport": "websocket",
        "latest_outcome": "delivered",
        "created_at": AT,
        **given,
    }


def clock(zone: str, at: str = AT) -> dict[str, Any]:
    details = json.dumps({"timezone": zone})
    return {
        "id": f"a-{zone}",
        "event_type": "integration_succeeded",
        "tool_name": "observer_source:time",
        "summary": "",
        "details_json": details,
        "created_at": at,
    }


def write_tables(path: Path, tables: dict[str, list[dict[str, Any]]]) -> Path:
    """A database with these rows, each table with just the columns that its rows have."""
    with closing(sqlite3.connect(path)) as con:
        for table, told in tables.items():
            names = list(dict.fromkeys(name for row in told for name in row))
            con.execute(f'CREATE TABLE "{table}" ({", ".join(names)})')
            marks = ", ".join("?" * len(names))
            con.executemany(
                f'INSERT INTO "{table}" VALUES ({marks})', [[row.get(name) for name in names] for row in told]
            )
        con.commit()
    return path


def make(path: Path, **tables: list[dict[str, Any]]) -> Path:
    """A workspace's database: a message and an intervention, unless other rows are given."""
    return write_tables(path, {"messages": [message()], "guardian_interventions": [intervention()], **tables})


def messages(path: Path) -> list[RawMessage]:
    return [item for item in seraph.read(path) if isinstance(item, RawMessage)]


def signals(path: Path, kind: str) -> list[RawSignal]:
    return [item for item in seraph.read(path) if isinstance(item, RawSignal) and item.kind == kind]
