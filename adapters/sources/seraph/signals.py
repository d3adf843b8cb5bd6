"""Seraph's interventions and what became of them, its observer's transitions and screens, tool calls, and the operator's decisions.

Does not belong here: what any of it teaches (learn), and words that are evidence (`messages`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import partial
from typing import Any

from adapters.sources.database import decoded, items
from adapters.sources.protocol import BadLine, Item, RawSignal, word
from adapters.sources.seraph import operator
from adapters.sources.seraph.messages import PLATFORM, SCREEN_COLUMNS, SCREENS, shown
from adapters.sources.seraph.notes import Notes

FEEDBACK = {"helpful": "accepted", "acknowledged": "accepted", "not_helpful": "rejected"}
# What has only been created, or waits, has no outcome yet.
OUTCOMES = {
    "notification_acked": "accepted",
    "notification_dismissed": "dismissed",
    "delivered": "no_reaction",
    "bundle_delivered": "no_reaction",
    "queued": "not_shown",
    "deferred": "not_shown",
    "approval_requested": "not_shown",
    "silenced": "not_shown",
    "failed": "transport_failure",
}
_INTERVENTION = (
    "id",
    "session_id",
    "intervention_type",
    "urgency",
    "content_excerpt",
    "user_state",
    "active_project",
    "interruption_mode",
    "transport",
    "latest_outcome",
    "feedback_type",
    "feedback_note",
    "created_at",
)
_EPISODE = ("id", "session_id", "episode_type", "summary", "project_entity_id", "metadata_json", "observed_at")
_AUDIT = ("id", "session_id", "event_type", "tool_name", "summary", "details_json", "created_at")
_EPISODES = {"observer": "transition", "tool": "tool_outcome", "workflow": "tool_outcome", "decision": "observation"}
_TOOL_EVENTS = ("tool_result", "tool_failed")


def read(con: sqlite3.Connection, notes: Notes) -> Iterator[Item]:
    """Every signal, table by table, each in the order of its time."""
    for table, wanted, made, order in (
        ("guardian_interventions", _INTERVENTION, _intervention, ("created_at", "id")),
        ("memory_episodes", _EPISODE, _episode, ("observed_at", "id")),
        (SCREENS, SCREEN_COLUMNS, _screen, ("timestamp", "id")),
        ("audit_events", _AUDIT, _audit, ("created_at", "id")),
    ):
        yield from items(con, table, wanted, partial(made, notes=notes), order)


def outcome_of(feedback: Any, latest: Any) -> str | None:
    """Our word for what became of an intervention: what the person said counts before how it was delivered."""
    return FEEDBACK.get(str(feedback)) or OUTCOMES.get(str(latest))


def _signal(row: dict[str, Any], place: str, notes: Notes, kind: str, at: str) -> RawSignal:
    native = word(row["id"])
    if native is None:
        raise BadLine("no id")
    table = place.rpartition(":")[0].rpartition("/")[2]
    when = notes.when(row[at])
    return RawSignal(
        place=place,
        platform=PLATFORM,
        native_id=f"{table}/{native}",
        kind=kind,
        session_id=word(row.get("session_id")),
        at=when.at,
        offset_minutes=when.offset_minutes,
    )


def _intervention(row: dict[str, Any], place: str, notes: Notes) -> Iterator[Item]:
    made = _signal(row, place, notes, "intervention", "created_at")
    audited = notes.deliveries.get(str(row["id"]), {})
    made.outcome = outcome_of(row["feedback_type"], row["latest_outcome"] or audited.get("outcome"))
    made.user_state = word(row["user_state"]) or audited.get("user_state")
    made.mode = word(row["interruption_mode"]) or audited.get("mode")
    made.channel = word(row["transport"]) or audited.get("channel")
    made.urgency = word(row["urgency"])
    made.project = word(row["active_project"])
    made.text = "\n".join(filter(None, (word(row["content_excerpt"]), word(row["feedback_note"]))))
    yield made


def _episode(row: dict[str, Any], place: str, notes: Notes) -> Iterator[Item]:
    """A conversation's episodes repeat its messages."""
    kind = _EPISODES.get(str(row["episode_type"]))
    if kind is None:
        return
    made = _signal(row, place, notes, kind, "observed_at")
    metadata = decoded(row["metadata_json"])
    told: dict[str, Any] = metadata if isinstance(metadata, dict) else {}
    made.user_state = word(told.get("current_user_state"))
    made.project = word(told.get("current_active_project") or told.get("current_project"))
    made.text = word(row["summary"]) or ""
    yield made


def _screen(row: dict[str, Any], place: str, notes: Notes) -> Iterator[Item]:
    """What a private program showed stays unsaid, its title too."""
    made = _signal(row, place, notes, "observation", "timestamp")
    made.user_state = word(row["activity_type"])
    if not row["blocked"]:
        made.project, made.text = word(row["project"]), shown(row)
    yield made


def _audit(row: dict[str, Any], place: str, notes: Notes) -> Iterator[Item]:
    """How tools fared, and what the operator decided over the agent's memories."""
    event = row["event_type"]
    if event not in _TOOL_EVENTS and event not in operator.EVENTS:
        return
    made = _signal(row, place, notes, "tool_outcome" if event in _TOOL_EVENTS else event, "created_at")
    details = decoded(row["details_json"])
    error = word(details.get("error")) if isinstance(details, dict) and event == "tool_failed" else None
    made.text = "\n".join(filter(None, (word(row["summary"]), error)))
    yield made
