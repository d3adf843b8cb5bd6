"""Content-addressed ids: the same thing always gets the same id. No random number and no clock, since neither replays."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any


def digest(*parts: Any) -> str:
    """The sha256 of the parts as canonical JSON, in hex: no two lists of parts run together."""
    return sha256(json.dumps(parts, ensure_ascii=False, sort_keys=True, default=str).encode()).hexdigest()


def make_id(prefix: str, *parts: Any) -> str:
    """A readable id: `mem_` and 16 hex digits of the digest (64 bits; a store holds millions of rows, not billions)."""
    return f"{prefix}_{digest(*parts)[:16]}"


def message_key(platform: str, session_id: str, message_id: str | None, seq: int) -> str:
    """A message's key: of platform, session and native id, or of session and place where there is no native id."""
    native: Any = message_id if message_id else ["seq", seq]
    return make_id("msg", platform, session_id, native)
