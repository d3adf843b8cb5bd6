"""A table's rows a batch at a time, and the vectors that belong to them: what is published need not fit in memory at once.

Belongs here: rows and vectors on their way out. Does not belong here: what is made of a row (`tables`).
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

Rows = pl.DataFrame | pl.LazyFrame
ROWS_AT_ONCE = 65_536


def batches(rows: Rows) -> Iterator[pl.DataFrame]:
    """The rows in their order, so many at a time; one empty batch where there is none."""
    if isinstance(rows, pl.DataFrame):
        yield from rows.iter_slices(ROWS_AT_ONCE) if rows.height else [rows]
        return
    none = True
    for batch in rows.collect_batches(chunk_size=ROWS_AT_ONCE, maintain_order=True, lazy=True):
        none = none and not batch.height
        yield batch
    if none:
        yield rows.head(0).collect()


class Vectors:
    """Vectors by their id, from rows of `embedding_id` and `vector`, all of one dimension; with dimension 0 there are none.

    A frame stays in memory. Rows that are yet to be read are written, as they come, into a file beside `near`, of which only what is
    asked for is looked at.
    """

    def __init__(self, vectors: Rows, dimension: int, near: Path) -> None:
        self.dimension = dimension
        self._mapped: mmap.mmap | None = None
        if not dimension:
            self._ids, self._matrix = pl.Series(dtype=pl.String), np.zeros((0, 0), np.float32)
        elif isinstance(vectors, pl.LazyFrame):
            self._ids, self._matrix = self._spilled(vectors, near)
        else:
            self._ids, self._matrix = vectors.get_column("embedding_id"), _matrix(vectors, dimension)

    def places(self, ids: pl.Series) -> np.ndarray:
        """Where the vector of each id stands, `(n,)` of int64; -1 where there is none."""
        known = pl.DataFrame([self._ids.alias("embedding_id")]).with_row_index("place")
        found = pl.DataFrame([ids.alias("embedding_id")]).join(
            known, on="embedding_id", how="left", maintain_order="left"
        )
        return found.get_column("place").cast(pl.Int64).fill_null(-1).to_numpy()

    def column(self, places: np.ndarray) -> pa.Array:
        """The vectors at these places as a fixed list of 32-bit floats, null where there is none."""
        rows = self._matrix[np.maximum(places, 0)] if len(self._matrix) else np.zeros((len(places), self.dimension))
        if self._mapped is not None:
            # What was looked at is not wanted again soon: let go, or all of it counts as ours in the end.
            self._mapped.madvise(mmap.MADV_DONTNEED)
        values = pa.array(rows.astype(np.float32, copy=False).reshape(-1))
        return pa.FixedSizeListArray.from_arrays(values, self.dimension, mask=pa.array(places < 0))

    def _spilled(self, vectors: pl.LazyFrame, near: Path) -> tuple[pl.Series, np.ndarray]:
        ids: list[pl.Series] = []
        # Nobody sees the file: it has no name, and is gone with us.
        with TemporaryFile(dir=near) as file:
            for batch in batches(vectors.select("embedding_id", "vector")):
                ids.append(batch.get_column("embedding_id"))
                _matrix(batch, self.dimension).tofile(file)
            file.flush()
            self._mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if file.tell() else None
        values = np.frombuffer(self._mapped or b"", dtype=np.float32)
        return pl.concat(ids), values.reshape(-1, self.dimension)


def _matrix(vectors: pl.DataFrame, dimension: int) -> np.ndarray:
    values: Any = vectors.get_column("vector").explode().to_numpy() if vectors.height else np.zeros(0)
    return np.ascontiguousarray(values, dtype=np.float32).reshape(-1, dimension)
