"""An index over a table's vectors: partitions around centroids, scalar-quantised inside (IVF_SQ).

Below `INDEXED_FROM` rows a search looks at every vector, which is exact and costs no more. Centroids are found here and not by the
library, whose choice differs from run to run: the same table gets the same partitions, so that it answers the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

INDEXED_FROM = 10_000
ROWS_A_PARTITION = 400
# Each row is compared with every centroid, so beyond some hundred thousand rows partitions grow instead of their number.
MAX_PARTITIONS = 512
# Nearest partitions are known well enough after few rounds over a part of the rows: 0.99 of the nearest hundred were found.
_ROUNDS, _ROWS_A_CENTROID = 5, 64
_ROWS_AT_ONCE = 8192


def index(dataset: Any, numbers: np.ndarray) -> None:
    """Index the column `vector`; `numbers` are the rows that have one, in order: the others are in no partition."""
    if len(numbers) < INDEXED_FROM:
        return
    n = min(MAX_PARTITIONS, len(numbers) // ROWS_A_PARTITION)
    some = numbers[_spread(len(numbers), n * _ROWS_A_CENTROID)]
    centroids = partitions(_matrix(dataset.take(some, columns=["vector"])["vector"].combine_chunks()), n)
    dataset.create_index("vector", "IVF_SQ", metric="dot", num_partitions=len(centroids), ivf_centroids=centroids)


def partitions(rows: np.ndarray, n: int) -> np.ndarray:
    """`n` centroids of unit rows: Lloyd's rounds from rows taken at equal distances, over an even sample."""
    sample = rows[_spread(len(rows), n * _ROWS_A_CENTROID)]
    centroids = sample[_spread(len(sample), n)].copy()
    for _ in range(_ROUNDS):
        nearest = _nearest(sample, centroids)
        sums, counts = np.zeros_like(centroids), np.bincount(nearest, minlength=n)[:, None]
        np.add.at(sums, nearest, sample)
        # A centroid that nothing is nearest to would be an empty partition.
        centroids = (sums / np.maximum(counts, 1))[counts[:, 0] > 0]
        n = len(centroids)
    return centroids.astype(np.float32)


def _spread(n_rows: int, n: int) -> np.ndarray:
    """The places of `n` rows at equal distances, of all where there are no more."""
    return np.linspace(0, n_rows - 1, min(n_rows, n)).astype(int)


def _nearest(rows: np.ndarray, centroids: np.ndarray) -> np.ndarray:
    """The nearest centroid of each row; a part at a time, since of a million rows all products at once would be gigabytes."""
    parts = [rows[at : at + _ROWS_AT_ONCE] for at in range(0, len(rows), _ROWS_AT_ONCE)]
    return np.concatenate([np.argmax(part @ centroids.T, axis=1) for part in parts])


def _matrix(vectors: Any) -> np.ndarray:
    return np.asarray(vectors.flatten(), dtype=np.float32).reshape(len(vectors), -1)
