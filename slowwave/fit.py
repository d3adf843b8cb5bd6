"""Fit whole records into a budget: one rule for the night's documents and for what is exported into an agent's files.

Belongs here: lines, groups and budgets. Does not belong here: what a record means (`records`, and whoever asks).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

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
class Budget:
    """Most of each that a text may have; None where a platform does not count it. Bytes are those of UTF-8."""

    max_tokens: int | None = None
    max_chars: int | None = None
    max_bytes: int | None = None
    max_lines: int | None = None


@dataclass(frozen=True)
class Cost:
    """What a text takes of a budget."""

    tokens: int = 0
    chars: int = 0
    bytes: int = 0
    lines: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(*(mine + its for mine, its in zip(self._each(), other._each(), strict=True)))

    def is_within(self, budget: Budget, share: float = 1.0) -> bool:
        """Whether it is at most that share of the budget in all that the budget counts."""
        most = (budget.max_tokens, budget.max_chars, budget.max_bytes, budget.max_lines)
        return all(cap is None or have <= cap * share for have, cap in zip(self._each(), most, strict=True))

    def rest_of(self, budget: Budget) -> Budget:
        """What this leaves of a budget."""
        caps = (budget.max_tokens, budget.max_chars, budget.max_bytes, budget.max_lines)
        left = (None if cap is None else max(0, cap - have) for have, cap in zip(self._each(), caps, strict=True))
        return Budget(*left)

    def _each(self) -> tuple[int, int, int, int]:
        return self.tokens, self.chars, self.bytes, self.lines


NOTHING = Cost()
# A record of at most this share of the room there is is short: so little of it may stay empty.
_SHORT = 0.05


def cost(line: str) -> Cost:
    """The cost of a line, or of some, with a line break. Tokens never span one, so a text costs what its lines do."""
    size = len(line) if line.isascii() else len(line.encode("utf-8", "surrogatepass"))
    return Cost(count(line), len(line) + 1, size + 1, line.count("\n") + 1)


def heading_cost(group: str) -> Cost:
    """The cost of opening a group: its heading, and the empty line before it."""
    return cost(f"## {group}") + cost("")


def fit(
    records: Sequence[Record], groups: Sequence[str], budget: Budget, *, header: str = "", nothing: str = ""
) -> Fitted:
    """Take whole records until the budget is full.

    Pinned ones come first, then by worth as far as each bucket's share goes (its best record always may), then by worth
    alone, then the spare ones. Where a short record does not fit the budget is full: a shorter one in its place would have to
    go when a line changes elsewhere, and a fact would move two lines. A long one is passed over. Groups are shown in the order
    given, records in a group by their place. `header` precedes them, `nothing` is shown where there is no record at all and it fits.
    """
    groups = list(dict.fromkeys(groups))
    used = cost(header) + cost("") if header else NOTHING
    taken = take(records, budget, used=used)
    shown = [record for record in records if record.memory_id in taken]
    text = _render(shown, groups, header) if shown else _fallback(nothing if not records else "", budget)
    ordered = [record for group in groups for record in _of_group(shown, group)]
    omitted = sorted((one for one in records if one.memory_id not in taken), key=lambda one: one.worth)
    return Fitted(text, [one.memory_id for one in ordered], [one.memory_id for one in omitted])


def take(
    records: Sequence[Record],
    budget: Budget,
    *,
    used: Cost = NOTHING,
    opening: Callable[[str], Cost] = heading_cost,
) -> set[str]:
    """The ids of the records that a budget takes, of which `used` is spent; `opening` is what the first record of a group adds."""
    costs = {record.memory_id: cost(record.line) for record in records}
    room = used.rest_of(budget)
    groups: set[str] = set()
    buckets: dict[tuple[str, int], Cost] = {}
    closed: set[tuple[str, int]] = set()
    taken: set[str] = set()
    for record, is_shared in _turns(records):
        if record.memory_id in taken or (is_shared and record.bucket in closed):
            continue
        own = costs[record.memory_id]
        drawn = buckets.get(record.bucket, NOTHING) + own
        if is_shared and record.bucket in buckets and not drawn.is_within(budget, record.share):
            closed.add(record.bucket)
            continue
        with_it = used + own + (NOTHING if record.group in groups else opening(record.group))
        if with_it.is_within(budget):
            used, buckets[record.bucket] = with_it, drawn
            groups.add(record.group)
            taken.add(record.memory_id)
        elif own.is_within(room, _SHORT) and not record.is_pinned:
            break
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


def _fallback(text: str, budget: Budget) -> str:
    return f"{text}\n" if text and cost(text).is_within(budget) else ""
