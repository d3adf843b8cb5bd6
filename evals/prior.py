"""Records that a case says were there before the run: accepted claims, known to the walk from link on.

No message of theirs exists, so they cannot come in by the door. Extraction does not look at what is known; so what the road
extracted is walked again from link, with these claims known, and that is the same as a night that knew them.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from evals.candidates import Forgotten, take
from evals.published import Row, record, run_table, words
from flows.part import TABLES, walk_part
from slowwave.format import PUBLISHED, Memory
from slowwave.rows import decode

# What the case leaves out is a plain statement of the owner's.
_CONFIDENCE = 0.7
_BEFORE_LINK = ("begin", "sift", "extract")


def with_prior(
    prior: list[Mapping[str, Any]], store: Path, run: str | None, *, owner: str, at: datetime
) -> tuple[list[Row], str]:
    """The records of a night that knew `prior`, and all its published words. A prior record keeps the id its case gave it."""
    claims = {row["record_id"]: _claim(row, owner) for row in prior}
    given = {"known.claims": list(claims.values()), **_of_run(store, run)}
    made = walk_part(given, start="link", stop="project", as_of=at, owner={"id": owner})
    ids = _ids(made["reinforce.memories"], {claim["claim_id"]: name for name, claim in claims.items()})
    offsets = _offsets(made["sift.heard"])
    told = [record(decode(Memory, row), offsets) for row in made["project.memories"].to_dicts()]
    tables = [made[f"project.{name}"].to_dicts() for name in PUBLISHED]
    return [_named(row, ids) for row in told], "\n".join(words(tables))


def _of_run(store: Path, run: str | None) -> dict[str, pl.DataFrame]:
    """What the road's own run made before link."""
    names = [name for name in TABLES if name.partition(".")[0] in _BEFORE_LINK]
    found = {name: run_table(store, run, name) for name in names}
    return {name: frame for name, frame in found.items() if frame is not None}


def _claim(row: Mapping[str, Any], owner: str) -> Row:
    candidate = {
        "confidence": _CONFIDENCE,
        **row,
        "cand_id": row["record_id"],
        "user_id": owner,
        "sources": row["evidence"],
        "event_time": f"{row['valid_from']}T00:00:00+00:00" if row.get("valid_from") else None,
    }
    taken = take([candidate], None, Forgotten())
    return next(iter(taken.claims.values()))


def _ids(memories: pl.DataFrame, named: Mapping[str, str]) -> dict[str, str]:
    """The case's ids of memories that hold a prior claim."""
    rows = memories.select("id", "claim_ids").iter_rows()
    return {memory: named[claim] for memory, claims in rows for claim in claims if claim in named}


def _named(row: Row, ids: Mapping[str, str]) -> Row:
    return {
        name: ids.get(value, value) if name in ("record_id", "superseded_by") else value for name, value in row.items()
    }


def _offsets(turns: pl.DataFrame) -> dict[tuple[str, str], int | None]:
    rows = turns.select("session_id", "message_id", "offset_minutes").iter_rows()
    return {(session, message): offset for session, message, offset in rows}
