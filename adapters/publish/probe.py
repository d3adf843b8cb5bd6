"""A look at a built version as a reader would see it, before it goes live: what is wrong, by the promise that it breaks.

Belongs here: what is looked at. Does not belong here: what is promised (`expectations.probes`). Cheap, since every night pays for it:
of what costs by the row, a sample that is spread over all of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from adapters.publish.batches import Rows, batches
from models.ask import Embed
from slowwave import store as layout
from slowwave.errors import VersionGone
from slowwave.format import Manifest, Status
from slowwave.ids import embedding_id
from slowwave.reader.sound import EMBEDDED, unindexed
from slowwave.reader.tables import Tables
from slowwave.text import normalise

N_QUESTIONS, N_SAMPLED, NEAR_TOP = 3, 200, 20
# A vector made twice may differ in its last digits.
_SAME, _UNIT = 0.99, 1e-2
# What an index surely holds: words that are no particles in any list of stop words, and short enough for it.
_WORD = re.compile(r"\b\w{6,30}\b|(?:(?![a-z0-9_])\w){3,30}")
_PARTICLES = frozenset(
    re.findall(
        r"\w+",
        "against because before between cannot during further having herself himself itself myself ourselves should theirs themselves "
        "through whether without yourself yourselves",
    )
)
Frames = Mapping[str, Rows]


def probe(
    store: Path, built: Manifest, frames: Frames, before: Rows | None, embed: Embed | None
) -> dict[str, list[str]]:
    """What is wrong with a built version, by promise; nothing where all is well.

    `frames` is what should be in it, `before` the memories of its parent; `embed` is asked again where that costs nothing.
    """
    opened = _Opened(store, built)
    return {
        "tables_as_written": list(opened.miscounted()),
        "indexes_cover_all_rows": list(opened.stale()),
        "documents_as_written": list(_lost_documents(store, built)),
        "vectors_are_of_their_words": list(_foreign(built, frames)),
        "vectors_are_unit": list(_not_unit(built, frames)),
        "embedder_answers_alike": list(_unlike(frames, embed)) if embed is not None and embed.dimension else [],
        "questions_are_answered": list(opened.unanswered(questions(frames["memories"], before))),
    }


def questions(now: Rows, before: Rows | None) -> list[tuple[str, str]]:
    """Recorded questions: ids and words of a few memories that were active and are; the ones whose words tell them apart best."""
    held = _active(now)
    if before is not None:
        kept = held.join(_active(before), on="id", how="semi")
        held = kept if kept.height else held
    some = _sample(held.sort("id"), N_SAMPLED)
    words = {row: set(_WORD.findall(normalise(text))) - _PARTICLES for row, text in some.iter_rows()}
    spread = Counter(word for found in words.values() for word in found)
    telling = {row: sum(1 / spread[word] for word in found) for row, found in words.items() if len(found) >= 2}
    best = sorted(telling, key=lambda row: (-telling[row], row))[:N_QUESTIONS]
    texts = dict(some.iter_rows())
    return [(row, texts[row]) for row in best]


def _active(memories: Rows) -> pl.DataFrame:
    return memories.lazy().filter(pl.col("status") == Status.ACTIVE).select("id", "text").collect()


def _sample(frame: pl.DataFrame, n: int) -> pl.DataFrame:
    """At most `n` rows, spread evenly."""
    return frame if frame.height <= n else frame.gather_every(-(-frame.height // n))


class _Opened:
    """The tables of a built version, each opened once."""

    def __init__(self, store: Path, built: Manifest) -> None:
        self._store, self._built = store, built
        self._sets: dict[str, Any] = {}

    def miscounted(self) -> Iterator[str]:
        """Tables that can't be opened or have another number of rows."""
        import lance

        for name, ref in self._built.tables.items():
            try:
                self._sets[name] = lance.dataset(str(self._store / ref.path))
                if (n := self._sets[name].count_rows()) != ref.rows:
                    yield f"{name} has {n} rows and not {ref.rows}"
            except (OSError, ValueError, RuntimeError):
                yield f"{name} can't be opened"

    def stale(self) -> Iterator[str]:
        """Indexes that do not cover every row, and tables that are searched and have none."""
        for name, dataset in self._sets.items():
            yield from (f"{name}: {index}" for index in unindexed(dataset))
            is_searched = "search_text" in dataset.schema.names and self._built.tables[name].rows > 0
            if is_searched and not any("search_text" in index.field_names for index in dataset.describe_indices()):
                yield f"{name}: no full-text index"

    def unanswered(self, asked: Iterable[tuple[str, str]]) -> Iterator[str]:
        """Questions whose own memory is not among the first that its words find."""
        tables = Tables(self._store, self._built)
        for row, text in asked:
            try:
                hits = tables.search("memories", text, None, None, NEAR_TOP)
            except VersionGone:
                hits = []
            if not any(hit.id == row or normalise(hit.row["text"]) == normalise(text) for hit in hits):
                yield row


def _lost_documents(store: Path, built: Manifest) -> Iterator[str]:
    folder = layout.version_folder(store, built.version)
    for name, wanted in built.documents.items():
        path = folder / Path(name).name
        if not path.is_file() or sha256(path.read_bytes()).hexdigest() != wanted:
            yield name


def _foreign(built: Manifest, frames: Frames) -> Iterator[str]:
    """Rows whose vector is named for other words, or for another embedder than the manifest names."""
    for name in EMBEDDED:
        for row, text, key in _sample(_embedded(frames[name]), N_SAMPLED).iter_rows():
            if key != embedding_id(built.embedder.digest, text):
                yield f"{name} {row}"


def _not_unit(built: Manifest, frames: Frames) -> Iterator[str]:
    """Vectors of another length than 1, or of another dimension; a text without a known word has none, or zeros."""
    for vectors in batches(frames["vectors"]):
        if not vectors.height:
            continue
        flat = vectors.get_column("vector").explode().to_numpy()
        if len(flat) != vectors.height * built.embedder.dimension:
            yield "vectors of another dimension"
            return
        norms = np.linalg.norm(flat.reshape(vectors.height, -1), axis=1)
        wrong = ~((np.abs(norms - 1) < _UNIT) | (norms == 0))
        yield from (str(vectors["embedding_id"][int(i)]) for i in np.flatnonzero(wrong))


def _embedded(rows: Rows) -> pl.DataFrame:
    """What a vector is of, of the rows that have one."""
    return rows.lazy().filter(pl.col("embedding_id") != "").select("id", "text", "embedding_id").collect()


def _unlike(frames: Frames, embed: Embed) -> Iterator[str]:
    """A few texts whose vector is another one when it is made again."""
    some = _sample(_embedded(frames["memories"]).sort("id"), N_QUESTIONS)
    known = frames["vectors"].lazy().filter(pl.col("embedding_id").is_in(some["embedding_id"].to_list())).collect()
    some = some.join(known, on="embedding_id", how="inner", maintain_order="left")
    made = embed(some["text"].to_list()) if some.height else []
    for row, old, new in zip(some["id"], some["vector"], made, strict=True):
        one, other = np.asarray(old, np.float32), np.asarray(new, np.float32)
        if len(one) != len(other) or (np.any(one) and float(one @ other) < _SAME):
            yield row
