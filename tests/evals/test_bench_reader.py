"""The reader's bench: a made store that answers, and figures by the names that a reader of them expects."""

from __future__ import annotations

from pathlib import Path

import slowwave
from evals import bench_reader, made_store


def test_a_made_store_is_the_same_each_time_and_answers(tmp_path: Path) -> None:
    found: list[list[str]] = []
    for name in ("one", "two"):
        made_store.publish(tmp_path / name, 60)
        reader = slowwave.open(tmp_path / name)
        assert {n: reader.manifest.tables[n].rows for n in ("memories", "turns")} == {"memories": 60, "turns": 300}
        found.append([one.id for one in reader.recall(made_store.questions(1)[0], at=made_store.AS_OF)])
    assert found[0] == found[1] and len(found[0]) == 10


def test_the_figures_have_their_names() -> None:
    told = bench_reader.measure([50])
    named = {"import_ms", "open_ms", "snapshot_ms", "first_recall_ms", "recall_p50_ms", "recall_p99_ms", "rss_mb"}
    assert named <= told.keys()
    # What is the difference of two starts may come out below nothing on a busy machine.
    assert all(told[name] > 0 for name in ("first_recall_ms", "recall_p50_ms", "rss_mb"))
    assert told["recall_p50_ms"] <= told["recall_p99_ms"] and [size["memories"] for size in told["sizes"]] == [50]
