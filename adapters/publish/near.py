"""An index over a table's vectors: partitions around centroids, scalar-quantised inside (IVF_SQ).

Below `INDEXED_FROM` rows a search looks at every vector, which is exact and costs no more. Centroids are found here and not by the
library, whose choice differs from run to run: the same table gets the same partitions, so that it answers the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

INDEXED_FROM = 10_000
ROWS_A_PARTITION = 400
MAX_PARTITIONS = 4096
# Nearest partitions are known well enough after few rounds over a part of the rows: 0.99 of the nearest hundred were found.
_ROUNDS, _ROWS_A_CENTROID = 5, 64
_ROWS_AT_ONCE = 8192


def index(dataset: Any, vectors: Any) -> None:
    """Index the column `vector`, which holds these rows; a null is in no partition."""
    if len(vectors) - vectors.null_count < INDEXED_FROM:
        return
    rows = _matrix(vectors.drop_null())
    centroids = partitions(rows, min(MAX_PARTITIONS, len(rows) // ROWS_A_PARTITION))
    dataset.create_index("vector", "IVF_SQ", metric="dot", num_partitions=len(centroids), ivf_centroids=centroids)


def partitions(rows: np.ndarray, n: int) -> np.ndarray:
    """`n` centroids of unit rows: Lloyd's rounds from rows taken at equal distances, over an even sample."""
    sample = rows[np.linspace(0, len(rows) - 1, min(len(rows), n * _ROWS_A_CENTROID)).astype(int)]
    centroids = sample[np.linspace(0, len(sample) - 1, n).astype(int)].copy()
    for _ in range(_ROUNDS):
        nearest = _nearest(sample, centroids)
        sums, counts = np.zeros_like(centroids), np.bincount(nearest, minlength=n)[:, None]
        np.add.at(sums, nearest, sample)
        # A centroid that nothing is nearest to would be an empty partition.
        centroids = (sums / np.maximum(counts, 1))[counts[:, 0] > 0]
        n = len(centroids)
    return centroids.astype(np.float32)


def _nearest(rows: np.ndarray, centroids: np.ndarray) -> np.ndarray:
    """The nearest centroid of each row; a part at a time, since of a million rows all products at once would be gigabytes."""
    parts = [rows[at : at + _ROWS_AT_ONCE] for at in range(0, len(rows), _ROWS_AT_ONCE)]
    return np.concatenate([np.argmax(part @ centroids.T, axis=1) for part in parts])


def _matrix(vectors: Any) -> np.ndarray:
    return np.asarray(vectors.flatten(), dtype=np.float32).reshape(len(vectors), -1)
