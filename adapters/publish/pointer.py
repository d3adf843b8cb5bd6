"""`CURRENT`: the one mutable file of a store, moved by compare-and-swap."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from adapters import lake
from slowwave.errors import PublishConflict
from slowwave.store import CURRENT, read_current


def move(store: Path, before: str | None, version: str) -> None:
    """Make `version` current if `before` still is (or `version` already is). Raises PublishConflict, StoreUnwritable."""
    try:
        lock = os.open(store / f".{CURRENT}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise lake.unwritable(store / CURRENT, error) from error
    try:
        # The system lets go of it even when the process is killed.
        fcntl.flock(lock, fcntl.LOCK_EX)
        serving = read_current(store)
        if serving == version:
            return
        if serving != before:
            raise PublishConflict(
                f"somebody published {serving} while this night went on from {before or 'nothing'}",
                "Run the night again: it goes on from there, and what it has worked out already is kept.",
            )
        lake.write_bytes(store / CURRENT, f"{version}\n".encode())
        sync(store)
    finally:
        os.close(lock)


def sync(path: Path) -> None:
    """Have the system write a file, or a folder's list of names, to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
