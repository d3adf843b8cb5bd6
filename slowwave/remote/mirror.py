"""Objects of a remote store brought into a folder of this machine, and what is known of each of them there.

Belongs here: which file is the object that was seen, and what a file becomes when its object has changed or gone. Does not belong here:
putting objects (`adapters.remote`), and which of them a reader needs (`reading`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from slowwave import private
from slowwave.errors import StoreUnwritable
from slowwave.remote import Place
from slowwave.remote.objects import Entry, Objects, in_parallel
from slowwave.store import CURRENT, ROLLBACK

try:
    import fcntl
except ImportError:  # Windows has no advisory locks of this kind.
    fcntl = None

RECORD, LOCK = ".remote.json", ".lock"
FILES = (CURRENT, ROLLBACK, "slowwave.toml")
FOLDERS = ("inbox", "snapshots", "runs", "lance", "published", "ledger", "cache")


@dataclass(frozen=True)
class Known:
    """An object as it was last seen, and the file that holds it as it was then."""

    etag: str
    size: int
    written_ns: int


class Mirror:
    """A folder that holds some or all of a remote store. `known` says of each key what was seen there."""

    def __init__(self, objects: Objects, folder: Path) -> None:
        self.objects, self.folder = objects, folder
        self.known = self._read()

    def pull(
        self,
        there: Mapping[str, Entry],
        covers: Callable[[str], bool],
        keeps: Callable[[str], bool] = lambda _: False,
    ) -> list[str]:
        """Make the files of the keys that it `covers` what is `there`; returns the keys that were brought.

        A file that was changed here, or never was an object, goes or is brought again, unless `keeps` says that it waits to be put.
        The pointer comes last, so that whoever reads meanwhile finds what it names.
        """
        covered = {key: entry for key, entry in there.items() if is_of_store(key) and covers(key)}
        for key in [key for key in self.known if covers(key) and key not in covered]:
            del self.known[key]
            (self.folder / key).unlink(missing_ok=True)
        for key in self.keys():
            if covers(key) and key not in covered and not keeps(key):
                (self.folder / key).unlink(missing_ok=True)
        wanted = [key for key in covered if self._is_wanted(key, covered[key], keeps)]
        first = [key for key in wanted if key != CURRENT]
        for keys in (first, [key for key in wanted if key == CURRENT]):
            for key, known in in_parallel(lambda key: (key, self._bring(key, there[key])), keys):
                if known is None:
                    self.known.pop(key, None)
                else:
                    self.known[key] = known
        self._tidy()
        self.write()
        return wanted

    def changed(self) -> list[str]:
        """The keys of files that are not what was last seen as an object, or never were one."""
        return [key for key in self.keys() if not self._is_as_seen(key)]

    def gone(self) -> list[str]:
        """The keys of objects whose file is no more."""
        return [key for key in self.known if not (self.folder / key).is_file()]

    def keys(self) -> list[str]:
        """The keys of all files that belong to the store."""
        found = [name for name in FILES if (self.folder / name).is_file()]
        for top in FOLDERS:
            for folder, folders, names in os.walk(self.folder / top):
                folders[:] = sorted(name for name in folders if not name.startswith("."))
                where = Path(folder).relative_to(self.folder).as_posix()
                found += [f"{where}/{name}" for name in sorted(names) if not name.startswith(".")]
        return found

    def drop_missing(self) -> None:
        """Know nothing of what is no longer here, as though it had never been brought."""
        for key in self.gone():
            del self.known[key]
        self.write()

    def note(self, key: str, etag: str) -> None:
        """The file of this key is the object that has this etag."""
        self.known[key] = self._known(key, etag)

    def write(self) -> None:
        """Write down what is known."""
        rows = {key: [one.etag, one.size, one.written_ns] for key, one in sorted(self.known.items())}
        write_file(self.folder / RECORD, json.dumps({"store": str(self.objects.place), "objects": rows}).encode())

    def _is_wanted(self, key: str, entry: Entry, keeps: Callable[[str], bool]) -> bool:
        known = self.known.get(key)
        if known is None or known.etag != entry.etag or not (self.folder / key).is_file():
            return True
        return not (keeps(key) or self._is_as_seen(key))

    def _is_as_seen(self, key: str) -> bool:
        known = self.known.get(key)
        return known is not None and known == self._known(key, known.etag)

    def _known(self, key: str, etag: str) -> Known:
        found = (self.folder / key).stat()
        return Known(etag, found.st_size, found.st_mtime_ns)

    def _bring(self, key: str, entry: Entry) -> Known | None:
        found = self.objects.get(key)
        if found is None:
            (self.folder / key).unlink(missing_ok=True)
            return None
        content, etag = found
        path = self.folder / key
        write_file(path, content)
        # What is kept, and for how long, goes by when a thing was made, not by when it came here.
        made = (moved_at(content) if key == CURRENT else None) or entry.modified
        os.utime(path, (made.timestamp(), made.timestamp()))
        return self._known(key, etag)

    def _tidy(self) -> None:
        """Folders that nothing is left in go, and those of versions and runs are as old as what was last put into them."""
        for top in FOLDERS:
            for folder, _, _ in os.walk(self.folder / top, topdown=False):
                if Path(folder) != self.folder / top and not any(os.scandir(folder)):
                    os.rmdir(folder)
        for top in ("published", "runs"):
            for folder in (self.folder / top).glob("*"):
                times = [path.stat().st_mtime for path in folder.glob("*") if path.is_file()]
                if times:
                    os.utime(folder, (max(times), max(times)))

    def _read(self) -> dict[str, Known]:
        try:
            found = json.loads((self.folder / RECORD).read_text("utf-8"))
            return {str(key): Known(str(e), int(size), int(at)) for key, (e, size, at) in found["objects"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}


def is_of_store(key: str) -> bool:
    """Whether an object belongs to the store; what else lies under its prefix stays where it is, and no key leads out of a folder."""
    parts = key.split("/")
    if any(not part or part.startswith(".") or "\\" in part or "\0" in part for part in parts):
        return False
    return key in FILES if len(parts) == 1 else parts[0] in FOLDERS


def pointer(version: str, number: int, at: datetime) -> bytes:
    """`CURRENT` as it is in an object store: the version, then the number of the turn that wrote it, and when the version went live."""
    return f"{version}\n{number} {at.astimezone(UTC).isoformat(timespec='seconds')}\n".encode()


def moved_at(content: bytes) -> datetime | None:
    """When the version that `CURRENT` names went live; None where it does not say."""
    try:
        return datetime.fromisoformat(content.decode().split("\n")[1].split()[1])
    except (ValueError, IndexError):
        return None


def folder_of(place: Place, use: str) -> Path:
    """The folder on this machine for one use of a remote store, made private. Raises StoreUnwritable."""
    chosen = os.environ.get("SLOWWAVE_CACHE")
    base = Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "slowwave"
    name = f"{place.prefix.rpartition('/')[2]}-{sha256(str(place).encode()).hexdigest()[:12]}"
    folder = base / use / name
    try:
        return private.make_folder(folder)
    except OSError as error:
        raise StoreUnwritable(
            f"cannot write {folder}: {error.strerror or error}",
            "What is read of a remote store is kept there; name another folder in SLOWWAVE_CACHE.",
        ) from error


@contextmanager
def alone(folder: Path) -> Generator[None]:
    """One process at a time brings objects into a folder; waits for the others."""
    descriptor = private.open_to_append(folder / LOCK)
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def write_file(path: Path, content: bytes) -> None:
    """Write a private file (0600), whole or not at all. Raises StoreUnwritable."""
    try:
        private.make_folder(path.parent)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, private.FILE)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except OSError as error:
        raise StoreUnwritable(
            f"cannot write {path}: {error.strerror or error}",
            "Check that this user may write there and that the disk is not full, or name another folder in SLOWWAVE_CACHE.",
        ) from error
