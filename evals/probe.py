"""What is measured from inside a process of its own: a whole night, a flush, or a reader's first and later answers.

`python -m evals.probe night|flush|reader ...` prints one JSON object. Belongs here: clocks inside the process. Does not belong here: what
its parent sees of it (`bench`). The standard library alone, so that whatever else is loaded is part of what is measured.
"""

from __future__ import annotations

import builtins
import importlib
import json
import resource
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

K = 10


class ImportClock:
    """Sums the time of outermost imports on the main thread: what a process does before it does its work."""

    def __init__(self) -> None:
        self.wall = self.cpu = 0.0
        self._is_inside = False
        builtins.__import__ = self._timed(builtins.__import__)
        importlib.import_module = self._timed(importlib.import_module)

    def _timed(self, load: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **named: Any) -> Any:
            if self._is_inside or threading.current_thread() is not threading.main_thread():
                return load(*args, **named)
            self._is_inside, wall, cpu = True, time.perf_counter(), time.process_time()
            try:
                return load(*args, **named)
            finally:
                self.wall += time.perf_counter() - wall
                self.cpu += time.process_time() - cpu
                self._is_inside = False

        return timed


def command(*argv: str) -> dict[str, Any]:
    """One command; what was CPU before this module ran is the interpreter's own start."""
    boot_cpu, began = time.process_time(), time.perf_counter()
    clock = ImportClock()
    main = importlib.import_module("slowwave.cli").main
    status = main(list(argv))
    wall, cpu = time.perf_counter() - began, time.process_time()
    return {
        "exit_status": status,
        "work_wall": wall - clock.wall,
        "work_cpu": cpu - boot_cpu - clock.cpu,
        "peak_mb": peak_mb(),
    }


def reader(store: str, questions: str, at: str) -> dict[str, Any]:
    """A reader's first recall, with all that it loads, and each later one, in seconds of wall and CPU."""
    asked: list[str] = json.loads(Path(questions).read_text(encoding="utf-8"))
    import slowwave

    opened = slowwave.open(store)
    opened.snapshot()
    shown = time.perf_counter()
    opened.snapshot()
    ready = time.perf_counter()
    from datetime import datetime

    when = datetime.fromisoformat(at)
    opened.recall(asked[0], K, at=when)
    first = time.perf_counter()
    later = [_timed(lambda text=text: opened.recall(text, K, at=when)) for text in asked[1:]]
    walls, cpus = [w for w, _ in later], [c for _, c in later]
    return {"snapshot": ready - shown, "first": first - ready, "wall": walls, "cpu": cpus, "peak_mb": peak_mb()}


def peak_mb() -> float:
    """The most memory this process has held, in MiB."""
    # The system's own maximum starts from what the parent held when it started this process; this one does not.
    return _held("VmHWM")


def memory_mb() -> float:
    """The memory this process holds now, in MiB; where the system does not say, the most it has held."""
    return _held("VmRSS")


def _held(name: str) -> float:
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(line for line in status.read_text().splitlines() if line.startswith(f"{name}:"))
        return int(line.split()[1]) / 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1024**2 if sys.platform == "darwin" else most / 1024


def _timed(call: Callable[[], Any]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - wall, time.process_time() - cpu


if __name__ == "__main__":
    ways = {"night": ("night", "--plain", "--quiet"), "flush": ("flush",)}
    told = command(*ways[sys.argv[1]], *sys.argv[2:]) if sys.argv[1] in ways else reader(*sys.argv[2:5])
    print(json.dumps(told))
