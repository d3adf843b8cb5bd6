"""Partitions of a large table's vectors: the same each time, and nearly all of what a look at every vector finds."""

from __future__ import annotations

from pathlib import Path

import lance
import numpy as np
import pyarrow as pa

from adapters.publish import near

DIMENSION = 32


def _rows(n: int, seed: int = 1) -> np.ndarray:
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(60, DIMENSION))[draw.integers(0, 60, n)] + 0.5 * draw.normal(size=(n, DIMENSION))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def _table(rows: np.ndarray) -> pa.Table:
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), DIMENSION)
    return pa.table({"id": pa.array([str(i) for i in range(len(rows))]), "vector": vectors})


def test_the_same_rows_have_the_same_partitions_and_none_is_empty() -> None:
    rows = _rows(5_000)
    first, again = near.partitions(rows, 20), near.partitions(rows.copy(), 20)
    assert np.array_equal(first, again) and 2 <= len(first) <= 20
    assert len(set(np.argmax(rows @ first.T, axis=1).tolist())) == len(first)


def test_an_index_finds_nearly_all_that_every_vector_would(tmp_path: Path) -> None:
    rows = _rows(near.INDEXED_FROM)
    dataset = lance.write_dataset(_table(rows), str(tmp_path / "t.lance"))
    near.index(dataset, np.arange(len(rows)))
    found = lance.dataset(str(tmp_path / "t.lance"))
    assert [index.index_type for index in found.describe_indices()] == ["IVF_SQ"]
    shares: list[float] = []
    for asked in _rows(10, seed=2):
        search = {"column": "vector", "q": asked, "k": 50, "metric": "dot", "nprobes": 8}
        got = found.scanner(columns=["id", "_distance"], nearest=search).to_table()["id"].to_pylist()
        shares.append(len({int(str(i)) for i in got} & set(np.argsort(-(rows @ asked))[:50].tolist())) / 50)
    assert np.mean(shares) >= 0.9


def test_a_small_table_is_looked_at_whole(tmp_path: Path) -> None:
    rows = _rows(near.INDEXED_FROM - 1)
    dataset = lance.write_dataset(_table(rows), str(tmp_path / "t.lance"))
    near.index(dataset, np.arange(len(rows)))
    assert dataset.describe_indices() == []
