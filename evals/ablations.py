"""What each part is worth: switched off one at a time, on scripted conversations of our own, with bootstrap intervals.

A part's worth is by how many points fewer evidence is found among ten results without it, over the same questions; its interval is of those
questions drawn again. Belongs here: what can be switched off, and the intervals. Does not belong here: the questions (`scripted`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from random import Random
from statistics import fmean
from typing import Any

from evals.scripted.measure import PLACES, Opened, opened, share
from evals.scripted.weights import FIRST, Remembering
from slowwave import rank
from slowwave.format import Kind
from slowwave.reader.recall import answer
from slowwave.reader.request import Request
from slowwave.reader.results import Recalled

N_LIVES, N_DRAWS = 2, 1000
# A store's settings with which a stage does next to nothing.
STAGES: dict[str, dict[str, Any]] = {
    "segment": {"segment": {"gap_minutes": 1e9, "context_turns": 0, "window_tokens": 1_000_000}},
    "context": {"project": {"max_context_chars": 0}},
    "sift_limits": {
        "sift": {
            "max_line_chars": 1_000_000,
            "max_tool_lines": 1_000_000,
            "max_message_tokens": 0,
            "min_repeat_chars": 1_000_000,
        }
    },
    "reinforce": {"reinforce": {"spacing_gain": 0.0, "archive_below": 0.0}},
}
Row = dict[str, Any]
Answer = Callable[[Opened, str], list[Recalled]]


def measure(n_lives: int = N_LIVES) -> Row:
    """For each part: points lost without it, and between which bounds 95 in 100 draws of the questions lie."""
    with ExitStack() as stack:
        lives = stack.enter_context(opened(n_lives, first=FIRST))
        known = {id(one): Remembering(one) for one in lives}
        whole = _shares(lives, _asking(known))
        parts = {name: _shares(lives, _asking(known, weights={**rank.WEIGHTS, name: 0.0})) for name in _weighing()}
        unseen = {id(one): Remembering(one) for one in lives}
        arms = {
            "vectors": _shares(lives, _asking(unseen, has_vector=False)),
            "memories": _shares(lives, _asking(known, has_memories=False)),
            "turns": _shares(lives, _asking(known, kinds=frozenset(Kind))),
        }
        stages = {name: _shares(_walked(stack, n_lives, rules)) for name, rules in STAGES.items()}
    return {
        "found_at_10": _points(whole),
        "n_questions": len(whole),
        "ranking": {name: lost(whole, shares) for name, shares in parts.items()},
        "arms": {name: lost(whole, shares) for name, shares in arms.items()},
        "stages": {name: lost(whole, shares) for name, shares in stages.items()},
    }


def _weighing() -> list[str]:
    """The parts that count as it is; what asks for a reranker has none here."""
    return [name for name, weight in rank.WEIGHTS.items() if weight and name != "rerank"]


def _walked(stack: ExitStack, n_lives: int, rules: Row) -> list[Opened]:
    return stack.enter_context(opened(n_lives, first=FIRST, flags={"rules": rules}))


def _asking(
    known: dict[int, Remembering], *, weights: rank.Weights = rank.WEIGHTS, has_vector: bool = True, **arms: Any
) -> Answer:
    def ask(one: Opened, text: str) -> list[Recalled]:
        tables: Any = known[id(one)]
        request = Request(query=text, k=PLACES, now=one.life.as_of, weights=weights, **arms)
        return answer(tables, tables.index, request, tables.vector(text) if has_vector else None)

    return ask


def _shares(lives: Sequence[Opened], ask: Answer | None = None) -> list[float]:
    """The share of evidence found for every question, but those that name the wrong person."""
    answers = ask or (lambda one, text: one.reader.recall(text, PLACES, at=one.life.as_of))
    return [share(one, asked, answers) for one in lives for asked in one.asked if asked.sort != "swapped"]


def lost(whole: Sequence[float], without: Sequence[float], *, n_draws: int = N_DRAWS) -> Row:
    """Points lost, and the bounds of 95 in 100 draws; the draws are the same each time."""
    differences = [a - b for a, b in zip(whole, without, strict=True)]
    draw = Random("bootstrap")
    drawn = sorted(fmean(draw.choices(differences, k=len(differences))) for _ in range(n_draws))
    low, high = drawn[int(0.025 * n_draws)], drawn[int(0.975 * n_draws) - 1]
    return {"points": _points(differences), "from": round(100 * low, 2), "to": round(100 * high, 2)}


def _points(shares: Sequence[float]) -> float:
    return round(100 * fmean(shares), 2)
