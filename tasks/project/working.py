"""Working sets as they are published: which candidates became memories, under which privacy, and names in their fullest form.

Belongs here: promotion. A candidate is promoted where a memory's evidence stands in its very words. Does not belong here: what a
session was about (`tasks.segment.working`), and the text of a current thread (`thread`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from models.decision import Action, Decision
from models.memory import WorkingRow
from models.table import Frame, rows_to_frame
from slowwave.format import Privacy, Status
from slowwave.text import normalise

Row = dict[str, Any]
LISTS = ("summary", "commitments", "preferences")
MAX_NAME_CHARS = 60
_PRIVACY = [str(level) for level in Privacy]
# What was replaced or taken back comes to a prompt only with its successor, and a working set has none.
_OVER = (Status.SUPERSEDED, Status.RETRACTED)


class Cited(NamedTuple):
    """A stretch of a message that a memory rests on."""

    start: int
    end: int
    memory_id: str
    privacy: str
    is_over: bool


def publish_working(
    working: Frame[WorkingRow], memories: pl.DataFrame, entities: pl.DataFrame
) -> tuple[Frame[WorkingRow], list[Decision]]:
    """The working sets with what became of each candidate, and a decision for each that holds no longer."""
    rows = working.to_dicts()
    cited = _citations(memories, {one["source_id"] for row in rows for name in LISTS for one in row[name]})
    fullest = _fullest(entities)
    decisions: dict[tuple[str, str], Decision] = {}
    for row in rows:
        for name in LISTS:
            judged = [(one, _touching(one, cited)) for one in row[name]]
            row[name] = [_promoted(one, found) for one, found in judged if not _is_over(found)]
            decisions |= {
                (d.item_id, d.other_id): d for _, found in judged if _is_over(found) for d in _over(row, found)
            }
        row["entities"] = list(dict.fromkeys(fullest.get(normalise(name), name) for name in row["entities"]))
    return rows_to_frame(WorkingRow, rows), list(decisions.values())


def _citations(memories: pl.DataFrame, messages: set[str]) -> Mapping[str, list[Cited]]:
    proofs = memories.select("id", "privacy", "status", "evidence").explode("evidence").unnest("evidence")
    mine = proofs.filter((pl.col("source_kind") == "message") & pl.col("source_id").is_in(sorted(messages)))
    found: dict[str, list[Cited]] = defaultdict(list)
    for key, start, end, memory, privacy, status in mine.select(
        "source_id", "start", "end", "id", "privacy", "status"
    ).iter_rows():
        found[key].append(Cited(start, end, memory, privacy, status in _OVER))
    return found


def _touching(one: Row, cited: Mapping[str, list[Cited]]) -> list[Cited]:
    return [c for c in cited.get(one["source_id"], []) if c.start < one["end"] and one["start"] < c.end]


def _is_over(found: Sequence[Cited]) -> bool:
    return bool(found) and all(one.is_over for one in found)


def _promoted(one: Row, found: Sequence[Cited]) -> Row:
    privacy: str = max([one["privacy"], *(c.privacy for c in found)], key=_PRIVACY.index)
    return {**one, "privacy": privacy, "memory_ids": sorted({c.memory_id for c in found if not c.is_over})}


def _over(row: Row, found: Sequence[Cited]) -> list[Decision]:
    return [
        Decision(stage="project", item_id=row["id"], other_id=one.memory_id, action=Action.DROP, reason="not_current")
        for one in found
    ]


def _fullest(entities: pl.DataFrame) -> Mapping[str, str]:
    """The entity's own name for each of its names that no other entity shares."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, aliases in (
        entities.filter(pl.col("name").str.len_chars() <= MAX_NAME_CHARS).select("name", "aliases").iter_rows()
    ):
        for alias in (name, *aliases):
            found[normalise(alias)].add(name)
    return {alias: next(iter(names)) for alias, names in found.items() if len(names) == 1}
