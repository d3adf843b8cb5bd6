"""The ids of captured things, beside those that readers make too."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from json.encoder import encode_basestring

from slowwave.ids import digest, make_id

__all__ = ["digest", "make_id", "message_key"]


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
