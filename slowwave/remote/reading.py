"""The folder that a reader reads of a remote store: the pointer, the manifests, and the versions that were opened.

A published file never changes, so each is fetched once; what has gone from the object store goes from here too, at the next look.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from slowwave import store as layout
from slowwave.errors import SlowwaveError, StoreNotFound, StoreUnreachable, VersionGone
from slowwave.format import Manifest
from slowwave.remote import Place, is_remote, objects, place_of
from slowwave.remote.mirror import FILES, Mirror, alone, folder_of, write_file
from slowwave.remote.objects import Entry, in_parallel

# How often a reader that is open asks whether its version is still there; a version that was forgotten answers no longer than this.
LOOK_SECONDS = 30.0
_WHOLE = ".whole"


class Remote:
    """One remote store as a reader has it. Raises StoreNotFound, StoreUnreachable, UsageError."""

    def __init__(self, place: Place) -> None:
        self.place, self.objects, self.folder = place, objects.opened(place), folder_of(place, "read")
        self._looked = 0.0

    def look(self) -> None:
        """Bring the pointer, the store's settings and every manifest, and let go of what is no longer there."""
        # The pointer first: what it names is there when the listing is made, or another version serves by then.
        top = {key: one for key, one in self.objects.top().items() if key in FILES}
        there = {**top, **self.objects.list("published/")}
        with alone(self.folder):
            mirror = Mirror(self.objects, self.folder)
            mirror.pull(there, lambda key: key in FILES or _is_manifest(key))
            self._let_go(there)
            mirror.drop_missing()
        if layout.CURRENT not in top:
            raise StoreNotFound(
                f"nothing has been published in {self.place} yet",
                "Check the address, or run a night first: slowwave night --store s3://BUCKET/PREFIX --source KIND=PATH",
            )
        self._looked = time.monotonic()

    def bring(self, version: str) -> None:
        """Bring what a version's manifest names. Raises VersionGone where it is not there."""
        try:
            manifest = layout.read_whole(self.folder, version)
        except VersionGone as error:
            raise VersionGone(str(error).replace(str(self.folder), str(self.place)), error.hint) from error
        folders = tuple(sorted(f"{ref.path}/" for ref in manifest.tables.values()))
        named = {f"published/{version}/{Path(name).name}" for name in manifest.documents}
        # That all of it is here is written down, so that no listing is asked for at every opening.
        mark, whole = self.folder / "published" / version / _WHOLE, "\n".join([*folders, *sorted(named)])
        if layout.missing_of(self.folder, manifest) or not mark.is_file() or mark.read_text("utf-8") != whole:
            self._bring((f"published/{version}/", *folders), lambda key: key in named or key.startswith(folders))
            write_file(mark, whole.encode())

    def bring_story(self, manifests: list[Manifest]) -> None:
        """Bring the decisions of the nights that led to these versions, and the memories of the first one's night."""
        runs = {Path(str(manifest.provenance.get("run"))).name for manifest in manifests}
        state = manifests[0].state.get("memories")
        self._bring(
            tuple(f"runs/{run}/" for run in sorted(runs)),
            lambda key: key.endswith(".decisions.parquet") or (state is not None and key == state.path),
        )

    def has_changed(self, version: str) -> bool:
        """Whether the version's manifest is another one, or gone; asked now and then, and no where nobody answers."""
        if time.monotonic() - self._looked < LOOK_SECONDS:
            return False
        self._looked = time.monotonic()
        key = f"published/{version}/manifest.json"
        known = Mirror(self.objects, self.folder).known.get(key)
        with suppress(StoreUnreachable):
            if known is None or self.objects.etag(key) != known.etag:
                self.look()
                return True
        return False

    def _bring(self, prefixes: tuple[str, ...], wants: Callable[[str], bool]) -> None:
        there = {key: one for found in in_parallel(self.objects.list, prefixes) for key, one in found.items()}
        with alone(self.folder):
            Mirror(self.objects, self.folder).pull(there, lambda key: key.startswith(prefixes) and wants(key))

    def _let_go(self, there: Mapping[str, Entry]) -> None:
        """Remove the documents that have gone, and the tables and runs that no manifest names which can still be opened."""
        for path in (self.folder / "published").glob("*/*"):
            if path.relative_to(self.folder).as_posix() not in there and path.name != _WHOLE:
                path.unlink()
        for version in (self.folder / "published").glob("*"):
            if not (version / "manifest.json").is_file():
                shutil.rmtree(version, ignore_errors=True)
        living = list(_living(self.folder))
        named = {ref.path for manifest in living for ref in manifest.tables.values()}
        for table in (self.folder / "lance").glob("*/*"):
            if table.relative_to(self.folder).as_posix() not in named:
                shutil.rmtree(table, ignore_errors=True)
        runs = {Path(str(manifest.provenance.get("run"))).name for manifest in living}
        runs |= {ref.path.split("/")[1] for manifest in living for ref in manifest.state.values()}
        for run in (self.folder / "runs").glob("*"):
            if run.name not in runs:
                shutil.rmtree(run, ignore_errors=True)


def opened(store: str | Path) -> Remote | None:
    """The remote store that an address names; None for a folder."""
    return Remote(place_of(store)) if is_remote(store) else None


def with_manifests(store: str | Path, *versions: str) -> Path:
    """A folder with the pointer and manifests of a store, and all of the named versions; a store in a folder is that folder."""
    remote = opened(store)
    if remote is None:
        return Path(store)
    remote.look()
    for version in versions:
        remote.bring(version)
    return remote.folder


@contextmanager
def whole(store: str | Path) -> Generator[Path]:
    """A folder that holds all of a store as it is now, fetched anew where it is remote; a store in a folder is that folder."""
    if not is_remote(store):
        yield Path(store)
        return
    there = objects.opened(place_of(store))
    with tempfile.TemporaryDirectory(prefix="slowwave-") as name:
        folder = Path(name) / "store"
        folder.mkdir(mode=0o700)
        Mirror(there, folder).pull(there.list(), lambda _: True)
        yield folder


def _living(folder: Path) -> Iterator[Manifest]:
    for version in layout.versions(folder):
        with suppress(SlowwaveError):
            found = layout.read_manifest(folder, version)
            if found.purged_at is None:
                yield found


def _is_manifest(key: str) -> bool:
    return key.startswith("published/") and key.endswith("/manifest.json")
