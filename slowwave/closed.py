"""The closed sets of the published format: which words a column may hold.

Belongs here: enumerations. Does not belong here: the tables that use them (`format`, which hands them on).
"""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What sort of thing a memory is; the order is the order in which a bounded snapshot lists them."""

    CONSTRAINT = "constraint"
    COMMUNICATION_PREFERENCE = "communication_preference"
    PREFERENCE = "preference"
    GOAL_OR_COMMITMENT = "goal_or_commitment"
    ROUTINE = "routine"
    COLLABORATOR = "collaborator"
    PROJECT = "project"
    TOOL_OR_WORKFLOW_LESSON = "tool_or_workflow_lesson"
    SEMANTIC_FACT = "semantic_fact"
    TIMELINE_MILESTONE = "timeline_milestone"
    EPISODIC_EVENT = "episodic_event"
    INTERVENTION_OUTCOME = "intervention_outcome"


class Status(StrEnum):
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    DISPUTED = "disputed"
    ARCHIVED = "archived"
    EXPIRED = "expired"
    RETRACTED = "retracted"


class CommitmentState(StrEnum):
    OPEN = "open"
    FULFILLED = "fulfilled"
    CANCELLED = "cancelled"
    OVERDUE = "overdue"


class Tier(StrEnum):
    PROMPT = "prompt"
    SEARCHABLE = "searchable"
    ARCHIVED = "archived"


class Privacy(StrEnum):
    OPEN = "open"
    PERSONAL = "personal"
    SENSITIVE = "sensitive"


class Trust(StrEnum):
    """Where a thing was said, from most to least authority over the owner's memory."""

    OWNER = "owner"
    PARTICIPANT = "participant"
    AGENT = "agent"
    IMPORTED = "imported"
    THIRD_PARTY = "third_party"
    TOOL = "tool"
    SYSTEM = "system"


class Review(StrEnum):
    """Where the owner's review of a memory stands that may not reach a prompt text unasked."""

    WAITING = "waiting"
    APPROVED = "approved"
    DECLINED = "declined"


class Verdict(StrEnum):
    """What the inbox's feedback says: of use and truth by anybody, and by the owner alone what the hand decided or stated."""

    REUSED = "reused"
    CONFIRMED = "confirmed"
    CONTRADICTED = "contradicted"
    IGNORED = "ignored"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    ARCHIVED = "archived"
    RESTORED = "restored"
    APPROVED = "approved"
    DECLINED = "declined"
    CORRECTED = "corrected"
    STATED = "stated"


class FlushReason(StrEnum):
    """Why a session is to be consolidated before its night."""

    NEAR_COMPACTION = "near_compaction"
    WORKFLOW_DONE = "workflow_done"
    TASK_DONE = "task_done"
    SESSION_END = "session_end"
    OBSERVER_TRANSITION = "observer_transition"


class Polarity(StrEnum):
    ASSERT = "assert"
    NEGATE = "negate"
    RETRACT = "retract"


class Cardinality(StrEnum):
    """Whether an attribute holds one value at a time or many side by side."""

    SINGLE = "single"
    MULTI = "multi"


class Precision(StrEnum):
    """How exactly a time is known; a bare day is never claimed for "last month"."""

    INSTANT = "instant"
    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"
    APPROXIMATE = "approximate"
