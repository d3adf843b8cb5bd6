"""The reader's commands about versions: what there is, and what came between two of them.

Belongs here: arguments and what a person reads. Does not belong here: how a store is read (`store`, `reader`).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from slowwave import store as layout
from slowwave.errors import SlowwaveError
from slowwave.flushing import EARLY
from slowwave.format import Manifest
from slowwave.store import Rollback


def log(args: argparse.Namespace) -> int:
    """`slowwave log`: every version, or with `--version` the one and those it came from; newest first."""
    from slowwave.remote.reading import with_manifests
    from slowwave.render import as_json, versions, visible

    store = with_manifests(args.store)
    found, unreadable = _versions(store, args.version)
    rolled = layout.read_rollback(store)
    serving = layout.read_current(store)
    chain = {manifest.version for manifest in _chain(store, serving)}
    if args.json:
        rows = [as_row(manifest, serving, chain) for manifest in found]
        print(as_json({"versions": rows, "held": _held(rolled), "unreadable": unreadable}))
        return 0
    complain = [*unreadable, *([_told(args.store, rolled)] if rolled else [])]
    if serving is not None and serving not in chain:
        complain.append(f"CURRENT names {serving}, which can't be read; slowwave rollback makes another one serve")
    for line in complain:
        _complain(visible(line))
    print(versions(found, serving, chain))
    return 0


def diff(args: argparse.Namespace) -> int:
    """`slowwave diff A B`: what a later version has otherwise than an earlier one."""
    from dataclasses import asdict

    from slowwave import render
    from slowwave.reader.difference import difference
    from slowwave.remote.reading import with_manifests

    store = with_manifests(args.store, args.before, args.after)
    before, after = (layout.read_whole(store, version) for version in (args.before, args.after))
    found = difference(store, before, after)
    print(render.as_json({**asdict(found), "counts": found.counts}) if args.json else render.difference(found))
    return 0


def check(args: argparse.Namespace) -> int:
    """`slowwave verify`: whether all is as it was written; exits with 4 where it is not."""
    from dataclasses import asdict

    from slowwave.remote.reading import whole
    from slowwave.render import as_json, visible
    from slowwave.verify import verify

    with whole(args.store) as store:
        found = verify(store, args.version)
    if args.json:
        faults = [asdict(fault) for fault in found.faults]
        print(as_json({"versions": found.versions, "checked": dict(found.checked), "faults": faults}))
    else:
        for fault in found.faults:
            print(visible(f"{fault.where}: {fault.what}\n  next: {fault.next_step}"))
        counts = "".join(f", {what} {n}" for what, n in sorted(found.checked.items()))
        print(f"looked at: versions {len(found.versions)}{counts}: {len(found.faults) or 'nothing'} wrong")
    return SlowwaveError.exit_status if found.faults else 0


def _complain(text: str) -> None:
    print(f"slowwave: {text}", file=sys.stderr)


def _versions(store: Path, version: str | None) -> tuple[list[Manifest], list[str]]:
    """Versions, newest first, and what could not be read of them."""
    if version is not None:
        return list(_chain(store, version, is_strict=True)), []
    found: list[Manifest] = []
    unreadable: list[str] = []
    for name in layout.versions(store):
        try:
            found.append(layout.read_manifest(store, name))
        except SlowwaveError as error:
            unreadable.append(str(error))
    if not found:
        # Says which of the reasons it is: no store, nothing published, or a version that is too new.
        layout.read_manifest(store, layout.required_current(store))
    return sorted(found, key=_age, reverse=True), unreadable


def _age(manifest: Manifest) -> tuple[str, str, str]:
    return manifest.as_of.isoformat(), str(manifest.provenance.get("published_at", "")), manifest.version


def _chain(store: Path, version: str | None, *, is_strict: bool = False) -> list[Manifest]:
    """A version and those it came from, as far as they are there."""
    from slowwave.reader.story import chain

    try:
        return list(chain(store, layout.read_manifest(store, version))) if version else []
    except SlowwaveError:
        if is_strict:
            raise
        return []


def as_row(manifest: Manifest, serving: str | None, chain: set[str]) -> dict[str, Any]:
    """A version as a program reads it."""
    return {
        "version": manifest.version,
        "as_of": manifest.as_of.isoformat(),
        "parent": manifest.provenance.get("parent"),
        "run": manifest.provenance.get("run"),
        "is_serving": manifest.version == serving,
        "is_rolled_back": manifest.version not in chain and EARLY not in manifest.provenance,
        "is_early": EARLY in manifest.provenance,
        "purged_at": None if manifest.purged_at is None else manifest.purged_at.isoformat(),
        "rows": {name: ref.rows for name, ref in manifest.tables.items()},
        "documents": sorted(manifest.documents),
        "embedder": manifest.embedder.name,
        "provenance": manifest.provenance,
    }


def _held(rolled: Rollback | None) -> dict[str, Any] | None:
    if rolled is None:
        return None
    return {"to": rolled.to, "came_from": rolled.came_from, "at": rolled.at.isoformat(), "is_held": rolled.is_held}


def _told(store: Path | str, rolled: Rollback) -> str:
    when = f"rolled back from {rolled.came_from} to {rolled.to} on {rolled.at:%Y-%m-%d %H:%M} UTC"
    if rolled.is_held:
        return f"held: {when}; slowwave resume --store {store} lets nights go on"
    return f"{when}, and resumed: the next night goes on from {rolled.came_from}"
