"""Repeat-error rate over time: of the errors of a month, how many repeat an earlier one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from expectations.guards.lessons import lessons_in
from expectations.guards.seen import Finding, Seen, found
from expectations.promise import Fact, Severity
from models.guarding import GuardRules


@dataclass(frozen=True)
class Month:
    """The errors of a month (`2026-03`), and how many of them repeat an earlier one."""

    month: str
    n_errors: int
    n_repeats: int

    @property
    def rate(self) -> float:
        """The share of repeats."""
        return self.n_repeats / self.n_errors


def repeats(seen: Seen, rules: GuardRules) -> Iterator[Fact]:
    """The fact of this month or the last, the newest with enough errors to judge; and one of errors without a day."""
    since = f"{seen.today.replace(day=1) - timedelta(days=1):%Y-%m}"
    judged = [one for one in by_month(seen, rules) if one.month >= since and one.n_errors >= rules.min_errors]
    last = judged[-1] if judged else None
    yield Fact(
        "repeats.rate",
        f"of the errors of {last.month} at most {rules.max_repeat_rate:.0%} repeat an earlier one"
        if last
        else "of the errors of this month and the last there are too few to judge how many repeat earlier ones",
        last.rate if last else 0.0,
        most=rules.max_repeat_rate,
        examples=(f"{last.month}: {last.n_repeats} of {last.n_errors}",) if last else (),
        proposal="Look at the families that the enforcement audit names, and enforce those rules first.",
    )
    yield found(
        "repeats.dated",
        "every error says its day",
        (Finding(one.place) for one in lessons_in(seen, rules.error_files) if one.day is None),
        "Begin its heading with the day, such as 2026-03-01, or add a line `Date:`.",
        Severity.REPORTING,
    )


def by_month(seen: Seen, rules: GuardRules) -> list[Month]:
    """Errors by month, the earliest first; those without a day are in no month."""
    counts: dict[str, list[bool]] = {}
    for one in lessons_in(seen, rules.error_files):
        if one.day is not None:
            counts.setdefault(f"{one.day:%Y-%m}", []).append(one.is_repeat)
    return [Month(month, len(said), sum(said)) for month, said in sorted(counts.items())]
