"""A year of nights: once it is full a snapshot's size stays, nothing moves where nothing was said, and no more moves than was said."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from models.memory import MemoryRow
from models.rules import Owner, ProjectRules
from models.table import rows_to_frame
from slowwave.format import Kind
from tasks.project.documents import write_documents
from tests.make import at, memory, unreviewed

WORDS = (
    *("kiln", "glaze", "harbour", "bakery", "ledger", "viola", "orchard", "ferry"),
    *("studio", "market", "lesson", "invoice", "garden", "clay", "letter", "bridge"),
)
FULL_AFTER, NIGHTS = 120, 365


def said(r: random.Random, night: datetime, n: int) -> MemoryRow:
    words = " ".join(r.choice(WORDS) for _ in range(r.randint(4, 12)))
    heard = night - timedelta(hours=9)
    times = dict.fromkeys(("first_seen_at", "last_seen_at", "last_confirmed_at"), heard)
    weight = {"importance": round(r.random(), 2), "is_pinned": r.random() < 0.01}
    return memory(f"I keep {words} {n}.", kind=r.choice(list(Kind)), id=f"mem_{n}", **times, **weight)


def year(seed: int) -> Iterator[tuple[int, dict[str, dict[str, Any]]]]:
    """Each night's documents by name, and how many facts came or went that day."""
    r, first = random.Random(seed), at("2026-01-01T03:00")
    rows: dict[str, MemoryRow] = {}
    n = 0
    for day in range(NIGHTS):
        night, n_changed = first + timedelta(days=day), 0
        for _ in range(r.randint(1, 5) if r.random() < 0.6 else 0):
            n, n_changed = n + 1, n_changed + 1
            rows[f"mem_{n}"] = said(r, night, n)
        if n_changed and r.random() < 0.3:
            rows.pop(r.choice(sorted(rows)))
            n_changed += 1
        frame = unreviewed(rows_to_frame(MemoryRow, list(rows.values())))
        made = write_documents(frame, [], rules=ProjectRules(), owner=Owner(names=("Ana",)))
        yield n_changed, {row["name"]: row for row in made.to_dicts()}


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_a_year(seed: int) -> None:
    nights = list(year(seed))
    sizes = [made["snapshot.md"]["n_tokens"] for _, made in nights[FULL_AFTER:]]
    assert max(sizes) <= 1300 and min(sizes) > 0.97 * 1300, "full, and flat"
    n_lines, n_facts, n_over, n_out = dict.fromkeys(nights[0][1], 0), 0, 0, 0
    for (_, before), (n_changed, made) in pairwise(nights):
        n_facts += n_changed
        for name, row in made.items():
            now, then = set(row["memory_ids"]), set(before[name]["memory_ids"])
            n_new, n_gone = len(now - then), len(then - now)
            n_lines[name] += n_new
            assert n_changed or row["text"] == before[name]["text"], "nothing was said, and a text moved"
            n_over += n_new > n_changed
            n_out += max(n_new, n_gone) > n_changed
    # A replaced line is one. Lines are not of one length: now and then one that goes makes room for two, or two make room for one.
    assert n_over <= 0.01 * NIGHTS * len(n_lines) and n_out <= 0.03 * NIGHTS * len(n_lines)
    assert all(n <= n_facts for n in n_lines.values()), "over the year no more lines changed than facts"
