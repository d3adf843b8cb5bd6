"""Published turns: the kept words of owner, participants and assistant, with the fate of the memories that cite them."""

from __future__ import annotations

from typing import Any

import polars as pl

from models.memory import PublishedTurn
from models.rules import ProjectRules
from models.table import Frame, polars_schema, values_to_column
from models.turn import Turn, is_spoken
from slowwave.format import Privacy, Status

_PRIVACY = list(Privacy)
# From most to least alive: a turn that several memories cite shares the fate of the liveliest.
_FATES = [Status.ACTIVE, Status.DISPUTED, Status.EXPIRED, Status.ARCHIVED, Status.SUPERSEDED, Status.RETRACTED]


def publish_turns(turns: Frame[Turn], memories: pl.DataFrame, rules: ProjectRules) -> pl.DataFrame:
    """One row for each turn that is evidence and has kept words; `context` is the turn before it by another speaker."""
    kept = turns.filter(is_spoken())
    rows = kept.select("text", "spans").to_dicts()
    spans = [kept_spans(row) for row in rows]
    words = [words_of(row["text"], kept) for row, kept in zip(rows, spans, strict=True)]
    spoken = kept.with_columns(
        pl.Series("text", words, dtype=pl.String),
        values_to_column(Turn, "spans", spans),
        pl.col("msg_key").alias("id"),
    ).filter(pl.col("text") != "")
    cited = spoken.join(_citations(memories), on="id", how="left", maintain_order="left").with_columns(
        pl.col("memory_ids").fill_null([]),
        pl.col("status").fill_null(Status.ACTIVE),
        pl.col("privacy").fill_null(Privacy.PERSONAL),
        embedding_id=pl.lit(""),
    )
    return _with_context(cited, rules.max_context_chars).select(polars_schema(PublishedTurn).names())


def kept_spans(row: dict[str, Any]) -> list[dict[str, int]]:
    """The kept spans of a turn, those with only white space between them joined, and none beginning or ending in it."""
    text: str = row["text"]
    made: list[dict[str, int]] = []
    for span in row["spans"]:
        words = text[span["start"] : span["end"]]
        start = span["start"] + len(words) - len(words.lstrip())
        end = start + len(words.strip())
        if made and not text[made[-1]["end"] : start].strip():
            made[-1]["end"] = max(end, made[-1]["end"])
        elif end > start:
            made.append({"start": start, "end": end})
    return made


def words_of(text: str, spans: list[dict[str, int]]) -> str:
    """The words of the spans, verbatim, with a line break where something between them was dropped."""
    return "\n".join(text[span["start"] : span["end"]] for span in spans)


def _citations(memories: pl.DataFrame) -> pl.DataFrame:
    """For each cited message: which memories cite it, the highest privacy and the liveliest status among them."""
    proofs = memories.select("id", "privacy", "status", "evidence").explode("evidence").unnest("evidence")
    ranked = proofs.filter(pl.col("source_kind") == "message").with_columns(
        pl.col("privacy").replace_strict(_PRIVACY, range(len(_PRIVACY)), return_dtype=pl.Int64),
        pl.col("status").replace_strict(_FATES, range(len(_FATES)), return_dtype=pl.Int64),
    )
    return (
        ranked.group_by(pl.col("source_id").alias("cited"))
        .agg(pl.col("id").unique().sort().alias("memory_ids"), pl.col("privacy").max(), pl.col("status").min())
        .with_columns(
            pl.col("privacy").replace_strict(range(len(_PRIVACY)), _PRIVACY, return_dtype=pl.String),
            pl.col("status").replace_strict(range(len(_FATES)), _FATES, return_dtype=pl.String),
        )
        .rename({"cited": "id"})
    )


def _with_context(spoken: pl.DataFrame, most: int) -> pl.DataFrame:
    """Add the end of the turn before it by another speaker; sensitive words are nobody else's context."""
    session = ("platform", "session_id")
    speaker = pl.concat_str("role", "speaker", separator="\x00")
    changed = (speaker != speaker.shift(1)).over(session)
    hidden = pl.col("privacy") == Privacy.SENSITIVE
    before = pl.when(hidden).then(pl.lit("")).otherwise(pl.col("text").str.tail(most)).shift(1)
    return (
        spoken.sort(*session, "seq", "id")
        .with_columns(context=pl.when(changed).then(before).otherwise(None).over(session))
        .with_columns(pl.col("context").forward_fill().over(session).fill_null(""))
    )
