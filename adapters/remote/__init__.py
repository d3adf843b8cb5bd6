"""Nights over a remote store: a working copy on this machine, a lease in the object store, and what was made put there.

    copy    the working copy: brought up to date, and put back object by object
    lease   the right to write for a while, kept up by renewing it
    turn    one writer's turn: take the lease, bring, put, move the pointer, put the rest, delete, give the lease back

A working copy is a store in a folder, and every stage, flow and command works on it as on any other; `adapters.pointer` alone takes a turn.
Belongs here: what a remote store needs more than a folder. Does not belong here: what a reader needs (`slowwave.remote`). Importing this
loads nothing, since a store in a folder pays for none of it.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from slowwave.remote import is_remote, place_of

if TYPE_CHECKING:
    from adapters.remote.turn import Turn


def local(store: str | Path) -> Path:
    """The folder of a store: itself, or this machine's working copy of a remote one, brought up to date.

    Raises UsageError, StoreNotFound, StoreUnreachable, StoreUnwritable.
    """
    if not is_remote(store):
        return Path(store)
    from adapters.remote.copy import opened

    return opened(place_of(store))


def is_copy(store: Path) -> bool:
    """Whether a folder is a working copy of a remote store."""
    return (store / ".remote.json").is_file()


def name_of(store: Path) -> str:
    """What a person calls the store: its address, or its path."""
    if not is_copy(store):
        return str(store)
    from adapters.remote.copy import place_in

    return str(place_in(store))


@contextmanager
def taken(store: Path, until: float) -> Generator[Turn | None]:
    """One writer's turn at the remote store that a folder is a copy of; None for any other folder. Waits for it `until` (monotonic).

    Raises StoreHeld, StoreUnreachable, PublishConflict where the turn was lost before its end.
    """
    if not is_copy(store):
        yield None
        return
    from adapters.remote.turn import Turn

    mine = Turn(store)
    mine.begin(until)
    try:
        yield mine
    except BaseException as error:
        mine.break_off(is_saving=isinstance(error, Exception))
        raise
    mine.end()


def strays(store: Path) -> list[str]:
    """Keys of objects that are not what lies in the working copy; none for a store in a folder. Raises StoreUnreachable."""
    if not is_copy(store):
        return []
    from adapters.remote.copy import Copy

    return Copy(store).strays()
