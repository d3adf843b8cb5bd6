"""What was asked for: a night, or a session early. The clock is read here for when that was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adapters.settings import Settings
from flows.night import Taken


@dataclass(frozen=True)
class Plan:
    """What a person or a schedule asked for; where no source is named, the settings' are read, unless `is_inbox_only`."""

    store: Path
    sources: tuple[str, ...] = ()
    as_of: datetime | None = None
    flags: dict[str, Any] = field(default_factory=dict)
    trigger: str = "hand"
    watch: Callable[[Taken], None] = field(default=lambda _: None, compare=False)
    is_retirement_accepted: bool = False
    is_inbox_only: bool = False
    # A session to publish early, or "" for those that the inbox asks for; None is a night.
    flush: str | None = None
    wait_seconds: float | None = None
    asked_at: datetime = field(default_factory=lambda: datetime.now(UTC), compare=False)

    def reading(self, settings: Settings) -> Plan:
        """The plan with its sources named."""
        is_named = self.sources or self.is_inbox_only
        return self if is_named else replace(self, sources=settings.night.sources)
