"""What a line of a Claude Code transcript says, and who says it: decided by its blocks and marks, since tools answer as "user".

Belongs here: blocks, markup and harness text. Does not belong here: sessions, copies and branches (`index`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from adapters.sources.protocol import BadLine, read_text, word

# What a harness puts in the user's place, whole: commands and their output, notices of tasks, other agents' letters.
_OPENS = re.compile(
    r"\s*<(command-(?:name|message|args|contents)|local-command-(?:stdout|stderr|caveat)|bash-(?:input|stdout|stderr)"
    r"|task-notification|teammate-message|system-reminder|user-prompt-submit-hook)\b[^>]{0,500}>"
)
_INTERRUPT = re.compile(r"\s*\[Request interrupted by user[^\]\n]{0,80}\]\s*")
_SYNTHETIC = "<synthetic>"


class Said(NamedTuple):
    """One message of a line; `suffix` tells the second one from the first."""

    role: str
    text: str
    tool_name: str | None = None
    mark: str | None = None
    suffix: str = ""


def said(line: dict[str, Any], tools: dict[str, str]) -> Iterator[Said]:
    """The messages of a line: none where it is bookkeeping. `tools` remembers the names of the tools that were called. Raises BadLine."""
    kind = line.get("type")
    if kind in ("user", "assistant"):
        blocks = _blocks(line)
        mark = _mark(line, blocks)
        yield from (_answers(blocks, mark, tools) if kind == "user" else [_agent(blocks, mark, tools)])
    elif (prompt := queued(line)) is not None:
        text = read_text(prompt)
        yield Said("user", text, mark=_machine_mark(line) or ("hidden" if _is_harness(text) else None))
    elif not isinstance(kind, str):
        raise BadLine("no type")


def queued(line: dict[str, Any]) -> Any:
    """What the user typed while the agent was at work: it stands as an attachment, and nowhere else."""
    attachment = line.get("attachment")
    if line.get("type") != "attachment" or not isinstance(attachment, dict) or attachment.get("isMeta"):
        return None
    is_typed = attachment.get("type") == "queued_command" and attachment.get("commandMode", "prompt") == "prompt"
    return attachment.get("prompt") if is_typed and _is_human(attachment) else None


def is_prompt(line: dict[str, Any]) -> bool:
    """Whether the line is words that a person typed: such a line, written again, replaces the one before."""
    try:
        blocks = _blocks(line) if line.get("type") == "user" else []
        is_answer = any(block.get("type") == "tool_result" for block in blocks)
        return bool(blocks) and not is_answer and _mark(line, blocks) is None
    except BadLine:
        return False


def _blocks(line: dict[str, Any]) -> list[dict[str, Any]]:
    message = line.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        raise BadLine("no content")
    return [block if isinstance(block, dict) else {"type": "text", "text": block} for block in content]


def _answers(blocks: list[dict[str, Any]], mark: str | None, tools: dict[str, str]) -> Iterator[Said]:
    results = [block for block in blocks if block.get("type") == "tool_result"]
    text = read_text([block for block in blocks if block.get("type") == "text"])
    for number, block in enumerate(results):
        content = block.get("content")
        name = tools.get(word(block.get("tool_use_id")) or "", "tool")
        words = read_text(content) if isinstance(content, (str, list)) else ""
        yield Said("tool", words, name, mark, f"#{number}" if number else "")
    if text or not results:
        yield Said("user", text, mark=mark, suffix="#text" if results else "")


def _agent(blocks: list[dict[str, Any]], mark: str | None, tools: dict[str, str]) -> Said:
    """The agent's words; its thoughts are left out, and a call of a tool has the tool's name and no words."""
    calls = [block for block in blocks if block.get("type") == "tool_use"]
    for call in calls:
        tools[word(call.get("id")) or ""] = word(call.get("name")) or "tool"
    text = read_text([block for block in blocks if block.get("type") == "text"])
    return Said("assistant", text, word(calls[0].get("name")) if calls and not text else None, mark)


def _mark(line: dict[str, Any], blocks: list[dict[str, Any]]) -> str | None:
    if mark := _machine_mark(line):
        return mark
    message = line.get("message")
    if line.get("isApiErrorMessage") or (isinstance(message, dict) and message.get("model") == _SYNTHETIC):
        return "hidden"
    texts = [block.get("text") for block in blocks if block.get("type") != "thinking"]
    is_harness = bool(texts) and all(isinstance(text, str) and _is_harness(text) for text in texts)
    return "hidden" if is_harness and line.get("type") == "user" else None


def _machine_mark(line: dict[str, Any]) -> str | None:
    """What the line itself says about it."""
    if line.get("isSidechain"):
        return "sidechain"
    if line.get("agentId"):
        return "subagent"
    if line.get("isCompactSummary"):
        return "summary"
    is_machine = line.get("isMeta") or line.get("isVisibleInTranscriptOnly") or not _is_human(line)
    return "hidden" if is_machine else None


def _is_human(holder: dict[str, Any]) -> bool:
    """Whether nothing says that a task, a hook or another session wrote it."""
    origin = holder.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else None
    return kind in (None, "human") and holder.get("turnOrigin") in (None, "human")


def _is_harness(text: str) -> bool:
    """Whether nothing is left of a text without the harness's blocks. Each block is passed once, so no text makes it slow."""
    if _INTERRUPT.fullmatch(text):
        return True
    pos = 0
    while opened := _OPENS.match(text, pos):
        closing = f"</{opened[1]}>"
        end = text.find(closing, opened.end())
        if end < 0:
            return False
        pos = end + len(closing)
    return pos > 0 and not text[pos:].strip()
