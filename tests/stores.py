"""Stores for tests: made of rows, published by the one publisher there is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from adapters import lake
from adapters.embedder import Embedding
from adapters.publish import publish
from adapters.publish.tables import TABLES
from models.ids import make_id, message_key
from models.memory import PLACES, EntityRow, EpisodeRow, MemoryRow, PublishedMemory, PublishedTurn, Vector, WorkingRow
from models.table import Frame, Table, conform, empty, rows_to_frame
from slowwave import tokens
from slowwave.embed import load
from slowwave.format import Manifest, TableRef
from slowwave.ids import embedding_id
from tests.make import NOW, at

# Slow to load, so once for all tests.
EMBEDDERS: dict[str, Embedding] = {}


def embedding(name: str) -> Embedding:
    return EMBEDDERS.setdefault(name, Embedding(load(name)))


def said(text: str, *, session: str = "s1", seq: int = 0, when: str = "2026-02-01T10:00", **more: Any) -> PublishedTurn:
    """A published turn; its id is that of the message that `make.memory(message_id=...)` cites."""
    native = more.pop("message_id", f"m{seq}")
    role = more.get("role", "user")
    return PublishedTurn(
        **{
            "id": message_key("test", session, native, seq),
            "session_id": session,
            "message_id": native,
            "seq": seq,
            "platform": "test",
            "owner": "u-ana",
            "role": role,
            "speaker": role,
            "said_at": at(when),
            "trust": "owner",
            "text": text,
            "spans": [{"start": 0, "end": len(text)}],
            **more,
        }
    )


def entity(name: str, *aliases: str, **more: Any) -> EntityRow:
    row = {"id": make_id("ent", name), "owner": "u-ana", "name": name, "kind": "person", "n_mentions": 1}
    return EntityRow(**{**row, "aliases": list(aliases), **more})


def build(
    store: Path,
    *,
    memories: Sequence[MemoryRow] = (),
    turns: Sequence[PublishedTurn] = (),
    entities: Sequence[EntityRow] = (),
    working: Sequence[WorkingRow] = (),
    episodes: Sequence[EpisodeRow] = (),
    documents: dict[str, str] | None = None,
    made: pl.DataFrame | None = None,
    embedder: str = "static",
    parent: Manifest | None = None,
    as_of: datetime = NOW,
    state: dict[str, TableRef] | None = None,
    provenance: dict[str, Any] | None = None,
    zone: str = "",
) -> Manifest:
    """Publish a version of these rows; returns its manifest. `made` are documents as the night makes them."""
    store.mkdir(parents=True, exist_ok=True)
    embed = embedding(embedder)
    known: dict[str, list[float]] = {}

    def embedded(rows: Sequence[Any]) -> list[dict[str, Any]]:
        found = [row.model_dump() for row in rows]
        if embed.dimension:
            for row, vector in zip(found, embed([row["text"] for row in found]), strict=True):
                row["embedding_id"] = embedding_id(embed.digest, row["text"])
                known[row["embedding_id"]] = vector
        return found

    texts = documents if documents is not None else {"snapshot.md": "# Memory\n"}
    told = embedded(memories)
    rows: dict[str, list[dict[str, Any]]] = {
        "memories": [
            {k: v for k, v in {**r, **_places(r, turns)}.items() if k in PublishedMemory.model_fields} for r in told
        ],
        "turns": embedded(turns),
        "entities": [row.model_dump() for row in entities],
        "working": [row.model_dump() for row in working],
        "episodes": embedded(episodes),
        "documents": [
            {
                "name": n,
                "profile": n,
                "text": t,
                "n_tokens": tokens.count(t),
                "n_chars": len(t),
                "memory_ids": [row["id"] for row in told if row["text"] in t],
                "omitted_ids": [],
                "thread": [],
            }
            for n, t in texts.items()
        ],
    }
    frames: dict[str, pl.DataFrame] = {
        name: rows_to_frame(table, rows[name]) if rows.get(name) else empty(table) for name, table in TABLES.items()
    }
    frames |= {} if made is None else {"documents": made}
    frames["vectors"] = rows_to_frame(Vector, [{"embedding_id": k, "vector": v} for k, v in known.items()])
    return publish(
        store,
        refs={name: _ref(frame, TABLES.get(name, Vector)) for name, frame in frames.items()},
        frames=frames,
        parent=parent,
        owner="u-ana",
        as_of=as_of,
        rules="rules-1",
        embedder=embed.ref,
        state=state or {},
        provenance={"run": "r1", "parent": parent.version if parent else None, **(provenance or {})},
        zone=zone,
    )


def _places(memory: dict[str, Any], turns: Sequence[PublishedTurn]) -> dict[str, list[str]]:
    cited = {piece["source_id"] for piece in memory["evidence"]}
    said = [turn for turn in turns if turn.id in cited]
    found = [{t.platform for t in said}, {t.thread for t in said if t.thread}, {t.speaker for t in said}]
    return {name: sorted(values) for name, values in zip(PLACES, found, strict=True)}


def _ref(frame: Frame[Any] | pl.DataFrame, table: type[Table]) -> TableRef:
    from hashlib import sha256

    content = lake.to_parquet(conform(frame, table), table)
    return TableRef(path="runs/r1/x.parquet", sha256=sha256(content).hexdigest(), rows=frame.height)
