"""Tables that this process has just read or written, kept so that nobody parses and checks the same bytes twice.

A night's stages, its audit and its release read the same few tables. What is kept is found by the hash of bytes that were read
from disk a moment before, so that nothing on disk is hidden by it. Belongs here: how much is kept. Does not belong here: files.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

import polars as pl

from models.table import Table

Key = tuple[str, type[Table]]
# A week's tables are a few MB. A large memory's do not fit and are read again, which costs time and no memory.
MOST_BYTES = 32 * 2**20


class Kept:
    """Frames by the sha256 of their bytes and the table they fit, the least lately used forgotten first."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._frames: OrderedDict[Key, tuple[pl.DataFrame, int]] = OrderedDict()
        self._n_bytes = 0
        self._lock = Lock()

    def find(self, sha256: str, table: type[Table]) -> pl.DataFrame | None:
        """The frame of these bytes as this table, where it is kept still."""
        with self._lock:
            found = self._frames.get((sha256, table))
            if found is None:
                return None
            self._frames.move_to_end((sha256, table))
            # A frame of its own over the same columns: to change one in place changes nobody else's.
            return found[0].clone()

    def keep(self, sha256: str, table: type[Table], frame: pl.DataFrame) -> None:
        """Keep a frame that fits the table; one larger than a quarter of all there is room for is not kept."""
        n_bytes = int(frame.estimated_size())
        with self._lock:
            if (sha256, table) in self._frames or n_bytes > self._most_bytes // 4:
                return
            self._frames[sha256, table] = (frame.clone(), n_bytes)
            self._n_bytes += n_bytes
            while self._n_bytes > self._most_bytes:
                self._n_bytes -= self._frames.popitem(last=False)[1][1]
