"""What was found for each question, and the shares in per cent over all of them and by category.

Belongs here: arithmetic. Does not belong here: asking, and the data set's form.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from evals.dataset import ADVERSARIAL, CATEGORIES


@dataclass(frozen=True)
class Found:
    """What a reader returned for one question. Shares are of the question's evidence turns, or of their sessions."""

    category: int
    at_10: float
    at_60: float
    in_1000_tokens: float
    sessions_at_10: float
    sessions_in_10_results: float
    n_results: int
    n_tokens: int
    n_evidence: int

    @property
    def is_adversarial(self) -> bool:
        """Whether the question takes what one speaker said for the other's: left out of all but its own figure."""
        return self.category == ADVERSARIAL


def share(found: Collection[str], wanted: Collection[str]) -> float:
    """The share of what was wanted that was found."""
    return len(set(found) & set(wanted)) / len(set(wanted))


def percent(values: Iterable[float]) -> float | None:
    """The mean of shares, in per cent with one decimal; None over nothing."""
    every = list(values)
    return round(100 * fmean(every), 1) if every else None


def figures(found: list[Found]) -> dict[str, Any]:
    """Every figure: means over questions, of categories 1 to 4 unless it is the adversarial one."""
    plain = [f for f in found if not f.is_adversarial]
    return {
        **_of(plain),
        "adversarial_at_10": percent(f.at_10 for f in found if f.is_adversarial),
        "by_category": {
            name: {"category": number, **_of([f for f in found if f.category == number])}
            for number, name in CATEGORIES.items()
        },
        "tokens_per_result": _ratio(sum(f.n_tokens for f in found), sum(f.n_results for f in found)),
        "tokens_at_10": _ratio(sum(f.n_tokens for f in found), len(found)),
    }


def _of(found: list[Found]) -> dict[str, Any]:
    return {
        "recall_at_10": percent(f.at_10 for f in found),
        "recall_at_60": percent(f.at_60 for f in found),
        "tokens_1000": percent(f.in_1000_tokens for f in found),
        # Among the first ten sessions, as evidence is among the first ten results; and the same among those ten results alone.
        "session_at_10": percent(f.sessions_at_10 for f in found),
        "session_in_10_results": percent(f.sessions_in_10_results for f in found),
        "pooled_at_10": _pooled((f.at_10, f.n_evidence) for f in found),
        "n_questions": len(found),
    }


def _pooled(shares: Iterable[tuple[float, int]]) -> float | None:
    """The share of all evidence turns together, where a question of many weighs as much as its many."""
    every = list(shares)
    total = sum(n for _, n in every)
    return round(100 * sum(share * n for share, n in every) / total, 1) if total else None


def _ratio(total: float, n: int) -> float | None:
    return round(total / n, 1) if n else None
