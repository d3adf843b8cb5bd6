"""The lake: conformed frames to Parquet and back, whole or not at all.

Belongs here: files of tables. Does not belong here: what the tables mean.
"""

from __future__ import annotations

from functools import cache
from hashlib import file_digest, sha256
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from adapters.files import write_bytes
from adapters.kept import Kept
from models.table import Frame, Table, arrow_schema, conform, empty, polars_schema
from slowwave.errors import VersionGone
from slowwave.format import TableRef

T = TypeVar("T", bound=Table)
_KEPT = Kept()
# Below this a file is read whole, and kept as others are.
_LARGE_BYTES = 4 * 2**20
# Most tables of most nights are this small. Making ready for zstd, once a column, takes longer than all the rest of writing them.
_SMALL_ROWS = 256


def to_arrow(frame: pl.DataFrame, table: type[Table]) -> pa.Table:
    """A conformed frame in the table's Arrow types."""
    return frame.to_arrow().cast(arrow_schema(table))


def to_parquet(frame: pl.DataFrame | pa.Table, table: type[Table]) -> bytes:
    """The one canonical Parquet of a conformed frame, or of a part of one as `to_arrow` makes it.

    Equal rows give equal bytes, so its sha256 names the content.
    """
    sink = pa.BufferOutputStream()
    arrow = to_arrow(frame, table) if isinstance(frame, pl.DataFrame) else frame
    codec = "zstd" if arrow.num_rows > _SMALL_ROWS else "snappy"
    pq.write_table(arrow, sink, compression=codec, version="2.6", store_schema=True)
    return sink.getvalue().to_pybytes()


class Packed(NamedTuple):
    """A frame as it is written: the bytes of its one Parquet, and their sha256."""

    frame: pl.DataFrame
    table: type[Table]
    content: bytes
    sha256: str


def pack(frame: pl.DataFrame, table: type[Table]) -> Packed:
    """The frame conformed to its table, and its bytes. Raises SchemaMismatch."""
    whole = conform(frame, table)
    if not whole.height:
        return _packed_empty(table)
    content = to_parquet(whole, table)
    return Packed(whole, table, content, sha256(content).hexdigest())


# Half of the tables of a small night hold nothing, and always the same bytes.
@cache
def _packed_empty(table: type[Table]) -> Packed:
    content = to_parquet(empty(table), table)
    return Packed(empty(table), table, content, sha256(content).hexdigest())


def write_packed(store: Path, path: str, packed: Packed) -> TableRef:
    """Write what was packed under the store and say what was written: relative path, sha256 of its bytes, rows."""
    write_bytes(store / path, packed.content)
    _KEPT.keep(packed.sha256, packed.table, packed.frame)
    return TableRef(path=path, sha256=packed.sha256, rows=packed.frame.height)


def write_table(store: Path, path: str, frame: pl.DataFrame, table: type[Table]) -> TableRef:
    """Write a frame under the store and say what was written: relative path, sha256 of its bytes, rows."""
    return write_packed(store, path, pack(frame, table))


def read_table(store: Path, ref: TableRef, table: type[T]) -> Frame[T]:
    """The frame that a reference names, conformed to the table that is asked for; older files gain new nullable columns."""
    try:
        content = (store / ref.path).read_bytes()
        name = sha256(content).hexdigest()
        if ref.sha256 and name != ref.sha256:
            raise damaged(ref, "it is not what was written there")
        kept = _KEPT.find(name, table)
        frame = _parsed(content, table) if kept is None else kept
    except (OSError, pa.ArrowException) as error:
        raise damaged(ref, str(error)) from error
    _KEPT.keep(name, table, frame)
    return cast("Frame[T]", frame)


def scan_table(store: Path, ref: TableRef, table: type[T]) -> pl.LazyFrame:
    """What `open_table` opens, as what is yet to be read."""
    return open_table(store, ref, table).lazy()


def open_table(store: Path, ref: TableRef, table: type[T]) -> pl.DataFrame | pl.LazyFrame:
    """What `read_table` reads, yet to be read where the file is large: whoever takes a few of its columns or rows holds no more."""
    path = store / ref.path
    try:
        if path.stat().st_size <= _LARGE_BYTES:
            return read_table(store, ref, table)
        with path.open("rb") as file:
            if ref.sha256 and file_digest(file, "sha256").hexdigest() != ref.sha256:
                raise damaged(ref, "it is not what was written there")
        rows = pl.scan_parquet(path, glob=False)
        there = rows.collect_schema()
    except (OSError, pl.exceptions.PolarsError) as error:
        raise damaged(ref, str(error)) from error
    known = polars_schema(table).items()
    return rows.select(
        (pl.col(name) if name in there else pl.lit(None).alias(name)).cast(dtype) for name, dtype in known
    )


def _parsed(content: bytes, table: type[T]) -> Frame[T]:
    frame = pl.DataFrame(pl.from_arrow(pq.read_table(pa.BufferReader(content))))
    known = polars_schema(table).items()
    missing = [pl.lit(None, dtype=dtype).alias(name) for name, dtype in known if name not in frame.columns]
    return conform(frame.with_columns(missing), table)


def damaged(ref: TableRef, why: str) -> VersionGone:
    """The error for a table that is not there or not what it was, with what to do."""
    return VersionGone(
        f"the table {ref.path} of this store cannot be read: {why}",
        "Restore the store from a backup, or walk the same sources into a new --store.",
    )


def is_whole(store: Path, ref: TableRef) -> bool:
    """Whether the file a reference names is there and is, byte for byte, what was written."""
    try:
        return sha256((store / ref.path).read_bytes()).hexdigest() == ref.sha256
    except OSError:
        return False
