"""Is a store what it was written to be: every hash, every pointer, every quote against the capture. Reads, and changes nothing.

Belongs here: which versions are looked at, and what to do about a fault. Does not belong here: one table (`slowwave.reader.sound`).
"""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from slowwave import store as layout
from slowwave.errors import SlowwaveError
from slowwave.format import Manifest
from slowwave.ids import content_of
from slowwave.reader.sound import Capture, table_faults

RESTORE = "restore it from a backup, or go back to an earlier version: slowwave rollback"
REINDEX = "build it again: slowwave reindex"
CAPTURE = "restore snapshots/ from a backup"


@dataclass(frozen=True)
class Fault:
    """One thing that is not as it was written: where, what, and what to do."""

    where: str
    what: str
    next_step: str


@dataclass
class Verified:
    """What was looked at, and every fault that was found."""

    versions: list[str] = field(default_factory=list[str])
    checked: Counter[str] = field(default_factory=Counter[str])
    faults: list[Fault] = field(default_factory=list[Fault])


def verify(store: Path, version: str | None = None) -> Verified:
    """Look at one version, or at every version of a store. Raises StoreNotFound, VersionGone where there is nothing to look at."""
    found = Verified()
    names = [version] if version else layout.versions(store)
    current = layout.required_current(store)
    if not version and current not in names:
        found.faults.append(Fault("CURRENT", f"it names {current}, which is not there", "slowwave rollback VERSION"))
    capture, seen = Capture(store), set[str]()
    for name in names:
        try:
            manifest = layout.read_manifest(store, name)
        except SlowwaveError as error:
            found.faults.append(Fault(f"published/{name}/manifest.json", str(error), error.hint))
            continue
        found.versions.append(name)
        if manifest.purged_at is None:
            found.faults += _version_faults(store, manifest, capture, found.checked, seen)
    found.faults += _open_to_others(store)
    return found


def _version_faults(
    store: Path, manifest: Manifest, capture: Capture, checked: Counter[str], seen: set[str]
) -> Iterator[Fault]:
    """The faults of one version; a file or table that several versions share is looked at once."""
    place = f"published/{manifest.version}"
    if content_of(manifest) != manifest.content or not _is_named(manifest):
        yield Fault(f"{place}/manifest.json", "its name is not that of its content", RESTORE)
    for name, wanted in manifest.documents.items():
        checked["documents"] += 1
        if _hash(layout.version_folder(store, manifest.version) / Path(name).name) != wanted:
            yield Fault(f"{place}/{name}", "it is not what was published, or not there", REINDEX)
    for name, ref in manifest.state.items():
        if ref.path in seen:
            continue
        seen.add(ref.path)
        checked["state"] += 1
        if _hash(store / ref.path) != ref.sha256:
            yield Fault(ref.path, f"the state {name} is not what was written, or not there", RESTORE)
    for name, what in table_faults(store, manifest, capture, checked, seen):
        yield Fault(manifest.tables[name].path, what, CAPTURE if "captured" in what else REINDEX)


def _is_named(manifest: Manifest) -> bool:
    day, _, name = manifest.version.partition("-")
    return day == f"{manifest.as_of:%Y%m%d}" and bool(name) and manifest.content.startswith(name)


def _hash(path: Path) -> str:
    made = sha256()
    try:
        with path.open("rb") as file:
            while part := file.read(1 << 20):
                made.update(part)
    except OSError:
        return ""
    return made.hexdigest()


def _open_to_others(store: Path) -> Iterator[Fault]:
    """What others than the owner may read."""
    for path in [store, *sorted(store.rglob("*"))]:
        mode = path.lstat().st_mode
        if stat.S_IMODE(mode) & 0o077 and not stat.S_ISLNK(mode):
            yield Fault(str(path), f"others may read it (mode {stat.S_IMODE(mode):o})", f"chmod -R go= {store}")
            return
