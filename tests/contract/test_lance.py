"""What we rely on in Lance: if an upgrade changes one of these, publishing or reading would be wrong without an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lance
import numpy as np
import pyarrow as pa
import pytest
from lance.query import MatchQuery

from adapters.publish import tables
from adapters.publish.batches import Vectors
from models.memory import Vector
from models.table import rows_to_frame
from slowwave.reader.tables import instant
from tests.make import at
from tests.stores import said

TURNS = [
    said("Running through the café at dawn.", seq=0, when="2026-01-01T10:00"),
    said("私は毎朝公園を走ります。", seq=1, when="2026-01-02T10:00", status="superseded"),
    said("It's a long day of meetings.", seq=2, when="2026-01-03T10:00", speaker="O'Neil"),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("lance") / "turns.lance"
    rows = [row.model_copy(update={"embedding_id": f"e{i}" if i < 2 else ""}) for i, row in enumerate(TURNS)]
    frame = rows_to_frame(tables.TABLES["turns"], rows)
    vectors = rows_to_frame(Vector, [{"embedding_id": f"e{i}", "vector": [1.0 - i, float(i)]} for i in range(2)])
    tables.write(made, "turns", frame, Vectors(vectors, 2, tmp_path_factory.getbasetemp()))
    return made


def find(path: Path, query: str, **more: Any) -> list[str]:
    scan = lance.dataset(str(path)).scanner(
        columns=["message_id", "_score"], full_text_query=MatchQuery(query, "search_text"), prefilter=True, **more
    )
    return scan.to_table()["message_id"].to_pylist()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("run", ["m0"]),  # stemmed
        ("CAFE", ["m0"]),  # folded
        ("公園", ["m1"]),  # segmented without spaces
        ("January", ["m0", "m1", "m2"]),  # the date in words
        ("O'Neil", ["m2"]),  # the speaker
        ("the of", []),  # stop words find nothing
        ("run AND NOT (café OR", ["m0"]),  # no query language
        ('"', []),
        ("\x00", []),
    ],
)
def test_full_text(path: Path, query: str, found: list[str]) -> None:
    assert sorted(find(path, query)) == found


def test_filters_come_before_the_search(path: Path) -> None:
    assert find(path, "January", filter="status = 'superseded'", limit=1) == ["m1"]
    assert find(path, "January", filter=f"said_at >= {instant(at('2026-01-02T10:00:00.000001'))}") == ["m2"]
    assert find(path, "January", filter="speaker = 'O''Neil'") == ["m2"]


def test_dot_products_order_unit_vectors_and_rows_without_one_stay_out(path: Path) -> None:
    near = {"column": "vector", "q": np.array([0.0, 1.0], dtype=np.float32), "k": 10, "metric": "dot"}
    found = lance.dataset(str(path)).scanner(columns=["message_id", "_distance"], nearest=near).to_table()
    assert found["message_id"].to_pylist() == ["m1", "m0"]


def test_a_missing_vector_is_null_and_a_vector_is_a_fixed_list_of_float32(path: Path) -> None:
    table = lance.dataset(str(path)).to_table(columns=["message_id", "vector"])
    assert table.schema.field("vector").type == pa.list_(pa.float32(), 2)
    assert dict(zip(*(c.to_pylist() for c in table.columns), strict=True))["m2"] is None


def test_indexes_cover_every_row(path: Path) -> None:
    dataset = lance.dataset(str(path))
    indexes = {tuple(index.field_names) for index in dataset.describe_indices()}
    assert indexes == {("id",), ("status",), ("search_text",)}
    for index in dataset.describe_indices():
        assert dataset.stats.index_stats(index.name)["num_unindexed_rows"] == 0


def test_a_table_moves_with_its_folder(path: Path, tmp_path: Path) -> None:
    """Tables are built beside their place and renamed into it."""
    import shutil

    shutil.copytree(path, tmp_path / "built")
    (tmp_path / "built").rename(tmp_path / "moved")
    assert find(tmp_path / "moved", "run") == ["m0"]


def test_without_vectors_there_is_no_column_and_without_rows_no_index(tmp_path: Path) -> None:
    nobody = rows_to_frame(Vector, [])
    tables.write(tmp_path / "a", "turns", rows_to_frame(tables.TABLES["turns"], TURNS), Vectors(nobody, 0, tmp_path))
    assert "vector" not in lance.dataset(str(tmp_path / "a")).schema.names
    tables.write(tmp_path / "b", "turns", rows_to_frame(tables.TABLES["turns"], []), Vectors(nobody, 2, tmp_path))
    empty = lance.dataset(str(tmp_path / "b"))
    assert empty.count_rows() == 0 and "vector" in empty.schema.names
