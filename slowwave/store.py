"""Where a version lies in a store, and how its pointer and manifest are read, with the standard library alone.

Belongs here: paths, `CURRENT`, `manifest.json`. Does not belong here: tables (`reader`), and writing (the night's side).
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from slowwave.errors import FormatTooNew, SlowwaveError, StoreNotFound, VersionGone
from slowwave.format import FORMAT_VERSION, EmbedderRef, Manifest, TableRef

CURRENT, ROLLBACK = "CURRENT", "ROLLBACK"
# A version's name becomes a folder's name, and `CURRENT` is a file that anybody may have edited.
_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,79}")


@dataclass(frozen=True)
class Rollback:
    """A store that was rolled back: nights are held until it is resumed, and the next one then goes on from `came_from`."""

    to: str
    came_from: str
    at: datetime
    is_held: bool = True


def version_folder(store: Path, version: str) -> Path:
    """The folder of a version's manifest and documents. Raises VersionGone for what can't be a version's name."""
    if not _NAME.fullmatch(version):
        raise VersionGone(f"{version!r} is not the name of a version", _another(store))
    return store / "published" / version


def read_current(store: Path) -> str | None:
    """The version that `CURRENT` names; None where nothing was published yet. Raises StoreNotFound, SlowwaveError."""
    if not store.is_dir():
        raise StoreNotFound(
            f"there is no store at {store}",
            "Check the path, or make a store: slowwave night --store DIR --source KIND=PATH",
        )
    try:
        # In an object store a second line says whose turn wrote it.
        return (store / CURRENT).read_text(encoding="utf-8").partition("\n")[0].strip() or None
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(store / CURRENT, error) from error


def required_current(store: Path) -> str:
    """The version that `CURRENT` names. Raises StoreNotFound where nothing was published yet."""
    version = read_current(store)
    if version is None:
        raise StoreNotFound(
            f"nothing has been published in {store} yet",
            "Run a night first: slowwave night --store DIR --source KIND=PATH",
        )
    return version


def read_manifest(store: Path, version: str) -> Manifest:
    """The manifest of one version. Raises VersionGone, FormatTooNew, SlowwaveError."""
    path = version_folder(store, version) / "manifest.json"
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise VersionGone(f"the version {version} is not in {store}", _another(store)) from error
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(path, error) from error
    _refuse_newer(found, version)
    try:
        return _manifest(found)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _unreadable(path, error) from error


def read_whole(store: Path, version: str) -> Manifest:
    """The manifest of a version that can be opened. Raises VersionGone too where it was purged; else what `read_manifest` raises."""
    found = read_manifest(store, version)
    if found.purged_at is not None:
        raise VersionGone(
            f"the version {version} was purged on {found.purged_at:%Y-%m-%d}: it held what was to be forgotten",
            _another(store),
        )
    return found


def read_rollback(store: Path) -> Rollback | None:
    """The rollback that is in force; None where there is none, or where a version was published since. Raises SlowwaveError."""
    path = store / ROLLBACK
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        made = Rollback(str(found["to"]), str(found["came_from"]), _time(found["at"]), bool(found["is_held"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SlowwaveError(
            f"cannot read {path}: {error}", "If no rollback is under way, remove the file; else roll back once more."
        ) from error
    return made if made.is_held or read_current(store) == made.to else None


def missing_of(store: Path, manifest: Manifest) -> list[str]:
    """What a version names and is not there: tables and documents by name."""
    folder = version_folder(store, manifest.version)
    lost = [name for name in manifest.documents if not (folder / Path(name).name).is_file()]
    return sorted([*lost, *(name for name, ref in manifest.tables.items() if not (store / ref.path).is_dir())])


def versions(store: Path) -> list[str]:
    """Names of the versions that lie complete in the store, oldest name first."""
    return sorted(path.parent.name for path in (store / "published").glob("[!.]*/manifest.json"))


def manifest_json(manifest: Manifest) -> str:
    """A manifest as readable JSON, the same bytes for the same manifest."""
    return json.dumps(asdict(manifest), ensure_ascii=False, indent=1, sort_keys=True, default=_plain) + "\n"


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _refuse_newer(found: Any, version: str) -> None:
    number = cast("dict[str, Any]", found).get("format") if isinstance(found, dict) else None
    if isinstance(number, int) and number > FORMAT_VERSION:
        raise FormatTooNew(
            f"the version {version} was written in format {number}; this slowwave reads up to {FORMAT_VERSION}",
            "Upgrade slowwave in this environment. `slowwave log` lists what lies in the store; an older version is read with "
            "--version NAME.",
        )


def _manifest(found: dict[str, Any]) -> Manifest:
    purged_at = found.get("purged_at")
    return Manifest(
        format=int(found["format"]),
        version=str(found["version"]),
        content=str(found["content"]),
        as_of=_time(found["as_of"]),
        owner=str(found["owner"]),
        tables={name: TableRef(**ref) for name, ref in found["tables"].items()},
        documents={str(name): str(digest) for name, digest in found["documents"].items()},
        embedder=EmbedderRef(**found["embedder"]),
        rules=str(found["rules"]),
        state={name: TableRef(**ref) for name, ref in found["state"].items()},
        provenance=dict(found["provenance"]),
        zone=str(found.get("zone", "")),
        purged_at=None if purged_at is None else _time(purged_at),
        recall=dict(found.get("recall") or {}),
    )


def _time(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _another(store: Path) -> str:
    kept = [version for version in versions(store) if not _is_purged(store, version)]
    if not kept:
        return (
            "No version is left in this store: restore it from a backup, or walk the same sources into a new --store."
        )
    return (
        f"Versions that are there: {', '.join(kept[-5:])}. Read one with --version NAME; to make it serve again: "
        "slowwave rollback NAME."
    )


def _is_purged(store: Path, version: str) -> bool:
    try:
        return read_manifest(store, version).purged_at is not None
    except SlowwaveError:
        return False


def _unreadable(path: Path, error: Exception) -> SlowwaveError:
    return SlowwaveError(
        f"cannot read {path}: {error}",
        "Check who may read the file; if it is damaged, restore it from a backup, or read another version with --version NAME "
        "(slowwave log lists them).",
    )
