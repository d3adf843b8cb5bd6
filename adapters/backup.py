"""A store as one file, and back: an archive that is whole even where a night is at work, with the hash of everything in it.

What a store publishes is immutable, so a backup is of the versions that are there when it begins, with all that they name; what a night
makes meanwhile is left to the next backup. Belongs here: files in and out. Does not belong here: what was forgotten since (`flows.backup`).
"""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO, Any

from adapters import files
from adapters.publish import make_private
from slowwave import private
from slowwave import store as layout
from slowwave.errors import SlowwaveError, UsageError, VersionGone

FORMAT = 1
HEAD, HASHES = "backup.json", "sha256.json"
# How often a backup begins again because something was removed under its hands.
_MAX_TRIES = 3
_NOT_KEPT = {".lock", ".lease", f".{layout.CURRENT}.lock", ".remote.json"}


@dataclass(frozen=True)
class Backup:
    """What an archive holds: how many files and bytes, and the version that serves in it."""

    serving: str | None
    n_files: int
    n_bytes: int


def write(store: Path, path: Path) -> Backup:
    """Write a store's backup, whole or not at all. Raises UsageError where the file is there, StoreNotFound, StoreUnwritable."""
    layout.read_current(store)
    if path.exists():
        raise UsageError(f"{path} is there already", "Name another file: a backup is never written over.")
    files.make_folder(path.parent)
    building = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        for _ in range(_MAX_TRIES):
            try:
                made = _written(store, building)
            except FileNotFoundError:
                # Retention or forgetting removed what a version named a moment ago.
                continue
            os.replace(building, path)
            return made
    except OSError as error:
        raise files.unwritable(path, error) from error
    finally:
        building.unlink(missing_ok=True)
    raise SlowwaveError(
        f"{store} changed again and again while it was backed up", "Try again when no night is at work."
    )


def _written(store: Path, path: Path) -> Backup:
    serving = layout.read_current(store)
    stones = _stones(store)
    hashes: dict[str, str] = {}
    n_bytes = 0
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, private.FILE)
    with os.fdopen(descriptor, "wb") as file, tarfile.open(fileobj=file, mode="w:gz", compresslevel=1) as archive:
        head = {"format": FORMAT, "made_at": datetime.now(UTC).isoformat(), "serving": serving}
        _add(archive, HEAD, json.dumps(head).encode())
        for key in sorted(_keys(store)):
            content = (store / key).read_bytes()
            hashes[key] = sha256(content).hexdigest()
            n_bytes += len(content)
            _add(archive, key, content)
        if serving is not None:
            _add(archive, layout.CURRENT, f"{serving}\n".encode())
            hashes[layout.CURRENT] = sha256(f"{serving}\n".encode()).hexdigest()
        _add(archive, HASHES, json.dumps(hashes).encode())
        file.flush()
    if _stones(store) != stones:
        # Something was forgotten meanwhile, and what was copied before may hold it.
        raise FileNotFoundError("forgotten meanwhile")
    return Backup(serving, len(hashes), n_bytes)


def _stones(store: Path) -> list[str]:
    return sorted(path.name for path in (store / "snapshots" / "forgotten").glob("*"))


def _keys(store: Path) -> Iterator[str]:
    """The files of the versions that are there now, and all else that is no work under way. Raises FileNotFoundError."""
    known = set(layout.versions(store))
    tables: set[str] = set()
    for version in known:
        try:
            tables |= {ref.path for ref in layout.read_manifest(store, version).tables.values()}
        except VersionGone as error:
            raise FileNotFoundError(version) from error
    for path in store.rglob("*"):
        key = path.relative_to(store)
        if path.is_symlink() or not path.is_file() or _is_passing(key) or key.parts[0] == layout.CURRENT:
            continue
        if key.parts[0] == "published" and key.parts[1] not in known:
            continue
        if key.parts[0] == "lance" and key.parts[:3] not in {PurePosixPath(table).parts for table in tables}:
            continue
        yield key.as_posix()


def _is_passing(key: Path) -> bool:
    return key.name in _NOT_KEPT or any(part.startswith(".") and part.endswith(".tmp") for part in key.parts)


def _add(archive: tarfile.TarFile, key: str, content: bytes) -> None:
    member = tarfile.TarInfo(key)
    member.size, member.mode = len(content), private.FILE
    archive.addfile(member, io.BytesIO(content))


def unpack(path: Path, store: Path) -> Backup:
    """Make a store of a backup, in a folder that is not there yet; every file is looked at by its hash.

    Raises UsageError where the folder is there, SlowwaveError where the file is no whole backup, StoreUnwritable; then there is no folder.
    """
    if store.exists():
        raise UsageError(f"{store} is there already", "Name a folder that is not there; move the old store aside.")
    building = files.make_folder(store.parent) / f".{store.name}.{os.getpid()}.tmp"
    try:
        made = _unpacked(path, building)
        make_private(building)
        os.rename(building, store)
        return made
    except (tarfile.TarError, EOFError, KeyError, ValueError, TypeError) as error:
        raise SlowwaveError(f"{path} is no whole backup: {error}", "Take another one.") from error
    except OSError as error:
        raise files.unwritable(store, error) from error
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _unpacked(path: Path, building: Path) -> Backup:
    found: dict[str, str] = {}
    said: dict[str, Any] = {}
    n_bytes = 0
    with tarfile.open(path, mode="r:gz") as archive:
        for member in archive:
            content = _content(archive, member)
            if member.name in (HEAD, HASHES):
                said[member.name] = json.loads(content)
                continue
            n_bytes += len(content)
            found[member.name] = sha256(content).hexdigest()
            files.write_bytes(building / member.name, content)
    if said[HEAD]["format"] > FORMAT:
        raise ValueError(f"it is of format {said[HEAD]['format']}, and this slowwave reads up to {FORMAT}")
    if found != said[HASHES]:
        raise ValueError("what is in it is not what was put in")
    return Backup(said[HEAD]["serving"], len(found), n_bytes)


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    """A member's bytes. Raises ValueError for what no backup of ours holds: links, and names that lead out."""
    parts = PurePosixPath(member.name).parts
    if not member.isfile() or not parts or parts[0] == "/" or ".." in parts:
        raise ValueError(f"{member.name!r} is no file of a store")
    file: IO[bytes] | None = archive.extractfile(member)
    return file.read() if file else b""
