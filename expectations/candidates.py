"""Promises about working sets: candidates are bounded, come from people or are the assistant's own promises, and no prompt holds one
before a memory rests on it.

That their quotes are verbatim, cite what was heard, and hold no secret is promised with all other quotes (`references`, `texts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from expectations.promise import Fact, found
from expectations.texts import is_untrusted
from models.rules import Profile, SegmentRules
from slowwave.format import Privacy, Status, Trust

Row = dict[str, Any]
Tables = Mapping[str, pl.DataFrame]
LISTS = ("summary", "commitments", "preferences")
# Names and sentences are short, so that a working set stays something that can be read at a glance.
MAX_NAME_CHARS, MAX_QUOTE_CHARS = 60, 400
_PEOPLE = frozenset({Trust.OWNER.value, Trust.PARTICIPANT.value})
_PRIVACY = {level.value: rank for rank, level in enumerate(Privacy)}


def candidate_facts(tables: Tables, rules: SegmentRules, profiles: Mapping[str, Profile]) -> Iterator[Fact]:
    """What holds for every working set, and for the thread that a document takes from them."""
    rows = tables["working"].to_dicts()
    yield found("working_sets_are_bounded", "no working set holds more than its rules allow", _too_much(rows, rules))
    yield found(
        "candidates_are_trusted",
        "candidates are words of people, or promises of the assistant",
        (row["id"] for row in rows for name in LISTS for one in row[name] if not _is_trusted(name, one)),
    )
    memories = _named(rows, tables["memories"])
    every = ((row["id"], one) for row in rows for name in LISTS for one in row[name])
    yield found(
        "promotions_exist",
        "every memory that a candidate became is published, and no more private than the candidate",
        (row for row, one in every if not all(_is_at_least(one, memories.get(memory)) for memory in one["memory_ids"])),
    )
    yield found(
        "threads_are_promoted",
        "a document's thread holds only what current memories of the owner's trust rest on, and nothing too private",
        _unproven(tables["documents"].to_dicts(), rows, memories, profiles),
    )


def _named(rows: list[Row], memories: pl.DataFrame) -> dict[str, Row]:
    """The memories that candidates became, by id: what is judged of them alone, since a table of rows is slow to unpack."""
    ids = sorted({memory for row in rows for name in LISTS for one in row[name] for memory in one["memory_ids"]})
    judged = memories.filter(pl.col("id").is_in(ids)).select("id", "status", "privacy", "trust", "kind")
    return {row["id"]: row for row in judged.iter_rows(named=True)}


def _too_much(rows: list[Row], rules: SegmentRules) -> Iterator[str]:
    if len(rows) > rules.working_sessions:
        yield f"{len(rows)} working sets"
    for row in rows:
        is_many = len(row["summary"]) > rules.working_sentences or any(
            len(row[name]) > rules.working_candidates for name in ("entities", "commitments", "preferences")
        )
        is_long = any(len(one["quote"]) > MAX_QUOTE_CHARS for name in LISTS for one in row[name])
        is_long = is_long or any(len(name) > MAX_NAME_CHARS for name in row["entities"])
        if is_many or is_long:
            yield row["id"]


def _is_trusted(name: str, one: Row) -> bool:
    return one["trust"] in _PEOPLE or (name == "commitments" and one["trust"] == Trust.AGENT)


def _is_at_least(one: Row, memory: Row | None) -> bool:
    return memory is not None and _PRIVACY[one["privacy"]] >= _PRIVACY[memory["privacy"]]


def _unproven(
    documents: list[Row], rows: list[Row], memories: Mapping[str, Row], profiles: Mapping[str, Profile]
) -> Iterator[str]:
    known = {_place(one): one for row in rows for name in LISTS for one in row[name]}
    for doc in documents:
        profile = profiles.get(doc["profile"], Profile())
        for quote in doc["thread"]:
            one = known.get(_place(quote))
            if one is None or not _may_enter(one, memories, profile):
                yield f"{doc['name']} quotes {quote['source_id']}"


def _place(quote: Row) -> tuple[str, int, int]:
    return quote["source_id"], quote["start"], quote["end"]


def _may_enter(one: Row, memories: Mapping[str, Row], profile: Profile) -> bool:
    grounds = [memories[memory] for memory in one["memory_ids"] if memory in memories]
    is_current = any(row["status"] == Status.ACTIVE and not is_untrusted(row) for row in grounds)
    return is_current and _PRIVACY[one["privacy"]] <= _PRIVACY[profile.max_privacy]
