"""The audit of a night: what must be accounted for, gathered from the run's tables and put before the promises.

Belongs here: loading what the promises need. Does not belong here: the promises themselves (`expectations`).
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import polars as pl

from adapters import lake
from expectations.night import Report, check
from flows.night import Night, Ref, Walk
from flows.step import tables_of
from models.claim import ClaimRow
from models.decision import Action, Decision
from models.memory import DocumentRow, MemoryRow
from models.message import Consumed, Message, Signal
from models.table import Frame, Table, empty, rows_to_frame
from models.turn import Topic, Turn
from slowwave.errors import VersionGone
from slowwave.format import Manifest
from slowwave.reader.tables import Tables
from tasks.project import project
from tasks.reconcile import retired_share


def audit(night: Night, walk: Walk, dead: Collection[str] = ()) -> Report:
    """Check what the night would publish; the report names every promise and whether it is kept.

    `dead` are the keys of messages that are deleted, left out or forgotten.
    """
    _, makes = tables_of(project)
    made = {name: lake.read_table(night.store, walk[f"project.{name}"], table) for name, table in makes.items()}
    made["heard"] = lake.read_table(night.store, walk["sift.heard"], Turn)
    before = _standing(night, walk)
    after = lake.read_table(night.store, walk["reinforce.memories"], MemoryRow)
    made["signals"] = lake.read_table(night.store, walk["sift.signals"], Signal)
    facts: dict[str, float] = {f"unaccounted_{stage}": n for stage, n in unaccounted(night, walk).items()}
    facts["retired_share"] = retired_share(before, after, min_records=night.rules.reconcile.max_retire_min_records)
    parent = {"memories": before, "documents": _documents(night.store, night.parent)} if night.parent else {}
    return check(made, parent=parent, facts=facts, rules=night.rules, dead=dead)


def _documents(store: Path, parent: Manifest) -> Frame[DocumentRow]:
    """The texts of the parent; none where its table is not there any more, which is no fault of this night."""
    try:
        return rows_to_frame(DocumentRow, Tables(store, parent).rows("documents", list(DocumentRow.model_fields)))
    except VersionGone:
        return empty(DocumentRow)


def _standing(night: Night, walk: Walk) -> pl.DataFrame:
    """What was published before and still has evidence: what its own messages took back is no loss to guard against."""
    before = lake.read_table(night.store, night.known.memories, MemoryRow)
    dropped = lake.read_table(night.store, walk["link.decisions"], Decision).filter(pl.col("action") == Action.DROP)
    taken_back = dropped.get_column("item_id").implode()
    return before.filter(
        pl.col("claim_ids").list.len().eq(0) | pl.col("claim_ids").list.set_difference(taken_back).list.len().gt(0)
    )


def ids(night: Night, ref: Ref, table: type[Table], column: str) -> set[str]:
    """The ids in one column of a table, a list's one by one."""
    values = lake.read_table(night.store, ref, table).get_column(column)
    return set((values.explode() if values.dtype == pl.List else values).to_list()) - {None}


def topic_messages(night: Night, walk: Walk) -> set[str]:
    """The messages that were put to a question tonight."""
    return ids(night, walk["segment.topics"], Topic, "msg_keys")


def put_off(night: Night, walk: Walk) -> set[str]:
    """What any stage left for another night."""
    rows = pl.concat(lake.read_table(night.store, ref, Decision) for ref in walk.decisions)
    return set(rows.filter(pl.col("action") == Action.DEFER).get_column("item_id").to_list())


def topics_put_off(night: Night, walk: Walk) -> int:
    """How many topics were left for another night, whole or in part, by the stage that asks."""
    waiting = lake.read_table(night.store, walk["extract.decisions"], Decision)
    keys = waiting.filter(pl.col("action") == Action.DEFER).get_column("item_id")
    topics = lake.read_table(night.store, walk["segment.topics"], Topic).explode("msg_keys")
    return topics.filter(pl.col("msg_keys").is_in(keys.implode())).get_column("topic_id").n_unique()


def unaccounted(night: Night, walk: Walk) -> dict[str, int]:
    """For every stage, how many of its inputs are neither in its output nor decided: law 4 says none."""
    turns, topics = ids(night, walk["sift.turns"], Turn, "msg_key"), topic_messages(night, walk)
    said, claims = (ids(night, walk[f"{stage}.claims"], ClaimRow, "claim_id") for stage in ("extract", "link"))
    merged, settled, weighed = (
        ids(night, walk[f"{stage}.memories"], MemoryRow, "id") for stage in ("merge", "reconcile", "reinforce")
    )
    folded = ids(night, walk["merge.memories"], MemoryRow, "claim_ids")
    passed = {
        "sift": (ids(night, night.messages, Message, "msg_key"), turns),
        "segment": (turns, topics),
        "extract": (topics, _cited(night, walk["extract.claims"])),
        "link": (said | ids(night, night.known.claims, ClaimRow, "claim_id"), claims),
        "merge": (claims, folded | ids(night, walk["reconcile.settled"], MemoryRow, "claim_ids")),
        "reconcile": (merged, settled),
        "reinforce": (settled, weighed),
    }
    return {
        stage: len(given - kept - ids(night, walk[f"{stage}.decisions"], Decision, "item_id"))
        for stage, (given, kept) in passed.items()
    }


def _cited(night: Night, claims: Ref) -> set[str]:
    """The messages that claims rest on."""
    evidence = lake.read_table(night.store, claims, ClaimRow).get_column("evidence").explode()
    return set(evidence.struct.field("source_id").drop_nulls().to_list())


def consume(night: Night, walk: Walk) -> Ref:
    """The content of each message that was dealt with last: tonight's, less what a stage left for another night, else the parent's.

    One content a message, so that an edit that is taken back is news again.
    """
    known = lake.read_table(night.store, night.known.consumed, Consumed)
    tonight = lake.read_table(night.store, night.messages, Message).select(Consumed.key)
    kept = tonight.filter(~pl.col("msg_key").is_in(sorted(put_off(night, walk))))
    all_rows = pl.concat([known.join(tonight, on="msg_key", how="anti"), kept]).unique()
    return lake.write_table(night.store, f"{night.folder}/end.consumed.parquet", all_rows, Consumed)
