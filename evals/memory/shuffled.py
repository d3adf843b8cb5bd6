"""Any order and any split of the same claims: link to reinforce must end at the same memories, whatever came first.

Each permutation draws a store, a random order of its claims and up to four nights, and hands on what a night hands to the next:
accepted claims, memories and what was settled. The earlier nights are walked at earlier times, since a date must leave no trace.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl

from evals.published import run_table
from flows import ledger
from flows.part import walk_part

SEED = 1
MAX_NIGHTS = 4
STATE = {
    "known.claims": "link.claims",
    "known.memories": "reinforce.memories",
    "known.settled": "reconcile.settled",
    "known.verdicts": "reconcile.verdicts",
}
COMPARED = ("reinforce.memories", "link.claims", "link.entities")
Frames = dict[str, pl.DataFrame]


@dataclass(frozen=True)
class Evidence:
    """The claims of one store, the turns that name its names, who it belongs to, and when its night was."""

    label: str
    claims: pl.DataFrame
    turns: pl.DataFrame
    as_of: datetime
    owner: Mapping[str, Any]

    @staticmethod
    def of_run(label: str, store: Path, run: str | None, owner: Mapping[str, Any]) -> Evidence:
        """What a store's run extracted. Raises ValueError where there was no run."""
        claims, turns = run_table(store, run, "extract.claims"), run_table(store, run, "sift.heard")
        if run is None or claims is None or turns is None:
            raise ValueError(f"the store {label} has no run to read claims from")
        return Evidence(label, claims, turns, datetime.fromisoformat(ledger.read(store, run)["as_of"]), owner)


def differences(evidence: Sequence[Evidence], n: int) -> dict[str, Any]:
    """How many of `n` permutations end elsewhere than one night with all claims; the stores take turns."""
    whole = {one.label: _night(one, one.claims, {}, one.as_of) for one in evidence}
    draw = random.Random(SEED)
    wrong: list[dict[str, Any]] = []
    for number in range(n):
        one = evidence[number % len(evidence)]
        cuts, last = _in_nights(one, draw)
        wrong += [
            {"store": one.label, "nights": cuts, "table": name}
            for name in COMPARED
            if not last[name].equals(whole[one.label][name])
        ]
    return {
        "n": n,
        "differences": len(wrong),
        "listed": wrong[:20],
        "claims": sum(one.claims.height for one in evidence),
    }


def _in_nights(one: Evidence, draw: random.Random) -> tuple[list[int], Frames]:
    """The claims in some order, in some nights, the last of them at the true time."""
    n = one.claims.height
    shuffled = one.claims[draw.sample(range(n), n)]
    inner = sorted(draw.randrange(n + 1) for _ in range(draw.randrange(MAX_NIGHTS)))
    cuts = [0, *inner, n]
    made: Frames = {}
    for night, (start, stop) in enumerate(pairwise(cuts)):
        days = (len(cuts) - 2 - night) * draw.choice([0, 1, 40])
        made = _night(one, shuffled[start:stop], made, one.as_of - timedelta(days=days))
    return cuts, made


def _night(one: Evidence, claims: pl.DataFrame, before: Frames, as_of: datetime) -> Frames:
    known = {name: before[made] for name, made in STATE.items() if before}
    given = {"sift.heard": one.turns, "extract.claims": claims}
    return walk_part({**known, **given}, start="link", stop="reinforce", as_of=as_of, owner=one.owner)
