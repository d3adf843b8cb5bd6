"""The caps of exports as settings. The reader's half reads them by itself, in a store's own `slowwave.toml` (`slowwave.export.caps`)."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from pydantic import Field

from models.rules import Rules
from slowwave.export.caps import Caps

_CAPS = {one.name: one for one in fields(Caps)}


def _cap(name: str) -> Any:
    return Field(default=_CAPS[name].default, ge=0, description=_CAPS[name].metadata["about"])


class ExportSettings(Rules):
    """How much an export may put into a file; set in the store's own slowwave.toml."""

    hermes_memory_chars: int = _cap("hermes_memory_chars")
    hermes_user_chars: int = _cap("hermes_user_chars")
    openclaw_l0_bytes: int = _cap("openclaw_l0_bytes")
    openclaw_l1_bytes: int = _cap("openclaw_l1_bytes")
    openclaw_l1_chars: int = _cap("openclaw_l1_chars")
    claude_lines: int = _cap("claude_lines")
    claude_bytes: int = _cap("claude_bytes")
    seraph_soul_tokens: int = _cap("seraph_soul_tokens")
    max_memories: int = _cap("max_memories")
    topic_bytes: int = _cap("topic_bytes")
