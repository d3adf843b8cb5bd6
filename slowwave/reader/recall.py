"""From a question to results: plan, search memories and turns, join what says the same, rank, diversify, fit the budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from slowwave import rank, tokens
from slowwave.errors import UsageError
from slowwave.format import Evidence, Kind, Memory, Status, Turn
from slowwave.planner import Plan, plan
from slowwave.reader.candidates import Candidate, join, parts_of, settle
from slowwave.reader.names import Index, Names
from slowwave.reader.passage import passage, words
from slowwave.reader.results import Recalled, from_memory, from_turn, past_of
from slowwave.reader.tables import Hit, Tables, instant, quoted
from slowwave.reader.then import HELD, as_then, held_at, said_by, standing
from slowwave.reader.timeline import happened

MEMORY_COLUMNS = [
    *("subject", "subject_key", "entity_ids", "kind", "status", "text", "confidence"),
    *("valid_from", "valid_to", "first_seen_at", "last_seen_at"),
]
TURN_COLUMNS = ["session_id", "seq", "role", "speaker", "status", "memory_ids", "said_at", "text"]
VALID = ("coalesce(valid_from, first_seen_at)", "coalesce(valid_to, last_seen_at, first_seen_at)")
# A memory said twenty times is one result: its first words and its latest; `why` shows the rest.
MAX_QUOTES = 3
# How far below the last place near-duplicates may be replaced from.
SPARE = 30


@dataclass(frozen=True, kw_only=True)
class Request:
    """One question and what may answer it."""

    query: str
    now: datetime
    k: int = 10
    budget_tokens: int | None = None
    kinds: frozenset[str] | None = None
    project: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    statuses: frozenset[str] | None = None
    zone: str | None = None
    has_memories: bool = True
    as_of: datetime | None = None

    def __post_init__(self) -> None:
        if not self.query.strip():
            raise UsageError("there is no question", 'Ask something: recall("When did Ana move?")')
        if self.k < 1 or (self.budget_tokens is not None and self.budget_tokens < 1):
            raise UsageError("k and budget_tokens must be at least 1", "Ask for one result or more.")
        _known("kind", self.kinds, Kind)
        _known("status", self.statuses, Status)


def _known(what: str, given: frozenset[str] | None, choices: type[Kind] | type[Status]) -> None:
    alien = sorted((given or frozenset()) - {c.value for c in choices})
    if alien:
        raise UsageError(f"{alien[0]!r} is no {what}", f"Use some of: {', '.join(c.value for c in choices)}.")


def answer(tables: Tables, index: Index, request: Request, vector: Any) -> list[Recalled]:
    """Results for a request, best first; `vector` is the question's, or None for full text only."""
    asked = plan(request.query, request.now, request.zone)
    told = _timeline(tables, request, asked)
    if told:
        return list(_within(request.budget_tokens, map(_briefly, told)))
    shown = _shown(request, asked)
    hits = list(_hits(tables, request, asked, shown, vector))
    hits = hits if request.as_of is None else as_then(hits)
    names = Names(request.query, index, is_own=asked.is_own)
    n_rows = {name: tables.n_rows(name) for name in ("memories", "turns")}
    parts = parts_of(hits, n_rows, asked, names, request.now)
    joined = join(hits, parts)
    settled = (
        settle(joined, shown, lambda ids: tables.by_ids("memories", Memory, ids))
        if request.as_of is None
        else standing(joined)
    )
    best = settled[: request.k + SPARE]
    chosen = [best[i] for i in rank.diversify([rank.score(c.parts) for c in best], _Likeness(best), request.k)]
    memories = tables.by_ids("memories", Memory, (c.id for c in chosen if c.table == "memories"))
    turns = tables.by_ids("turns", Turn, (c.id for c in chosen if c.table == "turns"))
    later = tables.by_ids("memories", Memory, (m.superseded_by for m in memories.values() if m.superseded_by))
    return list(_within(request.budget_tokens, _results(chosen, {**later, **memories}, turns, request)))


def _timeline(tables: Tables, request: Request, asked: Plan) -> list[Recalled]:
    """The episodes of the time that a question asks for alone; none where it asks for more, or was narrowed by kind, status or time."""
    is_narrowed = (request.kinds, request.statuses, request.since, request.until) != (None,) * 4
    if not asked.is_about_time or asked.window is None or is_narrowed or not request.has_memories:
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


def _hits(tables: Tables, request: Request, asked: Plan, shown: frozenset[str], vector: Any) -> Iterator[Hit]:
    # A superseded memory is found too: its words lead to its successor.
    status = _one_of("status", shown | {Status.SUPERSEDED})
    ours = [status, *([f"project = {quoted(request.project)}"] if request.project is not None else [])]
    if request.has_memories:
        where = [*ours, *_during(VALID, request), *held_at(request.as_of)]
        yield from _memories(tables, request, asked, where, vector)
    if request.kinds is None:
        where = " AND ".join([*ours, *_during(("said_at", "said_at"), request), *said_by(request.as_of)])
        yield from tables.search("turns", request.query, vector, where, TURN_COLUMNS)


def _memories(tables: Tables, request: Request, asked: Plan, where: list[str], vector: Any) -> Iterator[Hit]:
    if request.kinds is not None:
        where = [*where, _one_of("kind", request.kinds)]
    found = tables.search("memories", request.query, vector, " AND ".join(where), MEMORY_COLUMNS)
    yield from found
    if asked.is_for_all_of_a_kind:
        known = {hit.id for hit in found}
        wider = tables.some("memories", " AND ".join([*where, _one_of("kind", asked.kinds)]), MEMORY_COLUMNS)
        yield from (hit for hit in wider if hit.id not in known)


def _one_of(column: str, values: Iterable[str]) -> str:
    return f"{column} IN ({', '.join(map(quoted, sorted(values)))})"


def _during(interval: tuple[str, str], request: Request) -> list[str]:
    starts, ends = interval
    since = [f"{ends} >= {instant(request.since)}"] if request.since is not None else []
    return since + ([f"{starts} < {instant(request.until)}"] if request.until is not None else [])


class _Likeness:
    """How alike two candidates are: the cosine of their vectors, else the share of words they have in common."""

    def __init__(self, candidates: list[Candidate]) -> None:
        self._candidates = candidates
        self._words = [words(c.text) for c in candidates]

    def __call__(self, i: int, j: int) -> float:
        a, b = self._candidates[i], self._candidates[j]
        if a.vector is not None and b.vector is not None:
            return float(a.vector @ b.vector)
        union = self._words[i] | self._words[j]
        return len(self._words[i] & self._words[j]) / len(union) if union else 0.0


def _results(
    chosen: list[Candidate], memories: Mapping[str, Memory], turns: Mapping[str, Turn], request: Request
) -> Iterator[Recalled]:
    asked = words(request.query)
    for candidate in chosen:
        parts = {name: round(value, 4) for name, value in sorted(candidate.parts.items())}
        found = (round(rank.score(candidate.parts), 4), parts)
        if candidate.table == "turns":
            turn = turns[candidate.id]
            yield from_turn(turn, passage(turn.text, asked), found)
            continue
        memory = memories[candidate.id]
        past = tuple(past_of(m) for m in sorted(candidate.past.values(), key=lambda m: (str(m.valid_from), m.id)))
        later = memories.get(memory.superseded_by or "")
        made = from_memory(memory, request.now, found, past, None if later is None else past_of(later))
        yield _briefly(made)


def _briefly(result: Recalled) -> Recalled:
    quotes = sorted(result.evidence, key=lambda e: (str(e.said_at), e.session_id, e.message_id, e.start))
    return replace(
        result, evidence=tuple(quotes if len(quotes) <= MAX_QUOTES else [quotes[0], *quotes[1 - MAX_QUOTES :]])
    )


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
