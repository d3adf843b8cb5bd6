"""What an agent appends to the inbox of a remote store: an object a call, put once and never written over by an agent.

The names of objects sort by the time of the call, since the night reads a session in the order of its files.
"""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from slowwave.errors import StoreUnwritable
from slowwave.remote import place_of
from slowwave.remote.objects import opened


def append(store: str | Path, folder: str, content: bytes) -> str:
    """Put lines into one of the inbox's folders; returns the address.

    Raises StoreNotFound, StoreUnreachable, StoreUnwritable, UsageError.
    """
    place = place_of(store)
    # After the files of sessions that a store brought along which once was a folder.
    name = f"zz-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}-{sha256(content).hexdigest()[:12]}.jsonl"
    key = f"inbox/{folder}/{name}"
    if opened(place).put(key, content, None) is None:
        raise StoreUnwritable(f"cannot write {place}/{key}: another object is there", "Call it once more.")
    return f"{place}/{key}"
