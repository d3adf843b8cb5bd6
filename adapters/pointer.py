"""`CURRENT`: the one mutable file of a store, moved by compare-and-swap, and the lease of whoever may move it.

A lease is a lock that the system lets go of even when its process is killed, and a number that every new holder raises: who was
passed by, because the lock was no lock (a network folder, a lock file that somebody removed), is found out before it moves anything.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from adapters import files, remote
from slowwave import private
from slowwave.errors import PublishConflict, StoreHeld
from slowwave.store import CURRENT, read_current

if TYPE_CHECKING:
    from adapters.remote.turn import Turn

_LOCK, _NUMBER = ".lock", ".lease"
_LOOK_SECONDS = 0.1


@dataclass(frozen=True)
class Lease:
    """The right to move `CURRENT` away from `serving`, as long as nobody took it over."""

    store: Path
    serving: str | None
    number: int = 0
    turn: Turn | None = None

    def save(self) -> None:
        """What was written so far outlives this machine: of a remote store it is put there. Raises PublishConflict, StoreUnreachable."""
        if self.turn is not None:
            self.turn.save()

    def move(self, version: str) -> None:
        """Make `version` current, of a remote store there. Raises PublishConflict, StoreUnwritable, StoreUnreachable."""
        if self.turn is not None:
            self.turn.move(version)
            return
        move(self.store, self.serving, version, self)


@contextmanager
def writing(store: Path, wait_seconds: float = 0) -> Generator[Lease]:
    """One writer a store; waits that long for another one to end. Raises StoreHeld, StoreUnwritable, StoreUnreachable.

    What is made meanwhile is private to its owner, whichever library makes it.
    """
    files.make_folder(store)
    try:
        private.tighten(store)
        descriptor = private.open_to_append(store / _LOCK)
    except OSError as error:
        raise files.unwritable(store / _LOCK, error) from error
    with private.masked(), os.fdopen(descriptor):
        until = time.monotonic() + wait_seconds
        _wait(store, descriptor, until)
        with remote.taken(store, until) as turn:
            yield Lease(store, read_current(store), _raised(store), turn)


def _wait(store: Path, lock: int, until: float) -> None:
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError as error:
            if time.monotonic() >= until:
                raise StoreHeld(
                    f"another night is at work on {store}", "Wait for it to end; a lock ends with its process."
                ) from error
            time.sleep(_LOOK_SECONDS)


def _number(store: Path) -> int:
    try:
        return int((store / _NUMBER).read_text())
    except (OSError, ValueError):
        return 0


def _raised(store: Path) -> int:
    number = _number(store) + 1
    files.write_bytes(store / _NUMBER, f"{number}\n".encode())
    return number


def move(store: Path, before: str | None, version: str, lease: Lease | None = None) -> None:
    """Make `version` current if `before` still is (or `version` already is), and the lease still holds.

    Raises PublishConflict, StoreUnwritable.
    """
    try:
        lock = os.open(store / f".{CURRENT}.lock", os.O_RDWR | os.O_CREAT, private.FILE)
    except OSError as error:
        raise files.unwritable(store / CURRENT, error) from error
    try:
        # The system lets go of it even when the process is killed.
        fcntl.flock(lock, fcntl.LOCK_EX)
        serving = read_current(store)
        if lease is not None and _number(store) != lease.number:
            raise _passed_by(serving, before)
        if serving == version:
            return
        if serving != before:
            raise _passed_by(serving, before)
        files.write_bytes(store / CURRENT, f"{version}\n".encode())
        files.sync(store)
    finally:
        os.close(lock)


def _passed_by(serving: str | None, before: str | None) -> PublishConflict:
    what = f"published {serving}" if serving != before else "began to write to the store"
    return PublishConflict(
        f"somebody {what} while this night went on from {before or 'nothing'}",
        "Run the night again: it goes on from there, and what it has worked out already is kept.",
    )
