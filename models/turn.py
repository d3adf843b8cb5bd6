"""What sift keeps and segment orders: turns, their lines, and topics."""

from __future__ import annotations

import polars as pl
from pydantic import Field

from models.table import Table, published
from slowwave import format as fmt
from slowwave.format import Kind, Span, Trust

__all__ = ["Span", "Topic", "Turn", "is_spoken"]

_ROLES = ("user", "participant", "assistant")
_TRUSTED = (Trust.OWNER, Trust.PARTICIPANT, Trust.AGENT)


def is_spoken() -> pl.Expr:
    """Whether a turn is what owner, participants or assistant said: what may be shown as somebody's words."""
    return pl.col("role").is_in(_ROLES) & pl.col("trust").is_in(_TRUSTED) & pl.col("is_evidence")


class Turn(published(fmt.Said, key=("msg_key",))):
    """A message that sift kept: its captured text and the spans of it that count."""

    key = ("msg_key",)
    msg_key: str = Field(description="The message's key.")
    text: str = Field(description="The captured text, untouched: sift keeps, drops and folds spans, it never rewrites.")
    spans: list[Span] = Field(description="Kept spans, in order, not overlapping: one sentence or line each.")
    is_evidence: bool = Field(description="Whether a claim may rest on it.")
    caption: str | None = Field(
        None, description="Machine-made description of an attached picture: context, never evidence."
    )
    kind: Kind | None = Field(
        None, description="What an imported record is, where its platform says so; null for everything else."
    )
    origin_trust: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="How far an imported record's origin is relied on; null for everything else.",
    )


class Topic(Table):
    """A stretch of one session about one thing. Topics of one window are put to extraction in one question."""

    key = ("topic_id",)
    topic_id: str = Field(description="Hash of its turns.")
    owner: str = Field(description="Whose it is.")
    session_id: str = Field(description="The session.")
    ordinal: int = Field(ge=0, description="Place among the session's topics.")
    msg_keys: list[str] = Field(description="Its turns, in order.")
    context_keys: list[str] = Field(description="Turns before it that give context and are no evidence here.")
    n_tokens: int = Field(ge=0, description="Tokens of its kept text.")
    window: str = Field(default="", description="The question it shares with others: hash of its topics; empty: alone.")
    place: int = Field(default=0, ge=0, description="Place among the topics of its window.")
