"""What the page is made of, in words alone: whoever renders decides how it looks. No logic lives here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Item:
    """One thing that the night dealt with: its words, what became of it, what it was before, and the quotes it rests on."""

    text: str
    about: str = ""
    before: str = ""
    quotes: tuple[str, ...] = ()
    id: str = ""
    is_hidden: bool = False


@dataclass(frozen=True)
class Listed:
    """Items of one sort: how many there are, and those that are shown."""

    n: int = 0
    items: tuple[Item, ...] = ()


@dataclass(frozen=True)
class Counted:
    """What one night counted when it ended: active memories by kind and by tenths of strength, tokens and cost."""

    run: str
    as_of: str
    kinds: Mapping[str, int]
    strengths: Sequence[int]
    tokens: int
    cost: float


@dataclass(frozen=True)
class Told:
    """All that a report tells: the run's ledger, what was listed by sort, the nights up to this one, and pages beside it."""

    run: Mapping[str, Any]
    listed: Mapping[str, Listed] = field(default_factory=dict[str, Listed])
    nights: Sequence[Counted] = ()
    links: Sequence[tuple[str, str]] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Table:
    """A table; the columns in `numbers` are numbers."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Bars:
    """Columns side by side: a label and a number each, and the number as it is written."""

    title: str
    about: str
    labels: Sequence[str]
    values: Sequence[float]
    written: Sequence[str]
    table: Table


@dataclass(frozen=True)
class Rows:
    """A line for each name: how many there are tonight, and how many there were before, oldest first."""

    title: str
    about: str
    names: Sequence[str]
    counts: Sequence[Sequence[int]]
    table: Table


@dataclass(frozen=True)
class Section:
    """A part of the page under a heading of its own."""

    title: str
    lines: tuple[str, ...] = ()
    listed: Listed = Listed()
    tables: tuple[Table, ...] = ()
    charts: tuple[Bars | Rows, ...] = ()
