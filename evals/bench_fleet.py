"""What a store of a fleet costs: many small stores with twenty new messages each, walked one after another in one process.

CPU is all that the process was charged with after its imports, memory is looked at on the way; Prefect's part is the same fleet as a flow,
less the plain walk, server included. Belongs here: the made stores, and the figures. Does not belong here: the walk (`flows.fleet`).
"""

from __future__ import annotations

import json
import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import slowwave
from evals.bench import run
from evals.probe import memory_mb, peak_mb
from flows.fleet import Walked, stores_of, walk_shard
from slowwave.errors import SlowwaveError

N_STORES, N_MESSAGES, N_OF_FLOW = 200, 20, 30
AS_OF = datetime(2026, 3, 2, 3, tzinfo=UTC)
_SAID = (
    *("I moved to {} last week.", "The gallery wants twelve bowls by Friday.", "I prefer green tea in the morning."),
    *("My sister {} lives in Porto and plays the viola.", "Remind me about the inspection on 3 March."),
    *("We decided to ship the order by courier.", "Noted.", "The meeting with {} moved to Thursday at ten."),
)
_NAMES = ("Lisbon", "Ines", "Rui", "Ghent", "Marta", "Oslo", "Tariq")


def measure(n_stores: int) -> dict[str, Any]:
    """CPU-seconds a store, memory on the way, and what Prefect adds. Raises SlowwaveError where a store fails."""
    with TemporaryDirectory(prefix="slowwave-fleet-") as folder:
        root = Path(folder)
        fill(root / "fleet", n_stores + 1)
        inside = json.loads(run(["-m", "evals.bench_fleet", "plain", str(root / "fleet")]).told)
        os.environ["PREFECT_HOME"] = str(root / "prefect")
        spent: dict[str, float] = {}
        for way in ("plain", "flow"):
            fill(root / way, N_OF_FLOW)
            spent[way] = run(["-m", "evals.bench_fleet", way, str(root / way)]).cpu_seconds
    added = spent["flow"] - spent["plain"]
    return {
        **inside,
        "n_messages_a_store": N_MESSAGES,
        "prefect_cpu_seconds_a_fleet": round(added, 1),
        "prefect_cpu_ms_a_store_of_this_fleet": round(1000 * added / n_stores, 1),
        "prefect_cpu_ms_a_store_of_10000": round(1000 * added / 10_000, 2),
    }


def fill(fleet: Path, n_stores: int) -> None:
    """Make stores in which nothing was walked yet, each with its own messages in its inbox."""
    for number in range(n_stores):
        store = fleet / f"owner-{number:05}"
        store.mkdir(parents=True)
        slowwave.record(store, [_said(number, at) for at in range(N_MESSAGES)])


def _said(number: int, at: int) -> dict[str, Any]:
    text = _SAID[(number + at) % len(_SAID)].format(_NAMES[(number * 3 + at) % len(_NAMES)])
    role = "assistant" if text == "Noted." else "user"
    when = f"2026-03-01T{9 + at // 10:02}:{at % 10 * 5:02}:00Z"
    return {"session_id": "s", "message_id": f"m{at}", "role": role, "content": text, "created_at": when}


def plain(fleet: Path) -> dict[str, Any]:
    """In the measured process: a first store, for all that is imported, then each other one."""
    first, *others = stores_of(fleet)
    walked = walk_shard([first], AS_OF)
    held, looks = memory_mb(), list[float]()
    wall, cpu = time.perf_counter(), time.process_time()
    for at, store in enumerate(others, 1):
        walked += walk_shard([store], AS_OF)
        if at * 4 % max(len(others), 1) < 4:
            looks.append(round(memory_mb(), 1))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    _require_published(walked)
    n = max(len(others), 1)
    told = {
        "cpu_ms_a_store": round(1000 * cpu / n, 1),
        "wall_ms_a_store": round(1000 * wall / n, 1),
        "n_stores": len(others),
    }
    return {**told, "mb_after_the_first": round(held, 1), "mb_by_quarter": looks, "peak_mb": round(peak_mb(), 1)}


def flow(fleet: Path) -> dict[str, Any]:
    """The same as a Prefect flow, with a server of its own."""
    from flows.fleet_flow import nightly

    state = nightly(str(fleet), n_shards=8, runner="threads", workers=1, return_state=True)
    if state.name != "Completed":
        raise SlowwaveError(f"the fleet's flow ended {state.name}: {state.message}", "Look at the stores it names.")
    return {}


def _require_published(walked: list[Walked]) -> None:
    ill = [one for one in walked if one.status != "published"]
    if ill:
        raise SlowwaveError(f"{ill[0].store} ended {ill[0].status}: {ill[0].error}", ill[0].hint or "Look at its run.")


if __name__ == "__main__":
    print(json.dumps({"plain": plain, "flow": flow}[sys.argv[1]](Path(sys.argv[2]))))
