"""Names beside the right answers: those that are one person's, those that must stay two, and the projects of memories.

A pair of names is known where the version names both. A join is wrong where one entity bears names of two people.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

from slowwave.format import Entity, Memory
from slowwave.text import normalise

Row = dict[str, Any]


def join_figures(entities: Sequence[Entity], expected: Row) -> Row:
    """How many of the pairs of names that are one person's are one entity, and which entities join names of several people."""
    bearer = {normalise(name): entity for entity in entities for name in (entity.name, *entity.aliases)}
    people = [[normalise(name) for name in names] for names in expected["same_person"]]
    known = [[name for name in names if name in bearer] for names in people]
    pairs = [pair for names in known for pair in combinations(names, 2)]
    apart = [pair for pair in pairs if bearer[pair[0]].id != bearer[pair[1]].id]
    wrong = sorted({f"{one} = {other}" for one, other in _strangers(known, expected, bearer)})
    return {
        "pairs_known": len(pairs),
        "pairs_joined": len(pairs) - len(apart),
        "wrongly_joined": len(wrong),
        "apart_listed": [f"{one} / {other}" for one, other in apart],
        "wrong_listed": wrong,
    }


def _strangers(known: list[list[str]], expected: Row, bearer: dict[str, Entity]) -> list[tuple[str, str]]:
    """Pairs of names of two people that one entity bears."""
    named = [tuple(map(normalise, pair)) for pair in expected["different_person"]]
    pairs = [pair for one, other in combinations(known, 2) for pair in product(one, other)]
    pairs += [(one, other) for one, other in named if one in bearer and other in bearer]
    return [(one, other) for one, other in pairs if bearer[one].id == bearer[other].id]


def scope_figures(memories: Sequence[Memory], expected: Row, names: Sequence[str]) -> Row:
    """Memories of the expected project that are under a project at all, and those under another one."""
    project = next(item for item in expected["items"] if item["kind"] == "project")
    words = [group for group in project["match"]]
    about = [memory for memory in memories if _speaks_of(memory.text, words[0])]
    scoped = [memory for memory in about if memory.project]
    right = [memory for memory in scoped if _speaks_of(memory.project or "", words[0])]
    return {"about_project": len(about), "with_project": len(scoped), "with_right_project": len(right)}


def _speaks_of(text: str, words: Sequence[str]) -> bool:
    return any(re.search(word, text, re.IGNORECASE) for word in words)
