"""Pure scoring: parts into a score, and near-duplicates out. No store, no clock, no embedder.

Every part lies in 0 to 1 and stays visible beside the score. The weights are round numbers, each tried at none, half and
double on conversations of LoCoMo: they are flat there, and a part stands where it adds about half a point of recall at 10.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from math import exp, log

from slowwave.planner import Plan
from slowwave.strength import DAY_SECONDS

WEIGHTS: dict[str, float] = {
    "full_text": 1.0,  # Okapi BM25 over what a thing answers, when it was said, and its words
    "dense": 0.7,  # the vector of what the question is about: below full text, since alone it finds a third less
    "subject": 0.3,  # whom the question names is whom the memory is about; more would answer for one who never said it
    "session": 0.2,  # a session that speaks of it in several places
    "neighbour": 0.2,  # the turn beside it speaks of it
    "next": 0.3,  # the turn after it takes the topic up: an answer often shares no word with what it answers
    "window": 0.3,  # it lies in the time the question names
    "dated": 0.2,  # the question asks when, and it says so
    "kind": 0.3,  # it is of a kind that answers such questions: in full where they ask for all of a kind, else a third
    "confidence": 0.05,  # parts ties
    "recency": 0.2,  # only where the question asks for the latest: a general boost was measured to hurt
    "question": -0.2,  # a turn that asks rarely answers
    "echo": -0.2,  # an assistant mostly says again what it was told; not where the question asks what it said
    "doubt": -0.6,  # disputed, or no longer so: never above what holds
}
RECENT_DAYS = 30.0
# Above this cosine two texts say the same thing in the same words (static and sentence vectors alike).
NEAR_DUPLICATE = 0.92
DUPLICATE_COST = 0.5


def score(parts: Mapping[str, float]) -> float:
    """The weighted sum of the parts."""
    total = 0.0
    for name, value in parts.items():  # of hundreds of candidates a question, so without a generator
        total += WEIGHTS[name] * value
    return total


def comparable(bm25: float, n_rows: int) -> float:
    """A BM25 score made comparable over tables of different size: in units of the idf of a word found once."""
    return bm25 / log(1 + (n_rows + 0.5) / 1.5)


def of_kind(plan: Plan, kind: str) -> float:
    """1 where the question asks for all that the asker has of this kind, a third where the kind suits it, else 0."""
    return 0.0 if kind not in plan.kinds else 1.0 if plan.is_for_all_of_a_kind else 1 / 3


def in_window(plan: Plan, starts_at: datetime | None, ends_at: datetime | None) -> float:
    """1 where the interval touches the time that the question names, else 0; 0 where it names none."""
    if plan.window is None or starts_at is None:
        return 0.0
    after = plan.window.starts_at is None or (ends_at or starts_at) >= plan.window.starts_at
    before = plan.window.ends_at is None or starts_at < plan.window.ends_at
    return float(after and before)


def recency(plan: Plan, at: datetime | None, now: datetime) -> float:
    """1 for now, 1/e after a month; 0 where the question does not ask for the latest."""
    if not plan.is_latest or at is None:
        return 0.0
    return exp(-max(0.0, (now - at).total_seconds() / DAY_SECONDS) / RECENT_DAYS)


def diversify(scores: Sequence[float], similarity: Callable[[int, int], float], n: int) -> list[int]:
    """Positions of the best `n`, greedily; what nearly repeats one already chosen loses `DUPLICATE_COST`.

    Maximal marginal relevance (Carbonell and Goldstein, 1998) with a floor: below `NEAR_DUPLICATE` likeness costs nothing,
    since several memories on one topic are mostly several answers.
    """
    left = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    chosen: list[int] = []
    repeats: dict[int, bool] = {}
    while left and len(chosen) < n:
        best = max(left, key=lambda i: (scores[i] - DUPLICATE_COST * repeats.get(i, False), -i))
        left.remove(best)
        chosen.append(best)
        for i in left:
            repeats[i] = repeats.get(i, False) or similarity(best, i) >= NEAR_DUPLICATE
    return chosen
