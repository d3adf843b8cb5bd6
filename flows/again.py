"""What is read again because words of it were forgotten: whole sessions, since what was made of one message may rest on another.

Belongs here: which messages, and the state without what rests on them. Does not belong here: when (`erasing`).
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from adapters import lake
from flows.night import Ref
from models.claim import ClaimRow
from models.memory import MemoryRow
from models.table import Table
from models.turn import Turn

_TABLES: dict[str, type[Table]] = {"turns": Turn, "claims": ClaimRow, "memories": MemoryRow}


def with_sessions(
    messages: pl.DataFrame, news: pl.DataFrame, known: pl.DataFrame
) -> tuple[pl.DataFrame, frozenset[str]]:
    """The news with the whole sessions of what changed, and the keys of those that were read before."""
    changed = news.join(known, on="msg_key", how="semi").select("platform", "session_id").unique()
    sessions = messages.join(changed, on=["platform", "session_id"], how="semi")
    every = pl.concat([news, sessions.join(news, on="msg_key", how="anti")])
    return every, frozenset(every.join(known, on="msg_key", how="semi")["msg_key"])


def state_without(store: Path, run: str, state: dict[str, Ref], again: frozenset[str]) -> dict[str, Ref]:
    """Turns, claims and memories that rest on none of these messages, written for this run."""
    keys = pl.Series(sorted(again), dtype=pl.String)
    turns, claims, memories = (
        lake.read_table(store, state[name], _TABLES[name]) for name in ("turns", "claims", "memories")
    )
    cited = claims.select("claim_id", "evidence").explode("evidence")
    stale = cited.filter(pl.col("evidence").struct.field("source_id").is_in(keys.implode()))["claim_id"]
    left = {
        "turns": turns.filter(~pl.col("msg_key").is_in(keys.implode())),
        "claims": claims.filter(~pl.col("claim_id").is_in(stale.implode())),
        "memories": memories.filter(
            pl.col("claim_ids").list.set_intersection(stale.unique().to_list()).list.len() == 0
        ),
    }
    path = f"runs/{run}/begin.known_{{}}.parquet"
    return {name: lake.write_table(store, path.format(name), frame, _TABLES[name]) for name, frame in left.items()}
