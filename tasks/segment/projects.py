"""Which project a session may belong to: by its own metadata, by what an observer saw meanwhile, or because somebody named it.

Belongs here: guesses, each with its ground. Does not belong here: the scope of a memory, which is never guessed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from models.message import Signal
from models.table import Frame
from tasks.extract.names import plain
from tasks.segment.said import Sentence

GROUNDS = ("metadata", "observer", "words")
MAX_GUESSES = 3
# A shorter name stands in too many other words' company to tell.
_MIN_NAME_CHARS, _MAX_KNOWN = 4, 500
_CALLED = re.compile(r"(?-i:\b)[Pp]roject (?:called |named )?[\"'“]?([A-Z][\w-]{2,})|\bthe ([A-Z][\w-]{2,}) project\b")


@dataclass(frozen=True)
class Projects:
    """The projects that any session or signal names, and the signals that name one."""

    known: dict[str, str]
    named: re.Pattern[str] | None
    seen: pl.DataFrame

    @classmethod
    def of(cls, turns: pl.DataFrame, signals: Frame[Signal]) -> Projects:
        """What the turns and signals of a store know of projects."""
        seen = signals.filter(pl.col("project").is_not_null()).select("owner", "session_id", "at", "project")
        every = {*turns["project"].drop_nulls().unique(), *seen["project"].unique()}
        known = {plain(name): name for name in sorted(every) if len(name) >= _MIN_NAME_CHARS}
        words = "|".join(map(re.escape, sorted(known, key=lambda name: (-len(name), name))[:_MAX_KNOWN]))
        return cls(known, re.compile(rf"(?<!\w)(?:{words})(?!\w)") if words else None, seen)

    def guesses(self, session: pl.DataFrame, sentences: Sequence[Sentence]) -> list[dict[str, Any]]:
        """A session's projects, the best ground first, then what is said most often; each project on its best ground."""
        found = [
            Counter(session["project"].drop_nulls().to_list()),
            Counter(self._observed(session)),
            Counter(name for one in sentences for name in self._spoken(one.text)),
        ]
        best: dict[str, dict[str, Any]] = {}
        for ground, counts in zip(GROUNDS, found, strict=True):
            for name, n in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
                best.setdefault(plain(name), {"name": name, "ground": ground, "n": n})
        return list(best.values())[:MAX_GUESSES]

    def _observed(self, session: pl.DataFrame) -> list[str]:
        """The projects of the signals of this session, or of its time where a signal names no session."""
        if self.seen.is_empty():
            return []
        owner, name = session.select("owner", "session_id").row(0)
        times = session["said_at"]
        is_meanwhile = pl.col("session_id").is_null() & pl.col("at").is_between(times.min(), times.max())
        mine = self.seen.filter((pl.col("owner") == owner) & ((pl.col("session_id") == name) | is_meanwhile))
        return mine["project"].to_list()

    def _spoken(self, text: str) -> Iterator[str]:
        spoken = self.named.findall(plain(text)) if self.named else []
        yield from {self.known[name] for name in spoken}
        yield from {a or b for a, b in _CALLED.findall(text) if plain(a or b) not in spoken}
