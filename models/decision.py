"""Decisions and feedback: the reasons. A stage's decisions are its log; nothing is dropped without a row here."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from models.table import Table
from slowwave.format import Cardinality, Kind


class Action(StrEnum):
    """What was decided: about evidence (keep to quarantine), or about a memory (create to split)."""

    KEEP = "keep"
    DROP = "drop"
    FOLD = "fold"
    REDACT = "redact"
    DEFER = "defer"
    REJECT = "reject"
    QUARANTINE = "quarantine"
    CREATE = "create"
    MERGE = "merge"
    STRENGTHEN = "strengthen"
    WEAKEN = "weaken"
    CONTRADICT = "contradict"
    SUPERSEDE = "supersede"
    DISPUTE = "dispute"
    CLOSE = "close"
    RETRACT = "retract"
    ARCHIVE = "archive"
    EXPIRE = "expire"
    WAKE = "wake"
    PROMOTE = "promote"
    DEMOTE = "demote"
    FORGET = "forget"
    LINK = "link"
    SPLIT = "split"


class Decision(Table):
    """One decision of one stage about one thing."""

    key = ("stage", "item_id", "action", "reason", "other_id")
    stage: str = Field(description="The stage that decided.")
    item_id: str = Field(description="What it decided on: a message, topic, claim, memory or file line.")
    action: Action = Field(description="What it decided.")
    reason: str = Field(description="Why, in one or two words that reports group by.")
    other_id: str = Field(
        default="", description="The other party, where there is one: the memory merged into, the successor."
    )
    detail: str = Field(default="", description="What a person needs to understand it; never quotes a secret.")


class Feedback(Table):
    """What an agent or the owner said about a memory after using it, and what the owner's hand decided or stated."""

    key = ("feedback_id",)
    feedback_id: str = Field(description="Hash of its content.")
    memory_id: str = Field(description="The memory; empty for a statement beside all others.")
    verdict: str = Field(
        description="reused, confirmed, contradicted or ignored; of the owner's hand pinned, unpinned, archived, restored, approved, "
        "declined, and corrected or stated, which have the columns that follow."
    )
    at: datetime = Field(description="When, UTC.")
    session_id: str | None = Field(default=None, description="Session it was said in.")
    trust: str = Field(description="Authority of whoever said it.")
    msg_key: str | None = Field(default=None, description="The message that holds the owner's words.")
    kind: Kind | None = Field(default=None, description="What the words are.")
    project: str | None = Field(default=None, description="Their scope.")
    subject: str | None = Field(default=None, description="Whom they are about.")
    attribute: str | None = Field(default=None, description="The attribute of their slot.")
    value: str | None = Field(default=None, description="The value that they give it.")
    cardinality: Cardinality | None = Field(default=None, description="Whether the attribute holds one value or many.")
    old_value: str | None = Field(default=None, description="The value in whose place it comes.")
    old_text: str | None = Field(default=None, description="The text in whose place the words come.")
    is_pinned: bool | None = Field(default=None, description="Whether they are always in the prompt.")
