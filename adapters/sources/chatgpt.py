"""ChatGPT exports: a zip, a folder, or a JSON file of conversations, in one file or in shards; each conversation is a tree.

The way from the root to `current_node` is live, everything beside it was edited away or regenerated ("branch"). A conversation has the
same ids in every export. One that was branched into a new chat repeats the messages before that point under their old ids: they keep the
session they came from, which the first new message names, so they add nothing. Times are epochs and state no zone; where the platform
told its model the user's zone, that zone gives the offset.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from adapters.sources.elements import Export, Record, sound, state
from adapters.sources.protocol import BadLine, Damaged, Item, RawMessage, read_role, read_text, read_time, word
from adapters.sources.tree import depths, standing

PLATFORM = "chatgpt"
_CONVERSATIONS = re.compile(r"(?:\A|/)conversations(?:-\d+)?\.json\Z", re.IGNORECASE)
_NEVER = re.compile(r"(?:\A|/)(?:user|message_feedback|shared_conversations|model_comparisons)\.json\Z", re.IGNORECASE)
_REASONING = ("thoughts", "reasoning_recap")
_FENCED = re.compile(r"```(.*)```", re.DOTALL)
# How the platform speaks of the user to its model; the user's own words follow in a fence, or not at all.
_PREAMBLE = re.compile(r"\s*(?:Very important: The user's timezone|The user provided )")
_ZONE = re.compile(r"timezone is ([A-Za-z_]+(?:/[A-Za-z_+-]+)+)")
# The tool that writes ChatGPT's own memory: what it is told are statements of the machine.
_MEMORY_TOOL = "bio"
_TEXTS = ("text", "result", "content", "model_set_context")


def _is_conversation(found: dict[str, Any]) -> bool:
    return isinstance(found.get("mapping"), dict) and ("current_node" in found or "create_time" in found)


_EXPORT = Export(_CONVERSATIONS, _NEVER, _is_conversation)


def looks_like(path: Path) -> bool:
    """Whether the first conversation of a few files has ChatGPT's tree."""
    return _EXPORT.recognises(path)


def read(path: Path) -> Iterator[Item]:
    """Every message of every conversation, branches included. Raises SourceError where nothing can be read."""
    for record in _EXPORT.records(path):
        if isinstance(record, Damaged):
            yield record
            continue
        try:
            yield from _Conversation(record).messages()
        except BadLine as error:
            yield Damaged(record.file, record.number, str(error), state(record.found))


class _Said(NamedTuple):
    """What is made of one message: its words, and whose they are."""

    role: str
    text: str = ""
    tool_name: str | None = None
    mark: str | None = None
    trust: str | None = None


class _Conversation:
    """One conversation, with what its nodes have in common."""

    def __init__(self, record: Record) -> None:
        found, self.record = record.found, record
        mapping = found.get("mapping")
        if not isinstance(mapping, dict):
            raise BadLine("no mapping")
        self.nodes: dict[str, Any] = mapping
        session = word(found.get("conversation_id")) or word(found.get("id"))
        if session is None:
            raise BadLine("no id")
        self.session = session
        gizmo = found.get("gizmo_id")
        self.project = gizmo if isinstance(gizmo, str) and gizmo.startswith("g-p-") else None
        self.parents = {name: _parent(node) for name, node in mapping.items()}
        self.depths = depths(self.parents)
        self.times = self._times(_time(found.get("create_time")))
        self.zone = self._zone()

    def messages(self) -> Iterator[Item]:
        """Its messages, each after the one it answers."""
        leaf = self.record.found.get("current_node")
        ordered = sorted(self.depths, key=lambda name: self.times[name] or datetime.min.replace(tzinfo=UTC))
        live = standing(self.parents, ordered, leaf if isinstance(leaf, str) and leaf in self.nodes else None)
        sessions = self._sessions([name for name in self.depths if name in live])
        for place, name in enumerate(self.depths):
            node = self.nodes[name]
            try:
                if not isinstance(node, dict):
                    raise BadLine("not an object")
                if node.get("message") is not None:
                    yield self._message(name, node["message"], name in live, sessions.get(name, self.session))
            except BadLine as error:
                yield Damaged(self.record.file, self.record.number, f"message {place}: {error}", state(node))

    def _times(self, started: datetime | None) -> dict[str, datetime | None]:
        """Each node's time: its own, else that of what it answers, else the conversation's."""
        found: dict[str, datetime | None] = {}
        for name in self.depths:
            own = _time(_field(_field(self.nodes[name], "message"), "create_time"))
            found[name] = own or found.get(self.parents[name] or "", started)
        return found

    def _zone(self) -> ZoneInfo | None:
        for node in self.nodes.values():
            content = _field(_field(node, "message"), "content")
            profile = _field(content, "user_profile")
            stated = _ZONE.search(profile) if isinstance(profile, str) and _PREAMBLE.match(profile) else None
            try:
                if stated:
                    return ZoneInfo(stated[1])
            except (ValueError, OSError, KeyError):
                continue
        return None

    def _sessions(self, path: list[str]) -> dict[str, str]:
        """Where the messages of the live way were first said, if that was another conversation."""
        found: dict[str, str] = {}
        inherited: list[str] = []
        for name in path:
            message = _field(self.nodes[name], "message")
            source = _field(_field(message, "metadata"), "branching_from_conversation_id")
            # What the user sent first in the new chat names the old one; some exports put the name on the last message before it.
            is_new = _field(_field(message, "author"), "role") == "user"
            inherited += [] if is_new else [name]
            if isinstance(source, str) and source:
                found |= dict.fromkeys(inherited, source)
                inherited = []
            inherited += [name] if is_new else []
        return found

    def _message(self, name: str, message: Any, is_live: bool, session: str) -> RawMessage:
        if not isinstance(message, dict):
            raise BadLine("not an object")
        said = _said(message)
        own, at = read_time(message.get("create_time")).at, self.times[name]
        return sound(
            RawMessage(
                place=f"{self.record.file}:{self.record.number}.{self.depths[name]}",
                platform=PLATFORM,
                session_id=session,
                message_id=word(message.get("id")) or word(name) or "",
                seq=self.depths[name],
                role=said.role,
                text=said.text,
                speaker=word(_field(message.get("author"), "name")) or said.role,
                said_at=at,
                offset_minutes=_offset(at, self.zone),
                time_source="message" if own else "session" if at else "none",
                project=self.project,
                tool_name=said.tool_name,
                mark=said.mark if is_live else "branch",
                trust=said.trust,
            )
        )


def _field(holder: Any, name: str) -> Any:
    return holder.get(name) if isinstance(holder, dict) else None


def _parent(node: Any) -> str | None:
    parent = _field(node, "parent")
    return parent if isinstance(parent, str) else None


def _time(value: Any) -> datetime | None:
    """A time where one can be read: a bad one is its message's damage, and no other's."""
    try:
        return read_time(value).at
    except BadLine:
        return None


def _offset(at: datetime | None, zone: ZoneInfo | None) -> int | None:
    try:
        offset = at.astimezone(zone).utcoffset() if at and zone else None
    except OverflowError:
        # At either end of the calendar there is no local time.
        return None
    return round(offset.total_seconds() / 60) if offset is not None else None


def _said(message: dict[str, Any]) -> _Said:
    role = read_role(_field(message.get("author"), "role"))
    content, metadata = message.get("content"), message.get("metadata")
    kind = _field(content, "content_type")
    if kind == "user_editable_context" or _field(metadata, "is_user_system_message") is True:
        text = _instructions(content, metadata)
        return _Said("user", text, trust="owner") if text else _Said("system", mark="hidden")
    if kind == "model_editable_context":
        return _Said("system", _text(content), mark="boot", trust="imported")
    if kind in _REASONING:
        return _Said(role, mark="hidden")
    if (
        role == "system"
        or message.get("weight") == 0
        or _field(metadata, "is_visually_hidden_from_conversation") is True
    ):
        return _Said(role, _text(content), mark="hidden")
    return _spoken(role, message, content)


def _spoken(role: str, message: dict[str, Any], content: Any) -> _Said:
    if role == "tool":
        return _Said(role, _text(content), word(_field(message.get("author"), "name")) or "tool")
    recipient = word(message.get("recipient"))
    if role == "assistant" and recipient not in (None, "all"):
        is_memory = recipient == _MEMORY_TOOL
        return _Said(role, _text(content) if is_memory else "", recipient, trust="imported" if is_memory else None)
    return _Said(role, _text(content))


def _text(content: Any) -> str:
    """The words of a message's content, of whatever kind it is; pictures and pointers have none."""
    if not isinstance(content, dict):
        return read_text(content)
    if isinstance(content.get("parts"), list):
        return read_text(content["parts"])
    return read_text(next((content[name] for name in _TEXTS if isinstance(content.get(name), str)), ""))


def _instructions(content: Any, metadata: Any) -> str:
    """The owner's custom instructions, without what the platform wraps them in for its model."""
    told = _field(metadata, "user_context_message_data")
    plain = [_field(told, "about_user_message"), _field(told, "about_model_message")]
    if not any(isinstance(text, str) and text for text in plain):
        plain = [_own_words(_field(content, name)) for name in ("user_profile", "user_instructions")]
    return read_text([text for text in plain if isinstance(text, str) and text])


def _own_words(text: Any) -> str:
    if not isinstance(text, str) or not _PREAMBLE.match(text):
        return text if isinstance(text, str) else ""
    fenced = _FENCED.search(text)
    return fenced[1].strip() if fenced else ""
