"""What the owner stated by hand: claims as they stand, under the slot that was named, and a retraction of what they take the place of.

Belongs here: words of the hand into claims, in place of whatever was read out of the same message. Does not belong here: pins and
archiving (`tasks.reinforce.hand`), and which value then holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

import polars as pl

from models.claim import ClaimRow
from models.ids import make_id
from models.table import Frame, rows_to_frame
from slowwave import when
from slowwave.format import Cardinality, Evidence, Kind, Polarity, Trust, Verdict, Writer
from slowwave.text import normalise
from tasks.extract.privacy import privacy_of_words

# A person's own sentence, meant for memory, is as plain as a thing can be said.
_CONFIDENCE, _IMPORTANCE = 1.0, 0.8
_WRITER = Writer(stage="link", model="owner")
Row = dict[str, Any]


class Stated(NamedTuple):
    """The new claims with the hand's in place of what else was read out of its messages (`read`), and what was never heard."""

    claims: Frame[ClaimRow]
    read: pl.DataFrame
    unheard: pl.DataFrame


def stated(feedback: pl.DataFrame, claims: pl.DataFrame, turns: pl.DataFrame, zone: str = "") -> Stated:
    """Claims of every statement whose message was heard, however often it is told of: the same words are the same claims.

    A promise falls due at the end of the last time that it names, in `zone` where its message states no offset.
    """
    told = feedback.filter(
        pl.col("verdict").is_in([Verdict.CORRECTED, Verdict.STATED]) & (pl.col("trust") == Trust.OWNER)
    )
    is_heard = pl.col("is_evidence") & (pl.col("trust") == Trust.OWNER)
    mine = turns.filter(pl.col("msg_key").is_in(told["msg_key"].implode()) & is_heard)
    heard = {row["msg_key"]: row for row in mine.iter_rows(named=True)}
    made = {claim.claim_id: claim for row in told.iter_rows(named=True) for claim in _claims(row, heard, zone)}
    cites_hand = pl.col("evidence").list.eval(pl.element().struct.field("source_id").is_in(sorted(heard))).list.any()
    is_other = cites_hand.fill_null(False) if heard else pl.lit(False)
    kept = claims.filter(~is_other)
    together = pl.concat([kept, rows_to_frame(ClaimRow, list(made.values()))]).sort("claim_id")
    return Stated(
        together,  # pyright: ignore[reportArgumentType]
        claims.filter(is_other),
        told.filter(~pl.col("msg_key").is_in(sorted(heard))),
    )


def _claims(said: Row, heard: dict[str, Row], zone: str) -> Iterator[ClaimRow]:
    turn = heard.get(said["msg_key"])
    if turn is None:
        return
    quotes = [turn["text"][span["start"] : span["end"]] for span in turn["spans"]]
    claim = _claim(said, turn, " ".join(quotes), said["value"], Polarity.ASSERT)
    yield claim.model_copy(update={"due_at": _due_at(said, turn, " ".join(quotes), zone)})
    if _takes_a_place(said):
        yield _claim(said, turn, said["old_text"] or " ".join(quotes), said["old_value"], Polarity.RETRACT)


def _due_at(said: Row, turn: Row, text: str, zone: str) -> datetime | None:
    if said["kind"] != Kind.GOAL_OR_COMMITMENT:
        return None
    found = when.find(text, turn["said_at"], turn["offset_minutes"], zone or None)
    if not found:
        return None
    return when.due(max(found, key=lambda one: one.ends_at), [text])


def _takes_a_place(said: Row) -> bool:
    """Whether something was never true: of the same value only the words are others."""
    if said["verdict"] != Verdict.CORRECTED:
        return False
    if said["attribute"] and said["old_value"]:
        return normalise(said["old_value"]) != normalise(said["value"] or "")
    return bool(said["old_text"])


def _claim(said: Row, turn: Row, text: str, value: str | None, polarity: Polarity) -> ClaimRow:
    body: dict[str, Any] = {
        "owner": turn["owner"],
        "project": said["project"],
        "kind": Kind(said["kind"]),
        "subject": said["subject"],
        "subject_key": normalise(said["subject"]),
        "attribute": said["attribute"] if value else None,
        "value": value if said["attribute"] else None,
        "cardinality": Cardinality(said["cardinality"]),
        "polarity": polarity,
        "text": text,
    }
    return ClaimRow(
        **body,
        claim_id=make_id("clm", body, said["msg_key"]),
        confidence=_CONFIDENCE,
        importance=_IMPORTANCE,
        said_at=turn["said_at"],
        is_pinned=bool(said["is_pinned"]) and polarity is Polarity.ASSERT,
        trust=Trust(turn["trust"]),
        privacy=privacy_of_words(text),
        mentions=[],
        evidence=[_evidence(turn, span) for span in turn["spans"]],
        writer=_WRITER,
    )


def _evidence(turn: Row, span: Row) -> Evidence:
    return Evidence(
        source_id=turn["msg_key"],
        session_id=turn["session_id"],
        message_id=turn["message_id"],
        start=span["start"],
        end=span["end"],
        quote=turn["text"][span["start"] : span["end"]],
        said_at=turn["said_at"],
    )
