"""What a promise is, before and after it is checked, and the report of them all. No check lives here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

# Examples name rows; a handful is enough to find the fault, and the report stays small.
MAX_EXAMPLES = 5
RETIREMENT = "few_enough_retired"
# Every list of quotes that is published, by table and column.
CITING = (
    ("memories", "evidence"),
    ("episodes", "evidence"),
    ("entities", "evidence"),
    ("working", "summary"),
    ("working", "commitments"),
    ("working", "preferences"),
    ("documents", "thread"),
)


class Severity(StrEnum):
    """blocking: a version that breaks it is never published. reporting: it is published, and the report says so."""

    BLOCKING = "blocking"
    REPORTING = "reporting"


@dataclass(frozen=True)
class Fact:
    """A number worked out beforehand and the most it may be, with the rows behind it. No `most`: it is only shown."""

    name: str
    about: str
    observed: float
    most: float | None = 0.0
    severity: Severity = Severity.BLOCKING
    examples: tuple[str, ...] = ()
    proposal: str = ""
    memory_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Promise:
    """A promise as it was found: `observed` is what was counted, or what the expectation saw.

    A broken one may propose what a person could do about it, and name the memories concerned.
    """

    name: str
    severity: Severity
    about: str
    is_kept: bool
    observed: float | int | str | None = None
    examples: tuple[str, ...] = ()
    proposal: str = ""
    memory_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """Every promise of a night, kept or broken, in the order they were checked."""

    promises: tuple[Promise, ...]

    @property
    def broken(self) -> list[Promise]:
        """The blocking promises that are broken: with any of these, nothing is published."""
        return [p for p in self.promises if not p.is_kept and p.severity is Severity.BLOCKING]

    @property
    def warnings(self) -> list[Promise]:
        """The reporting promises that are broken."""
        return [p for p in self.promises if not p.is_kept and p.severity is Severity.REPORTING]

    @property
    def is_held(self) -> bool:
        """Whether the share of retired memories is all that stands in the way: then a person decides."""
        return [p.name for p in self.broken] == [RETIREMENT]

    def accepted(self) -> Report:
        """The report where a person has accepted that so much is retired: a warning, and nothing that stands in the way."""
        return Report(
            tuple(replace(p, severity=Severity.REPORTING) if p.name == RETIREMENT else p for p in self.promises)
        )

    def to_dict(self) -> dict[str, Any]:
        """The report in plain JSON."""
        return {
            "n_promises": len(self.promises),
            "broken": [p.name for p in self.broken],
            "warnings": [p.name for p in self.warnings],
            "is_held": self.is_held,
            "promises": [_plain(promise) for promise in self.promises],
        }


def _plain(promise: Promise) -> dict[str, Any]:
    """A promise in plain JSON; what it proposes only where it does."""
    told = asdict(promise) | {"severity": promise.severity.value, "examples": list(promise.examples)}
    proposed = {"proposal": told.pop("proposal"), "memory_ids": list(told.pop("memory_ids"))}
    return {**told, **{name: value for name, value in proposed.items() if value}}


def found(
    name: str,
    about: str,
    ids: Iterable[Any],
    *,
    severity: Severity = Severity.BLOCKING,
    most_examples: int = MAX_EXAMPLES,
    proposal: str = "",
    memory_ids: Iterable[str] = (),
) -> Fact:
    """The fact that these rows break a promise; none should."""
    rows = sorted({str(row) for row in ids})
    told = tuple(sorted(set(memory_ids))[:most_examples])
    return Fact(name, about, len(rows), 0.0, severity, tuple(rows[:most_examples]), proposal, told)


def key_of(table: str) -> str:
    """The column that names a row of a published table."""
    return "name" if table == "documents" else "id"
