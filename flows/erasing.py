"""How a night erases: what tombstones name goes out of captures, inbox and answers before it, and out of versions and runs after it.

A tombstone is written first and done last, so that a night that is killed in between is finished by the next one. Belongs here: when.
Does not belong here: how (`adapters.forget`), and what a person asks (`flows.forget`).
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from adapters import lake
from adapters.forget import stones
from flows.night import Night, Walk
from models.decision import Decision
from models.turn import Turn

# The status of a run that met wishes, and that another run begins again.
WISHED = "begun_again"


def is_pending(store: Path) -> bool:
    """Whether something is to be erased still; a store without tombstones pays one look at a folder."""
    return bool(stones.pending(store))


def carry_out(store: Path) -> None:
    """Erase what pending tombstones name from captures, inbox and answers. The caller holds the store's lock."""
    found = stones.forgotten(store) if is_pending(store) else None
    if found is None:
        return
    # Most nights erase nothing, and pay for no module that does.
    from adapters.forget.erase import erase

    erase(store, found)


def finish(store: Path) -> None:
    """Remove the versions and runs that held it; if none is left that does, tombstones are done. The caller holds the store's lock."""
    from adapters.forget.purge import purge

    found = stones.forgotten(store)
    if found is not None and purge(store, found, datetime.now(UTC)).is_whole:
        stones.done(store)


def write_wishes(night: Night, walk: Walk) -> int:
    """Write a tombstone for every message of the owner's that took something away tonight which still stands in captures; how many."""
    counts = walk.taken["sift"].n_decided if "sift" in walk.taken else {}
    if not any(found.startswith("forget:") for found in counts):
        return 0
    from adapters.capture import load_messages
    from adapters.forget.erase import touched
    from models.forgotten import Forgotten
    from models.table import rows_to_frame
    from models.tombstone import Tombstone
    from tasks.trace.wished import wished

    decisions = lake.read_table(night.store, walk["sift.decisions"], Decision)
    heard = lake.read_table(night.store, walk["sift.heard"], Turn)
    found = wished(decisions, heard, load_messages(night.store), stones.salt(night.store), night.as_of)
    fresh = [rows for rows in found if touched(night.store, Forgotten(rows_to_frame(Tombstone, rows)))]
    for rows in fresh:
        stones.put(night.store, rows)
    return len(fresh)
