"""How one table is searched: rows by their words, rows near a vector, and rows by number, from disk or from memory.

A row's number is its place in the table. Both ways find the same: full text is always the table's own index, so that a question is cut
into words as the texts were, and a table that is held in memory has its vectors looked at as they stand. Belongs here: finding and
reading rows. Does not belong here: which tables there are (`tables`), and what a hit is worth (`slowwave.rank`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import islice
from typing import Any

from slowwave.rows import PACKED, plain_rows, unpack

Row = dict[str, Any]
# Unit vectors as numpy has them, `(n, dimension)` of float32; numpy is not there before the first question.
Matrix = Any
# A search among the rows that meet a condition, to a depth: numbers with what tells them apart, best first.
Search = Callable[[str | None, int], dict[int, float]]
# Partitions of a large table's vectors that are looked at; a small table has none, and all of it is looked at. Those of a very
# large one hold many rows, and half as many of them are enough.
N_PARTITIONS, N_LARGE_PARTITIONS, LARGE_ROWS = 8, 4, 1_000_000
# A row as it is packed, and beside its vector in memory; no more than a guess.
ROW_BYTES = 1024
# Rows that stay unpacked, and conditions whose rows stay known: of an agent that asks on, most are asked for again.
_N_UNPACKED, _N_CONDITIONS = 4096, 8


class Stored:
    """A table that stays on disk: its indexes are searched, and of its rows those that were found are read."""

    uses_indexes = True

    def __init__(self, dataset: Any, shape: type) -> None:
        self._dataset, self._shape = dataset, shape
        names: list[str] = dataset.schema.names
        # A table that was written before rows were packed is read column by column.
        self._columns = [PACKED] if PACKED in names else [n for n in names if n not in ("vector", "search_text")]
        self._starts, self._n_rows = _starts(dataset)
        self._conditions = _Conditions(self._met)

    def by_words(self, text: str, where: str | None, depth: int) -> dict[int, float]:
        """The `depth` rows that the words find best, by number, with their BM25 scores, best first."""
        from lance.query import MatchQuery

        def search(where: str | None, depth: int) -> dict[int, float]:
            query = MatchQuery(text, "search_text")
            found = self._scan(["_rowid", "_score"], where, full_text_query=query, limit=depth)
            scored = zip(self._numbers(found), found["_score"].to_pylist(), strict=True)
            return dict(sorted(scored, key=lambda one: (-one[1], one[0])))

        return self._first(search, where, depth)

    def by_vector(self, vector: Any, where: str | None, depth: int) -> list[int]:
        """The `depth` rows whose vectors are nearest, by number; rows without a vector are not among them."""

        def search(where: str | None, depth: int) -> dict[int, float]:
            n_probes = N_PARTITIONS if self._n_rows <= LARGE_ROWS else N_LARGE_PARTITIONS
            near = {"column": "vector", "q": vector, "k": depth, "metric": "dot", "nprobes": n_probes}
            near["use_index"] = self.uses_indexes
            found = self._scan(["_rowid", "_distance"], where, nearest=near)
            return dict(zip(self._numbers(found), found["_distance"].to_pylist(), strict=True))

        return list(self._first(search, where, depth))

    def read(self, numbers: list[int], *, has_vectors: bool) -> tuple[list[Row], Matrix]:
        """Whole rows in the order of their numbers, and their vectors, or None; a row without one has zeros."""
        columns = [*self._columns, *(["vector"] if has_vectors else [])]
        found = self._dataset.take(numbers, columns=columns)
        return self._rows(found), matrix(found["vector"].combine_chunks()) if has_vectors else None

    def of_ids(self, ids: Iterable[str], quoted: str) -> list[Row]:
        """Whole rows by id, which `quoted` lists as a filter does."""
        return self._rows(self._scan(self._columns, f"id IN ({quoted})"))

    def some(self, where: str, limit: int) -> list[Row]:
        """Up to `limit` whole rows that meet a condition."""
        return self._rows(self._scan(self._columns, where, limit=limit))

    def _first(self, search: Search, where: str | None, depth: int) -> dict[int, float]:
        """What a search finds first among the rows that meet a condition.

        Few rows are ever kept out, so where it is known which, a search that goes on a little costs less than one that has to ask.
        """
        let = None if where is None else self._conditions.met(where)
        if where is None or let is None or let.all():
            return search(where if let is None else None, depth)
        found = search(None, depth + depth // 4)
        kept = {number: score for number, score in found.items() if let[number]}
        if len(kept) < depth and len(found) == depth + depth // 4:
            return search(where, depth)
        return dict(islice(kept.items(), depth))

    def _met(self, where: str) -> Any:
        """Which rows meet a condition, `(n_rows,)` of bool."""
        import numpy as np

        let = np.zeros(self._n_rows, dtype=bool)
        let[self._numbers(self._scan(["_rowid"], where))] = True
        return let

    def _rows(self, found: Any) -> list[Row]:
        if self._columns != [PACKED]:
            return plain_rows(found.select(self._columns))
        return [unpack(self._shape, text) for text in found[PACKED].to_pylist()]

    def _scan(self, columns: list[str], where: str | None, **search: Any) -> Any:
        return self._scanner(columns, where, **search).to_table()

    def _scanner(self, columns: list[str], where: str | None, **search: Any) -> Any:
        indexes = {} if self.uses_indexes else {"use_scalar_index": False}
        return self._dataset.scanner(columns=columns, filter=where, prefilter=True, **indexes, **search)

    def _numbers(self, found: Any) -> list[int]:
        """Numbers of rows by Lance's addresses: the fragment above, the place in it below."""
        addresses = found["_rowid"].to_numpy().astype("int64")
        return (self._starts[addresses >> 32] + (addresses & 0xFFFFFFFF)).tolist()


class Held(Stored):
    """A table that is held in memory, packed, with its vectors: its full-text index alone is asked of Lance."""

    def __init__(self, dataset: Any, shape: type) -> None:
        super().__init__(dataset, shape)
        has_vectors = "vector" in dataset.schema.names
        table = dataset.to_table(columns=["id", PACKED, *(["vector"] if has_vectors else [])])
        self._packed = table[PACKED].combine_chunks()
        self._places = {key: number for number, key in enumerate(table["id"].to_pylist())}
        self._vectors: Matrix = matrix(table["vector"].combine_chunks()) if has_vectors else None
        self._has_vector: Any = ~nulls(table["vector"].combine_chunks()) if has_vectors else None
        self._row = lru_cache(_N_UNPACKED)(self._unpacked)

    def by_vector(self, vector: Any, where: str | None, depth: int) -> list[int]:
        import numpy as np

        if self._vectors is None:
            return []
        let = True if where is None else self._conditions.met(where, at_once=True)
        numbers = np.flatnonzero(self._has_vector & let)
        # Not `@`: its threads wait for one another longer than a matrix of this size takes.
        cosines = np.einsum("ij,j->i", self._vectors, vector)[numbers]
        if depth < len(numbers):
            best = cosines >= np.partition(cosines, -depth)[-depth]
            numbers, cosines = numbers[best], cosines[best]
        return numbers[np.lexsort((numbers, -cosines))][:depth].tolist()

    def read(self, numbers: list[int], *, has_vectors: bool) -> tuple[list[Row], Matrix]:
        vectors = self._vectors[numbers] if has_vectors and self._vectors is not None else None
        return [self._row(number) for number in numbers], vectors

    def of_ids(self, ids: Iterable[str], quoted: str) -> list[Row]:
        return [self._row(self._places[key]) for key in ids if key in self._places]

    def _unpacked(self, number: int) -> Row:
        return unpack(self._shape, self._packed[number].as_py())


class _Conditions:
    """Which rows meet the conditions that are asked for again and again: a table's own, but for a few."""

    def __init__(self, met: Callable[[str], Any]) -> None:
        self._met = met
        self._known: dict[str, Any] = {}

    def met(self, where: str, *, at_once: bool = False) -> Any:
        """Rows that meet a condition; None where it is asked for the first time, which a search does as well itself."""
        if where not in self._known and len(self._known) >= _N_CONDITIONS:
            self._known = {}
        known = self._known.get(where)
        if known is None and (at_once or where in self._known):
            known = self._met(where)
        self._known[where] = known
        return known


def _starts(dataset: Any) -> tuple[Any, int]:
    """The number of each fragment's first row, by the fragment's id; and how many rows there are."""
    import numpy as np

    sizes = {fragment.fragment_id: fragment.count_rows() for fragment in dataset.get_fragments()}
    starts = np.zeros(max(sizes, default=0) + 1, dtype=np.int64)
    at = 0
    for key in sizes:
        starts[key], at = at, at + sizes[key]
    return starts, at


def matrix(column: Any) -> Matrix:
    """Vectors as rows of 32-bit floats, zeros where a row has none."""
    import numpy as np

    made = np.array(column.values, dtype=np.float32).reshape(len(column), -1) if len(column) else np.zeros((0, 1))
    made[nulls(column)] = 0
    return made


def nulls(column: Any) -> Any:
    """Which rows of a column are null."""
    import numpy as np

    return np.asarray(column.is_null())
