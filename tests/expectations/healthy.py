"""A small night that keeps every promise, and ways to change one thing in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import polars as pl

from expectations.promise import Fact
from models.memory import (
    DocumentRow,
    EdgeRow,
    EntityRow,
    EpisodeRow,
    PublishedMemory,
    PublishedTurn,
    Vector,
    WorkingRow,
)
from models.message import Signal
from models.table import Table, polars_schema, rows_to_frame
from models.turn import Turn
from slowwave import tokens
from tests.make import at, evidence, signal, turn

Tables = dict[str, pl.DataFrame]
CLASSES: dict[str, type[Table]] = {
    "memories": PublishedMemory,
    "turns": PublishedTurn,
    "episodes": EpisodeRow,
    "entities": EntityRow,
    "edges": EdgeRow,
    "working": WorkingRow,
    "documents": DocumentRow,
    "vectors": Vector,
}
SAID = ("I live in Lisbon.", "I lived in Porto before.", "Please never call before ten.", "I will send the slides.")
SNAPSHOT = "snapshot.md"
WRITER = {"stage": "extract", "model": "test", "prompt": ""}


def memory(number: int, **more: Any) -> dict[str, Any]:
    quote = SAID[number]
    row: dict[str, Any] = {
        "id": f"mem_{number}",
        "owner": "u-ana",
        "kind": "semantic_fact",
        "subject": "user",
        "subject_key": "user",
        "entity_ids": [],
        "text": quote,
        "context": "",
        "cardinality": "single",
        "polarity": "assert",
        "confidence": 0.9,
        "importance": 0.5,
        "stability_days": 30.0,
        "tier": "searchable",
        "status": "active",
        "related_ids": [],
        "privacy": "personal",
        "trust": "owner",
        "is_pinned": False,
        "evidence": [cite(number)],
        "embedding_id": f"vec_{number}",
        "writer": WRITER,
        "first_seen_at": at("2026-02-01T10:00"),
    }
    return {**row, **more}


def cite(number: int) -> dict[str, Any]:
    return evidence(SAID[number], message_id=f"m{number}").__dict__ | {"source_id": heard()[number].msg_key}


def heard() -> list[Turn]:
    roles = ("user", "user", "user", "assistant")
    return [turn(text, seq=n, role=roles[n]) for n, text in enumerate(SAID)]


def candidate(number: int, **more: Any) -> dict[str, Any]:
    said = heard()[number].model_dump()
    about = {"speaker": said["speaker"], "trust": said["trust"], "privacy": "personal", "memory_ids": [f"mem_{number}"]}
    return cite(number) | about | more


def working_set(**more: Any) -> dict[str, Any]:
    row = {"id": "wrk_1", "owner": "u-ana", "platform": "test", "session_id": "s1", "projects": [], "n_turns": 4}
    said = {"summary": [candidate(0)], "commitments": [candidate(3)], "preferences": [candidate(2, memory_ids=[])]}
    return {**row, **said, "is_open": True, "entities": ["Lisbon"], **more}


def document(text: str, ids: list[str], **more: Any) -> dict[str, Any]:
    row = {"name": SNAPSHOT, "profile": "snapshot", "text": text, "memory_ids": ids, "omitted_ids": [], "thread": []}
    return {**row, "n_tokens": tokens.count(text), "n_chars": len(text), **more}


def night() -> Tables:
    home = {"attribute": "home_city", "entity_ids": ["ent_1"]}
    memories = [
        memory(0, value="Lisbon", **home),
        memory(1, value="Porto", status="superseded", superseded_by="mem_0", **home),
        memory(2, kind="constraint", related_ids=["mem_0"]),
        memory(3, kind="goal_or_commitment", subject="assistant", trust="agent", status="active"),
    ]
    said = [
        {**t.model_dump(), "id": t.msg_key, "memory_ids": [f"mem_{n}"], "embedding_id": "", "context": ""}
        | {"status": "active", "privacy": "personal"}
        for n, t in enumerate(heard())
    ]
    episode = {
        "id": "eps_1", "owner": "u-ana", "level": "session", "kind": "conversation", "title": "A talk", "text": SAID[0],
        "people": [], "session_ids": ["s1"], "importance": 0.5, "part_ids": ["mem_0"], "evidence": [cite(0)],
        "embedding_id": "",
    }  # fmt: skip
    entity = {"id": "ent_1", "owner": "u-ana", "name": "Lisbon", "kind": "place", "aliases": [], "n_mentions": 1}
    edge = {"id": "edg_1", "owner": "u-ana", "source_id": "mem_0", "relation": "supersedes", "target_id": "mem_1"}
    text = "- Please never call before ten.\n- I live in Lisbon.\n- I will send the slides.\n"
    told = document(text, ["mem_2", "mem_0", "mem_3"], omitted_ids=["mem_1"], thread=[cite(0)])
    return {
        "memories": rows_to_frame(PublishedMemory, memories),
        "turns": rows_to_frame(PublishedTurn, [{c: row.get(c) for c in PublishedTurn.model_fields} for row in said]),
        "episodes": rows_to_frame(EpisodeRow, [episode]),
        "entities": rows_to_frame(EntityRow, [{**entity, "evidence": [cite(0)]}]),
        "edges": rows_to_frame(EdgeRow, [{**edge, "confidence": 0.9, "memory_ids": ["mem_0"]}]),
        "documents": rows_to_frame(DocumentRow, [told]),
        "working": rows_to_frame(WorkingRow, [working_set()]),
        "vectors": rows_to_frame(Vector, [{"embedding_id": f"vec_{n}", "vector": [1.0]} for n in range(4)]),
        "heard": rows_to_frame(Turn, heard()),
        "signals": rows_to_frame(Signal, [signal(signal_key="sig_1")]),
    }


def changed(table: str, key: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Tables], Tables]:
    """The night with one row of a table changed; the key is that row's first column, or its name."""

    def plant(tables: Tables) -> Tables:
        frame = tables[table]
        column = "name" if table == "documents" else frame.columns[0] if table == "vectors" else "id"
        rows = [{**row, **change(row)} if row[column] == key else row for row in frame.to_dicts()]
        return {**tables, table: pl.DataFrame(rows, schema=polars_schema(CLASSES[table]))}

    return plant


def setting(table: str, key: str, **values: Any) -> Callable[[Tables], Tables]:
    return changed(table, key, lambda _: values)


def recited(table: str = "memories", key: str = "mem_0", **values: Any) -> Callable[[Tables], Tables]:
    """The night with the first evidence of a row changed."""
    return changed(table, key, lambda row: {"evidence": [{**row["evidence"][0], **values}]})


def wrong(facts: Iterable[Fact]) -> list[str]:
    """Names of the facts that lie beyond what they may be."""
    return [fact.name for fact in facts if fact.most is not None and fact.observed > fact.most]
