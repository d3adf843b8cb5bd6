"""Published Lance tables as a reader sees them: opened once, searched by words and by vector, looked up by id.

Belongs here: everything that touches lance. Does not belong here: what a hit is worth (`slowwave.rank`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from slowwave.errors import VersionGone
from slowwave.format import PUBLISHED, Manifest
from slowwave.language import asked
from slowwave.reader.arms import ROW_BYTES, Held, Stored
from slowwave.rows import PACKED, decode, plain_rows

T = TypeVar("T")
KIND_DEPTH = 100
# What Lance may keep in memory of the indexes that it has read, and of the files' own tables of contents.
CACHE_BYTES = 16 * 2**20
# What a full-text index has to have at hand of every row; where it may not keep that, it reads it again for each question.
INDEX_BYTES_A_ROW = 32
# A question is a question, not a document: the rest would only slow the search.
MAX_QUERY_CHARS = 4000
# How Lance says that a file is not there or not what it should be.
_UNREADABLE = (OSError, ValueError, RuntimeError)


@dataclass(slots=True)
class Hit:
    """A row that an arm found, whole (several hits may share it: it is never changed), its BM25 score and its cosine."""

    table: str
    row: dict[str, Any]
    bm25: float = 0.0
    cosine: float = 0.0
    vector: Any = field(default=None, repr=False)
    id: str = field(init=False)

    def __post_init__(self) -> None:
        self.id = self.row["id"]


class Tables:
    """The tables of one version; one of up to `held_mb` MiB is held in memory once it is searched.

    A table whose indexes can't be read is looked through instead, if there is somebody to `warn`. Raises VersionGone where one is no
    longer there.
    """

    def __init__(
        self, store: Path, manifest: Manifest, held_mb: float = 0.0, warn: Callable[[str], None] | None = None
    ) -> None:
        self._store, self._manifest, self._held_mb, self._warn = store, manifest, held_mb, warn
        self._open: dict[str, Any] = {}
        self._searched: dict[str, Stored] = {}
        self._session: Any = None

    def n_rows(self, name: str) -> int:
        """Rows of a table; none where the version was made before there was such a table."""
        return self._manifest.tables[name].rows if name in self._manifest.tables else 0

    def search(self, name: str, query: str, vector: Any, where: str | None, depth: int) -> list[Hit]:
        """Rows that the words or the vector find among those that `where` lets through; both measures on each.

        The words nominate up to `depth` rows and the vector half as many. `vector` is None for full text only. Any text is a
        query: what full text can't read, it does not find.
        """
        if not self.n_rows(name):
            return []
        text = query[:MAX_QUERY_CHARS].encode("utf-8", "replace").decode()
        return self._ask(name, lambda arms: _found(name, arms, text, vector, where, depth))

    def some(self, name: str, where: str) -> list[Hit]:
        """Up to `KIND_DEPTH` rows that meet a condition, whatever their words."""
        if not self.n_rows(name):
            return []
        return [Hit(name, row) for row in self._ask(name, lambda arms: arms.some(where, KIND_DEPTH))]

    def light(self, name: str, where: str, columns: Iterable[str], limit: int) -> list[dict[str, Any]]:
        """A few plain columns of up to `limit` rows that meet a condition."""
        return plain_rows(self._scan(name, list(columns), where, limit=limit)) if self.n_rows(name) else []

    def by_ids(self, name: str, shape: type[T], ids: Iterable[str]) -> dict[str, T]:
        """Whole rows by id; an id that is not there is left out."""
        wanted = sorted(set(ids))
        if not wanted or not self.n_rows(name):
            return {}
        rows = self._ask(name, lambda arms: arms.of_ids(wanted, ", ".join(map(quoted, wanted))))
        return {row["id"]: decode(shape, row) for row in rows}

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

    def _ask(self, name: str, question: Callable[[Stored], T]) -> T:
        """What the table answers; looked through row by row from now on where that works and its indexes do not."""
        with self._gone(name):
            arms = self._arms(name)
            try:
                return question(arms)
            except _UNREADABLE:
                if self._warn is None or not arms.uses_indexes:
                    raise
                from slowwave.reader.scanned import Scanned

                self._searched[name] = Scanned(self._dataset(name), PUBLISHED[name])
                answer = question(self._searched[name])
                self._warn(
                    f"the indexes of {name} of {self._manifest.version} cannot be read: every row is looked at, which is slower; "
                    "slowwave reindex builds them again"
                )
                return answer

    def _arms(self, name: str) -> Stored:
        """How the table is searched. What is held in memory is gone as well where its folder is: what was forgotten is not told."""
        ref = self._manifest.tables[name]
        if not (self._store / ref.path).is_dir():
            raise FileNotFoundError(f"{ref.path} is not there")
        if name not in self._searched:
            dataset = self._dataset(name)
            bytes_ = ref.rows * (ROW_BYTES + 4 * self._manifest.embedder.dimension)
            is_held = bytes_ <= self._held_mb * 2**20 and PACKED in dataset.schema.names
            self._searched[name] = (Held if is_held else Stored)(dataset, PUBLISHED[name])
        return self._searched[name]

    def _scan(self, name: str, columns: list[str], where: str | None, **search: Any) -> Any:
        with self._gone(name):
            dataset = self._dataset(name)
            try:
                return dataset.scanner(columns=columns, filter=where, prefilter=True, **search).to_table()
            except _UNREADABLE:
                if self._warn is None:
                    raise
            return dataset.scanner(columns=columns, filter=where, use_scalar_index=False, **search).to_table()

    def _dataset(self, name: str) -> Any:
        if name not in self._open:
            import lance

            # Left alone, Lance keeps up to six GiB of what it has read of its indexes.
            self._session = self._session or lance.Session(self._index_bytes(), CACHE_BYTES)  # pyright: ignore[reportPrivateImportUsage]
            path = self._store / self._manifest.tables[name].path
            self._open[name] = lance.dataset(str(path), session=self._session)
        return self._open[name]

    def _index_bytes(self) -> int:
        return max([CACHE_BYTES, *(INDEX_BYTES_A_ROW * ref.rows for ref in self._manifest.tables.values())])

    @contextmanager
    def _gone(self, name: str) -> Generator[None]:
        try:
            yield
        except _UNREADABLE as error:
            path = self._store / self._manifest.tables[name].path
            raise VersionGone(
                f"the table {name} of version {self._manifest.version} cannot be read: {_first_line(error)}",
                "Call refresh() or open the store again: an old version may have been removed."
                if not path.exists()
                else "The table is damaged: build it again with slowwave reindex, or open another version with --version NAME.",
            ) from error


def _found(name: str, arms: Stored, text: str, vector: Any, where: str | None, depth: int) -> list[Hit]:
    """What the words nominate, and then the vector, with both measures."""
    sought = asked(text)
    words = arms.by_words(sought, where, depth)
    if not words and vector is None and sought != text:
        # Where there is nothing else to go by, words that say little are better than none.
        words = arms.by_words(text, where, depth)
    near = arms.by_vector(vector, where, depth // 2) if vector is not None else []
    numbers = [*words, *(number for number in near if number not in words)]
    if not numbers:
        return []
    rows, vectors = arms.read(numbers, has_vectors=vector is not None)
    if vectors is None:
        return [Hit(name, row, words[number]) for number, row in zip(numbers, rows, strict=True)]
    cosines: list[float] = (vectors @ vector).clip(0).tolist()
    found = zip(numbers, rows, cosines, vectors, strict=True)
    return [Hit(name, row, words.get(number, 0.0), cosine, its) for number, row, cosine, its in found]


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def quoted(text: str) -> str:
    """Text as a literal of a filter: the quote doubled, what cannot be encoded replaced."""
    return "'" + text.encode("utf-8", "replace").decode().replace("'", "''").replace("\0", "") + "'"


def spelt(column: str, value: str) -> str:
    """The condition that a column holds a value, in capitals or small letters."""
    return f"lower({column}) = {quoted(value.lower())}"


def instant(at: datetime) -> str:
    """A time as a literal of a filter; a naive one is taken as UTC."""
    utc = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return f"timestamp '{utc.isoformat(sep=' ')}'"
