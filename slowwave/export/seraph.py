"""Seraph: the soul file of a workspace, and rows for a memory provider with the slots of its world model.

Its database is the guardian's own and is never written: memory from outside enters as advice, through a provider that reads
`slowwave-memory.json`. In soul.md a section of one name takes another's place, so that ours never have a name that stands there already.
Belongs here: sections, rows and slots. Does not belong here: merging (`region`, `whole`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from slowwave.export import files, region
from slowwave.export.caps import Caps
from slowwave.export.choice import Choice, records_of, sections
from slowwave.export.plain import json_target
from slowwave.export.target import Made, Room, Target
from slowwave.fit import Budget, Record
from slowwave.format import Kind, Privacy
from slowwave.records import Row
from slowwave.strength import strength

_SOUL, _ROWS = "soul.md", "slowwave-memory.json"
_TITLE = "# Guardian Record"
_FORMAT = 1
_HEADING = re.compile(r"^##[ \t]+(.+?)[ \t]*\r?$", re.MULTILINE)
_OBLIGATIONS = "Recurring Obligations"
# Events have no place in a soul.
_SECTIONS: dict[str, str] = {
    Kind.SEMANTIC_FACT: "Identity",
    Kind.CONSTRAINT: "Values",
    Kind.PREFERENCE: "Values",
    Kind.GOAL_OR_COMMITMENT: "Goals",
    Kind.COMMUNICATION_PREFERENCE: "Personality Notes",
    Kind.INTERVENTION_OUTCOME: "Personality Notes",
    Kind.COLLABORATOR: "Collaborators",
    Kind.ROUTINE: "Active Routines",
    Kind.PROJECT: "Project Timeline",
    Kind.TIMELINE_MILESTONE: "Project Timeline",
    Kind.TOOL_OR_WORKFLOW_LESSON: "Lessons",
}
_ORDER = (
    *("Identity", "Values", "Goals", "Personality Notes"),
    *("Collaborators", _OBLIGATIONS, "Project Timeline", "Active Routines", "Lessons"),
)
# The kinds of modelling that Seraph knows; what is none of them is searched, and models nothing.
_BUCKETS: dict[str, str] = {
    Kind.CONSTRAINT: "obligation",
    Kind.PREFERENCE: "preference",
    Kind.COMMUNICATION_PREFERENCE: "preference",
    Kind.GOAL_OR_COMMITMENT: "commitment",
    Kind.COLLABORATOR: "collaborator",
    Kind.ROUTINE: "routine",
    Kind.PROJECT: "project",
    Kind.TIMELINE_MILESTONE: "timeline",
    Kind.TOOL_OR_WORKFLOW_LESSON: "pattern",
    Kind.INTERVENTION_OUTCOME: "pattern",
}
_OTHER_BUCKET = "external_memory"
# Below these its gate lets no row through.
_MIN_CONFIDENCE, _MIN_SCORE = 0.5, 0.35
_DECLARED = {
    "provenance": "external_advisory",
    "conflict_policy": "guardian_wins",
    "privacy_boundary": "standard",
    "canonical": False,
    "capabilities": ["retrieval", "user_model"],
    "min_confidence": _MIN_CONFIDENCE,
    "min_score": _MIN_SCORE,
}
_RECURS = re.compile(
    r"\b(?:every|each|weekly|daily|monthly|yearly|quarterly|annually|elke?|ieder[e]?|wekelijkse?|dagelijkse?|maandelijkse?|jaarlijkse?"
    r"|jede[nrsm]?|wöchentlich|täglich|monatlich|chaque|tous les|toutes les|cada|todos os|todas as|todos los)\b|毎(?:日|週|月|年|朝|晩)",
    re.IGNORECASE,
)


def targets(choice: Choice, root: Path, caps: Caps) -> list[Target]:
    """The soul and the provider's rows; none where nothing may go out."""
    if not choice.rows:
        return []
    taken = _headings(root)
    names = {name: f"{name} (remembered)" if name in taken else name for name in _ORDER}
    rows = [row for row in choice.rows if row["kind"] in _SECTIONS]
    made = records_of(rows, lambda row: names[_section(row)], choice.zone, share=1.0)
    records = [replace(one, order=(not one.is_pinned, one.order)) for one in made]
    head = [] if taken else [_TITLE]
    soul = partial(_soul, records, list(names.values()), head)
    return [
        Target(_SOUL, soul, cap=Budget(max_tokens=caps.seraph_soul_tokens)),
        json_target(_ROWS, partial(_content, choice)),
    ]


def _soul(records: Sequence[Record], groups: Sequence[str], head: Sequence[str], room: Room) -> Made:
    return sections(records, groups, room, head=head)


def _section(row: Row) -> str:
    if _is_recurring_duty(row):
        return _OBLIGATIONS
    if row["kind"] == Kind.SEMANTIC_FACT and row["subject"] != "user":
        return "Collaborators"
    return _SECTIONS[row["kind"]]


def _is_recurring_duty(row: Row) -> bool:
    duties = (Kind.GOAL_OR_COMMITMENT, Kind.CONSTRAINT)
    return row["kind"] in duties and _RECURS.search(row["line"]) is not None


def _headings(root: Path) -> set[str]:
    """The sections that others have in the soul file, if there is one."""
    try:
        content = files.read(files.place_of(root, _SOUL))
    except files.LeftAlone:
        return set()
    found = region.find((content or b"").decode("utf-8", "surrogateescape"))
    return set(_HEADING.findall(f"{found.before}\n{found.after}"))


def _content(choice: Choice) -> tuple[dict[str, Any], list[str]]:
    rows = sorted((row for row in choice.rows if row["privacy"] != Privacy.SENSITIVE), key=lambda row: row["id"])
    hits = [
        hit
        for row in rows
        if (hit := _hit(row, choice))["confidence"] >= _MIN_CONFIDENCE and hit["score"] >= _MIN_SCORE
    ]
    told = {hit["memory_id"] for hit in hits}
    found = {
        "format": _FORMAT,
        "provider_name": "slowwave",
        "version": choice.version,
        "as_of": choice.as_of,
        "declaration": _DECLARED,
        "hits": hits,
        "world_model": _slots([row for row in rows if row["id"] in told]),
    }
    return found, [hit["memory_id"] for hit in hits]


def _hit(row: Row, choice: Choice) -> dict[str, Any]:
    """A row as a provider's `retrieve` and `augment_model` return it, and what the gate asks of it."""
    score = strength(
        stability_days=row["stability_days"],
        last_at=row["last_confirmed_at"] or row["last_seen_at"] or row["first_seen_at"],
        confidence=row["confidence"],
        importance=row["importance"],
        now=choice.read_at,
    )
    return {
        "text": row["line"],
        "score": round(score, 4),
        "provider_name": "slowwave",
        "bucket": "obligation" if _is_recurring_duty(row) else _BUCKETS.get(row["kind"], _OTHER_BUCKET),
        "source": "memory_provider",
        "created_at": row["last_confirmed_at"] or row["last_seen_at"] or row["first_seen_at"],
        "memory_id": row["id"],
        "evidence_id": row["evidence"][0].source_id,
        "confidence": round(row["confidence"], 4),
        "privacy_boundary": "standard",
        "is_pinned": row["is_pinned"],
    }


def _slots(rows: Sequence[Row]) -> dict[str, list[dict[str, str]]]:
    """The slots of the world model: who is around, what returns, how the work went, and what is done by habit."""

    def of(kinds: Iterable[str]) -> list[Row]:
        return [row for row in rows if row["kind"] in kinds]

    timeline = sorted(of((Kind.PROJECT, Kind.TIMELINE_MILESTONE)), key=lambda row: (_when(row), row["id"]))
    return {
        "collaborators": [_slot(row) for row in of((Kind.COLLABORATOR,))],
        "recurring_obligations": [_slot(row) for row in rows if _is_recurring_duty(row)],
        "project_timeline": [_slot(row) for row in timeline],
        "active_routines": [_slot(row) for row in of((Kind.ROUTINE,))],
    }


def _slot(row: Row) -> dict[str, str]:
    label = row["subject"] if row["subject"] not in ("user", "assistant") else row["project"] or row["line"]
    return {"label": label, "text": row["line"], "at": _when(row), "memory_id": row["id"]}


def _when(row: Row) -> str:
    at = row["valid_from"] or row["last_seen_at"] or row["first_seen_at"]
    return at.isoformat() if at else ""
