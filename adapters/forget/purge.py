"""Purge: versions and runs that held what was erased since, removed. Of a version its manifest stays, and says when it was purged.

What a version holds is known by what it consumed: a content that is no longer captured was erased. The version that serves is never
removed. Belongs here: which, and how. Does not belong here: captures (`erase`).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import polars as pl

from adapters import files
from adapters.capture.rows import CapturedMessage, CapturedSignal
from adapters.capture.snapshots import MESSAGES, SIGNALS, load_columns
from adapters.forget import scan
from adapters.forget.values import cleaned, texts_of
from models.forgotten import Forgotten, Place
from slowwave import store as layout
from slowwave.errors import SlowwaveError
from slowwave.format import Manifest

_MESSAGE = ["msg_key", "content_hash"]
_SIGNAL = ["signal_key", "text", "project", "user_state", "mode", "channel", "urgency", "outcome"]
# What a run keeps: when it was and what it cost, and which input was damaged. No words.
_KEPT = ("run.json", "begin.decisions.parquet")
_STUB = ("run", "parent", "published_at", "model")


@dataclass(frozen=True)
class Purged:
    """The versions and runs that were removed; `is_whole` is false where the version that serves still holds what was erased."""

    versions: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    is_whole: bool = True


class Captures:
    """What is captured now, to compare with what was."""

    def __init__(self, store: Path) -> None:
        self.store = store
        self._messages = load_columns(store, MESSAGES, CapturedMessage, _MESSAGE).unique()
        self._signals = load_columns(store, SIGNALS, CapturedSignal, _SIGNAL).unique()

    def holds_erased(self, manifest: Manifest) -> bool:
        """Whether a version rests on what is no longer captured. One that can't be read can't be shown not to."""
        state = manifest.state
        messages = self._is_erased(state["consumed"].path, _MESSAGE) if "consumed" in state else False
        return messages or ("signals" in state and self._is_erased(state["signals"].path, _SIGNAL))

    def is_erased_in(self, run: str) -> bool:
        """Whether a run was given what is no longer captured."""
        given = (f"runs/{run}/begin.messages.parquet", _MESSAGE), (f"runs/{run}/begin.signals.parquet", _SIGNAL)
        return any((self.store / path).is_file() and self._is_erased(path, columns) for path, columns in given)

    def _is_erased(self, path: str, columns: list[str]) -> bool:
        try:
            held = pl.read_parquet(self.store / path, columns=columns, glob=False)
        except (OSError, pl.exceptions.PolarsError):
            return True
        if columns is _MESSAGE:
            # A deletion at its source, or leaving it out, changes how a content is known, not what it says.
            held = held.with_columns(pl.col("content_hash").str.replace(r"(?:-deleted|-left-out)+$", ""))
        known = self._messages if columns is _MESSAGE else self._signals
        return held.join(known, on=columns, how="anti", nulls_equal=True).height > 0


def doomed(store: Path) -> tuple[list[str], bool]:
    """The versions that hold what was erased, the one that serves apart: whether it does."""
    captures, serving = Captures(store), layout.read_current(store)
    held = [version for version in layout.versions(store) if _holds(captures, version)]
    return [version for version in held if version != serving], serving in held


def _holds(captures: Captures, version: str) -> bool:
    try:
        manifest = layout.read_manifest(captures.store, version)
    except SlowwaveError:
        return False
    return manifest.purged_at is None and captures.holds_erased(manifest)


def purge(store: Path, forgotten: Forgotten, at: datetime, more: Iterable[str] = ()) -> Purged:
    """Remove every version and run that holds what was erased, and these `more` versions. The caller holds the store's lock."""
    versions, is_serving = doomed(store)
    versions = sorted({*versions, *more} - {layout.read_current(store) or ""})
    for version in versions:
        _stub(store, version, at)
    _sweep_tables(store)
    runs = _doomed_runs(store)
    for run in runs:
        _strip(store / "runs" / run, forgotten)
    _sweep_reports(store, forgotten)
    return Purged(tuple(versions), tuple(runs), not is_serving)


def _stub(store: Path, version: str, at: datetime) -> None:
    """The manifest first, so that no reader opens what goes; what it names goes after it."""
    found = layout.read_manifest(store, version)
    provenance = {name: found.provenance[name] for name in _STUB if name in found.provenance}
    stub = replace(found, tables={}, documents={}, state={}, provenance=provenance, purged_at=at)
    folder = layout.version_folder(store, version)
    files.write_bytes(folder / "manifest.json", layout.manifest_json(stub).encode())
    for path in folder.iterdir():
        if path.name != "manifest.json":
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _living(store: Path) -> list[Manifest]:
    found = [layout.read_manifest(store, version) for version in layout.versions(store)]
    return [manifest for manifest in found if manifest.purged_at is None]


def _sweep_tables(store: Path) -> None:
    """Remove the Lance tables that no version names any more; an older version's tables may be carried by a newer one."""
    named = {ref.path for manifest in _living(store) for ref in manifest.tables.values()}
    for folder in sorted(path for path in (store / "lance").glob("*") if path.is_dir()):
        for table in sorted(folder.iterdir()):
            if table.relative_to(store).as_posix() not in named:
                shutil.rmtree(table)
        if not any(folder.iterdir()):
            folder.rmdir()


def _sweep_reports(store: Path, forgotten: Forgotten) -> None:
    """Remove the reports that still say it, whichever run they are of; `slowwave report` writes them again from what is left."""
    for path in sorted((store / "runs").glob("*/report.*")):
        if any(True for _, text in scan.texts(path) for _ in forgotten.found(text)):
            path.unlink()


def _doomed_runs(store: Path) -> list[str]:
    """Runs that were given, or went on from, what was erased, and that no version rests on."""
    captures = Captures(store)
    kept = {ref.path.split("/")[1] for manifest in _living(store) for ref in manifest.state.values()}
    living = {manifest.version for manifest in _living(store)}
    runs = [path for path in sorted((store / "runs").glob("*")) if path.is_dir() and path.name not in kept]
    return [run.name for run in runs if _went_on(run, living) or captures.is_erased_in(run.name)]


def _went_on(run: Path, living: set[str]) -> bool:
    """Whether a run's parent or version is no more; one that can't be read can't be shown not to."""
    try:
        entry = json.loads((run / "run.json").read_text("utf-8"))
        named = [entry.get("parent"), entry.get("version") if entry.get("status") == "published" else None]
    except (OSError, ValueError, AttributeError):
        return True
    return any(version and version not in living for version in named)


def _strip(run: Path, forgotten: Forgotten) -> None:
    """Remove what a run read and made; what it keeps names nothing forgotten."""
    for path in sorted(run.iterdir()):
        if path.name not in _KEPT:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    ledger, decisions = run / _KEPT[0], run / _KEPT[1]
    if ledger.is_file():
        _clean_json(ledger, forgotten)
    if decisions.is_file():
        held = pl.read_parquet(decisions, glob=False)
        if any(True for text in held["detail"] for _ in forgotten.found(text)):
            decisions.unlink()


def _clean_json(path: Path, forgotten: Forgotten) -> None:
    text = path.read_text("utf-8")
    if any(True for one in texts_of(text) for _ in forgotten.found(one)):
        files.write_json(path, cleaned(json.loads(text), Place(), forgotten))
