"""What it costs to take a history in: messages a CPU-second through capture and the first stages, and the memory of the extremes.

The input is made from a seed, and each measurement is a process of its own. Belongs here: what is measured, and the figures. Does not
belong here: clocks inside (`bench_probe`), what the messages say (`bench_input`).
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evals.bench import run
from evals.bench_input import PLATFORMS, SEED, Row, long_message, messages, write

N_MESSAGES = 1_000_000
N_SPEED, N_RUNS = 50_000, 3
N_SESSION = 100_000
MESSAGE_BYTES = 5_000_000


def measure(n_messages: int = N_MESSAGES) -> dict[str, Any]:
    """Speed, then a message and a session that are too long, then a history of `n_messages` read twice."""
    with TemporaryDirectory(prefix="slowwave-bench-") as folder:
        root = Path(folder)
        return {
            "messages_per_cpu_second": _speed(root),
            "n_messages_timed": N_SPEED,
            "long_message": {"bytes": MESSAGE_BYTES, **_extreme(root, "message", iter([long_message(MESSAGE_BYTES)]))},
            "long_session": {
                "n_messages": N_SESSION,
                **_extreme(root, "session", messages(N_SESSION, n_a_session=N_SESSION)),
            },
            "history": _history(root, n_messages),
            "seed": SEED,
        }


def _speed(root: Path) -> dict[str, int]:
    """The middle one of several runs. Segment is timed on a log without times, of which it embeds every turn."""
    timed = write(root / "timed.jsonl", messages(N_SPEED))
    untimed = write(root / "untimed.jsonl", map(_without_time, messages(N_SPEED)))
    cpu = _middle(root, timed)
    whole = _middle(root, untimed)
    return {
        "capture": round(N_SPEED / cpu["capture"]),
        "sift": round(N_SPEED / cpu["sift"]),
        "capture_and_sift": round(N_SPEED / (cpu["capture"] + cpu["sift"])),
        "with_segment": round(N_SPEED / sum(whole.values())),
    }


def _without_time(row: Row) -> Row:
    return {name: value for name, value in row.items() if name != "created_at"}


def _middle(root: Path, log: Path) -> dict[str, float]:
    """CPU-seconds of each step, each the median of the runs."""
    ran = [_probe("stages", root / f"{log.stem}-{i}", log)["cpu"] for i in range(N_RUNS)]
    return {name: statistics.median(one[name] for one in ran) for name in ran[0]}


def _extreme(root: Path, name: str, rows: Iterator[Row]) -> dict[str, float]:
    """Capture, sift and segment of something very long, without times, so that all of it is embedded."""
    log = write(root / f"{name}.jsonl", map(_without_time, rows))
    told = _probe("stages", root / name, log)
    return {
        "peak_mb_above_imports": round(told["peak_mb_above_imports"], 1),
        "cpu_seconds": round(sum(told["cpu"].values()), 2),
    }


def _history(root: Path, n_messages: int) -> dict[str, Any]:
    """Years of several platforms, captured, and then captured once more with nothing new."""
    logs = [_log(root, at, n_messages) for at in range(len(PLATFORMS))]
    first, second = (_told(_probe("capture", root / "history", *logs)) for _ in range(2))
    return {"n_messages": n_messages, "n_sources": len(logs), "first": first, "second": second}


def _log(root: Path, at: int, n_messages: int) -> Path:
    """One platform's share of the history."""
    n = n_messages // len(PLATFORMS) + (at < n_messages % len(PLATFORMS))
    return write(root / f"{PLATFORMS[at]}.jsonl", messages(n, PLATFORMS[at], seed=SEED + at))


def _told(told: dict[str, Any]) -> dict[str, Any]:
    rounded = {"seconds": 1, "cpu_seconds": 1, "peak_mb": 1, "peak_mb_above_imports": 1}
    return {"n_new": told["n_new"], "n_known": told["n_known"], **{k: round(told[k], n) for k, n in rounded.items()}}


def _probe(name: str, store: Path, *logs: Path) -> dict[str, Any]:
    arguments = [str(store), *(f"jsonl={log}" for log in logs)]
    found: dict[str, Any] = json.loads(run(["-m", "evals.bench_probe", name, *arguments]).told)
    return found
