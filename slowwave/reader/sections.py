"""What a memory holds for an agent whatever it is asked: promises, people, preferences, the work at hand, how and when to speak.

Belongs here: which records make up a section, and their order. Does not belong here: how much of it fits (`bundles`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from slowwave.context import applies
from slowwave.format import CommitmentState, Kind, Memory, Status, Trust
from slowwave.reader.request import one_of
from slowwave.reader.results import Recalled, briefly, from_memory
from slowwave.reader.tables import Tables, quoted, spelt
from slowwave.strength import strength

# How many records are weighed for a section before the best of them are read whole.
REACH = 2000
_WEIGHED = (
    *("id", "kind", "importance", "confidence", "stability_days", "last_confirmed_at", "last_seen_at", "due_at"),
    *("is_pinned", "attribute", "value"),
)
# What tools and third parties say is found by asking, with its trust shown, and never put before a model unasked.
_OURS = [str(trust) for trust in (Trust.OWNER, Trust.PARTICIPANT, Trust.AGENT)]
_SOON = timedelta(days=7)
Row = dict[str, Any]


@dataclass(frozen=True)
class Sections:
    """Reads sections from one version's tables, as they stand at `now`; `where` holds further conditions on each."""

    tables: Tables
    now: datetime
    where: tuple[str, ...] = ()

    def commitments(self, n: int) -> list[Recalled]:
        """Open promises and goals: what is late or due within a week, by date; then the strongest of the others."""
        is_open = one_of("commitment_state", (CommitmentState.OPEN, CommitmentState.OVERDUE))
        return self._best(n, (Kind.GOAL_OR_COMMITMENT,), self._by_due, is_open)

    def collaborators(self, n: int) -> list[Recalled]:
        """The people the owner works and lives with, the strongest first."""
        return self._best(n, (Kind.COLLABORATOR,), self._by_strength)

    def preferences(self, n: int) -> list[Recalled]:
        """Constraints before preferences, the strongest of each first."""
        kinds = (Kind.CONSTRAINT, Kind.PREFERENCE)
        return self._best(n, kinds, lambda row: (kinds.index(row["kind"]), *self._by_strength(row)))

    def project(self, name: str | None, n: int) -> list[Recalled]:
        """Where the work stands: milestones, lessons and facts of the project (of all of them without a name), the latest first."""
        kinds = (Kind.PROJECT, Kind.TIMELINE_MILESTONE, Kind.TOOL_OR_WORKFLOW_LESSON)
        of_it = () if name is None else (spelt("project", name),)
        return self._best(n, kinds, self._by_recency, *of_it)

    def guidance(self, facts: Mapping[str, str], n: int) -> list[Recalled]:
        """How and when to speak: lessons of the contexts that the facts name, the narrowest first, then what the person asked for.

        A lesson of a context that the facts do not name is left out: it would be a rule for another moment.
        """
        kinds = (Kind.INTERVENTION_OUTCOME, Kind.COMMUNICATION_PREFERENCE)

        def order(row: Row) -> tuple[Any, ...]:
            return (-applies(row["attribute"], row["value"], facts), *self._by_strength(row))

        def is_meant(row: Row) -> bool:
            is_lesson = row["kind"] == Kind.INTERVENTION_OUTCOME
            return not is_lesson or applies(row["attribute"], row["value"], facts) > 0

        return self._best(n, kinds, order, keep=is_meant)

    def _best(
        self,
        n: int,
        kinds: Iterable[str],
        order: Callable[[Row], tuple[Any, ...]],
        *more: str,
        keep: Callable[[Row], bool] = lambda _: True,
    ) -> list[Recalled]:
        said = [one_of("kind", kinds), f"status = {quoted(Status.ACTIVE)}", one_of("trust", _OURS)]
        rows = self.tables.light("memories", " AND ".join([*said, *self.where, *more]), _WEIGHED, REACH)
        chosen = [row["id"] for row in sorted(filter(keep, rows), key=lambda row: (*order(row), row["id"]))[:n]]
        whole = self.tables.by_ids("memories", Memory, chosen)
        return [briefly(from_memory(whole[key], self.now, (0.0, {}), ())) for key in chosen]

    def _by_due(self, row: Row) -> tuple[Any, ...]:
        due = row["due_at"]
        is_pressing = due is not None and due < self.now + _SOON
        return (not is_pressing, due if is_pressing else self.now, *self._by_strength(row))

    def _by_strength(self, row: Row) -> tuple[Any, ...]:
        weight = strength(
            stability_days=row["stability_days"],
            last_at=row["last_confirmed_at"] or row["last_seen_at"],
            confidence=row["confidence"],
            importance=row["importance"],
            now=self.now,
        )
        return (not row["is_pinned"], -weight)

    def _by_recency(self, row: Row) -> tuple[Any, ...]:
        seen = row["last_seen_at"]
        return (not row["is_pinned"], -seen.timestamp() if seen else 0.0)
