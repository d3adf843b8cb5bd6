"""Folds claims that share a `memory_id` into one memory row each, in whole columns.

Belongs here: how each column of a memory follows from its claims. Does not belong here: which claims belong together.
"""

from __future__ import annotations

import polars as pl

from models.memory import MemoryRow
from models.table import polars_schema
from slowwave.format import Cardinality, CommitmentState, Kind, Privacy, Status, Tier, Trust

_PRIVACY = {privacy.value: rank for rank, privacy in enumerate(Privacy)}
_OWN_WORDS = 1  # ranks of owner and participant: people speaking for themselves
_NOTED = list(Trust).index(Trust.IMPORTED)
_DECIMALS = 9  # hides the last bits of a product, which depend on the order of its factors

_FROM_VOICE = ("owner", "project", "kind", "subject", "subject_key", "text", "context", "attribute", "value", "writer")


def fold(placed: pl.DataFrame) -> pl.DataFrame:
    """Memories, in no particular order, from claims with the columns of `identify` and a `period`.

    One claim gives the words (the most authoritative, then the surest, the latest, the smallest id); dates span all of
    them and a null never replaces one. A retraction gives evidence but no words, unless it stands alone.
    """
    speaking = placed.filter(~pl.col("is_retract") | pl.col("is_retract").all().over("memory_id"))
    rows = _voices(speaking).rename({"memory_id": "id"})
    for extra in (_spans(speaking), _ends(speaking), _dues(speaking), _claims(placed), *_evidence(placed, speaking)):
        rows = rows.join(extra.rename({"memory_id": "id"}), on="id", how="left", maintain_order="left")
    return _complete(rows)


def _voices(speaking: pl.DataFrame) -> pl.DataFrame:
    ordered = speaking.sort(
        ["memory_id", "rank", "confidence", "said_at", "claim_id"],
        descending=[False, False, True, True, False],
        nulls_last=True,
    )
    first = ordered.unique("memory_id", keep="first", maintain_order=True)
    return first.select("memory_id", *_FROM_VOICE, "period", polarity="stance")


def _spans(speaking: pl.DataFrame) -> pl.DataFrame:
    ranks = list(_PRIVACY)
    return (
        speaking.sort("memory_id", "start", "claim_id", nulls_last=True)
        .group_by("memory_id")
        .agg(
            pl.col("importance").max(),
            pl.col("is_pinned").any(),
            thread=pl.col("thread").drop_nulls().first(),
            privacy=pl.col("privacy").replace_strict(_PRIVACY, return_dtype=pl.Int64).max(),
            rank=pl.col("rank").min(),
            is_multi=(pl.col("cardinality") == Cardinality.MULTI).any(),
            said_at=pl.col("at").min(),
            valid_from=pl.col("start").min(),
            valid_precision=pl.col("valid_precision").first(),
            first_seen_at=pl.col("said_at").min(),
            last_seen_at=pl.col("said_at").max(),
            last_confirmed_at=pl.col("said_at").filter(pl.col("rank") <= _OWN_WORDS).max(),
        )
        .with_columns(
            privacy=pl.col("privacy").replace_strict(dict(enumerate(ranks)), return_dtype=pl.String),
            trust=pl.col("rank").replace_strict({i: t.value for i, t in enumerate(Trust)}, return_dtype=pl.String),
            cardinality=pl.when("is_multi").then(pl.lit(Cardinality.MULTI)).otherwise(pl.lit(Cardinality.SINGLE)),
        )
        .drop("rank", "is_multi")
    )


def _ends(speaking: pl.DataFrame) -> pl.DataFrame:
    """The end that was stated last; a later statement of no end clears it, silence does not."""
    stated = speaking.filter(pl.col("valid_to").is_not_null() | pl.col("is_unbounded"))
    ordered = stated.sort("memory_id", "said_at", "is_unbounded", "valid_to", "claim_id")
    return ordered.unique("memory_id", keep="last", maintain_order=True).select("memory_id", "valid_to")


def _dues(speaking: pl.DataFrame) -> pl.DataFrame:
    stated = speaking.filter(pl.col("due_at").is_not_null()).sort("memory_id", "said_at", "due_at", "claim_id")
    return stated.unique("memory_id", keep="last", maintain_order=True).select("memory_id", "due_at")


def _claims(placed: pl.DataFrame) -> pl.DataFrame:
    return placed.sort("memory_id", "claim_id").group_by("memory_id").agg(claim_ids=pl.col("claim_id"))


def _evidence(placed: pl.DataFrame, speaking: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    spans = _cited(placed)
    place = ["memory_id", "said_at", "session_id", "message_id", "start", "end", "source_kind", "source_id"]
    listed = (
        spans.sort(place)
        .unique(["memory_id", "session_id", "message_id", "start", "end"], keep="first", maintain_order=True)
        .group_by("memory_id", maintain_order=True)
        .agg(evidence=pl.struct(spans.select(pl.exclude("memory_id", "claim_id", "confidence")).columns))
    )
    return listed, _confidence(_cited(_counted(speaking)))


def _counted(speaking: pl.DataFrame) -> pl.DataFrame:
    """The claims that make a memory surer. What an agent noted confirms nothing: it counts where nobody above it spoke, and once."""
    is_noted = pl.col("trust") == Trust.IMPORTED
    noted, spoken = speaking.filter(is_noted), speaking.filter(~is_noted)
    above = spoken.filter(pl.col("rank") < _NOTED)
    order = noted.join(above, on="memory_id", how="anti").sort("memory_id", "confidence", "claim_id")
    return pl.concat([spoken, order.unique("memory_id", keep="last", maintain_order=True)])


def _cited(claims: pl.DataFrame) -> pl.DataFrame:
    return claims.select("memory_id", "claim_id", "confidence", "evidence").explode("evidence").unnest("evidence")


def _confidence(spans: pl.DataFrame) -> pl.DataFrame:
    """Noisy-or over independent messages: `1 - prod(1 - c)`.

    A claim's confidence is shared out over the messages it cites, so that one claim alone gives exactly its own. A message
    counts once, at its highest; the same words at the same instant in another message are a copy and count once, too.
    """
    first_words = (
        spans.sort("memory_id", "session_id", "message_id", "start", "quote")
        .unique(["claim_id", "memory_id", "session_id", "message_id"], keep="first", maintain_order=True)
        .with_columns(share=1 - (1 - pl.col("confidence")) ** (1 / pl.len().over("claim_id", "memory_id")))
    )
    messages = first_words.group_by("memory_id", "session_id", "message_id").agg(
        pl.col("share").max(), pl.col("quote").min(), pl.col("said_at").min()
    )
    words = messages.group_by("memory_id", "quote", "said_at").agg(pl.col("share").max())
    return (
        words.sort("memory_id", "share")
        .group_by("memory_id")
        .agg(confidence=(1 - (1 - pl.col("share")).product()).round(_DECIMALS))
    )


def _complete(rows: pl.DataFrame) -> pl.DataFrame:
    """Every column of a memory: new ones are active, and what later stages decide has its plain beginning."""
    is_commitment = pl.col("kind") == Kind.GOAL_OR_COMMITMENT
    known = polars_schema(MemoryRow)
    begun = {
        "status": pl.lit(Status.ACTIVE),
        "tier": pl.lit(Tier.SEARCHABLE),
        "stability_days": pl.lit(0.0),
        "embedding_id": pl.lit(""),
        "entity_ids": pl.lit([], known["entity_ids"]),
        "related_ids": pl.lit([], known["related_ids"]),
        "commitment_state": pl.when(is_commitment).then(pl.lit(CommitmentState.OPEN)),
        "superseded_by": pl.lit(None, pl.String),
        "summary": pl.lit(None, pl.String),
    }
    return rows.with_columns(**begun).select(pl.col(name).cast(dtype) for name, dtype in known.items())
