"""What a reader costs by the size of its store: each measure in a process of its own, over a made store.

Belongs here: sizes, and what the figures are called. Does not belong here: the store (`made_store`), clocks inside (`probe`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evals import made_store
from evals.bench import run, spread, starts
from evals.probe import peak_mb

SIZES = (800, 100_000)
N_QUESTIONS = 201


def measure(sizes: Sequence[int] = SIZES) -> dict[str, Any]:
    """Figures of the largest store by name, and all of them by size: milliseconds, and MiB of the reader's process."""
    figures = [_measured(n) for n in sizes]
    return {**figures[-1], "sizes": figures}


def _measured(n: int) -> dict[str, Any]:
    with TemporaryDirectory(prefix="slowwave-bench-") as folder:
        store, asked = Path(folder) / "store", Path(folder) / "questions.json"
        built = run(["-m", "evals.bench_reader", str(store), str(n)])
        asked.write_text(json.dumps(made_store.questions(N_QUESTIONS)), encoding="utf-8")
        ran = run(["-m", "evals.probe", "reader", str(store), str(asked), made_store.AS_OF.isoformat()])
        inside = json.loads(ran.told)
        begun = starts(store)
    return {
        "memories": n,
        "turns": n * made_store.TURNS_A_MEMORY,
        "publish_seconds": round(built.wall_seconds, 1),
        "publish_peak_mb": json.loads(built.told)["peak_mb"],
        "import_ms": begun["import_ms"],
        "open_ms": round(begun["import_and_open_ms"] - begun["import_ms"], 1),
        "snapshot_ms": round(inside["snapshot"] * 1000, 1),
        "first_recall_ms": round(inside["first"] * 1000, 1),
        **spread("recall", inside["cpu"]),
        **spread("recall_wall", inside["wall"]),
        "rss_mb": round(inside["peak_mb"], 1),
    }


if __name__ == "__main__":
    import sys

    made_store.publish(Path(sys.argv[1]), int(sys.argv[2]))
    print(json.dumps({"peak_mb": round(peak_mb(), 1)}))
