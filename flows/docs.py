"""Data Docs in a run's folder: when they are made, and where. How they look is `expectations.docs`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adapters.files import write_bytes
from expectations.docs import pages
from expectations.night import TABLES
from slowwave.errors import UsageError

FOLDER = "docs"


def are_wanted(when: str, run: Mapping[str, Any]) -> bool:
    """Whether a night makes them by itself, as `reports.data_docs` says."""
    listed = (run.get("promises") or {}).get("promises") or []
    is_broken = any(not promise["is_kept"] for promise in listed)
    return bool(listed) and (when == "always" or (when == "broken" and is_broken))


def make(store: Path, run: Mapping[str, Any]) -> Path:
    """Write the Data Docs of a run by its ledger; returns their first page. Raises UsageError where it was never audited."""
    if not (run.get("promises") or {}).get("promises"):
        raise UsageError(
            f"the run {run.get('run', '')} was never put before its promises",
            "Name one that was published, held or refused: slowwave log names the runs of versions.",
        )
    folder = store / "runs" / str(run["run"]) / FOLDER
    for name, page in pages(run, list(TABLES)).items():
        write_bytes(folder / name, page.encode())
    return folder / "index.html"
