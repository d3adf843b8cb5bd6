"""Tombstones on disk: `snapshots/forgotten/<id>.parquet`, and beside it `<id>.pending` until it is carried out.

The mark is written first and removed last: whoever is killed in between leaves a request that the next night finishes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from adapters import files, lake
from models.table import Frame, conform, empty, rows_to_frame

# Most stores have no tombstone, and pay for no module that finds any.
if TYPE_CHECKING:
    from models.forgotten import Forgotten
    from models.tombstone import Tombstone

FOLDER = "snapshots/forgotten"


def load(store: Path) -> Frame[Tombstone]:
    """Every tombstone of the store."""
    from models.tombstone import Tombstone

    files = sorted((store / FOLDER).glob("*.parquet"))
    if not files:
        return empty(Tombstone)
    return conform(pl.concat([pl.read_parquet(file) for file in files]), Tombstone)


def forgotten(store: Path) -> Forgotten | None:
    """What is forgotten, to be looked for; None for a store in which nothing was, which pays one look at a folder."""
    if not (store / FOLDER).is_dir():
        return None
    from models.forgotten import Forgotten

    return Forgotten(load(store))


def salt(store: Path) -> str:
    """The store's salt: of its first tombstone, or a new one."""
    known = load(store)["salt"].unique().sort().to_list()
    return known[0] if known else os.urandom(32).hex()


def put(store: Path, rows: Sequence[dict[str, Any]]) -> str:
    """Write one request's tombstone, to be carried out; returns its id. Raises StoreUnwritable."""
    from models.tombstone import Tombstone

    frame = rows_to_frame(Tombstone, rows)
    name = str(frame["tombstone_id"][0])
    folder = files.make_folder(store / FOLDER)
    files.write_bytes(folder / f"{name}.pending", b"")
    files.write_bytes(folder / f"{name}.parquet", lake.to_parquet(frame, Tombstone))
    return name


def carry(store: Path, path: Path) -> None:
    """Take another store's tombstone over, to be carried out here. Raises StoreUnwritable."""
    folder = files.make_folder(store / FOLDER)
    files.write_bytes(folder / f"{path.stem}.pending", b"")
    files.write_bytes(folder / path.name, path.read_bytes())


def pending(store: Path) -> list[str]:
    """Ids of the tombstones that are not carried out yet."""
    return sorted(path.stem for path in (store / FOLDER).glob("*.pending"))


def done(store: Path) -> None:
    """All of them are carried out."""
    for path in (store / FOLDER).glob("*.pending"):
        path.unlink(missing_ok=True)
