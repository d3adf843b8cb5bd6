"""The current thread of a snapshot: what was last worked on, from the working set of the session last heard.

A prompt must be able to trust it, so it holds only candidates that a memory rests on by now, word for word, with the day they were said.
Belongs here: which sentences, on which lines, within which share of the budget. Does not belong here: the rest of the snapshot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from models.rules import Profile, ProjectRules
from slowwave.format import Privacy
from slowwave.orders import is_order
from slowwave.text import legible
from slowwave.tokens import count
from slowwave.zones import zone_of
from tasks.project.working import LISTS

Row = dict[str, Any]
HEADING = "Current thread"
_PRIVACY = [str(level) for level in Privacy]
_EVIDENCE = ("source_kind", "source_id", "session_id", "message_id", "start", "end", "quote", "said_at")
_MAX_NAME_CHARS = 60
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Thread:
    """The section, what it costs, and the quotes in it."""

    text: str = ""
    evidence: list[Row] = field(default_factory=list[Row])

    def within(self, profile: Profile) -> Profile:
        """The profile with the budget that the thread leaves."""
        chars = profile.max_chars
        left = {"max_tokens": max(0, profile.max_tokens - count(self.text))}
        return profile.model_copy(
            update=left | ({} if chars is None else {"max_chars": max(0, chars - len(self.text))})
        )


def current_thread(
    working: Sequence[Row], worthy_ids: AbstractSet[str], profile: Profile, rules: ProjectRules, zone: str
) -> Thread:
    """The thread of the last session that has something to show; empty where none has, or nothing fits its share."""
    for row in sorted(working, key=lambda row: (row["ended_at"] or _NEVER, row["id"]), reverse=True):
        fit = [
            one
            for one in _shown(row, worthy_ids, profile)
            if not is_order(_line(one, _day(row["ended_at"], zone), zone))
        ]
        sentences = fit[-rules.thread_sentences :] if rules.thread_sentences else []
        if sentences:
            return _fitted(row, sentences, profile, rules.thread_share, zone)
    return Thread()


def _shown(row: Row, worthy_ids: AbstractSet[str], profile: Profile) -> list[Row]:
    """The candidates that may enter this prompt, each once, in the order they were said."""
    allowed = _PRIVACY[: _PRIVACY.index(profile.max_privacy) + 1]
    every = {(one["source_id"], one["start"]): one for name in LISTS for one in row[name]}
    kept = [one for one in every.values() if one["privacy"] in allowed and not worthy_ids.isdisjoint(one["memory_ids"])]
    # Each list is in the order of the session, which is all there is to go by where no time is known.
    places = {key: place for place, key in enumerate(dict.fromkeys(one["source_id"] for one in kept))}
    return sorted(kept, key=lambda one: (one["said_at"] or _NEVER, places[one["source_id"]], one["start"]))


def _fitted(row: Row, sentences: Sequence[Row], profile: Profile, share: float, zone: str) -> Thread:
    """The last sentences that fit the share; a sentence is whole or not there."""
    for first in range(len(sentences)):
        told = sentences[first:]
        text = "\n".join(["", f"## {HEADING}", *_lines(row, told, zone)]) + "\n"
        is_short = profile.max_chars is None or len(text) <= share * profile.max_chars
        if is_short and count(text) <= share * profile.max_tokens:
            return Thread(text, [{name: one[name] for name in _EVIDENCE} for one in told])
    return Thread()


def _lines(row: Row, sentences: Sequence[Row], zone: str) -> Iterator[str]:
    named = (guess["name"] for guess in row["projects"] if guess["ground"] == "metadata")
    own = [name for name in named if not is_order(name)]
    where = f" ({_short(own[0])})" if own else ""
    last = _day(row["ended_at"], zone)
    yield f"Last talk{f' on {last}' if last else ''}{where}, word for word:"
    yield from (f"- {_line(one, last, zone)}" for one in sentences)


def _line(one: Row, last: str, zone: str) -> str:
    day = _day(one["said_at"], zone)
    return f"{_short(one['speaker'])}{f' on {day}' if day and day != last else ''}: “{legible(one['quote'])}”"


def _short(name: str) -> str:
    return legible(name)[:_MAX_NAME_CHARS]


def _day(at: datetime | None, zone: str) -> str:
    """The day as people write it, in the reader's zone; empty where no time is known."""
    if at is None:
        return ""
    day = at.astimezone(zone_of(zone))
    return f"{day.day} {day:%B %Y}"
