"""What the operator, who is the owner, decided over the agent's memories: forgotten, pinned, corrected. The last decision counts.

Belongs here: the audit log's words on memories. Does not belong here: the memories (`records`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from adapters.sources.database import decoded, rows
from adapters.sources.protocol import BadLine, Gone
from adapters.sources.seraph.messages import PLATFORM
from adapters.sources.seraph.notes import utc

FORGOTTEN, PINNED, CORRECTED = "memory_forgotten", "memory_pinned", "memory_corrected"
EVENTS = (CORRECTED, PINNED, FORGOTTEN, "memory_audited")
_TABLE = "memories"


@dataclass
class Decided:
    """The last decision on each memory, and when it was taken."""

    last: dict[str, tuple[str, datetime | None]] = field(default_factory=dict[str, tuple[str, datetime | None]])

    @classmethod
    def of(cls, con: sqlite3.Connection) -> Decided:
        """From one walk over the audit log; a row that can't be read is named when its own turn comes."""
        made = cls()
        wanted = ("event_type", "details_json", "created_at")
        for _, row in rows(con, "audit_events", wanted, ("created_at",)):
            if not isinstance(row, dict) or row["event_type"] not in (FORGOTTEN, PINNED, CORRECTED):
                continue
            try:
                details, at = decoded(row["details_json"]), utc(row["created_at"])
            except BadLine:
                continue
            memory = details.get("memory_id") if isinstance(details, dict) else None
            if isinstance(memory, str) and memory and "\0" not in memory:
                made.last[memory] = (row["event_type"], at)
        return made

    def on(self, memory: str) -> str | None:
        """The last decision on a memory, if there is one."""
        return self.last.get(memory, (None, None))[0]

    def gone(self, place: str) -> Iterator[Gone]:
        """A deletion for each memory that was forgotten: its text may be redacted by now, or its row gone."""
        for memory, (event, at) in self.last.items():
            if event == FORGOTTEN:
                yield Gone(place, PLATFORM, _TABLE, f"{_TABLE}/{memory}", "forgotten", at)
