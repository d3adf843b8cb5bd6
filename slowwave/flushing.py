"""Requests for an early night: as lines in a store's inbox, and as the Prefect event that each of them becomes.

Belongs here: their form, which agents and nights share. Does not belong here: what answers them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast
from uuid import NAMESPACE_URL, uuid5

# The folder of the inbox that requests lie in, and the event that each becomes.
FLUSHES = "flush"
EVENT = "slowwave.flush"
# What marks a version that was published early: in its provenance from where nights go on, in its state what it read.
EARLY = "early"


@dataclass(frozen=True)
class Asked:
    """A request: for which session, why, and when."""

    session_id: str
    reason: str
    at: datetime


def requests(store: Path) -> Iterator[Asked]:
    """Every request in a store's inbox, as far as it can be read. A line that is still being written is none yet."""
    folder = store / "inbox" / FLUSHES
    for path in sorted(folder.glob("*.jsonl")) if folder.is_dir() else ():
        yield from filter(None, map(as_asked, path.read_bytes().splitlines()))


def as_asked(line: bytes) -> Asked | None:
    """A request from its line; None where it is none."""
    try:
        found: Any = json.loads(line)
        row = cast("Mapping[str, Any]", found)
        at = datetime.fromisoformat(row["at"])
        return Asked(str(row["session_id"]), str(row["reason"]), at if at.tzinfo else at.replace(tzinfo=UTC))
    except (ValueError, KeyError, TypeError):
        return None


def resource_of(store: str | Path) -> str:
    """What a store is called in events."""
    return f"slowwave.store.{str(store).rstrip('/').rpartition('/')[2] or 'store'}"


def event_of(store: str | Path, asked: Asked) -> dict[str, Any]:
    """The event for a request, as Prefect's server takes it. Told twice it is the same event, and counts once."""
    at = asked.at.isoformat()
    return {
        "id": str(uuid5(NAMESPACE_URL, f"slowwave:{store}:{asked.session_id}:{asked.reason}:{at}")),
        "event": EVENT,
        "occurred": at,
        "resource": {"prefect.resource.id": resource_of(store)},
        "payload": {"session_id": asked.session_id, "reason": asked.reason},
    }
