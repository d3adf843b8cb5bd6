"""A question with what may answer it, and the conditions that this puts on the rows of each table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from math import isnan
from typing import TypedDict

from slowwave.errors import UsageError
from slowwave.format import Kind, Privacy, Status, Tier
from slowwave.rank import WEIGHTS, Weights
from slowwave.reader.names import Index
from slowwave.reader.tables import instant, quoted, spelt

_VALID = ("coalesce(valid_from, first_seen_at)", "coalesce(valid_to, last_seen_at, first_seen_at)")
_SAID = ("said_at", "said_at")
# Far more than a table has rows for an answer, and few enough for the search library to count.
_MOST = 1_000_000
_TIME = "a datetime, like datetime.fromisoformat('2026-03-01T03:00Z')"
_NEEDED = frozenset({"query", "k", "offset"})
_TYPES: tuple[tuple[str, type | tuple[type, ...], str], ...] = (
    ("query", str, "text"),
    *((name, int, "a whole number") for name in ("k", "budget_tokens", "offset")),
    *((name, str, "text") for name in ("entity", "project", "thread", "platform", "channel", "person", "max_privacy")),
    *((name, datetime, _TIME) for name in ("since", "until", "as_of")),
    ("min_score", (int, float), "a number"),
)


class Said(TypedDict, total=False):
    """What narrows a question, whether memories or turns answer it: nothing named lets everything through."""

    entity: str | None
    project: str | None
    thread: str | None
    platform: str | None
    channel: str | None
    person: str | None
    max_privacy: str | None
    since: datetime | None
    until: datetime | None
    min_score: float | None
    offset: int


class Only(Said, total=False):
    """What narrows a question, with what memories alone have."""

    kinds: Iterable[str] | None
    statuses: Iterable[str] | None
    tiers: Iterable[str] | None


@dataclass(frozen=True, kw_only=True)
class Request:
    """One question and what may answer it. Raises UsageError for what can't be asked."""

    query: str
    now: datetime
    k: int = 10
    budget_tokens: int | None = None
    kinds: frozenset[str] | None = None
    statuses: frozenset[str] | None = None
    tiers: frozenset[str] | None = None
    entity: str | None = None
    project: str | None = None
    thread: str | None = None
    platform: str | None = None
    channel: str | None = None
    person: str | None = None
    max_privacy: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    min_score: float | None = None
    offset: int = 0
    zone: str | None = None
    has_memories: bool = True
    as_of: datetime | None = None
    weights: Weights = field(default_factory=lambda: WEIGHTS)
    rerank: Callable[[str, list[str]], list[float]] | None = None
    rerank_top: int = 0

    def __post_init__(self) -> None:
        self._typed()
        if not self.query.strip():
            raise UsageError("there is no question", 'Ask something: recall("When did Ana move?")')
        if self.k < 1 or (self.budget_tokens is not None and self.budget_tokens < 1):
            raise UsageError("k and budget_tokens must be at least 1", "Ask for one result or more.")
        if self.offset < 0:
            raise UsageError(
                f"the offset is {self.offset}", "Give how many of the best results to pass over: 0 or more."
            )
        if max(self.k, self.offset) > _MOST:
            raise UsageError(f"k and offset must be at most {_MOST}", "Ask for fewer results.")
        if self.since is not None and self.until is not None and instant(self.since) >= instant(self.until):
            raise UsageError("since is not before until", "Ask for a time that has a length: since before until.")
        _known("kind", self.kinds, Kind)
        _known("status", self.statuses, Status)
        _known("tier", self.tiers, Tier)
        if self.max_privacy is not None:
            up_to(self.max_privacy)

    def _typed(self) -> None:
        """An agent's arguments are often a model's: what is of the wrong type is said, before a library stumbles over it."""
        for name, kind, like in _TYPES:
            value = getattr(self, name)
            if not isinstance(value, kind) and (value is not None or name in _NEEDED):
                raise UsageError(f"{name} is {value!r:.80}, of type {type(value).__name__}", f"Give it as {like}.")
        if self.min_score is not None and isnan(self.min_score):
            raise UsageError("min_score is no number", "Give the least score, like 0.5.")

    @property
    def depth(self) -> int:
        """How many rows of a table its words may nominate: a few for every place, since what is far down seldom comes up."""
        return 40 + 4 * (self.k + self.offset)

    @property
    def has_turns(self) -> bool:
        """Whether turns may answer: they are of no kind and of no tier."""
        return self.kinds is None and self.tiers is None

    @property
    def is_narrowed(self) -> bool:
        """Whether something other than its project and its words bounds the answer."""
        bounds = (
            self.kinds,
            self.statuses,
            self.tiers,
            self.entity,
            self.thread,
            self.max_privacy,
            self.since,
            self.until,
        )
        return any(bound is not None for bound in (*bounds, *self._places, self.min_score)) or self.offset > 0

    @property
    def is_placed(self) -> bool:
        """Whether it asks where or by whom something was said."""
        return any(place is not None for place in self._places)

    @property
    def _places(self) -> tuple[str | None, ...]:
        return (self.platform, self.channel, self.person)

    def of_memories(self, index: Index) -> list[str]:
        """The conditions on a memory: an entity is whom it is about or mentions, a person whom it is about or who said so."""
        kinds = [one_of("kind", self.kinds)] if self.kinds is not None else []
        tiers = [one_of("tier", self.tiers)] if self.tiers is not None else []
        about = [*_about(self.entity, index), *_of_person(self.person, index)]
        said = [*_holding("platforms", self.platform), *_holding("channels", self.channel)]
        return [*self._of_both(), *kinds, *tiers, *self._during(_VALID), *about, *said]

    def of_turns(self, index: Index) -> list[str]:
        """The conditions on a turn: an entity is who said it or who is named in it, a person who said it."""
        said = [*_equal("platform", self.platform), *_equal("thread", self.channel), *_said_by(self.person, index)]
        return [*self._of_both(), *self._during(_SAID), *_naming(self.entity, index), *said]

    def _of_both(self) -> list[str]:
        of = [] if self.project is None else [spelt("project", self.project)]
        of += _equal("thread", self.thread)
        return of + ([one_of("privacy", up_to(self.max_privacy))] if self.max_privacy is not None else [])

    def _during(self, interval: tuple[str, str]) -> list[str]:
        starts, ends = interval
        since = [f"{ends} >= {instant(self.since)}"] if self.since is not None else []
        return since + ([f"{starts} < {instant(self.until)}"] if self.until is not None else [])


def one_of(column: str, values: Iterable[str]) -> str:
    """The condition that a column holds one of the values; none at all lets nothing through."""
    listed = ", ".join(map(quoted, sorted(values)))
    return f"{column} IN ({listed})" if listed else "false"


def _known(what: str, given: frozenset[str] | None, choices: type[StrEnum]) -> None:
    alien = sorted((given or frozenset()) - {c.value for c in choices})
    if alien:
        raise UsageError(f"{alien[0]!r} is no {what}", f"Use some of: {', '.join(c.value for c in choices)}.")


def up_to(level: str) -> list[str]:
    """A level of privacy and the lower ones. Raises UsageError for what is none."""
    _known("privacy level", frozenset([level]), Privacy)
    levels = [str(one) for one in Privacy]
    return levels[: levels.index(level) + 1]


def _equal(column: str, value: str | None) -> list[str]:
    return [] if value is None else [f"{column} = {quoted(value)}"]


def _holding(column: str, value: str | None) -> list[str]:
    """The condition that a list holds a value."""
    return [] if value is None else [f"array_has_any({column}, make_array({quoted(value)}))"]


def _about(entity: str | None, index: Index) -> list[str]:
    if entity is None:
        return []
    ids = ", ".join(map(quoted, sorted({entity, *index.meant(entity)})))
    mentioned = f"array_has_any(entity_ids, make_array({ids}))"
    return [f"({_subject(entity, index)} OR {mentioned})"]


def _of_person(person: str | None, index: Index) -> list[str]:
    """Whom it is about, or who said it; a list is compared as lines, since only so can letters be taken as small."""
    if person is None:
        return []
    lines = "lower(array_to_string(speakers, '\n'))"
    said = " OR ".join(f"array_has(string_to_array({lines}, '\n'), {quoted(name)})" for name in _names(person, index))
    return [f"({_subject(person, index)} OR {said})"]


def _subject(who: str, index: Index) -> str:
    return f"{one_of('subject_key', {who, *index.meant(who)})} OR lower(subject) = {quoted(who.lower())}"


def _names(who: str, index: Index) -> list[str]:
    """Every name of those that are meant, in small letters."""
    meant = index.meant(who)
    return sorted({name.lower() for known in meant.values() for name in known} | ({who.lower()} - meant.keys()))


def _said_by(person: str | None, index: Index) -> list[str]:
    return [] if person is None else [one_of("lower(speaker)", _names(person, index))]


def _naming(entity: str | None, index: Index) -> list[str]:
    if entity is None:
        return []
    names = _names(entity, index)
    named = f"regexp_like(text, {quoted('(?i)' + '|'.join(map(_bounded, names)))})"
    return [f"({one_of('lower(speaker)', names)} OR {named})"]


def _bounded(name: str) -> str:
    """A name as a whole word; scripts that put no spaces between words have no borders to ask for."""
    return rf"\b{re.escape(name)}\b" if name.isascii() else re.escape(name)
