"""Content-addressed ids: the same thing always gets the same id. No random number and no clock, since neither replays."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from slowwave.format import Manifest

# Made once: making an encoder takes longer than using it.
_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, default=str)


def digest(*parts: Any) -> str:
    """The sha256 of the parts as canonical JSON, in hex: no two lists of parts run together."""
    return sha256(_CANONICAL.encode(parts).encode()).hexdigest()


def make_id(prefix: str, *parts: Any) -> str:
    """A readable id: `mem_` and 16 hex digits of the digest (64 bits; a store holds millions of rows, not billions)."""
    return f"{prefix}_{digest(*parts)[:16]}"


def embedding_id(model: str, text: str) -> str:
    """The id of a text's vector, of its words and the digest of the embedder: another text or model has another."""
    return make_id("emb", model, text)


def content_of(manifest: Manifest) -> str:
    """The hash of what a version holds: of contents alone, so that no path, run or time is in its name."""
    return digest(
        {name: ref.sha256 for name, ref in manifest.tables.items()},
        dict(manifest.documents),
        manifest.rules,
        [manifest.embedder.dimension, manifest.embedder.digest],
        {name: ref.sha256 for name, ref in manifest.state.items()},
    )
