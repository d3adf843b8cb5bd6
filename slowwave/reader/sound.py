"""Whether published tables are sound: all rows there and indexed, equal to what the night wrote, and closed among themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from slowwave.format import PUBLISHED, Manifest, TableRef
from slowwave.ids import embedding_id
from slowwave.rows import PACKED, decode, plain_rows, unpack

LINKS = {
    "memories": (("entity_ids", ("entities",)), ("related_ids", ("memories",)), ("superseded_by", ("memories",))),
    "turns": (("memory_ids", ("memories",)),),
    "edges": (
        ("source_id", ("entities", "memories")),
        ("target_id", ("entities", "memories")),
        ("memory_ids", ("memories",)),
    ),
    "episodes": (("part_ids", ("memories", "episodes")),),
    "documents": (("memory_ids", ("memories",)), ("omitted_ids", ("memories",))),
}
CITING = {
    **dict.fromkeys(("memories", "episodes", "entities"), ("evidence",)),
    "working": ("summary", "commitments", "preferences"),
    "documents": ("thread",),
}
EMBEDDED = ("memories", "turns", "episodes")
Found = Iterator[tuple[str, str]]


class Capture:
    """What was captured: every content of each message, and the keys of signals. Nothing where the capture is not at hand."""

    def __init__(self, store: Path) -> None:
        self._root = store / "snapshots"

    @cached_property
    def texts(self) -> dict[str, set[str]]:
        """Every text that a message was captured with, by its key."""
        found: dict[str, set[str]] = {}
        for key, text in self._rows("[0-9a-f]*.parquet", ["msg_key", "text"]):
            found.setdefault(key, set()).add(text)
        return found

    @cached_property
    def signals(self) -> set[str]:
        """Keys of every captured signal."""
        return {key for (key,) in self._rows("signals-*.parquet", ["signal_key"])}

    @property
    def is_here(self) -> bool:
        """Whether there is a capture to check quotes against: a copy for readers has none."""
        return self._root.is_dir()

    def _rows(self, pattern: str, columns: list[str]) -> Iterator[tuple[str, ...]]:
        import pyarrow.parquet

        for path in sorted(self._root.glob(f"*/*/{pattern}")):
            table: Any = pyarrow.parquet.read_table(path, columns=columns)  # pyright: ignore[reportUnknownMemberType]
            yield from zip(*(table[column].to_pylist() for column in columns), strict=True)


def unindexed(dataset: Any) -> list[str]:
    """The indexes of a table that do not cover every row."""
    n = dataset.count_rows()
    return [str(index.name) for index in dataset.describe_indices() if index.num_rows_indexed != n]


def table_faults(store: Path, manifest: Manifest, capture: Capture, checked: Counter[str], seen: set[str]) -> Found:
    """What is wrong with the tables of a version, by name; a table that was `seen` is only looked at for what it points to."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for name, ref in manifest.tables.items():
        try:
            rows[name] = _read(store, ref)
            faults = () if ref.path in seen else _alone(store, manifest, name, checked)
            yield from ((name, what) for what in faults)
        except (OSError, ValueError, RuntimeError) as error:
            yield name, f"it can't be read: {str(error).splitlines()[0]}"
        seen.add(ref.path)
    yield from _lost_links(rows, checked)
    if capture.is_here:
        yield from _misquoted(rows, capture, checked)


def _read(store: Path, ref: TableRef) -> list[dict[str, Any]]:
    """Every row, so that each page of the table is read; without vectors, which are looked at apart."""
    import lance

    dataset = lance.dataset(str(store / ref.path))
    columns = [name for name in dataset.schema.names if name not in ("vector", "search_text", PACKED)]
    return dataset.to_table(columns=columns).to_pylist()


def _alone(store: Path, manifest: Manifest, name: str, checked: Counter[str]) -> Iterator[str]:
    """What is wrong with one table, whatever the others hold."""
    import lance

    ref = manifest.tables[name]
    dataset = lance.dataset(str(store / ref.path))
    checked["tables"] += 1
    if (n := dataset.count_rows()) != ref.rows:
        yield f"it has {n} rows, and {ref.rows} were published"
    yield from (f"its index {index} does not cover every row" for index in unindexed(dataset))
    written = _written(store, manifest, name)
    if written is not None:
        published = dataset.to_table(columns=written.column_names).cast(written.schema)
        if not published.equals(written):
            yield "its rows are not those that the night wrote"
    if PACKED in dataset.schema.names:
        yield from _wrongly_packed(dataset, PUBLISHED[name])
    if name in EMBEDDED and "vector" in dataset.schema.names:
        yield from _wrong_vectors(store, manifest, dataset)
    if "search_text" in dataset.schema.names and dataset.count_rows():
        dataset.scanner(columns=["id", "_score"], full_text_query=_any_word(dataset), limit=1).to_table()


def _any_word(dataset: Any) -> str:
    """A word that stands in the table, so that a search has pages of its index to read."""
    text = str(dataset.scanner(columns=["search_text"], limit=1).to_table()["search_text"][0])
    return next((word for word in text.split() if word.isalpha()), "word")


def _written(store: Path, manifest: Manifest, name: str) -> Any:
    """The Parquet that the version's night wrote, where it is still what it was; None where it is not at hand."""
    from hashlib import sha256

    import pyarrow
    import pyarrow.parquet

    path = store / "runs" / Path(str(manifest.provenance.get("run") or "")).name / f"project.{name}.parquet"
    if not path.is_file() or sha256(content := path.read_bytes()).hexdigest() != manifest.tables[name].sha256:
        return None
    parquet: Any = pyarrow.parquet
    return parquet.read_table(pyarrow.BufferReader(content))


def _wrongly_packed(dataset: Any, shape: type[Any]) -> Iterator[str]:
    """Rows that a reader would take for others than they are."""
    columns = [name for name in dataset.schema.names if name not in ("vector", "search_text")]
    for row in plain_rows(dataset.to_table(columns=columns)):
        if decode(shape, unpack(shape, row.pop(PACKED))) != decode(shape, row):
            yield f"the packed form of {row['id']} is not of its row"


def _wrong_vectors(store: Path, manifest: Manifest, dataset: Any) -> Iterator[str]:
    """Vectors that are not those of their words, by this version's embedder."""
    import numpy as np
    import pyarrow.parquet

    model = manifest.embedder.digest
    found = dataset.to_table(columns=["id", "text", "embedding_id", "vector"])
    for row, text, key in zip(*(found[c].to_pylist() for c in ("id", "text", "embedding_id")), strict=True):
        if key and key != embedding_id(model, text):
            yield f"the vector of {row} is not of its words, or not of this version's embedder"
    ref = manifest.state.get("vectors")
    if ref is None or not (store / ref.path).is_file():
        return
    parquet: Any = pyarrow.parquet
    kept = parquet.read_table(store / ref.path)
    known = dict(zip(kept["embedding_id"].to_pylist(), kept["vector"].to_pylist(), strict=True))
    pairs = zip(found["id"].to_pylist(), found["embedding_id"].to_pylist(), found["vector"].to_pylist(), strict=True)
    for row, key, vector in pairs:
        want = known.get(key) if key else None
        if (want is None) != (vector is None) or not np.array_equal(
            np.asarray(want or [], np.float32), np.asarray(vector or [], np.float32)
        ):
            yield f"the vector of {row} is not the one that was made"


def _lost_links(rows: dict[str, list[dict[str, Any]]], checked: Counter[str]) -> Found:
    known = {name: {row.get("id") for row in found} for name, found in rows.items()}
    for name, links in LINKS.items():
        for row in rows.get(name, ()):
            for column, targets in links:
                if not all(target in known for target in targets):
                    continue
                for other in _listed(row.get(column)):
                    checked["pointers"] += 1
                    if not any(other in known[target] for target in targets):
                        yield name, f"{row.get('id') or row.get('name')} names {other} in {column}, which is not there"


def _listed(value: Any) -> Iterable[str]:
    return value if isinstance(value, list) else [] if value is None else [value]  # pyright: ignore[reportUnknownVariableType]


def _misquoted(rows: dict[str, list[dict[str, Any]]], capture: Capture, checked: Counter[str]) -> Found:
    for name, columns in CITING.items():
        for row in rows.get(name, ()):
            cited = [piece for column in columns for piece in row.get(column) or ()]
            checked["quotes"] += len(cited)
            for piece in cited:
                if not _is_said(piece, capture):
                    yield (
                        name,
                        f"{row.get('id') or row.get('name')} quotes {piece['source_id']}, which was not captured so",
                    )


def _is_said(piece: dict[str, Any], capture: Capture) -> bool:
    if piece["source_kind"] == "signal":
        return piece["source_id"] in capture.signals
    if piece["source_kind"] != "message":
        return True
    texts = capture.texts.get(piece["source_id"], ())
    return any(text[piece["start"] : piece["end"]] == piece["quote"] for text in texts)
