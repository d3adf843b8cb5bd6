"""Hits into candidates: each hit's parts of score, a turn joined to the memory that quotes it, the old under the new.

Belongs here: what becomes one result with what. Does not belong here: weights (`slowwave.rank`) and tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from slowwave import rank
from slowwave.format import Memory, Status
from slowwave.planner import Plan
from slowwave.reader.names import Names
from slowwave.reader.tables import Hit
from slowwave.strength import strength
from slowwave.when.words import names_a_time

Parts = dict[str, float]
# How far a status lowers a thing: what has ended is still true of its time, and what has faded was never wrong.
DOUBT: dict[str, float] = {Status.SUPERSEDED: 1.0, Status.DISPUTED: 1.0, Status.RETRACTED: 1.0, Status.EXPIRED: 0.5}
# How a question ends; in Japanese its mark may be left out.
_ASKING = ("?", "？", "ですか。", "ますか。", "ましたか。", "でしたか。", "でしょうか。")
_NOTHING: Parts = {}
# Longer chains of successors than this are a damaged table, not a life.
MAX_CHAIN = 64


@dataclass(slots=True)
class Candidate:
    """One result in the making: a memory or a turn, its parts, and the memories it took the place of."""

    id: str
    table: str
    status: str
    text: str
    parts: Parts
    vector: Any = None
    sources: set[str] = field(default_factory=set[str])
    past: dict[str, Memory] = field(default_factory=dict[str, Memory])

    def absorb(self, parts: Parts) -> None:
        """Take over every part that another view of the same thing scores higher; a penalty is never inherited."""
        for name, value in parts.items():
            if not rank.is_penalty(name):
                self.parts[name] = max(self.parts.get(name, 0.0), value)


def parts_of(hits: list[Hit], n_rows: Mapping[str, int], plan: Plan, names: Names, now: datetime) -> dict[str, Parts]:
    """The parts of every hit, by id. Hundreds of hits a question: nothing is worked out here twice."""
    unit = {name: rank.once_found(n) for name, n in n_rows.items()}
    words = {hit.id: hit.bm25 / unit[hit.table] for hit in hits}
    best = max(words.values(), default=0.0) or 1.0
    words = {key: value / best for key, value in words.items()}
    around = _around([hit for hit in hits if hit.table == "turns"], words)
    return {hit.id: _kept(hit, words[hit.id], around.get(hit.id, _NOTHING), (plan, names, now)) for hit in hits}


def _kept(hit: Hit, full_text: float, around: Parts, asked: tuple[Plan, Names, datetime]) -> Parts:
    """The parts of one hit that are not nothing."""
    own = _of_turn(hit.row, *asked) if hit.table == "turns" else _of_memory(hit.row, *asked)
    parts = {name: value for name, value in own if value}
    if full_text:
        parts["full_text"] = full_text
    if hit.cosine:
        parts["dense"] = hit.cosine
    for name, value in around.items():
        if value:
            parts[name] = value
    return parts


def _of_turn(row: Mapping[str, Any], plan: Plan, names: Names, now: datetime) -> Iterable[tuple[str, float]]:
    said_at, is_assistant = row["said_at"], row["role"] == "assistant"
    return (
        ("dated", plan.is_for_a_date and _names_a_time(row["text"])),
        ("subject", names.said_by(row["speaker"], row["role"])),
        ("window", rank.in_window(plan, said_at, said_at)),
        ("recency", rank.recency(plan, said_at, now)),
        ("echo", 1.0 if is_assistant and not plan.is_to_assistant else 0.0),
        ("question", 1.0 if row["text"].rstrip().endswith(_ASKING) else 0.0),
        ("doubt", DOUBT.get(row["status"], 0.0)),
        ("trust", rank.authority(row["trust"])),
    )


def _of_memory(row: Mapping[str, Any], plan: Plan, names: Names, now: datetime) -> Iterable[tuple[str, float]]:
    starts_at, ends_at = row["valid_from"] or row["first_seen_at"], row["valid_to"] or row["last_seen_at"]
    return (
        ("dated", plan.is_for_a_date and _names_a_time(row["text"])),
        ("subject", names.about(row["subject"], row["subject_key"], row["entity_ids"] or ())),
        ("window", rank.in_window(plan, starts_at, ends_at)),
        ("kind", rank.of_kind(plan, row["kind"])),
        ("confidence", row["confidence"]),
        ("strength", _strength(row, now)),
        ("trust", rank.authority(row["trust"])),
        ("recency", rank.recency(plan, row["last_seen_at"], now)),
        ("doubt", DOUBT.get(row["status"], 0.0)),
    )


@lru_cache(4096)
def _names_a_time(text: str) -> float:
    return float(names_a_time(text))


def _strength(row: Mapping[str, Any], now: datetime) -> float:
    return strength(
        stability_days=row["stability_days"],
        last_at=row["last_confirmed_at"] or row["last_seen_at"],
        confidence=row["confidence"],
        importance=row["importance"],
        now=now,
    )


def _around(turns: list[Hit], words: Mapping[str, float]) -> dict[str, Parts]:
    """What a turn's session and its neighbours in it say of the question: by full text, and by the vector of the turn after it."""
    sessions: dict[str, dict[int, float]] = defaultdict(dict)
    likeness: dict[tuple[str, int], float] = {}
    places = [(hit.id, hit.row["session_id"], hit.row["seq"]) for hit in turns]
    for hit, (key, session, seq) in zip(turns, places, strict=True):
        sessions[session][seq] = words[key]
        likeness[session, seq] = hit.cosine
    sums = {session: sum(sorted(found.values())[-3:]) for session, found in sessions.items()}
    most = max(sums.values(), default=0.0) or 1.0
    return {
        key: {
            "session": sums[session] / most,
            "neighbour": max(sessions[session].get(seq - 1, 0.0), sessions[session].get(seq + 1, 0.0)),
            "next": likeness.get((session, seq + 1), 0.0),
        }
        for key, session, seq in places
    }


def join(hits: list[Hit], parts: Mapping[str, Parts], weights: rank.Weights = rank.WEIGHTS) -> dict[str, Candidate]:
    """Candidates by id. A turn goes to the best memory that quotes it; a superseded one to its memory or nowhere."""

    def score(one: Candidate) -> tuple[float, str]:
        return rank.score(parts.get(one.id, {}), weights), one.id

    memories = {hit.id: _candidate(hit, parts) for hit in hits if hit.table == "memories"}
    alone: dict[str, Candidate] = {}
    for hit in sorted((h for h in hits if h.table == "turns"), key=lambda h: h.id):
        cited = sorted(set(hit.row["memory_ids"] or ()))
        found = [memories[key] for key in cited if key in memories]
        for one in found:
            one.sources.add(hit.id)
        if found:
            best = found[0] if len(found) == 1 else max(found, key=score)
            best.absorb(parts[hit.id])
        elif hit.row["status"] != Status.SUPERSEDED:
            alone[hit.id] = _candidate(hit, parts)
            alone[hit.id].sources.add(hit.id)
        elif cited:
            memories[cited[0]] = Candidate(cited[0], "memories", Status.SUPERSEDED, "", dict(parts[hit.id]))
    return {**memories, **alone}


def _candidate(hit: Hit, parts: Mapping[str, Parts]) -> Candidate:
    return Candidate(hit.id, hit.table, hit.row["status"], hit.row["text"], dict(parts[hit.id]), hit.vector)


def settle(
    candidates: Mapping[str, Candidate],
    shown: frozenset[str],
    fetch: Callable[[Iterable[str]], Mapping[str, Memory]],
    weights: rank.Weights = rank.WEIGHTS,
) -> list[Candidate]:
    """What may be returned, best first. A superseded memory lends its score to its last successor."""
    kept = {key: c for key, c in candidates.items() if c.status in shown}
    old = {key: c for key, c in candidates.items() if c.status == Status.SUPERSEDED and c.table == "memories"}
    known = dict(fetch(old))
    for key in sorted(old.keys() & known.keys()):
        head = _head(known, known[key], fetch)
        if head is not None and head.status in shown:
            place = kept.setdefault(head.id, Candidate(head.id, "memories", head.status, head.text, {}))
            place.absorb(old[key].parts)
            if head.id != key:
                place.past[key] = known[key]
    return in_order(kept.values(), weights)


def in_order(candidates: Iterable[Candidate], weights: rank.Weights) -> list[Candidate]:
    """Candidates, best first; ties break by table and id."""
    return sorted(candidates, key=lambda c: (-rank.score(c.parts, weights), c.table, c.id))


def _head(
    known: dict[str, Memory], memory: Memory, fetch: Callable[[Iterable[str]], Mapping[str, Memory]]
) -> Memory | None:
    """The last successor of a memory; None where the chain is broken."""
    for _ in range(MAX_CHAIN):
        if memory.superseded_by is None:
            return memory
        if memory.superseded_by not in known:
            known.update(fetch([memory.superseded_by]))
        if memory.superseded_by not in known:
            return None
        memory = known[memory.superseded_by]
    return None
