"""Where and when a figure was measured: a number without its machine, load and versions says little.

Belongs here: what stands beside every figure. Does not belong here: any figure itself.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LIBRARIES = (
    "slowwave",
    "numpy",
    "polars",
    "pyarrow",
    "pylance",
    "lancedb",
    "wordllama",
    "tokenizers",
    "great-expectations",
)


def surroundings() -> dict[str, Any]:
    """The time, the source's commit, the machine, its load over 1, 5 and 15 minutes, and the versions of what did the work."""
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _commit(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "n_cpus": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "load_average": [round(load, 2) for load in os.getloadavg()],
        "versions": {name: found for name in LIBRARIES if (found := _version(name))},
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _commit() -> str:
    """The commit the source was at, with a plus where files had changed since; empty where there is no repository."""
    try:
        told = subprocess.run(
            ["git", "describe", "--always", "--dirty=+"], cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return told.stdout.strip()


def write_result(path: Path, command: str, before: dict[str, Any], figures: dict[str, Any]) -> None:
    """Write a result file: the command that anybody can run again, where and when it ran, and what came out."""
    path.parent.mkdir(parents=True, exist_ok=True)
    load = {"load_average_after": surroundings()["load_average"]}
    whole = {"command": command, "surroundings": {**before, **load}, "figures": figures}
    path.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {path}", file=sys.stderr)
