"""What a platform's log holds, counted as its owner would: live messages, copies, and what is set aside and why.

Belongs here: where a sample's files lie, and which of our marks stand for which of its counts. Does not belong here: the night.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flows.look import spoken

Row = dict[str, Any]
# Our word for a message that no source set aside.
LIVE, COPY = "live", "copy"


def _by_mark(message: Any) -> str:
    """A message's mark, or whose word it is where that is nobody's of the conversation."""
    if message.mark:
        return str(message.mark)
    if message.role == "system":
        return "system"
    return LIVE if message.trust in (None, "third_party") else str(message.trust)


def _chatgpt(message: Any) -> str:
    return "tool" if message.tool_name and not message.mark else _by_mark(message)


def _claude_ai(message: Any) -> str:
    """An attachment lies in its message, so it is none itself."""
    is_attached = message.trust == "third_party" and not message.mark
    return "attachment" if is_attached else _by_mark(message)


@dataclass(frozen=True)
class Sample:
    """One sample: its files by kind of source, and for each of our words the counts that it stands for."""

    files: tuple[tuple[str, str], ...]
    means: dict[str, tuple[str, ...]] = field(default_factory=dict)
    word: Callable[[Any], str] = _by_mark

    def sources(self, folder: Path) -> list[str]:
        """Its sources, as a person would name them."""
        return [f"{kind}={folder / name}" for kind, name in self.files]


SAMPLES: dict[str, Sample] = {
    "seraph": Sample((("seraph", "seraph.db"),)),
    "hermes": Sample(
        (("hermes", "hermes_state.db"), ("hermes", "hermes_memories")),
        {
            COPY: ("branch_copy", "reinserted_duplicate"),
            "summary": ("summary_row",),
            "rewound": ("rewound",),
            "hidden": ("hidden",),
            "observed": ("observed_third_party",),
            "subagent": ("subagent",),
            "cron": ("cron",),
        },
    ),
    "openclaw": Sample(
        (("openclaw", "openclaw"),),
        {
            "branch": ("abandoned_branch",),
            "heartbeat hidden": ("scaffolding",),
            "observed": ("third_party",),
            "cron": ("cron",),
            "rewound": ("tombstoned",),
        },
    ),
    "claude_code": Sample(
        (("claude_code", "claude_code"),),
        {
            "hidden": ("local_command", "meta", "interrupt"),
            "branch": ("abandoned_branch",),
            "summary": ("summary",),
            COPY: ("duplicate_line", "fork_copy"),
            "sidechain": ("sidechain",),
        },
    ),
    "openloomi": Sample((("openloomi", "openloomi.db"),)),
    "chatgpt": Sample(
        (("chatgpt", "chatgpt_export.json"),),
        {
            "hidden": ("hidden", "reasoning"),
            "owner": ("custom_instructions_owner_text",),
            "tool": ("tool_traffic",),
            "branch": ("inactive_branch",),
        },
        _chatgpt,
    ),
    "claude_ai": Sample(
        (("claude_ai", "claude_export.json"), ("claude_ai", "claude_memories.json")),
        {"branch": ("inactive_branch",)},
        _claude_ai,
    ),
    "openai": Sample(
        (("openai_jsonl", "openai_messages.jsonl"),),
        {COPY: ("repeated_prefix",), "system": ("system_prompt",)},
    ),
}


def count(name: str, folder: Path) -> Counter[str]:
    """The messages of a sample by our words; a message that was there before, under the same ids, is a copy."""
    sample = SAMPLES[name]
    found: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    for source in sample.sources(folder):
        for message in spoken(source):
            key = (message.session_id, message.message_id)
            found[COPY if key in seen else sample.word(message)] += 1
            seen.add(key)
    return found


def counts_wrong(name: str, folder: Path, expected: Row) -> Row:
    """The counts that differ, as [expected, found]; what is set aside for no reason that the sample knows is one of them."""
    found, dropped = count(name, folder), expected.get("dropped", {})
    pairs = {f"{name}.{LIVE}": [expected["messages_live"], found[LIVE]]}
    for words, counts in SAMPLES[name].means.items():
        pairs[f"{name}.{words}"] = [sum(dropped[one] for one in counts), sum(found[word] for word in words.split())]
    meant = {one for counts in SAMPLES[name].means.values() for one in counts}
    pairs |= {f"{name}.{one}": [n, 0] for one, n in dropped.items() if one not in meant}
    return {what: pair for what, pair in pairs.items() if pair[0] != pair[1]}
