"""Published Lance tables as a reader sees them: opened once, searched by words and by vector, looked up by id.

Belongs here: everything that touches lance. Does not belong here: what a hit is worth (`slowwave.rank`).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from slowwave.errors import VersionGone
from slowwave.format import PUBLISHED, Manifest
from slowwave.rows import decode

T = TypeVar("T")
KIND_DEPTH = 100
# Partitions of a large table's vectors that are looked at; a small table has none, and all of it is looked at.
N_PARTITIONS = 8
# A question is a question, not a document: the rest would only slow the search.
MAX_QUERY_CHARS = 4000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass
class Hit:
    """A row that an arm found: its few columns for ranking, its BM25 score and its cosine."""

    table: str
    row: dict[str, Any]
    bm25: float = 0.0
    cosine: float = 0.0
    vector: Any = field(default=None, repr=False)

    @property
    def id(self) -> str:
        return self.row["id"]


class Tables:
    """The tables of one version. Raises VersionGone where one is no longer there."""

    def __init__(self, store: Path, manifest: Manifest) -> None:
        self._store, self._manifest = store, manifest
        self._open: dict[str, Any] = {}

    def n_rows(self, name: str) -> int:
        """Rows of a table; none where the version was made before there was such a table."""
        return self._manifest.tables[name].rows if name in self._manifest.tables else 0

    def search(
        self, name: str, query: str, vector: Any, where: str | None, columns: list[str], depth: int
    ) -> list[Hit]:
        """Rows that the words or the vector find among those that `where` lets through; both measures on each.

        The words nominate up to `depth` rows and the vector half as many. `vector` is None for full text only. Any text is a
        query: what full text can't read, it does not find.
        """
        if not self.n_rows(name):
            return []
        wanted = ["id", *columns, *(["vector"] if vector is not None else [])]
        arms = [self._by_words(name, query, where, wanted, depth)]
        arms += [self._by_vector(name, vector, where, wanted, depth // 2)] if vector is not None else []
        hits: dict[str, Hit] = {}
        for hit in (hit for found in arms for hit in _hits(name, found, vector)):
            hits.setdefault(hit.id, hit)
        return list(hits.values())

    def some(self, name: str, where: str, columns: list[str]) -> list[Hit]:
        """Up to `KIND_DEPTH` rows that meet a condition, whatever their words."""
        return [Hit(name, row) for row in self.light(name, where, ["id", *columns], KIND_DEPTH)]

    def light(self, name: str, where: str, columns: Iterable[str], limit: int) -> list[dict[str, Any]]:
        """A few plain columns of up to `limit` rows that meet a condition."""
        return _plain(self._scan(name, list(columns), where, limit=limit)) if self.n_rows(name) else []

    def _by_words(self, name: str, query: str, where: str | None, columns: list[str], depth: int) -> Any:
        from lance.query import MatchQuery

        text = query[:MAX_QUERY_CHARS].encode("utf-8", "replace").decode()
        scan: dict[str, Any] = {"full_text_query": MatchQuery(text, "search_text"), "limit": depth}
        return self._scan(name, [*columns, "_score"], where, **scan)

    def _by_vector(self, name: str, vector: Any, where: str | None, columns: list[str], depth: int) -> Any:
        near = {"column": "vector", "q": vector, "k": depth, "metric": "dot", "nprobes": N_PARTITIONS}
        return self._scan(name, [*columns, "_distance"], where, nearest=near)

    def by_ids(self, name: str, shape: type[T], ids: Iterable[str]) -> dict[str, T]:
        """Whole rows by id; an id that is not there is left out."""
        wanted = sorted(set(ids))
        if not wanted or not self.n_rows(name):
            return {}
        return {getattr(row, "id"): row for row in self.where(name, shape, f"id IN ({', '.join(map(quoted, wanted))})")}  # noqa: B009

    def where(self, name: str, shape: type[T], condition: str | None = None) -> list[T]:
        """Whole rows that meet a condition, by id. A column that a version made before does not have takes its default."""
        if name not in self._manifest.tables:
            return []
        there = self._columns(name)
        columns = [column.name for column in fields(PUBLISHED[name]) if column.name in there]
        rows = self._scan(name, columns, condition).to_pylist()
        return [decode(shape, row) for row in sorted(rows, key=lambda row: row[columns[0]])]

    def rows(self, name: str, columns: list[str], condition: str | None = None) -> list[dict[str, Any]]:
        """Some columns of all rows, or of those that meet a condition; a column that is not there is null in every row."""
        if not self.n_rows(name):
            return []
        there = [column for column in columns if column in self._columns(name)]
        missing = dict.fromkeys(set(columns) - set(there))
        return [{**missing, **row} for row in self._scan(name, there, condition).to_pylist()]

    def has(self, name: str, column: str) -> bool:
        """Whether a table has a column: one that a version made before did not know is not there."""
        return bool(self.n_rows(name)) and column in self._columns(name)

    def _columns(self, name: str) -> set[str]:
        with self._gone(name):
            return set(self._dataset(name).schema.names)

    def _scan(self, name: str, columns: list[str], where: str | None, **search: Any) -> Any:
        with self._gone(name):
            dataset = self._dataset(name)
            return dataset.scanner(columns=columns, filter=where, prefilter=True, **search).to_table()

    def _dataset(self, name: str) -> Any:
        if name not in self._open:
            import lance

            self._open[name] = lance.dataset(str(self._store / self._manifest.tables[name].path))
        return self._open[name]

    @contextmanager
    def _gone(self, name: str) -> Generator[None]:
        try:
            yield
        except (OSError, ValueError, RuntimeError) as error:
            path = self._store / self._manifest.tables[name].path
            raise VersionGone(
                f"the table {name} of version {self._manifest.version} cannot be read: {str(error).splitlines()[0]}",
                "Call refresh() or open the store again: an old version may have been removed."
                if not path.exists()
                else "The table is damaged: open another version with --version NAME (slowwave log lists them), or restore it.",
            ) from error


def _hits(name: str, found: Any, vector: Any) -> Iterator[Hit]:
    """What one arm found, each row with its cosine to the question; rows without a vector have zeros."""
    if vector is None:
        yield from (Hit(name, row, row.pop("_score")) for row in _plain(found))
        return
    matrix = _matrix(found.column("vector").combine_chunks())
    cosines: list[float] = (matrix @ vector).clip(0).tolist() if len(matrix) else []
    for row, near, cosine in zip(_plain(found.drop_columns("vector")), matrix, cosines, strict=True):
        yield Hit(name, row, row.pop("_score", 0.0), cosine, near)


def _matrix(column: Any) -> Any:
    """Vectors as rows of 32-bit floats, zeros where a row has none."""
    import numpy as np

    matrix = np.array(column.values, dtype=np.float32).reshape(len(column), -1) if len(column) else np.zeros((0, 1))
    matrix[np.asarray(column.is_null())] = 0
    return matrix


def _plain(table: Any) -> list[dict[str, Any]]:
    """Rows as dictionaries of plain values; `Table.to_pylist` needs fifteen times as long, nearly all of it for times."""
    names = table.column_names
    columns = [_instants(column) if _is_time(column) else column.to_pylist() for column in table.columns]
    return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]


def _is_time(column: Any) -> bool:
    return str(column.type) == "timestamp[us, tz=UTC]"


def _instants(column: Any) -> list[datetime | None]:
    return [None if at is None else _EPOCH + timedelta(microseconds=at) for at in column.cast("int64").to_pylist()]


def quoted(text: str) -> str:
    """Text as a literal of a filter: the quote doubled, what cannot be encoded replaced."""
    return "'" + text.encode("utf-8", "replace").decode().replace("'", "''").replace("\0", "") + "'"


def instant(at: datetime) -> str:
    """A time as a literal of a filter; a naive one is taken as UTC."""
    utc = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return f"timestamp '{utc.isoformat(sep=' ')}'"
