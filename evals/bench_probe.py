"""What `bench capture` measures from inside a process of its own: `python -m evals.bench_probe capture|stages STORE SOURCE...`.

Everything is imported and warm before the clock starts, and each process prints one JSON object. Belongs here: clocks around capture
and the first two stages. Does not belong here: the input (`bench_input`), and the figures that are made of this (`bench_capture`).
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from evals.bench_input import messages, write
from evals.probe import memory_mb, peak_mb
from flows.part import capture_part, captured, walk_part

AS_OF = datetime(2100, 1, 1, tzinfo=UTC)
N_WARM = 200
T = TypeVar("T")


class Clock:
    """CPU-seconds of everything that was run by it, by name, all threads of this process together."""

    def __init__(self) -> None:
        self.cpu: dict[str, float] = {}

    def __call__(self, name: str, work: Callable[[], T]) -> T:
        began = time.process_time()
        made = work()
        self.cpu[name] = time.process_time() - began
        return made


def capture(store: str, *sources: str) -> dict[str, Any]:
    """Capture alone: for histories that no night reads at one time."""
    clock = Clock()
    began = time.perf_counter()
    got = clock("capture", lambda: capture_part(Path(store), sources))
    wall = time.perf_counter() - began
    return {"n_new": got.n_new, "n_known": got.n_known, "seconds": wall, "cpu_seconds": clock.cpu["capture"]}


def stages(store: str, *sources: str) -> dict[str, Any]:
    """Capture, then sift over what was captured, then segment with the static embedder. Reading the snapshots is part of sift."""
    clock = Clock()
    clock("capture", lambda: capture_part(Path(store), sources))
    kept = clock("sift", lambda: _sifted(Path(store)))
    topics = clock("segment", lambda: _segmented(kept))
    return {"cpu": clock.cpu, "n_turns": len(kept), "n_topics": len(topics)}


def _sifted(store: Path) -> Any:
    given = {"begin.messages": captured(store)}
    return walk_part(given, start="sift", stop="sift", as_of=AS_OF)["sift.turns"]


def _segmented(turns: Any) -> Any:
    given = {"sift.turns": turns}
    return walk_part(given, start="segment", stop="segment", as_of=AS_OF, embedder="static")["segment.topics"]


def warm() -> None:
    """Load whatever loads late: detectors, weights, compiled patterns."""
    with TemporaryDirectory(prefix="slowwave-bench-") as folder:
        log = write(Path(folder) / "warm.jsonl", messages(N_WARM))
        stages(str(Path(folder) / "store"), f"jsonl={log}")


def main(name: str, store: str, *sources: str) -> dict[str, Any]:
    """Measure one thing, and what memory it took above what the warm process held."""
    warm()
    before = memory_mb()
    found = {"capture": capture, "stages": stages}[name](store, *sources)
    return {**found, "peak_mb": peak_mb(), "peak_mb_above_imports": peak_mb() - before}


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
