"""What a Hermes session says about all of its messages: who held it, and which session it continues.

Belongs here: rows of `sessions`. Does not belong here: messages.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from adapters.sources.database import decoded, rows
from adapters.sources.protocol import BadLine, Item

_COLUMNS = (
    *(
        "id",
        "source",
        "user_id",
        "chat_type",
        "cwd",
        "git_branch",
        "git_repo_root",
        "parent_session_id",
        "model_config",
    ),
    *("started_at", "end_reason"),
)
# Sessions that no person held: their mark, and whose words stand in the user's place (a webhook's are its caller's).
_AUTOMATIC = {
    "cron": ("cron", "system"),
    "batch": ("cron", "system"),
    "webhook": ("cron", "third_party"),
    "subagent": ("subagent", "agent"),
    "tool": ("subagent", "agent"),
    "kanban": ("subagent", "agent"),
}
_CONTINUED = frozenset({"branched", "compression"})
_DIRECT = (None, "", "dm", "direct", "private")


@dataclass(frozen=True)
class Session:
    """One session. `family` is the first session of the line it continues; `is_strangers`: somebody else's place in a group."""

    family: str
    mark: str | None = None
    trust: str | None = None
    is_strangers: bool = False
    project: str | None = None
    started_at: Any = None


def read_sessions(con: sqlite3.Connection) -> Generator[Item, None, dict[str, Session]]:
    """Every session by its id; damaged rows are yielded."""
    found: dict[str, dict[str, Any]] = {}
    owners: defaultdict[Any, set[Any]] = defaultdict(set)
    for _, row in rows(con, "sessions", _COLUMNS):
        if not isinstance(row, dict):
            yield row
        elif isinstance(row["id"], str):
            found[row["id"]] = {**row, "config": _config(row["model_config"])}
            if row["user_id"] and row["chat_type"] in _DIRECT:
                owners[row["source"]].add(row["user_id"])
    return {key: _session(key, row, found, owners[row["source"]]) for key, row in found.items()}


def _config(value: Any) -> dict[str, Any]:
    try:
        found = decoded(value)
    except BadLine:
        return {}
    return found if isinstance(found, dict) else {}


def _session(key: str, row: dict[str, Any], found: dict[str, dict[str, Any]], owners: set[Any]) -> Session:
    """`owners` are who writes to the agent directly where this session comes from: another one in a group is a stranger."""
    source = "subagent" if "_delegate_from" in row["config"] else str(row["source"])
    mark, trust = _AUTOMATIC.get(source, (None, None))
    user = row["user_id"]
    return Session(
        family=_family(key, found),
        mark=mark,
        trust=trust,
        is_strangers=bool(user and owners and row["chat_type"] not in _DIRECT and user not in owners),
        project=_project(row),
        started_at=row["started_at"],
    )


def _family(key: str, found: dict[str, dict[str, Any]]) -> str:
    seen = {key}
    while (before := _continued(key, found)) and before not in seen:
        seen.add(before)
        key = before
    return key


def _continued(key: str, found: dict[str, dict[str, Any]]) -> str | None:
    """The session that this one branched from, or went on from when builds still began a new one at a compaction."""
    row = found.get(key)
    if row is None or "_delegate_from" in row["config"]:
        return None
    origin = row["config"].get("_branched_from")
    if isinstance(origin, str):
        return origin
    parent = row["parent_session_id"]
    before = found.get(parent) if isinstance(parent, str) else None
    return parent if before and before["end_reason"] in _CONTINUED else None


def _project(row: dict[str, Any]) -> str | None:
    """The repository's name; a folder that is none names no project."""
    place = row["git_repo_root"] or (row["cwd"] if row["git_branch"] else None)
    return PurePath(place).name or None if isinstance(place, str) and "\0" not in place else None
