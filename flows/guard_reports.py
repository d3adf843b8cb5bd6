"""The reports of guards, in `guards/` of the store: written by a guard, kept for a while, read by the next night for its proposals.

A night's report holds what is proposed and the ids of memories; file names stay in the guard's own report, which forgetting removes.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from adapters.files import write_bytes, write_json

FOLDER = "guards"
REPORT = "report.md"
_RECORD = "guard.json"


def write(store: Path, name: str, record: dict[str, Any], texts: dict[str, str], n_kept: int) -> Path:
    """Write a report's record and texts, and let go of all but the newest reports. Returns its folder. Raises StoreUnwritable."""
    folder = store / FOLDER / name
    for file, text in texts.items():
        write_bytes(folder / file, text.encode())
    write_json(folder / _RECORD, record)
    for old in _folders(store)[n_kept:]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


def proposals(store: Path) -> list[dict[str, Any]]:
    """What the newest report of each guard found, with what is proposed. A damaged report proposes nothing."""
    told: list[dict[str, Any]] = []
    known: set[str] = set()
    for folder in _folders(store):
        names = _guards(folder) - known
        told += [one for one in _broken(folder) if one["name"].partition(".")[0] in names]
        known |= names
    return told


def _folders(store: Path) -> list[Path]:
    """The reports' folders, newest first: their names begin with the time."""
    home = store / FOLDER
    return sorted((path for path in home.iterdir() if path.is_dir()), reverse=True) if home.is_dir() else []


def _record(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _guards(folder: Path) -> set[str]:
    listed = _record(folder).get("guards")
    return {str(name) for name in listed} if isinstance(listed, list) else set()


def _broken(folder: Path) -> list[dict[str, Any]]:
    """What was broken, in the few words that a night's report has room for; nothing of a record that is not one."""
    try:
        promises = _record(folder)["report"]["promises"]
        return [_proposal(folder, one) for one in promises if not one["is_kept"] and one.get("proposal")]
    except (KeyError, TypeError, ValueError, AttributeError):
        return []


def _proposal(folder: Path, one: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": str(one["name"]),
        "proposal": str(one["proposal"]),
        "observed": float(one["observed"]),
        "memory_ids": [str(memory) for memory in one.get("memory_ids", [])],
        "report": f"{FOLDER}/{folder.name}/{REPORT}",
    }
