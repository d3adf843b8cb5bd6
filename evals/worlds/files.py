"""A world's sessions as their platforms write them: generic JSONL, OpenClaw's sessions, Claude Code's; and nudges as signals.

Belongs here: forms of files. Each session becomes a file once it has ended, so that a night finds what was there by then.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from evals.worlds.life import Nudge
from evals.worlds.scenes import Message, Session
from evals.worlds.year import CHAT, CODE, PHONE, ZONE

OWNER = "owner-1"
Row = dict[str, Any]


class Logs:
    """Folders of logs that only grow: one a platform."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written: set[str] = set()
        for name in (CHAT, PHONE, CODE):
            (folder / name).mkdir(parents=True, exist_ok=True)

    @property
    def sources(self) -> tuple[str, ...]:
        """What a night is told to read: the folders in which something lies."""
        kinds = {CHAT: "jsonl", PHONE: "openclaw", CODE: "claude_code"}
        return tuple(
            f"{kind}={self.folder / name}" for name, kind in kinds.items() if any((self.folder / name).iterdir())
        )

    def write(self, sessions: list[Session], nudges: list[Nudge], until: datetime) -> None:
        """Write down whatever ended by then and has not been written yet."""
        for session in sessions:
            if session.id not in self.written and session.messages[-1].at < until:
                self.written.add(session.id)
                path, rows = _FORMS[session.where](session)
                self._keep(self.folder / session.where / path, rows)
        fresh = [nudge for nudge in nudges if nudge.at < until and nudge.at.isoformat() not in self.written]
        if fresh:
            self.written |= {nudge.at.isoformat() for nudge in fresh}
            self._keep(self.folder / CHAT / f"signals-{until:%Y%m%d}.jsonl", map(_signal, fresh))

    def _keep(self, path: Path, rows: Any) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def _signal(nudge: Nudge) -> Row:
    local = nudge.at.astimezone(ZoneInfo(ZONE))
    told = {"kind": "intervention", "at": local.isoformat(), "user_id": OWNER, "platform": "guardian"}
    told |= {"channel": nudge.channel, "urgency": nudge.urgency, "outcome": nudge.outcome, "text": "A nudge."}
    return {"signal": told}


def _generic(session: Session) -> tuple[str, Iterator[Row]]:
    return f"{session.id}.jsonl", (
        {
            "session_id": session.id,
            "message_id": message.id,
            "user_id": OWNER,
            "role": message.role,
            "content": message.text,
            "created_at": message.at.astimezone(ZoneInfo(ZONE)).isoformat(),
            "platform": "webchat",
        }
        for message in session.messages
    )


def _openclaw(session: Session) -> tuple[str, list[Row]]:
    first = session.messages[0]
    rows: list[Row] = [
        {"type": "session", "version": 3, "id": session.id, "timestamp": _zulu(first.at), "cwd": "workspace"}
    ]
    parent = None
    for message in session.messages:
        stamp = int(message.at.timestamp() * 1000)
        said: Row = {"role": message.role, "content": [{"type": "text", "text": message.text}], "timestamp": stamp}
        rows.append(
            {"type": "message", "id": message.id, "parentId": parent, "timestamp": _zulu(message.at), "message": said}
        )
        parent = message.id
    return f"agents/main/sessions/{session.id}.jsonl", rows


def _claude_code(session: Session) -> tuple[str, list[Row]]:
    project = (session.project or "scratch").lower()
    rows: list[Row] = []
    parent = None
    for message in session.messages:
        rows.append({"parentUuid": parent, **_line(session, message, project)})
        parent = message.id
    return f"projects/-code-{project}/{session.id}.jsonl", rows


def _line(session: Session, message: Message, project: str) -> Row:
    content: Any = message.text
    if message.role == "tool":
        content = [{"type": "tool_result", "tool_use_id": f"toolu_{message.id[:8]}", "content": message.text}]
    elif message.role == "assistant":
        content = [{"type": "text", "text": message.text}]
    role = "assistant" if message.role == "assistant" else "user"
    told: Row = {"role": role, "content": content}
    return {
        "isSidechain": False,
        "userType": "external",
        "cwd": f"/code/{project}",
        "sessionId": session.id,
        "version": "2.1.40",
        "type": role,
        "uuid": message.id,
        "timestamp": _zulu(message.at),
        "message": told,
    }


def _zulu(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03}Z"


_FORMS: dict[str, Any] = {CHAT: _generic, PHONE: _openclaw, CODE: _claude_code}
