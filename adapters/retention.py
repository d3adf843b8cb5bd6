"""What a store lets go of: versions and runs beyond what is kept, and what nights that failed or were killed left behind.

Belongs here: what may go. Does not belong here: forgetting, which must (`adapters.forget`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import Field

from models.rules import Rules
from slowwave import store as layout
from slowwave.errors import SlowwaveError
from slowwave.flushing import EARLY
from slowwave.format import Manifest
from slowwave.reader.story import chain

# Enough for a night that resumes, and for the last one that told of its damaged input.
RECENT_RUNS = 5
HOUR = 3600.0


class RetentionSettings(Rules):
    """How much of the past is kept: whole versions with the runs that made them, never one that a kept version rests on."""

    keep_versions: int = Field(
        default=30,
        ge=0,
        description="How many versions are kept of those that led to the one that serves; 0 keeps all.",
    )
    grace_hours: float = Field(
        default=24.0, ge=0, description="What was made, or served, so many hours ago or less is never removed."
    )


def sweep(store: Path) -> None:
    """Remove what processes that are no more left half written or half built. The caller holds the lease."""
    sweep_temporary(store)
    for path in _children(store / "published"):
        if not (path / "manifest.json").is_file():
            _remove(path)
    named = set(layout.versions(store))
    unnamed = [path for path in _children(store / "lance") if path.name not in named]
    if unnamed and (kept := _manifests(store)) is not None:
        carried = {folder for manifest in kept.values() for folder in _lance_folders(manifest)}
        for path in unnamed:
            if path.name not in carried:
                _remove(path)


def sweep_temporary(store: Path) -> None:
    """Remove what processes that are no more left under a name that nobody reads."""
    for folder in [store, store / "lance", store / "published", *_children(store / "runs")]:
        for path in filter(_is_left, folder.glob(".*.tmp")):
            _remove(path)


def retain(store: Path, rules: RetentionSettings, now: float) -> tuple[list[str], list[str]]:
    """Remove whole versions and runs that nothing kept leads to; `now` is the clock. Returns their names.

    A manifest that can't be read may lead anywhere: then nothing is removed. The caller holds the lease.
    """
    versions, runs = layout.versions(store), [path.name for path in _children(store / "runs")]
    if not rules.keep_versions or (
        len(versions) <= rules.keep_versions and len(runs) <= rules.keep_versions + RECENT_RUNS
    ):
        return [], []
    manifests = _manifests(store)
    if manifests is None:
        return [], []
    kept = _closed(manifests, {*_chains(store, rules.keep_versions), *_lately(store, manifests, rules, now)})
    gone = [name for name, manifest in manifests.items() if name not in kept and manifest.purged_at is None]
    for name in gone:
        # First what makes it a version, so that no reader meets half of it.
        (layout.version_folder(store, name) / "manifest.json").unlink(missing_ok=True)
        _remove(layout.version_folder(store, name))
        _remove(store / "lance" / name)
    needed = {run for name in kept for run in _runs(manifests[name])} | set(sorted(runs)[-RECENT_RUNS:])
    old = [run for run in runs if run not in needed and now - _touched(store / "runs" / run) > rules.grace_hours * HOUR]
    for run in old:
        _remove(store / "runs" / run)
    return gone, old


def _manifests(store: Path) -> dict[str, Manifest] | None:
    try:
        return {name: layout.read_manifest(store, name) for name in layout.versions(store)}
    except SlowwaveError:
        return None


def _chains(store: Path, n: int) -> Iterator[str]:
    """The newest versions that lead to what serves, and to what served before a rollback."""
    rolled = layout.read_rollback(store)
    for tip in filter(None, [layout.read_current(store), rolled and rolled.came_from, rolled and rolled.to]):
        try:
            whole = [one.version for one in chain(store, layout.read_manifest(store, tip)) if one.purged_at is None]
        except SlowwaveError:
            continue
        yield from whole[:n]


def _lately(store: Path, manifests: Mapping[str, Manifest], rules: RetentionSettings, now: float) -> Iterator[str]:
    """Versions that were made, or that served, within the grace time: a reader may have one open still."""
    made = {name: _touched(layout.version_folder(store, name)) for name in manifests}
    moved = _touched(store / layout.CURRENT)
    in_chain = set(_chains(store, len(manifests)))
    for name in manifests:
        after = [made[child] for child, manifest in manifests.items() if manifest.provenance.get("parent") == name]
        served = max(made[name], *after, moved if name not in in_chain else 0.0)
        if now - served <= rules.grace_hours * HOUR:
            yield name


def _closed(manifests: Mapping[str, Manifest], kept: set[str]) -> set[str]:
    """The kept versions, every one that they carry tables from, and the one that nights go on from after an early one."""
    waiting = [name for name in kept if name in manifests]
    closed: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in manifests and name not in closed:
            closed.add(name)
            waiting += [folder.partition(".")[0] for folder in _lance_folders(manifests[name])]
            base = (manifests[name].provenance.get(EARLY) or {}).get("base")
            waiting += [base] if base else []
    return closed


def _lance_folders(manifest: Manifest) -> set[str]:
    return {Path(ref.path).parent.name for ref in manifest.tables.values()}


def _runs(manifest: Manifest) -> set[str]:
    """The runs whose tables a version's state is, and the one that made it."""
    paths = [Path(ref.path) for ref in manifest.state.values()]
    return {str(manifest.provenance.get("run"))} | {path.parts[1] for path in paths if path.parts[:1] == ("runs",)}


def _children(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return [path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")]


def _touched(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _is_left(path: Path) -> bool:
    """Whether the process that named a temporary file is no more: its number is in the name."""
    process = path.name.split(".")[-2]
    if not process.isdigit():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
