"""Publish a version: tables, then documents and manifest, then the pointer. Nothing is visible until all of it is there.

Belongs here: what a version is named and in which order it appears. Does not belong here: whether it may go live
(`expectations`), and what is in it (`tasks.project`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from adapters import files, pointer
from adapters.publish import tables
from adapters.publish.batches import Rows, Vectors
from adapters.retention import sweep_temporary
from slowwave import store as layout
from slowwave.errors import SlowwaveError, VersionGone
from slowwave.format import FORMAT_VERSION, PUBLISHED, EmbedderRef, Manifest, TableRef
from slowwave.ids import content_of


def publish(store: Path, *, parent: Manifest | None, **made: Any) -> Manifest:
    """Build a version and make it current. Raises what `build` raises, and PublishConflict if `CURRENT` no longer names the parent."""
    built = build(store, parent=parent, **made).manifest
    pointer.move(store, parent.version if parent else None, built.version)
    return built


@dataclass(frozen=True)
class Built:
    """A version that lies beside the one that serves; `is_new` unless the same memory was there already."""

    manifest: Manifest
    is_new: bool


def build(
    store: Path,
    *,
    refs: Mapping[str, TableRef],
    frames: Mapping[str, Rows],
    parent: Manifest | None,
    owner: str,
    as_of: datetime,
    rules: str,
    embedder: EmbedderRef,
    state: Mapping[str, TableRef],
    provenance: Mapping[str, Any],
    zone: str = "",
    recall: Mapping[str, Any] | None = None,
) -> Built:
    """Build what a night projected as a version beside the one that serves; returns the manifest.

    `refs` and `frames` hold the published tables and `vectors`, by name; what is yet to be read passes by in batches. `state` is what
    the next night goes on from; `zone` is where its dates are read, `recall` how its readers rank where that is set. The same memory on
    the same day gets the same name; a version that is there already is left as it is. Raises StoreUnwritable.
    """
    sweep_temporary(store)
    documents = dict(frames["documents"].lazy().select("name", "text").collect().iter_rows())
    hashes = {name: sha256(text.encode()).hexdigest() for name, text in sorted(documents.items())}
    planned = Manifest(
        format=FORMAT_VERSION,
        version="",
        content="",
        as_of=as_of.astimezone(UTC),
        owner=owner,
        tables={name: refs[name] for name in PUBLISHED},
        documents=hashes,
        embedder=embedder,
        rules=rules,
        state=dict(sorted(state.items())),
        provenance=dict(provenance),
        zone=zone,
        recall=dict(recall or {}),
    )
    content = content_of(planned)
    version, existing = _name(store, as_of, content)
    if existing is not None and not layout.missing_of(store, existing):
        return Built(existing, is_new=False)
    built = _tables(store, version, refs, frames, parent, embedder)
    made = replace(planned, version=version, content=content, tables=built)
    _appear(store, made, documents)
    return Built(made, is_new=True)


def withdraw(store: Path, built: Built) -> None:
    """Remove a version that was built tonight and never went live; its manifest first, so that no reader meets half of it."""
    if built.is_new:
        version = built.manifest.version
        (layout.version_folder(store, version) / "manifest.json").unlink(missing_ok=True)
        shutil.rmtree(layout.version_folder(store, version), ignore_errors=True)
        shutil.rmtree(store / "lance" / version, ignore_errors=True)


def _name(store: Path, as_of: datetime, content: str) -> tuple[str, Manifest | None]:
    """The version's name, and its manifest where this very content is there already."""
    for length in (8, 16, 64):
        version = f"{as_of.astimezone(UTC):%Y%m%d}-{content[:length]}"
        try:
            found = layout.read_manifest(store, version)
        except VersionGone:
            return version, None
        if found.content == content:
            # Of a purged version nothing is left that could serve.
            return version, None if found.purged_at else found
    raise SlowwaveError(
        f"two contents share the name {version}",
        "A manifest has been changed by hand: restore the version's folder from a backup.",
    )


def _tables(
    store: Path,
    version: str,
    refs: Mapping[str, TableRef],
    frames: Mapping[str, Rows],
    parent: Manifest | None,
    embedder: EmbedderRef,
) -> dict[str, TableRef]:
    """The version's tables: what did not change is the parent's, the rest is written beside it and renamed into place."""
    carried = _carried(store, refs, parent, embedder)
    place = files.make_folder(store / "lance") / version
    building = place.with_name(f".{version}.{os.getpid()}.tmp")
    try:
        if new := [name for name in PUBLISHED if name not in carried]:
            vectors = Vectors(frames["vectors"], embedder.dimension, place.parent)
            for name in new:
                tables.write(building / f"{name}.lance", name, frames[name], vectors)
        if building.exists():
            # Left by a night that was killed before its manifest: no reader can know it.
            shutil.rmtree(place, ignore_errors=True)
            make_private(building)
            os.rename(building, place)
    except OSError as error:
        raise files.unwritable(place, error) from error
    finally:
        shutil.rmtree(building, ignore_errors=True)
    paths = {name: carried.get(name, f"lance/{version}/{name}.lance") for name in PUBLISHED}
    return {name: TableRef(path=paths[name], sha256=refs[name].sha256, rows=refs[name].rows) for name in PUBLISHED}


def _carried(
    store: Path, refs: Mapping[str, TableRef], parent: Manifest | None, embedder: EmbedderRef
) -> dict[str, str]:
    """Paths of the parent's tables that hold the same rows and the same vectors."""
    if parent is None or parent.embedder.digest != embedder.digest:
        return {}
    known = parent.tables.items()
    return {n: t.path for n, t in known if n in refs and t.sha256 == refs[n].sha256 and (store / t.path).is_dir()}


def _appear(store: Path, manifest: Manifest, documents: Mapping[str, str]) -> None:
    """Write documents and, last, the manifest into a folder that gets its name when it is whole."""
    place = layout.version_folder(store, manifest.version)
    building = files.make_folder(place.parent) / f".{manifest.version}.{os.getpid()}.tmp"
    try:
        shutil.rmtree(place, ignore_errors=True)
        for name, text in documents.items():
            files.write_bytes(building / _tame(name), text.encode())
        files.write_bytes(building / "manifest.json", layout.manifest_json(manifest).encode())
        make_private(building)
        os.rename(building, place)
        files.sync(place.parent)
    except OSError as error:
        raise files.unwritable(place, error) from error
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _tame(name: str) -> str:
    if Path(name).name != name or name.startswith(".") or name == "manifest.json":
        raise SlowwaveError(f"{name!r} cannot be a document's name", "This is a bug in the stage that named it.")
    return name


def make_private(folder: Path) -> None:
    """Folders 0700, files 0600, and everything on disk before the folder gets its name."""
    for path in [folder, *sorted(folder.rglob("*"))]:
        path.chmod(0o700 if path.is_dir() else 0o600)
        files.sync(path)
