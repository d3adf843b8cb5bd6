"""Fit whole records into a budget. Knows lines, groups and budgets; what a record means is decided by whoever asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from models.rules import Profile
from slowwave.tokens import count


@dataclass(frozen=True)
class Record:
    """One memory's line, its group, and its place among the others."""

    memory_id: str
    line: str
    group: str
    priority: int
    order: tuple[Any, ...]
    is_pinned: bool = False
    is_spare: bool = False
    share: float = 1.0

    @property
    def bucket(self) -> tuple[str, int]:
        """Whose share of the budget it draws on."""
        return self.group, self.priority

    @property
    def worth(self) -> tuple[Any, ...]:
        """What is taken first: by group, then by place, and of two as good the shorter one."""
        return self.priority, self.order, len(self.line) // 80, self.memory_id

    @property
    def place(self) -> tuple[Any, ...]:
        """Where it is shown in its group."""
        return self.order, self.memory_id


@dataclass(frozen=True)
class Fitted:
    """A text within its budget, the memories in it in order, and those that did not fit."""

    text: str
    memory_ids: list[str]
    omitted_ids: list[str]


@dataclass(frozen=True)
class _Cost:
    tokens: int
    chars: int

    def __add__(self, other: _Cost) -> _Cost:
        return _Cost(self.tokens + other.tokens, self.chars + other.chars)

    def is_within(self, budget: Profile, share: float = 1.0) -> bool:
        """Whether it is at most that share of the budget, in tokens and, where those count, in code points."""
        is_short = budget.max_chars is None or self.chars <= budget.max_chars * share
        return self.tokens <= budget.max_tokens * share and is_short


_NOTHING = _Cost(0, 0)


def _cost(line: str) -> _Cost:
    # Tokens never span a line break, so the cost of a text is the sum of the cost of its lines.
    return _Cost(count(line), len(line) + 1)


def fit(
    records: Sequence[Record], groups: Sequence[str], budget: Profile, *, header: str = "", nothing: str = ""
) -> Fitted:
    """Take whole records until the budget is full.

    Pinned ones come first, then by worth as far as each bucket's share goes (its best record always may), then by worth
    alone, then the spare ones. Groups are shown in the order given, records in a group by their place. `header` precedes
    them, `nothing` is shown where there is no record at all and it fits.
    """
    groups = list(dict.fromkeys(groups))
    taken = _take(records, budget, header)
    shown = [record for record in records if record.memory_id in taken]
    text = _render(shown, groups, header) if shown else _fallback(nothing if not records else "", budget)
    ordered = [record for group in groups for record in _of_group(shown, group)]
    omitted = sorted((one for one in records if one.memory_id not in taken), key=lambda one: one.worth)
    return Fitted(text, [one.memory_id for one in ordered], [one.memory_id for one in omitted])


def _take(records: Sequence[Record], budget: Profile, header: str) -> set[str]:
    used = _cost(header) + _cost("") if header else _NOTHING
    costs = {record.memory_id: _cost(record.line) for record in records}
    groups: set[str] = set()
    buckets: dict[tuple[str, int], _Cost] = {}
    taken: set[str] = set()
    for record, is_shared in _turns(records):
        opening = _NOTHING if record.group in groups else _cost(f"## {record.group}") + _cost("")
        cost = opening + costs[record.memory_id]
        drawn = buckets.get(record.bucket, _NOTHING) + costs[record.memory_id]
        is_over = is_shared and record.bucket in buckets and not drawn.is_within(budget, record.share)
        if record.memory_id in taken or is_over or not (used + cost).is_within(budget):
            continue
        used, buckets[record.bucket] = used + cost, drawn
        groups.add(record.group)
        taken.add(record.memory_id)
    return taken


def _turns(records: Sequence[Record]) -> Iterator[tuple[Record, bool]]:
    """The order in which records are offered, and whether their bucket's share binds them."""
    ranked = sorted(records, key=lambda one: one.worth)
    yield from ((one, False) for one in ranked if one.is_pinned)
    yield from ((one, True) for one in ranked if not one.is_spare)
    yield from ((one, False) for one in ranked if not one.is_spare)
    yield from ((one, False) for one in ranked if one.is_spare)


def _of_group(records: Iterable[Record], group: str) -> list[Record]:
    return sorted((one for one in records if one.group == group), key=lambda one: one.place)


def _render(shown: Sequence[Record], groups: Sequence[str], header: str) -> str:
    blocks = [header] if header else []
    for group in groups:
        lines = [record.line for record in _of_group(shown, group)]
        if lines:
            blocks.append("\n".join([f"## {group}", *lines]))
    return "\n\n".join(blocks) + "\n"


def _fallback(text: str, budget: Profile) -> str:
    return f"{text}\n" if text and _cost(text).is_within(budget) else ""
