"""Topics into windows: one question each, filled up to a budget, so that a night costs few calls.

Sessions are put in the order they began, and a window once full is never opened again: what is said later goes into the last
window or a new one. Belongs here: the packing. Does not belong here: where topics end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, NamedTuple

from models.ids import make_id
from tasks.segment.stretches import Heard, first_time

Row = dict[str, Any]
# Sessions without any time stand first, in the order of their ids.
_NO_TIME = datetime.min.replace(tzinfo=UTC)


class Part(NamedTuple):
    """One session's topics, with what decides which windows they may share and in which order."""

    owner: str
    platform: str
    project: str
    began_at: datetime
    session_id: str
    topics: list[Row]

    @classmethod
    def of(cls, session: Sequence[Heard], topics: list[Row]) -> Part:
        """The part that a session's new turns make; its project is the one it began with."""
        first = next(turn for turn in session if turn.is_new)
        began_at = first_time(session) or _NO_TIME
        return cls(first.owner, first.platform, first.project or "", began_at, first.session_id, topics)


def pack(parts: Sequence[Part], window_tokens: int) -> list[Row]:
    """Every topic with its `window` and its `place` there.

    Windows never mix owners, platforms or projects, since what may be asked of whom can differ between them. A session is split
    between windows only where it does not fit into one.
    """
    ordered = sorted(parts, key=lambda part: part[:5])
    packed: list[Row] = []
    for _, shared in groupby(ordered, key=lambda part: part[:3]):
        for window in _filled(_blocks(shared, window_tokens), window_tokens):
            name = make_id("win", [topic["topic_id"] for topic in window])
            packed += [{**topic, "window": name, "place": place} for place, topic in enumerate(window)]
    return packed


def _blocks(parts: Iterator[Part], window_tokens: int) -> Iterator[list[Row]]:
    """What may not be split: a session, or the single topics of one that is longer than a window."""
    for part in parts:
        if _n_tokens(part.topics) <= window_tokens:
            yield part.topics
        else:
            yield from ([topic] for topic in part.topics)


def _filled(blocks: Iterator[list[Row]], window_tokens: int) -> Iterator[list[Row]]:
    window: list[Row] = []
    for block in blocks:
        if window and _n_tokens(window) + _n_tokens(block) > window_tokens:
            yield window
            window = []
        window = [*window, *block]
    if window:
        yield window


def _n_tokens(topics: Sequence[Row]) -> int:
    return sum(topic["n_tokens"] for topic in topics)
