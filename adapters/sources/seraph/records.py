"""What a workspace keeps on record: goals are the owner's word; memories and to-dos are the agent's, and come as imported.

Belongs here: those tables, and the table of kinds. Does not belong here: the soul file (`soul`).
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

from adapters.sources.database import columns, decoded, items, rows
from adapters.sources.protocol import BadLine, Damaged, Item, Origin, read_text, word
from adapters.sources.seraph.messages import record
from adapters.sources.seraph.notes import Notes
from adapters.sources.seraph.operator import CORRECTED, PINNED, Decided
from slowwave.format import Kind

KINDS = {
    "fact": Kind.SEMANTIC_FACT,
    "pattern": Kind.SEMANTIC_FACT,
    "reflection": Kind.SEMANTIC_FACT,
    "preference": Kind.PREFERENCE,
    "communication_preference": Kind.COMMUNICATION_PREFERENCE,
    "goal": Kind.GOAL_OR_COMMITMENT,
    "commitment": Kind.GOAL_OR_COMMITMENT,
    "obligation": Kind.CONSTRAINT,
    "routine": Kind.ROUTINE,
    "collaborator": Kind.COLLABORATOR,
    "project": Kind.PROJECT,
    "timeline": Kind.TIMELINE_MILESTONE,
    "procedural": Kind.TOOL_OR_WORKFLOW_LESSON,
}
# The name of the writer of what Seraph learned from how its interventions were taken, and the start of our own.
_FEEDBACK, _OURS = "guardian_feedback", "slowwave"
_MEMORY = (
    "id",
    "content",
    "kind",
    "category",
    "status",
    "source_session_id",
    "project_entity_id",
    "metadata_json",
    "created_at",
)
_GOAL = ("id", "title", "description", "level", "status", "due_date", "updated_at")
_TODO = ("id", "content", "completed", "updated_at")


@dataclass
class _Known:
    """What records point to; `sessions` is None where it isn't known which there are."""

    sessions: set[str] | None
    projects: dict[str, str]
    decided: Decided
    places: Counter[str] = field(default_factory=Counter[str])


def read(con: sqlite3.Connection, notes: Notes) -> Iterator[Item]:
    """Goals, to-dos and memories, each table in the order it was written; first, which memories the owner had forgotten."""
    known = _Known(_sessions(con), _projects(con), Decided.of(con))
    yield from known.decided.gone(f"{getattr(con, 'name', '')}/audit_events:0")
    for table, wanted, made in (
        ("goals", _GOAL, _goal),
        ("session_todos", _TODO, _todo),
        ("memories", _MEMORY, _memory),
    ):
        yield from items(con, table, wanted, partial(made, notes=notes, known=known), ("created_at", "id"))


def kind_of(kind: Any, category: Any = None, writer: Any = None) -> Kind:
    """Our kind for a memory's; its coarser category stands in where its kind is none we know."""
    if kind == "procedural" and writer == _FEEDBACK:
        return Kind.INTERVENTION_OUTCOME
    return KINDS.get(str(kind)) or KINDS.get(str(category)) or Kind.SEMANTIC_FACT


def _goal(row: dict[str, Any], place: str, notes: Notes, known: _Known) -> Iterator[Item]:
    title = _said(row["title"])
    level, status, due = word(row["level"]), word(row["status"]), notes.when(row["due_date"])
    lines = [f"Goal ({level}): {title}" if level else f"Goal: {title}", word(row["description"])]
    if due.at and due.offset_minutes is not None:
        lines.append(f"Due {(due.at + timedelta(minutes=due.offset_minutes)).date().isoformat()}")
    elif due.at:
        lines.append(f"Due {due.at:%Y-%m-%d %H:%M} UTC")
    text = "\n".join(filter(None, [*lines, f"Status: {status}" if status else None]))
    yield record(row, place, notes, known.places, role="user", trust="owner", text=text, at="updated_at")


def _todo(row: dict[str, Any], place: str, notes: Notes, known: _Known) -> Iterator[Item]:
    """A session's checklist is kept by the agent."""
    text = f"To do ({'done' if row['completed'] else 'open'}): {_said(row['content'])}"
    yield record(row, place, notes, known.places, role="assistant", trust="imported", text=text, at="updated_at")


def _memory(row: dict[str, Any], place: str, notes: Notes, known: _Known) -> Iterator[Item]:
    metadata = decoded(row["metadata_json"])
    writer = metadata.get("writer") if isinstance(metadata, dict) else None
    text = _said(row["content"])
    decision = known.decided.on(str(row["id"]))
    # What the operator wrote in a memory's place is the owner's own word.
    role, trust = ("user", "owner") if decision == CORRECTED else ("assistant", "imported")
    made = record(row, place, notes, known.places, role=role, trust=trust, text=text, at="created_at")
    made.origin = Origin.OWNER_CURATED if decision == PINNED else None
    made.kind = kind_of(row["kind"], row["category"], writer)
    made.project = known.projects.get(str(row["project_entity_id"]))
    made.mark = _mark(row, writer, known.sessions)
    yield made


def _mark(row: dict[str, Any], writer: Any, sessions: set[str] | None) -> str | None:
    """Ours come back as a boot file would; a memory that was let go, or whose session the person deleted, is undone."""
    if isinstance(writer, str) and writer.casefold().startswith(_OURS):
        return "boot"
    session = row["source_session_id"]
    is_deleted = sessions is not None and bool(session) and session not in sessions
    return "rewound" if is_deleted or row["status"] in ("superseded", "archived") else None


def _said(value: Any) -> str:
    text = read_text(value).strip()
    if not text:
        raise BadLine("no content")
    return text


def _sessions(con: sqlite3.Connection) -> set[str] | None:
    """The sessions there are: only a person deletes one here. Unknown where the table is missing or damaged."""
    if "id" not in columns(con, "sessions"):
        return None
    found = [row for _, row in rows(con, "sessions", ("id",))]
    return (
        None
        if any(isinstance(row, Damaged) for row in found)
        else {str(row["id"]) for row in found if isinstance(row, dict)}
    )


def _projects(con: sqlite3.Connection) -> dict[str, str]:
    found = (row for _, row in rows(con, "memory_entities", ("id", "canonical_name")) if isinstance(row, dict))
    return {str(row["id"]): row["canonical_name"] for row in found if isinstance(row["canonical_name"], str)}
