"""From a question to results: plan, search memories and turns, join what says the same, rank, diversify, fit the budget."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

from slowwave import rank, tokens
from slowwave.format import Evidence, Memory, Status, Turn
from slowwave.planner import Plan, plan
from slowwave.reader.candidates import Candidate, in_order, join, parts_of, settle
from slowwave.reader.names import Index, Names
from slowwave.reader.passage import passage, words
from slowwave.reader.request import Request, one_of
from slowwave.reader.results import Recalled, briefly, from_memory, from_turn, past_of
from slowwave.reader.tables import Hit, Tables
from slowwave.reader.then import HELD, as_then, held_at, said_by, standing
from slowwave.reader.timeline import happened
from slowwave.reader.topic import without_user
from slowwave.rows import decode

T = TypeVar("T")

# How far below the last place near-duplicates may be replaced from.
SPARE = 30


def answer(tables: Tables, index: Index, request: Request, vector: Any) -> list[Recalled]:
    """Results for a request, best first; `vector` is the question's, or None for full text only."""
    asked = plan(request.query, request.now, request.zone)
    told = _timeline(tables, request, asked)
    if told:
        return list(_within(request.budget_tokens, map(briefly, told)))
    shown = _shown(request, asked)
    hits = list(_hits(tables, index, request, asked, shown, vector))
    whole = _Whole(tables, hits)
    hits = hits if request.as_of is None else as_then(hits)
    names = Names(request.query, index, is_own=asked.is_own)
    n_rows = {name: tables.n_rows(name) for name in ("memories", "turns")}
    parts = parts_of(hits, n_rows, asked, names, request.now)
    joined = join(hits, parts, request.weights)
    settled = (
        settle(joined, shown, whole.memories, request.weights)
        if request.as_of is None
        else standing(joined, request.weights)
    )
    chosen = _chosen(_reranked(settled, request), request)
    memories = whole.memories(c.id for c in chosen if c.table == "memories")
    turns = whole.turns(c.id for c in chosen if c.table == "turns")
    later = whole.memories(m.superseded_by for m in memories.values() if m.superseded_by)
    return list(_within(request.budget_tokens, _results(chosen, {**later, **memories}, turns, request)))


def _reranked(settled: list[Candidate], request: Request) -> list[Candidate]:
    """The first candidates with what the reranker makes of them, and all in order again."""
    first = settled[: request.rerank_top]
    if request.rerank is None or not first:
        return settled
    for one, value in zip(first, request.rerank(request.query, [c.text for c in first]), strict=True):
        one.parts["rerank"] = value
    return in_order(settled, request.weights)


def _chosen(settled: list[Candidate], request: Request) -> list[Candidate]:
    """The places that were asked for, what repeats or crowds given way; what scores too little is no result."""
    weights, n = request.weights, request.offset + request.k
    best = settled[: n + SPARE]
    scores, sources = [rank.score(c.parts, weights) for c in best], [frozenset[Hashable](c.sources) for c in best]
    order = rank.diversify(scores, _Likeness(best), n, sources=sources, weights=weights)
    for i, lost in order:
        best[i].parts |= lost
    chosen = [best[i] for i, _ in order[request.offset :]]
    least = request.min_score
    return chosen if least is None else [c for c in chosen if rank.score(c.parts, weights) >= least]


def _timeline(tables: Tables, request: Request, asked: Plan) -> list[Recalled]:
    """The episodes of the time that a question asks for alone; none where it asks for more, or was narrowed."""
    if not asked.is_about_time or asked.window is None or request.is_narrowed or not request.has_memories:
        return []
    return happened(tables, asked.window, request.k, request.project)


def _shown(request: Request, asked: Plan) -> frozenset[str]:
    """Statuses that may be results: what holds or has faded, what is disputed (marked), and, looking back, what has ended."""
    if request.statuses is not None:
        return request.statuses
    if request.as_of is not None:
        return HELD
    ended = [Status.EXPIRED] if asked.is_past else []
    return frozenset([Status.ACTIVE, Status.ARCHIVED, Status.DISPUTED, *ended])


def _hits(
    tables: Tables, index: Index, request: Request, asked: Plan, shown: frozenset[str], vector: Any
) -> Iterator[Hit]:
    query = without_user(request.query)
    # A superseded memory is found too: its words lead to its successor.
    status = one_of("status", shown | {Status.SUPERSEDED})
    if request.has_memories:
        where = [status, *request.of_memories(index), *held_at(request.as_of)]
        yield from _memories(tables, request, query, asked, where, vector)
    if request.has_turns:
        where = " AND ".join([status, *request.of_turns(index), *said_by(request.as_of)])
        yield from tables.search("turns", query, vector, where, request.depth)


def _memories(
    tables: Tables, request: Request, query: str, asked: Plan, where: list[str], vector: Any
) -> Iterator[Hit]:
    let_through = " AND ".join(where)
    found = tables.search("memories", query, vector, let_through, request.depth)
    yield from found
    if asked.is_for_all_of_a_kind:
        known = {hit.id for hit in found}
        wider = tables.some("memories", " AND ".join([*where, one_of("kind", asked.kinds)]))
        yield from (hit for hit in wider if hit.id not in known)


class _Whole:
    """Memories and turns by id: what was found is here already, the rest is fetched."""

    def __init__(self, tables: Tables, hits: list[Hit]) -> None:
        self._tables = tables
        self._rows = {(hit.table, hit.id): hit.row for hit in hits}

    def memories(self, ids: Iterable[str]) -> dict[str, Memory]:
        return self._of("memories", Memory, set(ids))

    def turns(self, ids: Iterable[str]) -> dict[str, Turn]:
        return self._of("turns", Turn, set(ids))

    def _of(self, table: str, shape: type[T], ids: set[str]) -> dict[str, T]:
        here = {key: decode(shape, self._rows[table, key]) for key in ids if (table, key) in self._rows}
        return {**self._tables.by_ids(table, shape, ids - here.keys()), **here}


class _Likeness:
    """How alike two candidates are: the cosine of their vectors, else the share of words they have in common."""

    def __init__(self, candidates: list[Candidate]) -> None:
        self._candidates = candidates
        self._cosines = _cosines([c.vector for c in candidates])
        self._words = cache(self._words_of)

    def __call__(self, i: int, j: int) -> float:
        cosine = self._cosines[i][j]
        if cosine is not None:
            return cosine
        union = self._words(i) | self._words(j)
        return len(self._words(i) & self._words(j)) / len(union) if union else 0.0

    def _words_of(self, i: int) -> set[str]:
        return words(self._candidates[i].text)


def _cosines(vectors: list[Any]) -> list[list[float | None]]:
    """Of each pair; None where one of them has no vector."""
    here = [i for i, vector in enumerate(vectors) if vector is not None]
    made: list[list[float | None]] = [[None] * len(vectors) for _ in vectors]
    if here:
        import numpy as np

        rows = np.stack([vectors[i] for i in here])
        cosines = np.einsum("ik,jk->ij", rows, rows).tolist()
        if len(here) == len(vectors):
            return cosines
        for i, row in zip(here, cosines, strict=True):
            for j, cosine in zip(here, row, strict=True):
                made[i][j] = cosine
    return made


def _results(
    chosen: list[Candidate], memories: Mapping[str, Memory], turns: Mapping[str, Turn], request: Request
) -> Iterator[Recalled]:
    asked = words(request.query)
    for candidate in chosen:
        parts = {name: round(value, 4) for name, value in sorted(candidate.parts.items())}
        found = (round(rank.score(candidate.parts, request.weights), 4), parts)
        if candidate.table == "turns":
            turn = turns[candidate.id]
            yield from_turn(turn, passage(turn.text, asked), found)
            continue
        memory = memories[candidate.id]
        past = tuple(past_of(m) for m in sorted(candidate.past.values(), key=lambda m: (str(m.valid_from), m.id)))
        later = memories.get(memory.superseded_by or "")
        made = from_memory(memory, request.now, found, past, None if later is None else past_of(later))
        yield briefly(made)


def _within(budget: int | None, results: Iterable[Recalled]) -> Iterator[Recalled]:
    """Results as long as all they show fits; a long one is passed over for shorter ones after it."""
    left = budget
    for result in results:
        if left is not None:
            cost = n_tokens(result)
            if cost > left:
                continue
            left -= cost
        yield result


def n_tokens(result: Recalled) -> int:
    """Tokens of everything a result shows in words: its text, quotes that say more than it, and what it replaced."""
    shown = [result.text, *(e.quote for e in result.evidence if _adds(e, result)), *(p.text for p in result.history)]
    return sum(map(tokens.count, shown))


def _adds(evidence: Evidence, result: Recalled) -> bool:
    return evidence.quote not in result.text
