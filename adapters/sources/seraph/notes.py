"""What has to be known before the first row is read: the person's zone over time, and how each intervention was delivered.

Belongs here: times, zones and the audit log's context. Does not belong here: items.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from adapters.sources.database import decoded, rows
from adapters.sources.protocol import BadLine, When, read_time

DELIVERY = "observer_delivery_"
_CLOCK = "observer_source:time"


@dataclass
class Notes:
    """The zones the observer's clock reported, by time, and the audit log's words on each intervention."""

    changes: list[tuple[datetime, ZoneInfo]] = field(default_factory=list[tuple[datetime, ZoneInfo]])
    deliveries: dict[str, dict[str, str | None]] = field(default_factory=dict[str, dict[str, str | None]])

    @classmethod
    def of(cls, con: sqlite3.Connection) -> Notes:
        """Both, from one walk over the audit log; a row that can't be read is named when its own turn comes."""
        made = cls()
        for event, tool, at, details in _audited(con):
            if tool == _CLOCK:
                made.move(at, details.get("timezone"))
            else:
                made.deliver(event.removeprefix(DELIVERY), details)
        made.changes.sort(key=lambda change: change[0])
        return made

    def deliver(self, outcome: str, details: dict[str, Any]) -> None:
        """What became of one delivery, and in what state of things; the last of an intervention's events counts."""
        names = ("intervention_id", "user_state", "interruption_mode", "transport")
        of, user_state, mode, channel = (_plain(details.get(name)) for name in names)
        if of:
            self.deliveries[of] = {"outcome": outcome, "user_state": user_state, "mode": mode, "channel": channel}

    def move(self, at: datetime | None, name: Any) -> None:
        """The clock reported a zone; one that nobody knows changes nothing."""
        zone = _zone(name)
        if at and zone and (not self.changes or self.changes[-1][1] != zone):
            self.changes.append((at, zone))

    def when(self, value: Any) -> When:
        """A stated time, which is UTC where it names no offset, and the person's own offset then. Raises BadLine."""
        at = utc(value)
        if at is None or not self.changes:
            return When(at, None)
        # What came before the first report was most likely said in the same place.
        _, zone = self.changes[max(0, bisect_right(self.changes, at, key=lambda change: change[0]) - 1)]
        try:
            offset = at.astimezone(zone).utcoffset()
        except OverflowError as error:
            raise BadLine("bad time") from error
        return When(at, None if offset is None else round(offset.total_seconds() / 60))


def utc(value: Any) -> datetime | None:
    """A time as Seraph writes it: text without an offset, meaning UTC. Raises BadLine."""
    if isinstance(value, str) and value:
        try:
            stated = datetime.fromisoformat(value)
        except ValueError as error:
            raise BadLine("bad time") from error
        return stated.replace(tzinfo=UTC) if stated.tzinfo is None else read_time(value).at
    return read_time(value).at


def _audited(con: sqlite3.Connection) -> Iterator[tuple[str, str | None, datetime | None, dict[str, Any]]]:
    for _, row in rows(con, "audit_events", ("event_type", "tool_name", "created_at", "details_json"), ("created_at",)):
        if not isinstance(row, dict):
            continue
        event, tool = row["event_type"], row["tool_name"]
        if isinstance(event, str) and (tool == _CLOCK or event.startswith(DELIVERY)):
            try:
                details = decoded(row["details_json"])
                if isinstance(details, dict):
                    yield event, tool, utc(row["created_at"]), details
            except BadLine:
                continue


def _plain(value: Any) -> str | None:
    return value if isinstance(value, str) and value and "\0" not in value else None


def _zone(name: Any) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if isinstance(name, str) else None
    except (ValueError, OSError, KeyError):
        return None
