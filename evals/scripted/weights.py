"""Every weight of the ranking tried at none, half and double, on scripted conversations of our own alone.

Searches are remembered, so that a trial costs the ranking and no more. Belongs here: the trials. Does not belong here: choosing, which a
person does with these figures beside what a part is for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evals.scripted.measure import PLACES, Ask, Opened, figures, opened
from slowwave import rank
from slowwave.reader.names import Index
from slowwave.reader.recall import answer
from slowwave.reader.request import Request
from slowwave.reader.results import Recalled
from slowwave.reader.tables import Tables
from slowwave.reader.topic import topic

FACTORS = {"none": 0.0, "half": 0.5, "double": 2.0}
N_LIVES, FIRST = 4, 101


class Remembering:
    """One life's tables and vectors, each search made once."""

    def __init__(self, one: Opened) -> None:
        self._one, self._known = one, dict[Any, Any]()
        self.index: Index = one.reader._index()
        self._tables: Tables = one.reader._tables()

    def search(self, name: str, query: str, vector: Any, where: str | None, depth: int) -> Any:
        return list(self._once(("search", name, query, where), self._tables.search, name, query, vector, where, depth))

    def some(self, name: str, where: str) -> Any:
        return list(self._once(("some", name, where), self._tables.some, name, where))

    def by_ids(self, name: str, shape: type[Any], ids: Any) -> Any:
        wanted = frozenset(ids)
        return self._once(("ids", name, wanted), self._tables.by_ids, name, shape, wanted)

    def vector(self, text: str) -> Any:
        embedder = self._one.reader._embedder()
        return None if embedder is None else self._once(("vector", text), embedder.embed_query, topic(text, self.index))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tables, name)

    def _once(self, key: Any, ask: Callable[..., Any], *given: Any) -> Any:
        if key not in self._known:
            self._known[key] = ask(*given)
        return self._known[key]


def measure(n_lives: int = N_LIVES) -> dict[str, Any]:
    """The figure with the weights as they are, and by how many points it moves with each at none, half and double.

    A part that weighs nothing as it is is tried at the weight of `confidence`, at twice and at four times that.
    """
    with opened(n_lives, first=FIRST) as lives:
        known = {id(one): Remembering(one) for one in lives}

        def found(weights: rank.Weights) -> dict[str, Any]:
            return figures(lives, _asking(known, weights))

        now = found(rank.WEIGHTS)
        moved = {name: _moved(name, now, found) for name in rank.PARTS}
        return {"as_it_is": now, "weights": dict(rank.WEIGHTS), "points_moved": moved}


def _asking(known: dict[int, Remembering], weights: rank.Weights) -> Ask:
    def ask(one: Opened, text: str) -> list[Recalled]:
        tables: Any = known[id(one)]
        request = Request(query=text, k=PLACES, now=one.life.as_of, weights=weights)
        return answer(tables, tables.index, request, tables.vector(text))

    return ask


def _moved(
    name: str, now: dict[str, Any], found: Callable[[rank.Weights], dict[str, Any]]
) -> dict[str, dict[str, float]]:
    tried = {factor: found({**rank.WEIGHTS, name: rank.WEIGHTS[name] * by}) for factor, by in FACTORS.items()}
    return {factor: _differences(made, now) for factor, made in tried.items()}


def _differences(made: dict[str, Any], now: dict[str, Any]) -> dict[str, float]:
    """Points over all questions, and of each sort that moved."""
    sorts = {name: round(made["by_sort"][name] - was, 2) for name, was in now["by_sort"].items() if was is not None}
    return {"all": round(made["found_at_10"] - now["found_at_10"], 2), **{n: d for n, d in sorts.items() if d}}
