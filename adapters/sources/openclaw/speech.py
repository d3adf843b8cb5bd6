"""What OpenClaw wraps around the words in the user's place: who sent them, and whether anybody said them at all.

Belongs here: envelopes and the harness's own prompts and replies. Does not belong here: entries and their tree.
Only what stands before the words counts: whatever a sender types further on is his text, however much it looks like an envelope.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

# Newer: one JSON block each for the message, its sender, and what it answers. Older: a bracket with a time in it.
_BLOCK = re.compile(
    r"\s*(Conversation info|Sender|Thread starter|Replied message|Forwarded message context|Chat history since last reply)"
    r" \(untrusted[^)\n]{0,40}\):\s*```json\n(.*?)\n```",
    re.DOTALL,
)
_BRACKET = re.compile(r"\s*\[(?=[^\]\n]*\d\d:\d\d)([^\]\n]{1,200})\] ?")
_NUMBER = re.compile(r"\+\d{5,15}(?!\d)|\bid:(\S+)")
_NAME_BEFORE = re.compile(r"([^:\n]{1,60}):\s")
_FROM = re.compile(r"\[from: ([^\]\n(]{1,60}?)(?: \(([^)\n]{1,40})\))?\]\s*\Z")
_SYSTEM_LINES = re.compile(r"(?:\s*System(?: \(untrusted\))?: \[[^\n]*(?:\n|\Z))+")
_OWN_PROMPTS = (
    (re.compile(r"Read HEARTBEAT\.md|HEARTBEAT\b"), "heartbeat"),
    (re.compile(r"\[cron:|\[scheduled\b", re.IGNORECASE), "cron"),
    (re.compile(r"\[Subagent (?:Context|Task)\]|\[Inter-session message\b"), "subagent"),
    (re.compile(r"Pre-compaction memory flush|Session nearing compaction|A new session was started via"), "hidden"),
    (re.compile(r"\[System Message\]|\[OpenClaw heartbeat poll\]"), "hidden"),
)
_PROVENANCE = {"inter_session": "subagent", "internal_system": "hidden"}
_SILENT, _ALL_WELL = "NO_REPLY", "HEARTBEAT_OK"
_AROUND = re.compile(r"^[\s*`~_<>b/]+|[\s*`~_<>b/.!]+$")


class Said(NamedTuple):
    """What stands in the user's place: its sender where one is named, and the mark of what no person said."""

    sender_id: str | None = None
    sender_name: str | None = None
    is_group: bool = False
    mark: str | None = None

    @property
    def has_sender(self) -> bool:
        return bool(self.sender_id or self.sender_name)


def without_system_lines(text: str) -> str:
    """The words without the harness's notices before them; a text of notices alone is left as it is."""
    found = _SYSTEM_LINES.match(text)
    return text if found is None or is_notice(text) else text[found.end() :].lstrip("\n")


def is_notice(text: str) -> bool:
    """Whether the harness's notices are all there is."""
    found = _SYSTEM_LINES.match(text)
    return bool(found) and not text[found.end() :].strip()


def read_said(text: str, provenance: Any = None) -> Said:
    """Who said a text in the user's place, and whether anybody did."""
    said, body = _opened(text)
    kind = provenance.get("kind") if isinstance(provenance, dict) else None
    if isinstance(kind, str) and kind in _PROVENANCE:
        return said._replace(mark=_PROVENANCE[kind])
    return said if said.has_sender else said._replace(mark=_own_prompt(text) or _own_prompt(body))


def _own_prompt(body: str) -> str | None:
    if is_notice(body):
        return "hidden"
    words = body.lstrip()
    found = next((mark for prompt, mark in _OWN_PROMPTS if prompt.match(words)), None)
    # Whatever a flush's prompt is set to, the harness sees to it that it names the silent reply.
    return found or ("hidden" if _SILENT in words else None)


def _opened(text: str) -> tuple[Said, str]:
    blocks: dict[str, dict[str, Any]] = {}
    end = 0
    while found := _BLOCK.match(text, end):
        blocks.setdefault(found[1], _object(found[2]))
        end = found.end()
    if not blocks:
        return _bracket(text)
    info, sender = blocks.get("Conversation info", {}), blocks.get("Sender", {})
    return Said(
        sender_id=_word(info.get("sender_id")) or _word(sender.get("id")) or _word(sender.get("e164")),
        sender_name=_word(info.get("sender")) or _word(sender.get("name")) or _word(sender.get("label")),
        is_group=info.get("is_group_chat") is True or bool(info.get("group_subject") or info.get("group_channel")),
    ), text[end:]


def _bracket(text: str) -> tuple[Said, str]:
    found = _BRACKET.match(text)
    if found is None:
        return Said(), text
    body = text[found.end() :]
    number, origin = _NUMBER.search(found[1]), _FROM.search(body)
    # A group's bracket names the group, and the sender stands before the words.
    before = None if number else _NAME_BEFORE.match(body)
    name = origin[1] if origin else (before[1] if before else None)
    sender = origin[2] if origin else ((number[1] or number[0]) if number else None)
    # A bracket with neither is a harness's date line, or a channel without senders.
    return Said(sender_id=sender, sender_name=name), body


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _word(value: Any) -> str | None:
    is_word = isinstance(value, (str, int)) and not isinstance(value, bool) and value != ""
    return str(value).replace("\0", "")[:200] if is_word else None


def reply_mark(text: str) -> str | None:
    """The mark of a reply that is for the harness alone."""
    words = _AROUND.sub("", text)
    if words.startswith(_ALL_WELL) or words.endswith(_ALL_WELL):
        return "heartbeat"
    return "hidden" if words.startswith(_SILENT) else None
