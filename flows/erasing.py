"""How a night erases: what tombstones name goes out of captures, inbox and answers before it, and out of versions and runs after it.

A tombstone is written first and done last, so that a night that is killed in between is finished by the next one. Belongs here: when.
Does not belong here: how (`adapters.forget`), and what a person asks (`flows.forget`).
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from adapters import lake
from adapters.capture import load_messages
from adapters.forget import stones
from adapters.forget.erase import Erased, erase, touched
from adapters.forget.purge import Purged, purge
from flows.night import Night, Walk
from models.decision import Decision
from models.forgotten import Forgotten
from models.table import rows_to_frame
from models.tombstone import Tombstone
from models.turn import Turn
from tasks.trace.wished import ASKED, wished

# The status of a run that met wishes, and that another run begins again.
WISHED = "begun_again"


def is_pending(store: Path) -> bool:
    """Whether something is to be erased still; a store without tombstones pays one look at a folder."""
    return bool(stones.pending(store))


def carry_out(store: Path) -> Erased:
    """Erase what pending tombstones name from captures, inbox and answers. The caller holds the store's lock."""
    found = stones.forgotten(store) if is_pending(store) else None
    return erase(store, found) if found is not None else Erased()


def finish(store: Path) -> Purged:
    """Remove the versions and runs that held it; if none is left that does, tombstones are done. The caller holds the store's lock."""
    found = stones.forgotten(store)
    if found is None:
        return Purged()
    purged = purge(store, found, datetime.now(UTC))
    if purged.is_whole:
        stones.done(store)
    return purged


def write_wishes(night: Night, walk: Walk) -> int:
    """Write a tombstone for every message of the owner's that took something away tonight which still stands in captures; how many."""
    counts = walk.taken["sift"].n_decided if "sift" in walk.taken else {}
    if not any(f"forget:{reason}" in counts for reason in ASKED):
        return 0
    decisions = lake.read_table(night.store, walk["sift.decisions"], Decision)
    heard = lake.read_table(night.store, walk["sift.heard"], Turn)
    found = wished(decisions, heard, load_messages(night.store), stones.salt(night.store), night.as_of)
    fresh = [rows for rows in found if touched(night.store, Forgotten(rows_to_frame(Tombstone, rows)))]
    for rows in fresh:
        stones.put(night.store, rows)
    return len(fresh)
