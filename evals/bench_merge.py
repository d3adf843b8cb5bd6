"""What the semantics of memory cost by size: link to reinforce over made claims, each night in a process of its own.

`python -m evals.bench_merge settle|news FOLDER MEMORIES CLAIMS` walks one night and prints one JSON object: `settle` is a first night that
settles a whole life and leaves its state in the folder; `news` is the next one over that state. Belongs here: sizes and clocks. Does
not belong here: the claims (`lives`).
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from evals.bench import run
from evals.lives import END, claims
from evals.probe import peak_mb
from flows.part import walk_part

SEED = 1
# Claims and matters for one memory: some matters are never drawn, some are told several times, some come to be again.
CLAIMS_A_MEMORY, MATTERS_A_MEMORY = 1.6, 1.35
SIZES = ((100_000, (1_000,)), (1_000_000, (1_000, 50_000)))
STATE = {
    "known.claims": "link.claims",
    "known.memories": "reinforce.memories",
    "known.settled": "reconcile.settled",
    "known.verdicts": "reconcile.verdicts",
}


def measure(sizes: Sequence[tuple[int, Sequence[int]]] = SIZES) -> dict[str, Any]:
    """For every size a first night, and a second one for each number of new claims: seconds, CPU-seconds and MiB."""
    figures: list[dict[str, Any]] = []
    for memories, news in sizes:
        with TemporaryDirectory(prefix="slowwave-bench-") as folder:
            figures.append(_told("settle", folder, memories, int(memories * CLAIMS_A_MEMORY)))
            figures += [_told("news", folder, memories, n) for n in news]
    return {"sizes": figures}


def _told(night: str, folder: str, memories: int, n: int) -> dict[str, Any]:
    return json.loads(run(["-m", "evals.bench_merge", night, folder, str(memories), str(n)]).told)


def settle(folder: Path, memories: int, n: int) -> dict[str, Any]:
    """The first night of a life of `n` claims; what it leaves is written into the folder."""
    made, figures = _walked({}, _claims(memories, n))
    for known, name in STATE.items():
        made[name].write_parquet(folder / f"{known}.parquet")
    return figures


def news(folder: Path, memories: int, n: int) -> dict[str, Any]:
    """The night after it, with `n` new claims."""
    known = {name: pl.scan_parquet(folder / f"{name}.parquet") for name in STATE}
    return _walked(known, _claims(memories, n, first=_height(known["known.claims"])))[1]


def _height(rows: pl.LazyFrame) -> int:
    return int(rows.select(pl.len()).collect().item())


def _claims(memories: int, n: int, first: int = 0) -> pl.DataFrame:
    return claims(n, seed=SEED, memories=int(memories * MATTERS_A_MEMORY), first=first)


def _walked(known: dict[str, pl.LazyFrame], told: pl.DataFrame) -> tuple[dict[str, pl.DataFrame], dict[str, Any]]:
    """One night from link to reinforce, which reads the state as it goes. All that it makes is held till its end, and not written."""
    wall, cpu = time.perf_counter(), time.process_time()
    made = walk_part({**known, "extract.claims": told}, start="link", stop="reinforce", as_of=END)
    return made, {
        "memories_before": _height(known["known.memories"]) if known else 0,
        "claims_before": _height(known["known.claims"]) if known else 0,
        "new_claims": told.height,
        "memories_worked_on": made["merge.memories"].height,
        "memories_after": made["reinforce.memories"].height,
        "seconds": round(time.perf_counter() - wall, 1),
        "cpu_seconds": round(time.process_time() - cpu, 1),
        "peak_mb": round(peak_mb()),
    }


NIGHTS: dict[str, Callable[[Path, int, int], dict[str, Any]]] = {"settle": settle, "news": news}

if __name__ == "__main__":
    print(json.dumps(NIGHTS[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))))
