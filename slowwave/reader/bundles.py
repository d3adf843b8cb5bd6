"""A bundle: what an agent should have in mind for a question, in sections, within one budget.

The answer has first call on half of the budget, then comes the bounded snapshot, whole or not at all; the sections fill what is left, those
that suit the question first. Nothing is said twice: what the snapshot or the answer holds stands in no section.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from slowwave.errors import VersionGone
from slowwave.format import Document
from slowwave.reader.recall import n_tokens
from slowwave.reader.results import Recalled, plain

SECTIONS = ("commitments", "collaborators", "project", "episodes", "preferences", "guidance")
# The sections that a question of a kind needs first.
_FIRST: dict[str, tuple[str, ...]] = {
    "commitment": ("commitments",),
    "collaborator": ("collaborators",),
    "project": ("project", "commitments"),
    "preference": ("preferences",),
    "communication": ("guidance", "preferences"),
    "historical": ("episodes",),
}
MAX_RECORDS = 5


def _empty() -> dict[str, tuple[Recalled, ...]]:
    return {name: () for name in SECTIONS}


@dataclass(frozen=True, kw_only=True)
class Bundle:
    """What a memory has to say to a question. `warnings` say what it had to do without, and why it is empty where it is."""

    version: str | None = None
    mode: str = "general"
    snapshot: str = ""
    results: tuple[Recalled, ...] = ()
    sections: Mapping[str, tuple[Recalled, ...]] = field(default_factory=_empty)
    warnings: tuple[str, ...] = ()
    n_tokens: int = 0
    zone: str = "UTC"  # whose days are meant where times are shown

    def as_dict(self) -> dict[str, Any]:
        """Plain values, times as ISO text."""
        return plain(asdict(self))


@dataclass(frozen=True)
class Wanted:
    """One bundle's question and budget; `read` gives the records of a section by name."""

    mode: str
    budget_tokens: int
    results: list[Recalled]
    snapshot: Document | None
    read: Mapping[str, Callable[[int], list[Recalled]]]
    warnings: tuple[str, ...] = ()


def fill(wanted: Wanted) -> Bundle:
    """Fit everything into the budget, of which the results take half at most."""
    snapshot, left = wanted.snapshot, wanted.budget_tokens - sum(map(n_tokens, wanted.results))
    warnings = list(wanted.warnings)
    if snapshot is not None and snapshot.n_tokens > left:
        warnings.append(
            f"the snapshot of {snapshot.n_tokens} tokens does not fit in the {left} that are left of the budget, and is left out: "
            "ask for more, or for a smaller profile"
        )
        snapshot = None
    left -= snapshot.n_tokens if snapshot else 0
    told = {found.id for found in wanted.results} | set(snapshot.memory_ids if snapshot else ())
    sections = _empty()
    for name in _in_order(wanted.mode):
        try:
            # Those that are told already must not use up the section's places.
            found = wanted.read[name](MAX_RECORDS + len(told))
        except VersionGone as error:
            warnings.append(f"no {name}: {error}. {error.hint}")
            continue
        fresh = [one for one in found if one.id not in told][:MAX_RECORDS]
        sections[name] = tuple(_fitting(fresh, left))
        told |= {one.id for one in sections[name]}
        left -= sum(map(n_tokens, sections[name]))
    return Bundle(
        mode=wanted.mode,
        snapshot=snapshot.text if snapshot else "",
        results=tuple(wanted.results),
        sections=sections,
        warnings=tuple(warnings),
        n_tokens=wanted.budget_tokens - left,
    )


def _in_order(mode: str) -> tuple[str, ...]:
    first = _FIRST.get(mode, ())
    return (*first, *(name for name in SECTIONS if name not in first))


def _fitting(records: list[Recalled], left: int) -> Iterator[Recalled]:
    for record in records:
        cost = n_tokens(record)
        if cost <= left:
            left -= cost
            yield record
