"""The timeline of one slot: which value held from when to when, told from its statements alone.

Belongs here: plain Python over the few statements of one contested slot. Does not belong here: frames, ids, or the night's
date. The result depends on the set of statements, never on the order in which they arrived.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from slowwave.format import Polarity, Status

Key = tuple[str, str]


@dataclass(frozen=True)
class Statement:
    """One claim as the timeline sees it. Times are microseconds; `rank` is that of its trust, 0 the most authoritative."""

    claim_id: str
    value: str
    polarity: str
    at: int
    said: int
    rank: int
    confidence: float
    end: int | None = None
    is_unbounded: bool = False

    @property
    def key(self) -> Key:
        """What it takes a stand on: a value, and whether it holds."""
        return self.value, self.polarity


@dataclass(eq=False)
class Period:
    """A stretch of time in which one value held, or was said to; and what became of it."""

    value: str
    polarity: str
    statements: list[Statement]
    status: Status = Status.ACTIVE
    reason: str = ""
    successor: Period | None = None
    rival: Period | None = None
    rank: int = field(init=False)
    confidence: float = field(init=False)

    def __post_init__(self) -> None:
        self._weigh()

    def _weigh(self) -> None:
        # The surest statement counts, not their sum: two mumbles don't make a plain word.
        self.rank = min(s.rank for s in self.statements)
        self.confidence = max(s.confidence for s in self.statements)

    def join(self, other: Period) -> None:
        """Take the other's statements in."""
        self.statements += other.statements
        self._weigh()

    @property
    def key(self) -> Key:
        """Its value and polarity."""
        return self.value, self.polarity

    @property
    def order(self) -> tuple[int, int, str]:
        """Where it stands among the periods of its value."""
        return min((s.at, s.said, s.claim_id) for s in self.statements)

    @property
    def last_at(self) -> int:
        """When it was last stated."""
        return max(s.at for s in self.statements)

    @property
    def end(self) -> int | None:
        """The end that was stated last, if that statement was not of being unbounded."""
        stated = [s for s in self.statements if s.end is not None or s.is_unbounded]
        if not stated:
            return None
        return max(stated, key=lambda s: (s.said, s.is_unbounded, s.end or 0, s.claim_id)).end


def replay(statements: Iterable[Statement], min_confidence: float) -> list[Period]:
    """All periods of one slot. A statement under `min_confidence` never ends a period at or above it."""
    withdrawn, rest = _withdraw(list(statements), min_confidence)
    slot = _Slot(min_confidence)
    ordered = sorted(rest, key=lambda s: (s.at, s.claim_id))
    for at, told in groupby(ordered, key=lambda s: s.at):
        slot.tell(at, list(told))
    return [*withdrawn, *slot.close()]


def _outweighs(one: Period | Statement, other: Period | Statement, floor: float) -> bool:
    return one.rank <= other.rank and not one.confidence < floor <= other.confidence


def _withdraw(statements: Sequence[Statement], floor: float) -> tuple[list[Period], list[Statement]]:
    """Retracted periods, and the statements that stand. One without the weight to retract only says no, and is disputed."""
    rest = [s for s in statements if s.polarity != Polarity.RETRACT]
    periods: dict[str, list[Period]] = {}
    for retraction in sorted(set(statements) - set(rest), key=lambda s: (s.said, s.claim_id)):
        told = [s for s in rest if s.key == (retraction.value, Polarity.ASSERT) and s.said <= retraction.said]
        hit = [s for s in told if _outweighs(retraction, s, floor)]
        known = periods.setdefault(retraction.value, [])
        if told and not hit:
            rest.append(replace(retraction, polarity=Polarity.NEGATE))
            continue
        rest = [s for s in rest if s not in hit]
        made = Period(retraction.value, Polarity.ASSERT, [*hit, retraction], Status.RETRACTED, "never_true")
        if known and not hit:
            known[-1].join(made)
        else:
            known.append(made)
    return [period for found in periods.values() for period in found], rest


class _Slot:
    """What holds in a slot as its statements are told in order of time.

    `current` is the value that holds, or several that were said at one instant; `denied` are values said not to hold;
    `waiting` are statements without the weight to change either.
    """

    def __init__(self, floor: float) -> None:
        self.floor = floor
        self.current: list[Period] = []
        self.denied: dict[str, Period] = {}
        self.waiting: dict[Key, Period] = {}
        self.past: list[Period] = []

    def tell(self, at: int, told: list[Statement]) -> None:
        """Take in everything that was said at one instant."""
        self._lapse(at, told)
        said: dict[Key, Period] = {}
        for statement in told:
            new = Period(statement.value, statement.polarity, [statement])
            if statement.key in said:
                said[statement.key].join(new)
            else:
                said[statement.key] = new
        self._split_minds(said)
        self._assert([p for p in said.values() if p.polarity == Polarity.ASSERT])
        for denial in [p for p in said.values() if p.polarity == Polarity.NEGATE]:
            self._deny(denial)

    def close(self) -> list[Period]:
        """Every period, once all is told."""
        if len(self.current) > 1:
            for period in self.current:
                rival = next(p for p in self.current if p is not period)
                period.status, period.reason, period.rival = Status.DISPUTED, "same_instant", rival
        return [*self.past, *self.current, *self.denied.values(), *self.waiting.values()]

    def _lapse(self, at: int, told: list[Statement]) -> None:
        """Let go of what ended by its own stated end, unless it is told again as unbounded or within that end."""
        for period in [*self.current, *self.denied.values()]:
            end = period.end
            same = [s for s in told if s.key == period.key]
            is_kept = end is not None and any(s.is_unbounded or (s.end is not None and s.end <= end) for s in same)
            if end is not None and end <= at and not is_kept:
                self._leave(period)

    def _leave(self, period: Period) -> None:
        self.past.append(period)
        if self.denied.get(period.value) is period:
            del self.denied[period.value]
        else:
            self.current.remove(period)

    def _split_minds(self, said: dict[Key, Period]) -> None:
        """A value both asserted and denied at one instant: the weightier stands, equals are both disputed."""
        for value in sorted({value for value, _ in said}):
            yes, no = said.get((value, Polarity.ASSERT)), said.get((value, Polarity.NEGATE))
            if yes is None or no is None:
                continue
            for one, other in ((yes, no), (no, yes)):
                if self._standing(one) >= self._standing(other):
                    self._set_aside(said.pop(one.key), other)

    def _standing(self, period: Period) -> tuple[int, bool]:
        return period.rank, period.confidence < self.floor

    def _assert(self, asserted: list[Period]) -> None:
        told = sorted((self._restated(p) for p in asserted), key=lambda p: p.value)
        best = min((self._standing(p) for p in told), default=None)
        top = [p for p in told if self._standing(p) == best]
        for period in told:
            if period not in top and period not in self.current:
                self._set_aside(period, top[0])
        if top:
            self._take(top, self._rivals([p.value for p in top]))

    def _restated(self, told: Period) -> Period:
        """The current period of the same value, with what was told; else what was told."""
        same = next((p for p in self.current if p.value == told.value), None)
        if same is None:
            return told
        same.join(told)
        return same

    def _take(self, told: list[Period], others: list[Period]) -> None:
        """What was told takes the place of the others, or waits; several values of equal weight hold together, and none wins."""
        if blocker := self._blocker(told[0], others):
            for period in told:
                if period not in self.current:
                    self._set_aside(period, blocker)
            return
        heirs = [p if p in self.current else self._open(p, others) for p in told]
        self._succeed(others, heirs[0])
        self.current = heirs

    def _deny(self, told: Period) -> None:
        """A value was said not to hold: it ends where it held, and the denial stands either way."""
        held = [p for p in self.current if p.value == told.value]
        if blocker := self._blocker(told, held):
            self._set_aside(told, blocker)
            return
        known = self.denied.get(told.value)
        if known is not None:
            known.join(told)
            return
        self.denied[told.value] = self._open(told, held)
        self._succeed(held, self.denied[told.value], reason="denied")

    def _rivals(self, values: list[str]) -> list[Period]:
        """What cannot hold beside these values."""
        return [p for p in self.current if p.value not in values] + [p for v, p in self.denied.items() if v in values]

    def _blocker(self, told: Period, others: list[Period]) -> Period | None:
        return next((p for p in others if not _outweighs(told, p, self.floor)), None)

    def _open(self, told: Period, others: list[Period]) -> Period:
        """A new period, with what had been waiting to say the same since the others were last stated."""
        waiting = self.waiting.get(told.key)
        since = max((p.last_at for p in others), default=None)
        if waiting is not None and (since is None or waiting.order[0] > since):
            told.join(self.waiting.pop(told.key))
        return told

    def _succeed(self, others: list[Period], heir: Period, reason: str = "newer_value") -> None:
        for period in others:
            period.status, period.reason, period.successor = Status.SUPERSEDED, reason, heir
            self._leave(period)

    def _set_aside(self, told: Period, rival: Period) -> None:
        known = self.waiting.get(told.key)
        if known is not None:
            known.join(told)
            return
        told.status, told.rival = Status.DISPUTED, rival
        told.reason = _why(told, rival)
        self.waiting[told.key] = told


def _why(told: Period, rival: Period) -> str:
    if told.rank > rival.rank:
        return "lower_authority"
    return "low_confidence" if told.confidence < rival.confidence else "same_instant"
