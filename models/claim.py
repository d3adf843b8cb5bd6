"""Claims: what a model (or the rules) answers, and what is stored once the answer was checked.

A claim cites numbered lines and never holds ids or quotes; code fills those in. How a model writes its claims down is the
adapter's affair.
"""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from models.table import Table
from slowwave.format import Cardinality, Evidence, Kind, Polarity, Precision, Privacy, Trust, Writer


class Claim(BaseModel):
    """One thing that the cited lines assert."""

    model_config = ConfigDict(extra="ignore")
    kind: Kind = Field(description="Which of the twelve kinds it is.")
    subject: str = Field(description="Whom or what it is about: 'user', 'assistant', or the name as said.")
    lines: list[int] = Field(
        description="Numbers of the lines that state it. Only these count as evidence.", min_length=1
    )
    statement: str | None = Field(
        default=None, description="One sentence that stands alone; leave out where the cited line does."
    )
    attribute: str | None = Field(
        default=None,
        description="What is said of the subject, in snake_case, e.g. home_city; none if no attribute fits.",
    )
    value: str | None = Field(default=None, description="The attribute's value, as said.")
    cardinality: Cardinality = Field(
        Cardinality.MULTI, description="single if the attribute holds one value at a time."
    )
    polarity: Polarity = Field(
        Polarity.ASSERT, description="negate if it stopped being or is not true; retract if it never was."
    )
    valid_from: str | None = Field(default=None, description="When it began or happened, in the words of the text.")
    valid_to: str | None = Field(default=None, description="When it ends or ended, in the words of the text.")
    due: str | None = Field(default=None, description="When a commitment falls due, in the words of the text.")
    confidence: float = Field(default=0.7, ge=0, le=1, description="How plainly it was said.")
    importance: float = Field(default=0.5, ge=0, le=1, description="How much it will matter later.")
    mentions: list[str] = Field(
        default_factory=list, description="Names of people, projects, organisations and places in it."
    )
    is_assertion: bool = Field(
        True, description="False for a question, hypothesis, joke, quotation, role-play or fiction."
    )


class Claims(BaseModel):
    """The answer to one question: every claim its lines make, in the order of the lines. Empty if there is none.

    `malformed` are pieces of the answer that are no claims, each with what is wrong: one such piece takes no other down.
    """

    claims: list[Claim] = []
    malformed: list[str] = []


class ClaimRow(Table):
    """A claim whose evidence was checked."""

    key = ("claim_id",)
    claim_id: str = Field(description="Hash of its content and evidence.")
    owner: str = Field(description="Whose memory it is for.")
    project: str | None = Field(default=None, description="Scope: the project, null for personal.")
    project_ground: str | None = Field(
        default=None,
        description="What assigned the project where no metadata did: entity (the claim names it) or observer (its session's signals).",
    )
    thread: str | None = Field(default=None, description="Thread or channel it came from.")
    kind: Kind = Field(description="One of the twelve kinds.")
    subject: str = Field(description="`user`, `assistant` or a name as said.")
    subject_key: str = Field(description="Normalised subject; link replaces it by the subject's entity.")
    attribute: str | None = Field(default=None, description="The slot's attribute.")
    value: str | None = Field(default=None, description="The slot's value as said.")
    cardinality: Cardinality = Field(description="single or multi.")
    polarity: Polarity = Field(description="assert, negate or retract.")
    text: str = Field(description="One sentence that stands alone.")
    context: str = Field(default="", description="What it answers: for the index alone.")
    confidence: float = Field(ge=0, le=1, description="How plainly it was said.")
    importance: float = Field(ge=0, le=1, description="How much it will matter later.")
    said_at: datetime | None = Field(default=None, description="When it was said (event time), UTC.")
    valid_from: datetime | None = Field(default=None, description="Start of its truth where stated, UTC.")
    valid_to: datetime | None = Field(default=None, description="End of its truth where stated, UTC.")
    valid_precision: Precision | None = Field(default=None, description="How exactly valid_from is known.")
    due_at: datetime | None = Field(default=None, description="When a commitment falls due, UTC.")
    is_unbounded: bool = Field(default=False, description="Stated to hold without an end: clears an inherited one.")
    is_pinned: bool = Field(default=False, description="Pinned by the owner.")
    trust: Trust = Field(description="Authority of the place it was said.")
    privacy: Privacy = Field(description="open, personal or sensitive.")
    mentions: list[str] = Field(description="Names in it, as said.")
    evidence: list[Evidence] = Field(description="Verbatim spans of captured messages.")
    writer: Writer = Field(description="Who wrote the text.")


class Mention(Table):
    """A name in a claim, and the entity that link joined it to."""

    key = ("claim_id", "name")
    claim_id: str = Field(description="The claim.")
    name: str = Field(description="The name as said.")
    entity_id: str = Field(description="The entity.")
    is_subject: bool = Field(description="Whether it is the claim's subject.")
