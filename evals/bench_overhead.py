"""What the pipeline itself costs: nights whose answers lie in the cache already and that make no vectors, after all imports.

Each conversation, and all of them as one, is walked once with the metered model to fill a cache; a process of its own then walks them again
from those answers.
Belongs here: both walks, and the figures. Does not belong here: a night with everything in it (`bench`).
"""

from __future__ import annotations

import gc
import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import slowwave
from evals import metered
from evals.bench import run
from evals.dataset import Conversation, conversations, read
from evals.probe import peak_mb
from flows.begin import Plan
from flows.road import consolidated
from flows.step import here

UNEMBEDDED: dict[str, Any] = {"embed": {"embedder": "none"}}
TOGETHER = "together.json"
WARM_AT = datetime(2026, 3, 2, tzinfo=UTC)


def measure(data: Path) -> dict[str, Any]:
    """CPU-seconds per 1,000 messages, and the peak over what the process held after its imports. Raises UsageError."""
    talks = conversations(data)
    with TemporaryDirectory(prefix="slowwave-overhead-") as folder:
        root = Path(folder)
        with metered.Model() as server:
            for talk in [*talks, together(talks, root / TOGETHER)]:
                _answered(talk, root, server.api_base)
            n_calls = len(server.requests)
            inside = json.loads(run(["-m", "evals.bench_overhead", str(data), folder, server.api_base]).told)
            n_more = len(server.requests) - n_calls
    n_messages = sum(len(talk.turns) for talk in talks)
    return {
        "cpu_seconds_per_1000_messages": round(1000 * inside["alone"] / n_messages, 2),
        "cpu_seconds_per_1000_messages_as_one_night": round(1000 * inside["together"] / n_messages, 2),
        "fixed_cpu_seconds_a_night": round(inside["fixed"], 2),
        "further_cpu_seconds_per_1000_messages": round(
            1000 * (inside["alone"] - len(talks) * inside["fixed"]) / n_messages, 2
        ),
        "peak_mb_above_imports": round(inside["peak_mb"] - inside["held_mb"], 1),
        "peak_mb_above_imports_as_one_night": round(inside["peak_mb_together"] - inside["held_mb"], 1),
        "mb_after_imports": round(inside["held_mb"], 1),
        "libraries_of_models_loaded": inside["loaded"],
        "calls_while_measured": n_more,
        "n_messages": n_messages,
        "n_nights": len(talks),
    }


def together(talks: Sequence[Conversation], file: Path) -> Conversation:
    """All conversations as one of the same form, its sessions in the order of time: a night of a thousand messages and more."""
    every = [session for talk in talks for session in _dated(json.loads(talk.path.read_text())["conversation"])]
    made: dict[str, Any] = {}
    for number, (_, began, turns) in enumerate(sorted(every, key=itemgetter(0)), 1):
        made[f"session_{number}_date_time"] = began
        made[f"session_{number}"] = [{**turn, "dia_id": f"D{number}:{at}"} for at, turn in enumerate(turns, 1)]
    file.write_text(json.dumps({"sample_id": file.stem, "conversation": made, "qa": []}), encoding="utf-8")
    return read(file)


def _dated(talk: Mapping[str, Any]) -> Iterator[tuple[datetime, str, list[dict[str, Any]]]]:
    for name, turns in talk.items():
        if isinstance(turns, list) and turns:
            began = talk[f"{name}_date_time"]
            yield datetime.strptime(began, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC), began, turns


def _answered(talk: Conversation, root: Path, api_base: str) -> None:
    """Walk a night once, and keep nothing of it but its answers."""
    store = root / f"{talk.path.stem}-first"
    _night(talk, store, api_base)
    shutil.copytree(store / "cache", root / talk.path.stem / "cache")
    shutil.rmtree(store)


def _night(talk: Conversation, store: Path, api_base: str) -> None:
    flags = {"night": {"model": metered.MODEL, "api_base": api_base}, **UNEMBEDDED}
    consolidated(Plan(store, (f"locomo={talk.path}",), talk.as_of, flags, trigger="eval"), here)


def inside(data: Path, root: Path, api_base: str) -> dict[str, Any]:
    """In the measured process: import all that a night imports, then walk them."""
    _short(root / "warm")
    fixed = _cpu(lambda: _short(root / "short"))
    talks, whole = conversations(data), read(root / TOGETHER)
    gc.collect()
    held = _held_mb()
    alone = _cpu(lambda: [_night(talk, root / talk.path.stem, api_base) for talk in talks])
    peak = peak_mb()
    gc.collect()
    _held_mb()
    one = _cpu(lambda: _night(whole, root / whole.path.stem, api_base))
    loaded = sorted({"litellm", "instructor"} & set(sys.modules))
    cpu = {"fixed": fixed, "alone": alone, "together": one}
    return {**cpu, "held_mb": held, "peak_mb": peak, "peak_mb_together": peak_mb(), "loaded": loaded}


def _cpu(walk: Callable[[], object]) -> float:
    began = time.process_time()
    walk()
    return time.process_time() - began


def _short(store: Path) -> None:
    """A night over one message: the first loads every library that a night needs, and the next is what any night costs."""
    store.mkdir()
    said = {"session_id": "s", "role": "user", "content": "I keep bees in Brno.", "created_at": "2026-03-01T10:00:00Z"}
    slowwave.record(store, [said])
    consolidated(Plan(store, (), WARM_AT, UNEMBEDDED, trigger="eval"), here)


def _held_mb() -> float:
    """What the process holds now, in MiB; the mark of the most it has held starts from there, where the system allows that."""
    clear = Path("/proc/self/clear_refs")
    if clear.is_file():
        clear.write_text("5")
    return peak_mb()


if __name__ == "__main__":
    print(json.dumps(inside(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])))
