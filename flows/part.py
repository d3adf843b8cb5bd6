"""A part of a night on rows in memory: what evals and cases walk, with no store and nothing written.

Belongs here: a way to take steps whose references lead into a dictionary. Does not belong here: the order itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from adapters.capture import Captured, capture, load_messages
from adapters.embedder import open_embedder
from adapters.publish import publish
from adapters.publish.tables import TABLES as PUBLISHED_TABLES
from adapters.sources import parse_source
from flows.fingerprint import extras
from flows.night import Known, Night, Ref, Stage, Taken
from flows.step import scanned, tables_of
from models.ask import Answer, Ask, Question
from models.claim import ClaimRow, Mention
from models.decision import Decision, Feedback
from models.memory import EntityRow, EpisodeRow, MemoryRow, Vector, VerdictRow, WorkingRow
from models.message import Consumed, Message, Signal
from models.rules import Owner, StageRules
from models.table import Frame, Table, conform, empty, polars_schema, rows_to_frame
from models.turn import Turn
from slowwave.format import EmbedderRef, Manifest, TableRef
from tasks.reconcile import retired_share

__all__ = ["Bench", "capture_part", "captured", "publish_part", "retired_share", "walk_part"]

TABLES: dict[str, type[Table]] = {
    "begin.messages": Message,
    "begin.signals": Signal,
    "begin.feedback": Feedback,
    "known.turns": Turn,
    "known.claims": ClaimRow,
    "known.vectors": Vector,
    "known.memories": MemoryRow,
    "known.settled": MemoryRow,
    "known.verdicts": VerdictRow,
    "known.consumed": Consumed,
    "sift.turns": Turn,
    "sift.heard": Turn,
    "sift.signals": Signal,
    "sift.decisions": Decision,
    "segment.working": WorkingRow,
    "extract.claims": ClaimRow,
    "extract.decisions": Decision,
    "link.claims": ClaimRow,
    "link.mentions": Mention,
    "link.entities": EntityRow,
    "reinforce.memories": MemoryRow,
    "learn.memories": MemoryRow,
    "digest.episodes": EpisodeRow,
}


class Unasked:
    """Answers nothing: for parts of a night that ask no questions."""

    model, prompt = "none", "none"

    def __call__(self, questions: Sequence[Question]) -> list[Answer]:
        return [Answer(question.key, None, "nobody to ask") for question in questions]


class Bench:
    """A step that keeps every table in `frames`, by `stage.table`."""

    def __init__(self, frames: Mapping[str, pl.DataFrame | pl.LazyFrame]) -> None:
        self.frames: dict[str, Any] = dict(frames)

    def ref(self, name: str) -> Ref:
        """The reference to a table kept here."""
        return Ref(path=name, sha256="", rows=_height(self.frames[name]))

    def __call__(self, night: Night, stage: Stage, refs: Mapping[str, Ref]) -> Taken:
        takes, makes = tables_of(stage)
        lazy = scanned(stage)
        rows = {name: self.frames[refs[name].path].lazy() for name in takes}
        given = {name: table if name in lazy else table.collect() for name, table in rows.items()}
        result = stage(**given, **extras(night, stage))
        outputs: dict[str, Ref] = {}
        for name, table in makes.items():
            self.frames[f"{stage.__name__}.{name}"] = conform(getattr(result, name), table)
            outputs[name] = self.ref(f"{stage.__name__}.{name}")
        return Taken(stage.__name__, "", outputs)


def walk_part(
    tables: Mapping[str, pl.DataFrame | pl.LazyFrame | Sequence[dict[str, Any]]],
    *,
    start: str,
    stop: str,
    as_of: datetime,
    rules: Mapping[str, Any] | None = None,
    owner: Mapping[str, Any] | None = None,
    ask: Ask | None = None,
    embedder: str = "none",
) -> dict[str, pl.DataFrame]:
    """Walk the order from `start` to `stop` over `tables` (rows or frames, by the names of `TABLES`; what is missing is empty).

    A table that the stages scan may be one that is yet to be read, in the order of its key.
    Returns every table that was given or made, by `stage.table`. Raises what a stage raises.
    """
    from flows.order import order

    bench = Bench({name: _frame(table, tables.get(name)) for name, table in TABLES.items()})
    known = {
        name: bench.ref(f"known.{name}")
        for name in ("turns", "claims", "vectors", "memories", "settled", "verdicts", "consumed")
    }
    night = Night(
        store=Path(),
        run="part",
        parent=None,
        as_of=as_of,
        owner=Owner.model_validate(owner or {}),
        rules=StageRules.model_validate(rules or {}),
        ask=ask or Unasked(),
        embed=open_embedder(embedder),
        known=Known(**known),
        messages=bench.ref("begin.messages"),
        signals=bench.ref("begin.signals"),
        feedback=bench.ref("begin.feedback"),
    )
    given = {name: bench.ref(name) for name in TABLES if name.partition(".")[0] not in ("begin", "known")}
    order(night, bench, start=start, stop=stop, given=given)
    return bench.frames


def publish_part(
    store: Path,
    tables: Mapping[str, pl.DataFrame | pl.LazyFrame],
    *,
    vectors: pl.DataFrame | pl.LazyFrame,
    as_of: datetime,
    embedder: str = "static",
) -> Manifest:
    """Publish tables as a store's first version; what is missing is empty, columns that are not given take their defaults.

    `vectors` are taken to be of the embedder named; a table that is yet to be read is in the order of its key. Raises StoreUnwritable.
    """
    embed = open_embedder(embedder)
    shapes: dict[str, type[Table]] = {**PUBLISHED_TABLES, "vectors": Vector}
    given = {**tables, "vectors": vectors}
    frames = {name: _completed(shape, given.get(name)) for name, shape in shapes.items()}
    return publish(
        store,
        refs={name: TableRef(path="", sha256=name, rows=_height(frame)) for name, frame in frames.items()},
        frames=frames,
        parent=None,
        owner="owner",
        as_of=as_of,
        rules="",
        embedder=EmbedderRef(name=embed.name, dimension=embed.dimension, digest=embed.digest),
        state={},
        provenance={},
    )


def _completed(table: type[Table], rows: pl.DataFrame | pl.LazyFrame | None) -> pl.DataFrame | pl.LazyFrame:
    if rows is None:
        return empty(table)
    fields, there = table.model_fields.items(), rows.lazy().collect_schema().names()
    unsaid = {name: field.get_default(call_default_factory=True) for name, field in fields if name not in there}
    whole = rows.lazy().with_columns(pl.lit(value).alias(name) for name, value in unsaid.items())
    if isinstance(rows, pl.DataFrame):
        return conform(whole.collect(), table)
    return whole.select(pl.col(name).cast(dtype) for name, dtype in polars_schema(table).items())


def _height(rows: pl.DataFrame | pl.LazyFrame) -> int:
    return rows.lazy().select(pl.len()).collect().item()


def capture_part(store: Path, sources: Sequence[str]) -> Captured:
    """Capture `KIND=PATH` sources into a store that nobody else uses. Raises what `parse_source` and `capture` raise."""
    return capture(store, [parse_source(text) for text in sources])


def captured(store: Path) -> Frame[Message]:
    """Every message that was captured into a store."""
    return load_messages(store)


def _frame(
    table: type[Table], rows: pl.DataFrame | pl.LazyFrame | Sequence[dict[str, Any]] | None
) -> pl.DataFrame | pl.LazyFrame:
    if rows is None:
        return empty(table)
    if isinstance(rows, pl.LazyFrame):
        return rows
    return conform(rows, table) if isinstance(rows, pl.DataFrame) else rows_to_frame(table, rows)
