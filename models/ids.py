"""Content-addressed ids: the same thing always gets the same id. No random number and no clock, since neither replays."""

from __future__ import annotations

import json
from functools import lru_cache
from hashlib import sha256
from json.encoder import encode_basestring
from typing import Any

# Made once: making an encoder takes longer than using it.
_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, default=str)


def digest(*parts: Any) -> str:
    """The sha256 of the parts as canonical JSON, in hex: no two lists of parts run together."""
    return sha256(_CANONICAL.encode(parts).encode()).hexdigest()


def make_id(prefix: str, *parts: Any) -> str:
    """A readable id: `mem_` and 16 hex digits of the digest (64 bits; a store holds millions of rows, not billions)."""
    return f"{prefix}_{digest(*parts)[:16]}"


def message_key(platform: str, session_id: str, message_id: str | None, seq: int) -> str:
    """A message's key: of platform, session and native id, or of session and place where there is no native id."""
    if not message_id:
        return make_id("msg", platform, session_id, ["seq", seq])
    # What `make_id` makes of three strings, in a fifth of the time: there is one for every message.
    framed = f"[{_session(platform, session_id)}, {encode_basestring(message_id)}]"
    return "msg_" + sha256(framed.encode()).hexdigest()[:16]


@lru_cache(maxsize=1024)
def _session(platform: str, session_id: str) -> str:
    return f"{encode_basestring(platform)}, {encode_basestring(session_id)}"
