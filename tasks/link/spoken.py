"""The sentences that people said, from which names are learned: each with who spoke, to whom, and where it stands.

Belongs here: turns and claims as sentences. Does not belong here: what they say about names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from models.table import collected
from slowwave.format import Evidence, Trust

PEOPLE = (Trust.OWNER, Trust.PARTICIPANT, Trust.IMPORTED)
_SPEAKING = ("user", "participant")


class Sentence(NamedTuple):
    """One sentence of a person. `after` is the participant whose words it directly follows, empty where nobody's.

    `is_last` says that its message ends with it; `session` is empty for a sentence of a claim, which was not heard but read.
    """

    owner: str
    text: str
    role: str
    speaker: str
    session: str
    after: str
    is_last: bool
    proof: Evidence


def said_in_claims(claims: pl.DataFrame, hint: str) -> list[Sentence]:
    """The texts of people's claims that hold the `hint`, a pattern of polars."""
    is_told = (
        pl.col("trust").is_in([trust.value for trust in PEOPLE])
        & (pl.col("polarity") == "assert")
        & pl.col("text").str.contains(hint)
        & (pl.col("evidence").list.len() > 0)
    )
    told = collected(claims.lazy().filter(is_told).select("owner", "text", "subject", pl.col("evidence").list.first()))
    return [
        Sentence(owner, text, "claim", subject, "", "", False, Evidence(**proof))
        for owner, text, subject, proof in told.iter_rows()
    ]


def people_turns(turns: pl.DataFrame) -> pl.DataFrame:
    """The turns that owner and participants said themselves, in order, each with the participant it follows as `after`."""
    ordered = turns.sort("platform", "session_id", "seq", "msg_key")
    before = pl.when(pl.col("role") == "participant").then("speaker").shift().over("platform", "session_id")
    is_own = pl.col("trust").is_in([Trust.OWNER.value, Trust.PARTICIPANT.value]) & pl.col("is_evidence")
    return ordered.with_columns(after=before.fill_null("")).filter(is_own & pl.col("role").is_in(_SPEAKING))


def sentences(turns: pl.DataFrame) -> list[Sentence]:
    """The kept sentences of `people_turns`, in order."""
    return [sentence for row in turns.iter_rows(named=True) for sentence in _of_turn(row, row["spans"])]


def _of_turn(row: dict[str, Any], spans: Sequence[dict[str, int]]) -> list[Sentence]:
    return [
        Sentence(
            row["owner"],
            row["text"][span["start"] : span["end"]],
            row["role"],
            row["speaker"],
            f"{row['platform']}/{row['session_id']}",
            row["after"],
            number == len(spans),
            _proof(row, span),
        )
        for number, span in enumerate(spans, 1)
    ]


def _proof(row: dict[str, Any], span: dict[str, int]) -> Evidence:
    return Evidence(
        source_kind="message",
        source_id=row["msg_key"],
        session_id=row["session_id"],
        message_id=row["message_id"],
        start=span["start"],
        end=span["end"],
        quote=row["text"][span["start"] : span["end"]],
        said_at=row["said_at"],
    )
