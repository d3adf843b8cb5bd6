"""Rows and vectors on their way out: the same whether they are held or yet to be read, in one batch or in many."""

from __future__ import annotations

from pathlib import Path

import lance
import numpy as np
import polars as pl
import pytest

from adapters.publish import batches as on_their_way
from adapters.publish import tables
from adapters.publish.batches import Vectors, batches
from models.memory import Vector
from models.table import empty, rows_to_frame
from tests.stores import said

VECTORS = rows_to_frame(Vector, [{"embedding_id": f"e{i}", "vector": [float(i), 1.0]} for i in range(50)])


def _on_disk(frame: pl.DataFrame, path: Path) -> pl.LazyFrame:
    frame.write_parquet(path, row_group_size=7)
    return pl.scan_parquet(path)


@pytest.mark.parametrize("is_held", [True, False])
def test_a_vector_is_found_by_its_id_and_null_where_there_is_none(tmp_path: Path, is_held: bool) -> None:
    found = Vectors(VECTORS if is_held else _on_disk(VECTORS, tmp_path / "v.parquet"), 2, tmp_path)
    places = found.places(pl.Series(["e3", "", "nowhere", "e49", "e3"]))
    assert found.column(places).to_pylist() == [[3.0, 1.0], None, None, [49.0, 1.0], [3.0, 1.0]]
    assert [path.name for path in tmp_path.iterdir()] in ([], ["v.parquet"])


@pytest.mark.parametrize("is_held", [True, False])
def test_where_there_are_no_vectors_every_row_has_none(tmp_path: Path, is_held: bool) -> None:
    nothing = empty(Vector) if is_held else _on_disk(empty(Vector), tmp_path / "v.parquet")
    found = Vectors(nothing, 2, tmp_path)
    assert found.column(found.places(pl.Series(["e1", ""]))).to_pylist() == [None, None]


def test_rows_come_in_order_and_an_empty_table_comes_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_their_way, "ROWS_AT_ONCE", 8)
    for rows in (VECTORS, _on_disk(VECTORS, tmp_path / "v.parquet")):
        parts = list(batches(rows))
        assert len(parts) > 1 and pl.concat(parts).equals(VECTORS)
        assert [part.schema for part in batches(rows.head(0))] == [VECTORS.schema]


def test_a_table_written_in_batches_from_disk_is_the_one_written_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = [said(f"word{i} and more", seq=i).model_copy(update={"embedding_id": f"e{i % 60}"}) for i in range(100)]
    frame = rows_to_frame(tables.TABLES["turns"], turns)
    tables.write(tmp_path / "a", "turns", frame, Vectors(VECTORS, 2, tmp_path))
    monkeypatch.setattr(on_their_way, "ROWS_AT_ONCE", 9)
    later = Vectors(_on_disk(VECTORS, tmp_path / "v.parquet"), 2, tmp_path)
    tables.write(tmp_path / "b", "turns", _on_disk(frame, tmp_path / "t.parquet"), later)
    one, other = (lance.dataset(str(tmp_path / name)) for name in "ab")
    assert one.to_table().equals(other.to_table()) and one.count_rows() == 100
    assert np.count_nonzero([v is None for v in one.to_table()["vector"].to_pylist()]) == sum(
        i % 60 >= 50 for i in range(100)
    )
    assert {tuple(i.field_names) for i in one.describe_indices()} == {
        tuple(i.field_names) for i in other.describe_indices()
    }
