"""Going back to an earlier version, and going on again. Light to import: a rollback must not wait for libraries.

Belongs here: what is held, and from where the next night goes on. Does not belong here: what leaving evidence out means
(`adapters.capture.left_out`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

from adapters import files
from adapters.pointer import writing
from adapters.remote import name_of
from slowwave.errors import SlowwaveError, StoreNotFound, UsageError, VersionGone
from slowwave.flushing import EARLY
from slowwave.format import Manifest
from slowwave.store import ROLLBACK, Rollback, missing_of, read_manifest, read_rollback, read_whole

WAIT_SECONDS = 600


def roll_back(store: Path, version: str) -> Rollback:
    """Make an earlier version serve, and hold the store until it is resumed. Raises StoreNotFound, VersionGone, StoreHeld."""
    if not store.is_dir():
        raise StoreNotFound(f"there is no store at {store}", "Check the path.")
    with writing(store) as lease:
        if lease.serving is None:
            raise StoreNotFound(
                f"nothing has been published in {name_of(store)} yet", "There is nothing to go back to."
            )
        _require_whole(store, read_whole(store, version))
        before = read_rollback(store)
        made = Rollback(version, before.came_from if before else lease.serving, datetime.now(UTC))
        # Held first: killed in between, the store is held where it is, and the same command ends what it began.
        _write(store, made)
        lease.move(version)
    return made


def resume(store: Path, without: Sequence[str] = ()) -> tuple[Rollback | None, dict[str, int]]:
    """Let nights go on: as though nothing had happened, or without what is named, for good; how many messages each name holds.

    Raises UsageError, StoreNotFound, StoreHeld.
    """
    if not store.is_dir():
        raise StoreNotFound(f"there is no store at {store}", "Check the path.")
    with writing(store, WAIT_SECONDS):
        rolled = read_rollback(store)
        if not without:
            return _plainly(store, rolled), {}
        from adapters.capture.left_out import leave_out

        left = leave_out(store, without, at=datetime.now(UTC))
        clear(store)
    return rolled, left


def _plainly(store: Path, rolled: Rollback | None) -> Rollback:
    if rolled is None or not rolled.is_held:
        raise UsageError(
            f"{name_of(store)} is not held: nights go on",
            f"To leave something out for good, name it: slowwave resume --store {name_of(store)} --without session:ID",
        )
    resumed = Rollback(rolled.to, rolled.came_from, rolled.at, is_held=False)
    _write(store, resumed)
    return resumed


def going_on_from(store: Path, serving: str | None) -> Manifest | None:
    """The version that the next night goes on from: what serves, or what served before a rollback that was resumed plainly.

    Of a version that was published early it is the one before it, since the night reads the same messages again.
    """
    rolled = read_rollback(store)
    if rolled is not None and not rolled.is_held:
        try:
            return _base(store, read_whole(store, rolled.came_from))
        except SlowwaveError:
            # Forgotten or removed meanwhile: then the night reads again what was read since the version that serves.
            pass
    return _base(store, read_manifest(store, serving)) if serving else None


def _base(store: Path, manifest: Manifest) -> Manifest | None:
    early = manifest.provenance.get(EARLY)
    if early is None:
        return manifest
    try:
        return read_whole(store, early["base"]) if early["base"] else None
    except SlowwaveError:
        # Forgotten or removed meanwhile: what was published early holds all that it read, as a night's version does.
        return manifest


def clear(store: Path) -> None:
    """Nothing is rolled back any more: a night went on, or goes on from the version that serves."""
    (store / ROLLBACK).unlink(missing_ok=True)


def hold_on(store: Path, held: Rollback, version: str) -> None:
    """The store stays held, at another version: the one that served had to lose what was forgotten."""
    _write(store, replace(held, to=version))


def _write(store: Path, made: Rollback) -> None:
    files.write_json(store / ROLLBACK, asdict(made))


def _require_whole(store: Path, manifest: Manifest) -> None:
    """Refuse a version of which a table or a document is no longer there."""
    lost = missing_of(store, manifest)
    lost += [f"state {name}" for name, ref in manifest.state.items() if not (store / ref.path).is_file()]
    if lost:
        raise VersionGone(
            f"the version {manifest.version} is no longer whole: {', '.join(sorted(lost))} is not there",
            "Choose another version: slowwave log lists them.",
        )
