"""A memory as a line of a bounded text: its heading, what the line says, and its place among others.

One rule for the night's documents and for what is exported. Belongs here: lines and their order. Does not belong here: which
memories may enter a text at all (the night decides, and its documents list them), and how many fit (`fit`).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta
from typing import Any

from slowwave import strength
from slowwave.fit import Record
from slowwave.format import CommitmentState, Kind, Tier
from slowwave.zones import zone_of

# A memory's fields by name, with `line` (its text on one line) and `rank` (by how far it reaches).
Row = dict[str, Any]

PINNED = "Pinned"
HEADINGS: dict[str, str] = {
    Kind.CONSTRAINT: "Constraints",
    Kind.COMMUNICATION_PREFERENCE: "How to talk",
    Kind.PREFERENCE: "Preferences",
    Kind.GOAL_OR_COMMITMENT: "Goals and promises",
    Kind.ROUTINE: "Routines",
    Kind.COLLABORATOR: "People",
    Kind.PROJECT: "Projects",
    Kind.TOOL_OR_WORKFLOW_LESSON: "Lessons",
    Kind.SEMANTIC_FACT: "Facts",
    Kind.TIMELINE_MILESTONE: "Milestones",
    Kind.EPISODIC_EVENT: "Events",
    Kind.INTERVENTION_OUTCOME: "When to speak up",
}
# Sections of the soul; `{0}` is the owner's name.
SOUL_SECTIONS: dict[str, str] = {
    Kind.SEMANTIC_FACT: "Who you are to {0}",
    Kind.PREFERENCE: "Preferences",
    Kind.COMMUNICATION_PREFERENCE: "How to talk",
    Kind.CONSTRAINT: "Constraints",
    Kind.COLLABORATOR: "People",
    Kind.PROJECT: "Projects",
    Kind.GOAL_OR_COMMITMENT: "Promises",
    Kind.ROUTINE: "Routines",
    Kind.TOOL_OR_WORKFLOW_LESSON: "Lessons",
    Kind.INTERVENTION_OUTCOME: "Lessons",
}
_KINDS = [str(kind) for kind in Kind]
_FIRST = (Kind.CONSTRAINT, Kind.COMMUNICATION_PREFERENCE)


def is_section(heading: str, title: str) -> bool:
    """Whether a heading of a soul is this title, whatever the owner is called."""
    before, is_named, after = title.partition("{0}")
    return heading == title if not is_named else heading.startswith(before) and heading.endswith(after)


def is_own_heading(heading: str) -> bool:
    """Whether a heading is one of ours, and not the name of somebody."""
    return (
        heading == PINNED or heading in HEADINGS.values() or any(is_section(heading, t) for t in SOUL_SECTIONS.values())
    )


def reading_time(heard: Iterable[datetime], as_of: datetime) -> datetime:
    """The time at which strengths are read: the Monday of the week in which something was last heard.

    A text that is the same as yesterday costs a prompt cache nothing, so it ages with the news and not with the calendar.
    """
    newest = max(heard, default=as_of)
    return datetime.combine(newest.date() - timedelta(days=newest.weekday()), time(), UTC)


def rank_of(row: Row) -> int:
    """What stands a memory behind others of its kind: the lower the further it reaches, by weeks."""
    last = row["last_confirmed_at"] or row["last_seen_at"] or row["first_seen_at"]
    if last is None:
        return 0
    reach = strength.reach(
        stability_days=row["stability_days"],
        last_at=last,
        confidence=row["confidence"],
        importance=row["importance"],
    )
    return -int(reach // 7)


def record(row: Row, group: str, *, share: float, zone: str, is_exact: bool) -> Record:
    """A memory as a list item under a heading; `share` is what its kind may fill of the budget while others wait."""
    kind = _KINDS.index(row["kind"])
    return Record(
        memory_id=row["id"],
        line=f"- {line_of(row, zone, is_exact=is_exact)}",
        group=group,
        priority=kind,
        order=(kind, row["rank"]),
        is_pinned=row["is_pinned"],
        is_spare=row["tier"] != Tier.PROMPT,
        share=2 * share if row["kind"] in _FIRST else share,
    )


def line_of(row: Row, zone: str, *, is_exact: bool) -> str:
    """The record's text on one line, without what no reader sees.

    A promise whose text lacks its day gets it, unless every character is counted.
    """
    text: str = row["line"]
    if is_exact or row["due_at"] is None or row["kind"] != Kind.GOAL_OR_COMMITMENT:
        return text
    # A due time may be the midnight that ends its day, which belongs to the day before.
    day = (row["due_at"] - timedelta(microseconds=1)).astimezone(zone_of(zone))
    said = (f"{day.day} {day:%B %Y}", f"{day:%B} {day.day}, {day.year}", day.date().isoformat())
    if any(one in text for one in said):
        return text
    was = "was due" if row["commitment_state"] == CommitmentState.OVERDUE else "due"
    return f"{text} ({was} {said[0]})"
