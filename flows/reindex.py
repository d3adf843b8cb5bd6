"""Published tables and texts built again from the Parquet that their night wrote: the same rows, vectors and answers.

A table is never written over: it appears under another folder, and the manifests that named the old one name the new. So a reader that
has the old one open reads on, and nobody sees half of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from adapters import files, lake
from adapters.pointer import writing
from adapters.publish import make_private, tables
from adapters.publish.batches import Rows, Vectors
from adapters.publish.probe import probe
from flows.rollback import WAIT_SECONDS
from models.memory import Vector
from models.table import empty
from slowwave import store as layout
from slowwave.errors import PromiseBroken, SlowwaveError, UsageError, VersionGone
from slowwave.format import Manifest, TableRef


@dataclass(frozen=True)
class Reindexed:
    """What was built again, by name, and how many versions hold it."""

    version: str
    built: tuple[str, ...]
    n_versions: int


def reindex(store: Path, version: str | None = None, names: Sequence[str] = ()) -> Reindexed:
    """Build tables (all, or those named) and the texts of a version again.

    Raises UsageError for a table that the version does not have, VersionGone where the Parquet is not there any more, PromiseBroken.
    """
    alien = sorted(set(names) - set(tables.TABLES))
    if alien:
        raise UsageError(f"there is no table {alien[0]!r}", f"Choose some of {', '.join(sorted(tables.TABLES))}.")
    with writing(store, WAIT_SECONDS):
        manifest = layout.read_whole(store, version or layout.required_current(store))
        chosen = tuple(name for name in manifest.tables if not names or name in names)
        frames = {name: _written(store, manifest, name) for name in manifest.tables}
        vectors = _vectors(store, manifest)
        folder = _free(store, manifest.version)
        known = Vectors(vectors, manifest.embedder.dimension, folder)
        for name in chosen:
            tables.write(folder / f"{name}.lance", name, frames[name], known)
        make_private(folder)
        moved = {manifest.tables[name].path: f"lance/{folder.name}/{name}.lance" for name in chosen}
        _refuse_unsound(store, _moved(manifest, moved), {**frames, "vectors": vectors})
        _write_texts(store, manifest, frames["documents"])
        n_versions = sum(_rename(store, other, moved) for other in _manifests(store))
    return Reindexed(manifest.version, chosen, n_versions)


def _written(store: Path, manifest: Manifest, name: str) -> Rows:
    """The rows that a night wrote for this table, wherever they lie: the hash says that they are the same."""
    ref = manifest.tables[name]
    run = Path(str(manifest.provenance.get("run"))).name
    for path in [
        store / "runs" / run / f"project.{name}.parquet",
        *sorted((store / "runs").glob(f"*/*.{name}.parquet")),
    ]:
        if path.is_file() and sha256(path.read_bytes()).hexdigest() == ref.sha256:
            return lake.open_table(store, replace(ref, path=path.relative_to(store).as_posix()), tables.TABLES[name])
    raise VersionGone(
        f"the rows of {name} of version {manifest.version} are in no run of this store any more",
        "Restore runs/ from a backup, or go back to another version: slowwave log lists them.",
    )


def _vectors(store: Path, manifest: Manifest) -> Rows:
    ref = manifest.state.get("vectors")
    return empty(Vector) if ref is None else lake.open_table(store, ref, Vector)


def _free(store: Path, version: str) -> Path:
    """A folder for the tables that nobody names yet; what a killed reindex left there is nobody's."""
    n = 1
    while (folder := store / "lance" / f"{version}.{n}").exists():
        n += 1
    return files.make_folder(folder)


def _moved(manifest: Manifest, moved: dict[str, str]) -> Manifest:
    known: dict[str, TableRef] = {
        name: replace(ref, path=moved.get(ref.path, ref.path)) for name, ref in manifest.tables.items()
    }
    return replace(manifest, tables=known)


def _refuse_unsound(store: Path, built: Manifest, frames: Mapping[str, Rows]) -> None:
    """Leave the old tables in place where the new ones are not what a reader needs; texts are mended afterwards."""
    seen = probe(store, built, frames, None, None)
    wrong = [name for name, rows in seen.items() if rows and name != "documents_as_written"]
    if wrong:
        raise PromiseBroken(
            f"what was built again breaks {', '.join(wrong)}; nothing was changed",
            "Run a night, which builds a version of its own, or go back: slowwave log lists the versions.",
        )


def _write_texts(store: Path, manifest: Manifest, documents: Rows) -> None:
    for name, text in documents.lazy().select("name", "text").collect().iter_rows():
        files.write_bytes(layout.version_folder(store, manifest.version) / Path(name).name, text.encode())


def _manifests(store: Path) -> Iterator[Manifest]:
    for name in layout.versions(store):
        try:
            yield layout.read_manifest(store, name)
        except SlowwaveError:
            continue


def _rename(store: Path, manifest: Manifest, moved: dict[str, str]) -> bool:
    """Let a manifest name the new tables; whether it named one of the old."""
    after = _moved(manifest, moved)
    if after == manifest:
        return False
    path = layout.version_folder(store, manifest.version) / "manifest.json"
    files.write_bytes(path, layout.manifest_json(after).encode())
    return True
