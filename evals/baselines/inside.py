"""One system in a process of its own: it takes everything in, answers every question, and says what that took.

`python -m evals.baselines.inside SYSTEM OF DATA SEED DAYS FOLDER MODEL API_BASE` prints one JSON object.
Belongs here: clocks, and what was found.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from evals.baselines.corpus import Asked, Corpus, corpora
from evals.baselines.raw import Full, FullText, Fused, Search, Vectors
from evals.probe import peak_mb
from slowwave import tokens

PLACES, FAR, BUDGET_TOKENS = 10, 60, 1000
WHOLE, OURS = "full_context", "ours"
RAW: dict[str, Callable[[Corpus], Search]] = {WHOLE: Full, "full_text": FullText, "vectors": Vectors, "fused": Fused}
Row = dict[str, Any]


def run(system: str, given: list[Corpus], folder: Path, model: str, api_base: str) -> Row:
    """Everything taken in and asked; CPU by part, times a question, and shares found."""
    _warm(system, given, folder, model)
    held, taking, asking = peak_mb(), 0.0, list[float]()
    rows: list[Row] = []
    for corpus in given:
        began = time.process_time()
        search = _opened(system, corpus, folder, model, api_base)
        taking += time.process_time() - began
        for asked in corpus.asked:
            began = time.process_time()
            near = search.ask(asked.text, PLACES)
            asking.append(time.process_time() - began)
            # All of the talk is one answer, however many turns it has.
            near = near if system == WHOLE else near[:PLACES]
            rows.append(_found(asked, near, search.ask(asked.text, FAR)))
    return {"taking": taking, "asking": statistics.median(asking), "peak": peak_mb(), "held": held, "rows": rows}


def _warm(system: str, given: list[Corpus], folder: Path, model: str) -> None:
    """A few turns first: what is loaded for them is not what taking in costs."""
    if system in RAW:
        few = Corpus("warm", given[0].turns[:3], (), given[0].as_of)
        RAW[system](few).ask("What was said?", PLACES)
    elif system == OURS:
        from evals.baselines.ours import warm

        warm(folder, has_model=bool(model))


def _opened(system: str, corpus: Corpus, folder: Path, model: str, api_base: str) -> Search:
    if system in RAW:
        return RAW[system](corpus)
    place = folder / system
    place.mkdir(exist_ok=True)
    from evals.baselines.ours import Ours

    return Ours(corpus, place, model, api_base)


def _found(asked: Asked, near: list[tuple[frozenset[str], str]], far: list[tuple[frozenset[str], str]]) -> Row:
    ten = frozenset[str]().union(*(ids for ids, _ in near))
    order = [ids for ids, _ in far]
    return {
        "at_10": len(ten & asked.evidence) / len(asked.evidence),
        "in_1000": len(_within(far) & asked.evidence) / len(asked.evidence),
        "tokens": sum(tokens.count(text) for _, text in near),
        "is_swapped": asked.is_swapped,
        "stale_first": _is_stale_first(order, asked) if asked.stale and len(order) <= FAR else None,
    }


def _within(results: list[tuple[frozenset[str], str]]) -> frozenset[str]:
    """The turns of the first results that fit the budget."""
    left, found = BUDGET_TOKENS, frozenset[str]()
    for ids, text in results:
        left -= tokens.count(text)
        if left < 0:
            break
        found |= ids
    return found


def _is_stale_first(order: list[frozenset[str]], asked: Asked) -> bool:
    """Whether what once held comes before what holds now, or in its place."""
    first = next((ids for ids in order if ids & (asked.evidence | asked.stale)), frozenset[str]())
    return bool(first & asked.stale) and not first & asked.evidence


if __name__ == "__main__":
    system, of, data, seed, days, folder, model, api_base = sys.argv[1:9]
    given = corpora(of, Path(data) if data else None, seed=int(seed), days=int(days))
    print(json.dumps(run(system, given, Path(folder), model, api_base)))
