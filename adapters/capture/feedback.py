"""Feedback from the store's inbox: one JSON object a line, with memory_id, verdict, at, session_id, and trust (or by).

What the owner corrected or stated has a message_id and a slot, too.

Does not belong here: what a verdict does to a memory (reinforce).
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from adapters.capture.rows import clean_id
from adapters.redact import redact
from adapters.sources.folder import file_name, find_files
from adapters.sources.jsonl import SUFFIXES
from adapters.sources.lines import objects
from adapters.sources.protocol import BadLine, Damaged, read_time, word
from models.decision import Feedback
from models.ids import digest, make_id, message_key
from models.table import Frame, rows_to_frame
from slowwave.format import Cardinality, Kind, Verdict
from slowwave.inbox import HAND_PLATFORM, HAND_SESSION, TRUSTS

_SLOT = ("kind", "project", "subject", "attribute", "value", "cardinality", "old_value", "old_text")
_CLOSED = {"kind": frozenset(Kind), "cardinality": frozenset(Cardinality)}


def load_feedback(store: Path) -> Frame[Feedback]:
    """All feedback in the inbox; the same line twice is once. Damaged lines are named by capture."""
    return read_feedback(store)[0]


def read_feedback(store: Path) -> tuple[Frame[Feedback], list[Damaged]]:
    """All feedback in the inbox, and the lines that are none."""
    root = store / "inbox" / "feedback"
    rows: dict[str, dict[str, Any]] = {}
    damaged: list[Damaged] = []
    for file in find_files(root, SUFFIXES) if root.is_dir() else []:
        name = f"feedback/{file_name(root, file)}"
        for number, found in objects(root, file):
            try:
                if isinstance(found, Damaged):
                    raise BadLine(found.reason)
                row = _row(found)
                rows[row["feedback_id"]] = row
            except BadLine as error:
                state = found.digest if isinstance(found, Damaged) else digest(found)[:16]
                damaged.append(Damaged(name, number, str(error), state))
    return rows_to_frame(Feedback, list(rows.values())), damaged


def n_later(store: Path, as_of: datetime) -> int:
    """How much of the feedback was given after a time."""
    return int((load_feedback(store)["at"] > as_of).sum())


def _row(line: dict[str, Any]) -> dict[str, Any]:
    memory, verdict, at = word(line.get("memory_id")), line.get("verdict"), read_time(line.get("at")).at
    if at is None or verdict not in frozenset(Verdict):
        raise BadLine("feedback without a verdict or a time")
    if memory is None and verdict != Verdict.STATED:
        raise BadLine("feedback without a memory")
    said_by = line.get("trust", line.get("by"))
    row = {
        "memory_id": memory or "",
        "verdict": verdict,
        "at": at,
        "session_id": clean_id(session) if (session := word(line.get("session_id"))) else None,
        "trust": said_by if said_by in TRUSTS else "agent",
    }
    told = _told(line) if verdict in (Verdict.CORRECTED, Verdict.STATED) else {}
    return {**row, **told, "feedback_id": make_id("fbk", {**row, **told})}


def _told(line: dict[str, Any]) -> dict[str, Any]:
    """The message that holds the owner's words, and the slot under which they are remembered."""
    message, slot = word(line.get("message_id")), line.get("slot")
    if message is None or not isinstance(slot, dict):
        raise BadLine("words of the owner without a message or a slot")
    told = {name: word(slot.get(name)) for name in _SLOT}
    wrong = [name for name, known in _CLOSED.items() if told[name] not in known]
    if wrong or not told["subject"]:
        raise BadLine(f"words of the owner with no known {', '.join(wrong) or 'subject'}")
    held = {name: redact(text).text for name, text in told.items() if text is not None}
    key = message_key(HAND_PLATFORM, HAND_SESSION, clean_id(message), 0)
    return {**told, **held, "msg_key": key, "is_pinned": slot.get("is_pinned") is True}
