"""What a guard is given, and the few things that several guards do with it. No check lives here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, tzinfo
from typing import Any

import polars as pl

from expectations import promise
from expectations.promise import Fact, Severity
from models.guarding import WatchedFile
from models.rules import Profile
from slowwave.format import Status

# The columns of published memories and documents that guards look at.
MEMORY_COLUMNS = (
    *("id", "kind", "subject", "subject_key", "text", "attribute", "value", "polarity", "tier", "status"),
    *("commitment_state", "valid_from", "valid_to", "due_at"),
)
DOCUMENT_COLUMNS = ("name", "profile", "text")
# A person mends what a guard found, so it names more places than a night does; the rest is counted.
MAX_PLACES = 50
_DAY = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
# Nobody writes such a line by hand, and patterns are not to be kept busy.
_MAX_LINE_CHARS = 4000
_FENCE = re.compile(r"\s*(```|~~~)")


@dataclass(frozen=True)
class Finding:
    """A place that a guard found: how it is called, and the memories that it concerns. Never the words that stand there."""

    place: str
    memory_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Seen:
    """What guards look at: published rows, the words that lessons rest on, budgets, watched files; and when, in which zone."""

    memories: pl.DataFrame
    documents: pl.DataFrame
    as_of: datetime
    zone: tzinfo = UTC
    files: tuple[WatchedFile, ...] = ()
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    quotes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def today(self) -> date:
        """The owner's day."""
        return self.as_of.astimezone(self.zone).date()

    @property
    def texts(self) -> list[WatchedFile]:
        """The files that could be read and are not configuration."""
        return [file for file in self.files if not file.fault and file.data is None]

    def current(self) -> Iterator[dict[str, Any]]:
        """The memories that hold: active ones, by row."""
        yield from self.memories.filter(pl.col("status") == Status.ACTIVE).iter_rows(named=True)


def found(
    name: str, about: str, findings: Iterable[Finding], proposal: str, severity: Severity = Severity.BLOCKING
) -> Fact:
    """The fact of what a guard found; nothing should be. It blocks where its guard does, or never."""
    all_of_them = list(findings)
    ids = (one for finding in all_of_them for one in finding.memory_ids)
    return promise.found(
        name,
        about,
        (finding.place for finding in all_of_them),
        severity=severity,
        most_examples=MAX_PLACES,
        proposal=proposal,
        memory_ids=ids,
    )


def lines(file: WatchedFile) -> Iterator[tuple[int, str]]:
    """The lines of a text with their numbers, without fenced blocks: what stands in those is an example or code."""
    fence = ""
    for number, line in enumerate(file.text.splitlines(), 1):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1] == fence:
            fence = ""
        elif not fence:
            yield number, line[:_MAX_LINE_CHARS]


def days(text: str) -> list[date]:
    """The days that a text names as `2026-03-01`; what only looks like one is none."""
    return [day for found_ in _DAY.finditer(text) if (day := day_of(found_[0])) is not None]


def day_of(text: str) -> date | None:
    """The day that `2026-03-01` is; None for what is no day."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
