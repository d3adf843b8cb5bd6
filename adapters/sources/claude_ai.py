"""Claude.ai exports: a zip, a folder of zips by category, or a JSON file of conversations or memories.

Newer exports name each message's parent and no current leaf: the way to the newest leaf is live, the rest "branch"; older ones are flat.
Ids are the same in every export. What Claude remembers is imported memory, the agent's word. The text of an attachment is a third
party's: it stands as a message of its own beside the user's words. Times are UTC by the platform's clock, so they state no offset.
The first account found is the owner's: another account's conversations are named and left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adapters.sources.elements import Export, Record, sound, state
from adapters.sources.notes import Importer, markdown_entries
from adapters.sources.protocol import BadLine, Damaged, Item, RawMessage, read_role, read_text, read_time, word
from adapters.sources.tree import standing

PLATFORM = "claude_ai"
ATTACHMENT = "attachment"
_NAMED = re.compile(r"(?:\A|/)(?:conversations(?:-\d+)?\.json|memories\.json|memories/[^/]+\.json)\Z", re.IGNORECASE)
# Account data, and documents that others may have written: never opened.
_NEVER = re.compile(
    r"(?:\A|/)(?:users\.json|manifest\.json|projects\.json|(?:projects|reflections|light_metadata[^/]*|feedback[^/]*)/)",
    re.IGNORECASE,
)
_MEMORY = ("conversations_memory", "project_memories", "memory_files")


def _is_ours(found: dict[str, Any]) -> bool:
    return isinstance(found.get("chat_messages"), list) or (
        "account_uuid" in found and any(n in found for n in _MEMORY)
    )


_EXPORT = Export(_NAMED, _NEVER, _is_ours)


def looks_like(path: Path) -> bool:
    """Whether the first element of a few files is a conversation or a memory of Claude.ai."""
    return _EXPORT.recognises(path)


def read(path: Path) -> Iterator[Item]:
    """Every message of every conversation, and what Claude remembers. Raises SourceError where nothing can be read."""
    owner: str | None = None
    for record in _EXPORT.records(path):
        if isinstance(record, Damaged):
            yield record
            continue
        try:
            account = _account(record.found)
            owner = owner or account
            if account and account != owner:
                raise BadLine("another account")
            yield from _items(record)
        except BadLine as error:
            yield Damaged(record.file, record.number, str(error), state(record.found))


def _account(found: dict[str, Any]) -> str | None:
    account = found.get("account")
    return word(account.get("uuid") if isinstance(account, dict) else found.get("account_uuid"))


def _items(record: Record) -> Iterator[Item]:
    if "chat_messages" in record.found:
        yield from _conversation(record)
    elif any(name in record.found for name in _MEMORY):
        yield from _memories(record)
    else:
        raise BadLine("neither a conversation nor a memory")


def _conversation(record: Record) -> Iterator[Item]:
    said, session = record.found["chat_messages"], word(record.found.get("uuid"))
    if not isinstance(said, list):
        raise BadLine("no messages")
    if session is None:
        raise BadLine("no id")
    live = _live(said)
    for seq, message in enumerate(said):
        try:
            if not isinstance(message, dict):
                raise BadLine("not an object")
            yield from _messages(record, session, seq, message, None if seq in live else "branch")
        except BadLine as error:
            yield Damaged(record.file, record.number, f"message {seq}: {error}", state(message))


def _live(said: list[Any]) -> set[int]:
    """The places of the messages that stand."""
    names = [_string(m, "uuid") or f"#{seq}" for seq, m in enumerate(said)]
    parents = {name: _string(m, "parent_message_uuid") for name, m in zip(names, said, strict=True)}
    times = {name: _time(m) for name, m in zip(names, said, strict=True)}
    ordered = sorted(parents, key=lambda name: times[name])
    stands = standing(parents, ordered)
    return {seq for seq, name in enumerate(names) if name in stands}


def _string(message: Any, name: str) -> str | None:
    value = message.get(name) if isinstance(message, dict) else None
    return value if isinstance(value, str) and value else None


def _time(message: Any) -> datetime:
    try:
        at = read_time(_string(message, "created_at")).at
    except BadLine:
        at = None
    return at or datetime.min.replace(tzinfo=UTC)


def _messages(
    record: Record, session: str, seq: int, message: dict[str, Any], mark: str | None
) -> Iterator[RawMessage]:
    """The message, then what its tools answered and what was attached to it, each alone."""
    role, name = read_role(message.get("sender")), word(message.get("uuid"))
    own = read_time(message.get("created_at")).at
    at = own or read_time(record.found.get("created_at")).at

    def made(part: str, role: str, text: str, tool_name: str | None = None, trust: str | None = None) -> RawMessage:
        return sound(
            RawMessage(
                place=f"{record.file}:{record.number}.{seq}",
                platform=PLATFORM,
                session_id=session,
                message_id=f"{name or f'#{seq}'}{part}",
                seq=seq,
                role=role,
                text=text,
                speaker=role,
                said_at=at,
                time_source="message" if own else "session" if at else "none",
                tool_name=tool_name,
                mark=mark,
                trust=trust,
            )
        )

    blocks = _blocks(message)
    text = read_text([b for b in blocks if b.get("type") == "text"] if blocks else message.get("text") or "")
    results = [b for b in blocks if b.get("type") == "tool_result"]
    if text or not results:
        yield made("", role, text, None if text else _tool(blocks, "tool_use"))
    for number, block in enumerate(results):
        part = "" if not text and number == 0 else f"#result-{number}"
        yield made(part, "tool", _result(block), _tool([block], "tool_result") or "tool")
    for number, extracted in enumerate(_attached(message)):
        yield made(f"#{ATTACHMENT}-{number}", "tool", read_text(extracted), ATTACHMENT, "third_party")


def _blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _tool(blocks: list[dict[str, Any]], kind: str) -> str | None:
    return next((word(b.get("name")) for b in blocks if b.get("type") == kind), None)


def _result(block: dict[str, Any]) -> str:
    content = block.get("content")
    return read_text(content) if isinstance(content, (str, list)) else ""


def _attached(message: dict[str, Any]) -> list[str]:
    attachments = message.get("attachments")
    found = [_string(a, "extracted_content") for a in attachments] if isinstance(attachments, list) else []
    return [text for text in found if text]


def _memories(record: Record) -> Iterator[Item]:
    """What Claude remembers: one text over all conversations, and one a project. An export states no time for it."""
    found = record.found
    texts: list[tuple[str, Any, str | None]] = [("conversations_memory", found.get("conversations_memory"), None)]
    projects, files = found.get("project_memories"), found.get("memory_files")
    if isinstance(projects, dict):
        texts += [(f"project_memories/{name}", text, name) for name, text in projects.items()]
    if isinstance(files, list):
        texts += [(f"memory_files/{_file_name(f, n)}", _string(f, "content"), None) for n, f in enumerate(files)]
    for name, text, project in texts:
        try:
            yield from _entries(record, name, read_text(text or ""), project)
        except BadLine as error:
            yield Damaged(record.file, record.number, f"{name.partition('/')[0]}: {error}", state(text))


def _entries(record: Record, name: str, text: str, project: str | None) -> Iterator[RawMessage]:
    importer = Importer(PLATFORM, name, f"{record.file}:{record.number}")
    for entry in markdown_entries(text):
        made = importer.message(entry)
        made.project = project
        yield sound(made)


def _file_name(file: Any, number: int) -> str:
    return _string(file, "path") or _string(file, "name") or str(number)
