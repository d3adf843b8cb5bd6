"""The run's ledger, `runs/<run>/run.json`: what each step made and cost. It is how a night resumes, and how it is explained."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from adapters.files import make_folder, write_json
from adapters.lake import is_whole
from flows.night import Night, Ref, Taken

# How many runs back a step's result is looked for: enough for a failed night and the one before it.
LOOK_BACK_RUNS = 4


def path(store: Path, run: str) -> Path:
    """Where a run's ledger lies."""
    return store / "runs" / run / "run.json"


def read(store: Path, run: str) -> dict[str, Any]:
    """A run's ledger; empty where there is none or where it was never finished being written."""
    try:
        found = json.loads(path(store, run).read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def stages(store: Path, run: str) -> dict[str, Any]:
    """The steps that a run entered; none where its ledger was damaged."""
    found = read(store, run).get("stages", {})
    return found if isinstance(found, dict) else {}


def runs(store: Path) -> list[str]:
    """The store's runs, newest first."""
    folder = store / "runs"
    found = [p.name for p in folder.iterdir() if p.is_dir()] if folder.is_dir() else []
    return sorted(found, reverse=True)


def update(store: Path, run: str, **facts: Any) -> None:
    """Add facts to a run's ledger."""
    write_json(path(store, run), {**read(store, run), "run": run, **facts})


def enter(night: Night, taken: Taken) -> None:
    """Write a step into the ledger."""
    known = stages(night.store, night.run)
    update(night.store, night.run, stages={**known, taken.stage: asdict(taken)})


def find(night: Night, stage: str, fingerprint: str, *, is_asking: bool) -> Taken | None:
    """The step with this fingerprint in this run or a recent one, with its files linked into this run's folder.

    A step that asks a model (`is_asking`) and was put off is asked again, in its own night too: the model may be back.
    """
    for run in [night.run, *[r for r in runs(night.store) if r != night.run][:LOOK_BACK_RUNS]]:
        taken = _taken(stages(night.store, run).get(stage))
        if taken is None or taken.fingerprint != fingerprint:
            continue
        is_put_off = is_asking and any(reason.startswith("defer:") for reason in taken.n_decided)
        if all(is_whole(night.store, ref) for ref in taken.outputs.values()) and not is_put_off:
            known = replace(taken, is_cached=True)
            return known if run == night.run else _carried(night, known)
    return None


def _taken(entry: Any) -> Taken | None:
    """A step as it was entered; None where the entry is not one."""
    try:
        return Taken(**{**entry, "outputs": {name: Ref(**ref) for name, ref in entry["outputs"].items()}})
    except (TypeError, KeyError, AttributeError):
        return None


def _carried(night: Night, taken: Taken) -> Taken:
    """Another run's step as this run's: its files linked, its cost nothing, since it was paid for there."""
    linked = {name: _link(night, ref) for name, ref in taken.outputs.items()}
    free = {"calls": 0, "input_tokens": 0, "output_tokens": 0, "cost": 0.0, "n_embedded": 0, "seconds": 0.0}
    return replace(taken, outputs=linked, **free)


def _link(night: Night, ref: Ref) -> Ref:
    """The same file under this run's folder, as a hard link, so that a run is whole by itself."""
    mine = f"{night.folder}/{Path(ref.path).name}"
    if mine == ref.path:
        return ref
    target = night.store / mine
    make_folder(target.parent)
    if target.exists():
        target.unlink()
    os.link(night.store / ref.path, target)
    return replace(ref, path=mine)


def interrupted(store: Path, asked: str) -> datetime | None:
    """The time of a run that was asked the very same and was killed: going on with it gives the same version."""
    for run in runs(store)[:LOOK_BACK_RUNS]:
        entry = read(store, run)
        if entry.get("status") == "running" and entry.get("asked") == asked:
            return datetime.fromisoformat(entry["as_of"])
    return None
