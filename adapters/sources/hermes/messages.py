"""Rows of Hermes' `messages` as messages: texts, marks and copies.

Belongs here: one row, and which rows repeat others. Does not belong here: sessions. Columns came with migrations, so a missing one
is simply not known. What was really sent to the model (`api_content`) holds injected memory and is never read, nor is reasoning.

Copies: a branch repeats the messages it started from, and a compaction puts the kept ones in again, with the same role, content and
time; within one line of sessions they are the message that was there first, under its ids, so that capture adds nothing. Once the
parent of a branch has been pruned, its copies can't be told from messages and stand for themselves.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple

from adapters.sources.database import columns, decoded, items
from adapters.sources.hermes.sessions import Session, read_sessions
from adapters.sources.protocol import BadLine, Item, RawMessage, When, read_role, read_text, read_time, word
from models.ids import digest

PLATFORM = "hermes"
_COLUMNS = (
    *("id", "session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp"),
    *("codex_message_items", "observed", "_compressed_summary", "active", "compacted", "display_kind"),
)
# What makes two rows one message, besides the line of sessions they stand in.
_SAME = ("role", "content", "tool_call_id", "tool_calls", "codex_message_items", "timestamp")
_PARTS = "\0json:"
_OFF = (0, "0")
_BOOKKEEPING = frozenset({"session_meta"})
_SUMMARY = re.compile(r"\s*\[context (?:summary|compaction)\b", re.IGNORECASE)
_REVIEW = re.compile(r"\s*Review the conversation above and\b", re.IGNORECASE)
_SPEAKER = re.compile(r"\s*\[?([^\[\]:\n]{1,60})[\]:]")


class _First(NamedTuple):
    """The message that was there first."""

    session_id: str
    message_id: str
    seq: int
    mark: str | None


def read_messages(con: sqlite3.Connection) -> Iterator[Item]:
    """Every message, in the order of writing; the rows it could not read are damaged by number."""
    sessions = yield from read_sessions(con)
    reader = _Reader(sessions, knows_hidden="display_kind" in columns(con, "messages"))
    yield from items(con, "messages", _COLUMNS, reader.message, ("id",))


class _Reader:
    """One walk over the messages of a database."""

    def __init__(self, sessions: dict[str, Session], *, knows_hidden: bool) -> None:
        self.sessions, self.knows_hidden = sessions, knows_hidden
        # Eight bytes of a hash a message: a history of a million messages is held in about 200 MB.
        self.first: dict[int, _First] = {}
        self.reviewed: set[str] = set()

    def message(self, row: dict[str, Any], place: str) -> Iterator[Item]:
        """The message of one row, if it is one. Raises BadLine."""
        if row["role"] in _BOOKKEEPING:
            return
        key = word(row["session_id"])
        if key is None:
            raise BadLine("no session")
        session = self.sessions.get(key) or Session(family=key)
        made = _message(row, place, key, session)
        made.mark = self._mark(row, made, session)
        _judge(made, session)
        self._recall(row, made, session)
        yield made

    def _mark(self, row: dict[str, Any], made: RawMessage, session: Session) -> str | None:
        marks = (
            (session.mark, bool(session.mark)),
            ("rewound", row["active"] in _OFF and row["compacted"] in (None, *_OFF)),
            ("summary", bool(row["_compressed_summary"]) or bool(_SUMMARY.match(made.text))),
            ("observed", made.role == "user" and (bool(row["observed"]) or session.is_strangers)),
            ("hidden", row["display_kind"] == "hidden" or self._is_review(made)),
        )
        return next((mark for mark, applies in marks if applies), None)

    def _is_review(self, made: RawMessage) -> bool:
        """A prompt to look back, with what answers it, from before builds that say what they hide."""
        if self.knows_hidden:
            return False
        if made.role == "user":
            self.reviewed.discard(made.session_id)
            if _REVIEW.match(made.text):
                self.reviewed.add(made.session_id)
        return made.session_id in self.reviewed

    def _recall(self, row: dict[str, Any], made: RawMessage, session: Session) -> None:
        """A copy takes the place of its original. Undone in its own session, it is undone; in a branch, only there."""
        if row["timestamp"] is None:
            return
        same = int(digest(session.family, [row[name] for name in _SAME])[:16], 16)
        first = self.first.get(same)
        if first is None:
            self.first[same] = _First(made.session_id, made.message_id, made.seq, made.mark)
            return
        if first.session_id == made.session_id:
            self.first[same] = first._replace(mark=made.mark)
        else:
            made.mark = first.mark
        made.session_id, made.message_id, made.seq = first.session_id, first.message_id, first.seq


def _message(row: dict[str, Any], place: str, key: str, session: Session) -> RawMessage:
    role = read_role(row["role"])
    own = read_time(row["timestamp"])
    at = own.at or _started(session).at
    number = place.rpartition(":")[2]
    return RawMessage(
        place=place,
        platform=PLATFORM,
        session_id=key,
        message_id=word(row["id"]) or number,
        seq=max(int(number), 0),
        role=role,
        text=_text(row),
        speaker=role,
        said_at=at,
        time_source="message" if own.at else ("session" if at else "none"),
        project=session.project,
        tool_name=_tool(row) if role in ("assistant", "tool") else None,
    )


def _started(session: Session) -> When:
    try:
        return read_time(session.started_at)
    except BadLine:
        return When()


def _judge(made: RawMessage, session: Session) -> None:
    """Whose words stand in the user's place, where they aren't the user's."""
    if made.mark == "summary":
        made.trust = "system"
    elif made.role == "user" and made.mark == "observed":
        found = _SPEAKER.match(made.text)
        made.role, made.trust = "participant", "third_party"
        made.speaker = found[1].strip() if found else made.role
    elif made.role == "user" and made.mark == "hidden":
        made.trust = "system"
    elif made.role == "user" and made.mark == session.mark:
        made.trust = session.trust


def _text(row: dict[str, Any]) -> str:
    """The words of a message: text, parts kept as JSON behind a NUL, or the items of an answer that was kept only there."""
    content = row["content"]
    if isinstance(content, str) and content.startswith(_PARTS):
        return read_text(decoded(content[len(_PARTS) :]))
    text = "" if content is None else read_text(content)
    return text or _answer(row["codex_message_items"])


def _answer(value: Any) -> str:
    found = decoded(value)
    said = [item.get("content") for item in found if isinstance(item, dict)] if isinstance(found, list) else []
    return "\n".join(text for parts in said if isinstance(parts, list) and (text := read_text(parts)))


def _tool(row: dict[str, Any]) -> str | None:
    calls = decoded(row["tool_calls"]) if row["tool_name"] is None else None
    call = calls[0] if isinstance(calls, list) and calls and isinstance(calls[0], dict) else {}
    function = call.get("function")
    return word(function.get("name") if isinstance(function, dict) else row["tool_name"])
