"""Corrections: what a person later says, or answers, against a lesson. It then stands until outcomes since say the lesson again.

Belongs here: which words and verdicts go against which lesson, and what becomes of it. Does not belong here: which context earns a lesson.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

import polars as pl

from models.rules import LearnRules
from slowwave.context import SEPARATOR
from slowwave.format import Kind, Memory, Polarity, Status, Tier, Trust

_SAID_KINDS = (Kind.COMMUNICATION_PREFERENCE, Kind.PREFERENCE, Kind.CONSTRAINT, Kind.ROUTINE)
_CONTACT = re.compile(
    r"\b(?:contact|nudg|notif|interrupt|disturb|remind|ping|messag|alert|speak up|bother|reach me|reachable|write to me|call me|talk to me"
    r")",
    re.IGNORECASE,
)
_NO = re.compile(r"\b(?:not|no|never|don['’]?t|stop|avoid|without|unless|nothing|leave me alone)\b", re.IGNORECASE)
_CLAUSES = re.compile(r"[.;:!?]|, (?:and|but)\b|\b(?:and|but)\b(?= (?:not|no|never|don))|,(?= (?:not|no|never|don))")


class Correction(NamedTuple):
    """Something against lessons: of whom it is said, what it says of speaking up there, when, and where it stands."""

    memory_id: str
    at: datetime
    words: str
    is_welcome: bool
    lesson_id: str = ""


def said(memories: pl.DataFrame) -> list[Correction]:
    """What the owner's standing words say about when to speak up, a clause at a time."""
    rows = memories.filter(
        pl.col("kind").is_in([kind.value for kind in _SAID_KINDS])
        & (pl.col("trust") == Trust.OWNER)
        & (pl.col("subject_key") == "user")
        & (pl.col("status") == Status.ACTIVE)
        & pl.col("last_confirmed_at").is_not_null()
    ).sort("id")
    found = rows.select("id", "last_confirmed_at", "text", "polarity").iter_rows()
    return [one for row in found if _CONTACT.search(row[2]) for one in _clauses(*row)]


def _clauses(memory_id: str, at: datetime, text: str, polarity: str) -> Iterable[Correction]:
    for clause in _CLAUSES.split(text):
        if clause and clause.strip():
            denied = bool(_NO.search(clause)) != (polarity == Polarity.NEGATE)
            yield Correction(memory_id, at, clause.casefold().replace("_", " ").replace("-", " "), not denied)


def answered(feedback: pl.DataFrame, as_of: datetime) -> list[Correction]:
    """What people answered against a lesson by its id."""
    told = feedback.filter(
        (pl.col("verdict") == "contradicted")
        & pl.col("trust").is_in([Trust.OWNER, Trust.PARTICIPANT])
        & (pl.col("at") <= as_of)
    ).sort("at", "feedback_id")
    rows = told.select("feedback_id", "at", "memory_id").iter_rows()
    return [Correction(feedback_id, at, "", is_welcome=False, lesson_id=lesson) for feedback_id, at, lesson in rows]


def corrected(
    lesson: Memory, is_welcome: bool, alike: Sequence[datetime], against: Sequence[Correction], rules: LearnRules
) -> tuple[Memory, Correction | None]:
    """The lesson, and the newest correction that stands against it; `alike` are the times of the outcomes that went its way."""
    hits = [one for one in against if _is_against(one, lesson, is_welcome, rules)]
    newest = max(hits, key=lambda one: (one.at, one.memory_id), default=None)
    if newest is None or sum(at > newest.at for at in alike) >= rules.min_support:
        return lesson, None
    # What was said stands beside the lesson; what was answered is a verdict and no memory.
    heir = None if newest.lesson_id else newest.memory_id
    status = Status.SUPERSEDED if heir else Status.DISPUTED
    return replace(lesson, status=status, tier=Tier.SEARCHABLE, superseded_by=heir), newest


def _is_against(one: Correction, lesson: Memory, is_welcome: bool, rules: LearnRules) -> bool:
    if one.lesson_id:
        return one.lesson_id == lesson.id
    parts = (lesson.value or "").split(SEPARATOR)
    if one.is_welcome == is_welcome:
        return False
    # What holds for a state does not speak of what is urgent in it, unless it says so.
    if any(part in rules.urgent for part in parts) and "urgent" not in one.words:
        return False
    return any(re.search(rf"\b{re.escape(part.replace('_', ' '))}s?\b", one.words) for part in parts)
