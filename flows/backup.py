"""A store from its backup: unpacked, looked at from end to end, and made to forget what was forgotten since."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from adapters import backup
from adapters.forget import stones
from flows.forget import proof
from flows.plan import Plan
from flows.road import consolidated
from flows.step import here
from slowwave.errors import SlowwaveError, StoreNotFound
from slowwave.store import read_current
from slowwave.verify import verify


@dataclass(frozen=True)
class Restored:
    """A store that was made of a backup: the version that serves in it, and how much was forgotten in it since."""

    serving: str | None
    n_files: int
    n_forgotten: int


def restore(path: Path, store: Path, since: Path | None = None) -> Restored:
    """Make a store of a backup; what was forgotten in the store `since` is forgotten in it too. A store that is not whole is removed.

    Raises what `unpack` and a night raise, StoreNotFound where `since` is none, and SlowwaveError where something is not as it was.
    """
    if since is not None and not since.is_dir():
        raise StoreNotFound(f"there is no store at {since}", "Name the store whose requests to forget are to be kept.")
    made = backup.unpack(path, store)
    try:
        _require_sound(store)
        n_forgotten = _forget_again(store, since) if since is not None else 0
    except BaseException:
        # What may still hold what was to be forgotten must not stay.
        shutil.rmtree(store, ignore_errors=True)
        raise
    return Restored(read_current(store), made.n_files, n_forgotten)


def _require_sound(store: Path) -> None:
    faults = verify(store).faults if read_current(store) else ()
    if faults:
        raise SlowwaveError(f"the backup is not sound: {faults[0].where}: {faults[0].what}", "Take another backup.")


def _forget_again(store: Path, since: Path) -> int:
    """Carry over the tombstones that the backup does not have, and carry them out; how many. Raises SlowwaveError where words are left."""
    known = {path.name for path in (store / stones.FOLDER).glob("*.parquet")}
    fresh = [path for path in sorted((since / stones.FOLDER).glob("*.parquet")) if path.name not in known]
    if not fresh:
        return 0
    for path in fresh:
        stones.carry(store, path)
    consolidated(Plan(store, trigger="forget", is_inbox_only=True), here)
    hits = proof(store)
    if hits or stones.pending(store):
        raise SlowwaveError(
            f"{len(hits)} places of the restored store still hold what was forgotten since",
            "Nothing was restored. Resume the store that was backed up if it was held, take a backup of it, and restore that one.",
        )
    return len(fresh)
