"""Pure scoring: parts into a score, and what gives way to another. No store, no clock, no embedder.

Every part lies in 0 to 1 and stays visible beside the score. The weights are round numbers; `python -m evals weights` tries each at
none, half and double on scripted conversations of our own, and says what came of it. They are settings of the store.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import exp, log
from typing import Any, cast

from slowwave.format import Trust
from slowwave.planner import Plan
from slowwave.strength import DAY_SECONDS

Weights = Mapping[str, float]


@dataclass(frozen=True)
class Part:
    """One part of a score: what it weighs unless it is set otherwise, and why. A penalty weighs less than nothing."""

    weight: float
    about: str


PARTS: dict[str, Part] = {
    "full_text": Part(
        0.5,
        "Okapi BM25 over what a thing answers, when it was said, and its words; more would let a name alone answer.",
    ),
    "dense": Part(0.7, "The vector of what the question is about."),
    "subject": Part(0.3, "Whom the question names is whom it is about; more would answer for one who never said it."),
    "session": Part(0.2, "A session that speaks of it in several places."),
    "neighbour": Part(0.2, "The turn beside it speaks of it."),
    "next": Part(0.3, "The turn after it takes the topic up: an answer often shares no word with what it answers."),
    "window": Part(0.3, "It lies in the time that the question names."),
    "dated": Part(0.2, "The question asks when, and it says so."),
    "kind": Part(
        0.3, "It is of a kind that answers such questions: in full where they ask for all of a kind, else a third."
    ),
    "confidence": Part(0.05, "How sure the memory is; parts ties."),
    "strength": Part(
        0.0,
        "How strong the memory is by now, by confirmation, importance and time: shown, and 0 since it takes places from turns.",
    ),
    "trust": Part(0.05, "The authority of where it was said, from the owner down to a system; parts ties."),
    "recency": Part(0.2, "Said of late; only where the question asks for the latest."),
    "rerank": Part(
        1.0,
        "How well it answers by the reranker, which reads both together; only of the first results, where there is one.",
    ),
    "question": Part(-0.2, "A turn that asks rarely answers."),
    "echo": Part(-0.2, "An assistant mostly says again what it was told; not where the question asks what it said."),
    "doubt": Part(-0.6, "Disputed, or no longer so: never above what holds."),
    "repeat": Part(-0.5, "It nearly says what a result above it says."),
    "crowd": Part(-0.05, "Two results above it stem from the same message."),
}
WEIGHTS: Weights = {name: part.weight for name, part in PARTS.items()}
# What a store may set a weight to; beyond it a single part is all that counts.
MOST = 10.0
RECENT_DAYS = 30.0
# Above this cosine two texts say the same thing in the same words (static and sentence vectors alike).
NEAR_DUPLICATE = 0.92
# So many results of one message may stand before the next one of it gives way.
A_CROWD = 2
_AUTHORITY = {str(trust): 1 - i / (len(Trust) - 1) for i, trust in enumerate(Trust)}


def score(parts: Mapping[str, float], weights: Weights = WEIGHTS) -> float:
    """The weighted sum of the parts."""
    total = 0.0
    for name, value in parts.items():  # of hundreds of candidates a question, so without a generator
        total += weights[name] * value
    return total


def is_penalty(name: str) -> bool:
    """Whether a part counts against."""
    return PARTS[name].weight < 0


def weights_of(given: Any) -> tuple[Weights, list[str]]:
    """The weights with those that a store sets over the defaults, and the names of what is set there and is no weight."""
    told: dict[str, Any] = dict(cast("Mapping[str, Any]", given)) if isinstance(given, Mapping) else {}
    good = {name: float(value) for name, value in told.items() if _is_weight(name, value)}
    return {**WEIGHTS, **good}, sorted(map(str, told.keys() - good.keys()))


def _is_weight(name: str, value: Any) -> bool:
    if name not in PARTS or isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return False
    return -MOST <= value <= 0 if is_penalty(name) else 0 <= value <= MOST


def authority(trust: str | None) -> float:
    """1 for the owner, 0 for a system; 0 too for what is not known."""
    return _AUTHORITY.get(str(trust), 0.0)


def once_found(n_rows: int) -> float:
    """The idf of a word found once in a table: the unit that makes BM25 scores of tables of different size comparable."""
    return log(1 + (n_rows + 0.5) / 1.5)


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


def diversify(
    scores: Sequence[float],
    similarity: Callable[[int, int], float],
    n: int,
    *,
    sources: Sequence[frozenset[Hashable]] = (),
    weights: Weights = WEIGHTS,
) -> list[tuple[int, dict[str, float]]]:
    """Positions of the best `n`, greedily, each with the parts that it gave way by: `repeat` and `crowd`.

    Maximal marginal relevance (Carbonell and Goldstein, 1998) with a floor: below `NEAR_DUPLICATE` likeness costs nothing,
    since several memories on one topic are mostly several answers. `sources` are the messages that each rests on.
    """
    left = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    lost: list[dict[str, float]] = [{} for _ in scores]
    worth, seen = list(scores), Counter[Hashable]()
    chosen: list[tuple[int, dict[str, float]]] = []

    def lose(i: int, part: str) -> None:
        lost[i][part] = 1.0
        worth[i] += weights[part]

    while left and len(chosen) < n:
        best = max(left, key=lambda i: (worth[i], -i))
        left.remove(best)
        chosen.append((best, lost[best]))
        crowded = _crowded(seen, sources[best]) if sources else frozenset[Hashable]()
        for i in left:
            if "repeat" not in lost[i] and similarity(best, i) >= NEAR_DUPLICATE:
                lose(i, "repeat")
            if crowded and "crowd" not in lost[i] and crowded & sources[i]:
                lose(i, "crowd")
    return chosen


def _crowded(seen: Counter[Hashable], sources: frozenset[Hashable]) -> frozenset[Hashable]:
    """The sources that have as many results now as may stand before others give way."""
    seen.update(sources)
    return frozenset(source for source in sources if seen[source] >= A_CROWD)
