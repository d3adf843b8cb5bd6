"""What a version made of what is true: which memory stands for which statement, and what has become of it.

A memory stands for a statement where it cites its message and holds the words of its value; so the same judge holds for any reading of
the text. Belongs here: comparing. Does not belong here: asking a reader (`asking`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from evals.worlds.life import LATE, OPEN, Matter, Promise, Saying, Stand, Year
from evals.worlds.year import ZONE
from slowwave.format import Kind, Memory, Status

_DAY = timedelta(days=1)
_FATES = {"superseded": (Status.SUPERSEDED, Status.EXPIRED), "retracted": (Status.RETRACTED,)}
_WORD = re.compile(r"[^\W_]+")
Place = tuple[str, str]


class Share(NamedTuple):
    """So many right of so many."""

    right: int
    of: int

    @property
    def percent(self) -> float | None:
        """In per cent, one decimal; None of nothing."""
        return round(100 * self.right / self.of, 1) if self.of else None


def share(verdicts: Iterable[bool]) -> Share:
    """How many of these are so."""
    every = list(verdicts)
    return Share(sum(every), len(every))


class Memories:
    """A version's memories by the messages they cite."""

    def __init__(self, memories: Iterable[Memory]) -> None:
        self.every = list(memories)
        self.by_place: dict[Place, list[Memory]] = defaultdict(list)
        for memory in self.every:
            for place in {(e.session_id, e.message_id) for e in memory.evidence}:
                self.by_place[place].append(memory)

    def citing(self, saying: Saying, value: str) -> list[Memory]:
        """The memories that stand for what a sentence says of a value."""
        found = self.by_place.get((saying.session_id, saying.message_id), [])
        return [memory for memory in found if holds(memory, value)]


def holds(memory: Memory, value: str) -> bool:
    """Whether every word of the value stands in the memory."""
    told = set(_WORD.findall(f"{memory.text} {memory.value or ''}".casefold()))
    return all(word in told for word in _WORD.findall(value.casefold()))


def is_kept(stand: Stand, memories: Memories) -> bool:
    """Whether an active memory stands for it that says that it is so."""
    return any(m.status == Status.ACTIVE and m.polarity == "assert" for m in memories.citing(stand.saying, stand.value))


def is_ended(stand: Stand, memories: Memories) -> bool | None:
    """Whether what has ended is known to have ended, at the right time; None where nothing stands for it."""
    found = memories.citing(stand.saying, stand.value)
    if not found:
        return None
    if any(memory.status == Status.ACTIVE and memory.polarity == "assert" for memory in found):
        return False
    if stand.fate != "superseded" or stand.ended is None:
        return True
    ended = stand.ended.at
    return any(m.status in _FATES["superseded"] and m.valid_to and abs(m.valid_to - ended) < _DAY for m in found)


def changes(year: Year, memories: Memories, at: datetime) -> list[bool]:
    """For every value that was told and ended by then: it has ended, and what took its place holds or has ended in its turn."""
    return [verdict for matter in year.matters for verdict in _changes(matter, memories, at)]


def _changes(matter: Matter, memories: Memories, at: datetime) -> Iterator[bool]:
    for place, stand in enumerate(matter.stands):
        if stand.ended is None or stand.ended.at > at:
            continue
        is_over = is_ended(stand, memories) is True
        following = matter.stands[place + 1 : place + 2]
        yield is_over and all(is_kept(next_, memories) or not next_.holds(at) for next_ in following)


def lost(year: Year, memories: Memories, at: datetime) -> list[bool]:
    """For everything that holds then and was remembered: whether no memory of it is active any more. Events may fade."""
    return [
        not is_kept(stand, memories)
        for matter in year.matters
        for stand in matter.stands
        if matter.sort != "events" and stand.holds(at) and memories.citing(stand.saying, stand.value)
    ]


def promises(year: Year, memories: Memories, at: datetime) -> list[bool]:
    """For every promise made by then: a memory of it says where it stands, and when it is due."""
    return [is_right(one, memories, at) for one in year.promises if one.made.at <= at]


def is_right(promise: Promise, memories: Memories, at: datetime) -> bool:
    """Whether the memories of a promise agree with the truth: one of them says its state, and none another."""
    value = promise.what
    sayings = [promise.made, *(saying for saying, _ in promise.due[1:] if saying.at <= at)]
    found = {m.id: m for saying in sayings for m in memories.citing(saying, value) if m.kind == Kind.GOAL_OR_COMMITMENT}
    live = [m for m in found.values() if m.status != Status.SUPERSEDED]
    states = {_state(memory, at) for memory in live}
    return states == {promise.state(at)}


def _state(memory: Memory, at: datetime) -> str:
    if memory.commitment_state in (OPEN, LATE) and memory.due_at is not None:
        return LATE if memory.due_at < at else OPEN
    return str(memory.commitment_state)


def dates(year: Year, memories: Memories, at: datetime) -> list[bool]:
    """For every event and promise told by then: whether the day it happened, or is due, is the right one."""
    events = (stand for matter in year.of("events") for stand in matter.stands if stand.saying.at <= at)
    days = [
        any(_day(m.valid_from) == stand.day for m in memories.citing(stand.saying, stand.value)) for stand in events
    ]
    owed = [
        any(_day(m.due_at) == _day(one.due_at(at)) for s, _ in one.due for m in memories.citing(s, one.what))
        for one in year.promises
        if one.made.at <= at
    ]
    return days + owed


def _day(at: datetime | None) -> str | None:
    return f"{at.astimezone(ZoneInfo(ZONE)):%Y-%m-%d}" if at else None


def junk(year: Year, memories: Memories) -> list[bool]:
    """For every active memory of what was said: whether no truth stands behind it, or another memory says the same truth."""
    sayings = {(s.session_id, s.message_id): s for s in year.sayings}
    values = _values(year)
    said = [m for m in memories.every if m.status == Status.ACTIVE and m.kind != Kind.INTERVENTION_OUTCOME]
    seen: set[tuple[Place, str, str]] = set()
    found: list[bool] = []
    for memory in sorted(said, key=lambda m: m.id):
        places = [p for p in {(e.session_id, e.message_id) for e in memory.evidence} if p in sayings]
        truths = {(p, value, str(memory.polarity)) for p in places for value in values[p] if holds(memory, value)}
        found.append(not truths or truths <= seen)
        seen |= truths
    return found


def _values(year: Year) -> dict[Place, set[str]]:
    """The values that each message tells something of."""
    found: dict[Place, set[str]] = defaultdict(set)
    for saying in year.sayings:
        found[(saying.session_id, saying.message_id)] |= {row[3] for row in saying.rows if row[3]}
    for matter in year.matters:
        for stand in matter.stands:
            found[(stand.saying.session_id, stand.saying.message_id)].add(stand.value)
    for promise in year.promises:
        for saying in (promise.made, promise.closed, *(s for s, _ in promise.due)):
            if saying is not None:
                found[(saying.session_id, saying.message_id)].add(promise.what)
    return found
