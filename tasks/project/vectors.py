"""Vectors: a text is known by its hash and the embedder's digest, so an unchanged text is never embedded twice."""

from __future__ import annotations

import polars as pl

from models.ask import Embed
from models.memory import Vector
from models.table import Frame, conform, rows_to_frame
from slowwave.errors import ModelError
from slowwave.ids import embedding_id


def with_embedding_ids(frame: pl.DataFrame, embed: Embed) -> pl.DataFrame:
    """The frame with `embedding_id` for its `text`; empty without an embedder (dimension 0) and for an empty text."""
    texts = frame["text"].to_list()
    ids = [embedding_id(embed.digest, text) if text and embed.dimension else "" for text in texts]
    return frame.with_columns(pl.Series("embedding_id", ids, dtype=pl.String))


def embed_new(texts: pl.DataFrame, vectors: Frame[Vector], embed: Embed) -> Frame[Vector]:
    """The vectors of `texts` (columns text, embedding_id): known ones kept, unused ones left, missing ones asked for.

    The embedder is asked at most once, with the missing texts sorted and each once. A text that it keeps back has no vector. Raises
    ModelError where it answers with another number of vectors or another dimension than it promised.
    """
    wanted = texts.filter(pl.col("embedding_id") != "").unique("embedding_id")
    # One of another dimension was made by something else under that name, or is damaged: it is made again.
    sound = vectors.filter(pl.col("vector").list.len() == embed.dimension)
    known = sound.join(wanted, on="embedding_id", how="semi")
    missing = wanted.join(known, on="embedding_id", how="anti").sort("text")
    if missing.is_empty():
        return conform(known, Vector)
    made = embed(missing["text"].to_list())
    if len(made) != missing.height or any(len(vector) not in (0, embed.dimension) for vector in made):
        raise ModelError(
            f"the embedder {embed.name} gave {len(made)} vectors for {missing.height} texts of dimension {embed.dimension}",
            "Check the embedder's settings: its dimension must be what its model returns.",
        )
    rows = [{"embedding_id": i, "vector": v} for i, v in zip(missing["embedding_id"], made, strict=True) if v]
    return conform(pl.concat([known, rows_to_frame(Vector, rows)]), Vector)


def with_known_ids(frame: pl.DataFrame, vectors: Frame[Vector]) -> pl.DataFrame:
    """The frame without the ids of vectors that there are none of: such a row is found by its words alone."""
    is_known = pl.col("embedding_id").is_in(vectors["embedding_id"].implode())
    return frame.with_columns(embedding_id=pl.when(is_known).then(pl.col("embedding_id")).otherwise(pl.lit("")))
