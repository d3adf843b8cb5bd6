"""Tables: Arrow and polars follow from the class; `conform` lets through exactly what the class allows."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

import lancedb.pydantic
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lancedb.pydantic import pydantic_to_schema
from pydantic import BaseModel, Field

from models.claim import ClaimRow
from models.dictionary import NIGHTLY, PUBLISHED
from models.memory import AT_LAST, MemoryRow, PublishedMemory
from models.table import (
    Table,
    arrow_schema,
    beside,
    collected,
    columns,
    conform,
    empty,
    pairs_once,
    polars_schema,
    rows_to_frame,
)
from slowwave import format as fmt
from slowwave.errors import SchemaMismatch
from tests.make import claim, memory

ALL = (*NIGHTLY, *PUBLISHED)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Part(BaseModel):
    start: int
    label: str | None = None


class Thing(Table):
    """A table with one column of each sort."""

    key = ("name", "n")
    name: str = Field(description="Name.")
    n: int = Field(ge=0, description="Count.")
    share: float | None = Field(default=None, ge=0, le=1, description="Share.")
    is_new: bool = Field(default=False, description="Flag.")
    at: datetime | None = Field(default=None, description="Time.")
    colour: Colour = Field(default=Colour.RED, description="Colour.")
    tags: list[str] = Field(default=[], description="Tags.")
    parts: list[Part] = Field(default=[], description="Parts.")


TIMES = st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2100, 1, 1), timezones=st.just(UTC))
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
THINGS = st.lists(
    st.builds(
        Thing,
        name=TEXT,
        n=st.integers(0, 2**62),
        share=st.none() | st.floats(0, 1),
        is_new=st.booleans(),
        at=st.none() | TIMES,
        colour=st.sampled_from(Colour),
        tags=st.lists(TEXT, max_size=3),
        parts=st.lists(st.builds(Part, start=st.integers(0, 9), label=st.none() | TEXT), max_size=3),
    ),
    max_size=8,
    unique_by=lambda row: (row.name, row.n),
)


def test_each_sort_of_column_has_its_arrow_type() -> None:
    part = pa.struct([("start", pa.int64()), ("label", pa.string())])
    assert arrow_schema(Thing) == pa.schema(
        [
            ("name", pa.string()),
            ("n", pa.int64()),
            ("share", pa.float64()),
            ("is_new", pa.bool_()),
            ("at", pa.timestamp("us", tz="UTC")),
            ("colour", pa.string()),
            ("tags", pa.list_(pa.string())),
            ("parts", pa.list_(part)),
        ]
    )


def test_a_column_without_an_arrow_type_is_refused() -> None:
    class Odd(Table):
        what: dict[str, int]

    with pytest.raises(TypeError, match="no Arrow type"):
        arrow_schema(Odd)


def test_columns_know_bounds_keys_nulls_and_closed_sets() -> None:
    known = {column.name: column for column in columns(Thing)}
    assert (known["share"].ge, known["share"].le, known["share"].is_nullable) == (0, 1, True)
    assert known["n"].is_key and not known["share"].is_key
    assert known["colour"].values == ("red", "blue") and not known["colour"].is_nullable


def test_a_published_table_is_the_format_column_by_column() -> None:
    names = [column.name for column in columns(PublishedMemory)]
    assert names == list(fmt.Memory.__dataclass_fields__)
    assert {c.name: c.about for c in columns(PublishedMemory)}["text"] == "One sentence that stands alone."
    assert next(c for c in columns(PublishedMemory) if c.name == "confidence").le == 1


def test_a_nightly_table_has_the_published_columns_first() -> None:
    published = [column.name for column in columns(PublishedMemory) if column.name not in AT_LAST]
    assert [column.name for column in columns(MemoryRow)][: len(published)] == published


# Derivation against an independent one -------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ALL, ids=lambda table: table.__name__)
def test_scalar_columns_agree_with_lancedb(table: type[Table]) -> None:
    scalars = {str, int, float, bool}
    fields = {n: f for n, f in table.model_fields.items() if f.annotation in scalars}
    assert fields
    made = type(
        "Scalars", (lancedb.pydantic.LanceModel,), {"__annotations__": {n: f.annotation for n, f in fields.items()}}
    )
    theirs = pydantic_to_schema(made)
    ours = arrow_schema(table)
    assert {n: theirs.field(n).type for n in fields} == {n: ours.field(n).type for n in fields}


@pytest.mark.parametrize("table", ALL, ids=lambda table: table.__name__)
def test_polars_and_arrow_agree_on_every_table(table: type[Table]) -> None:
    assert pl.from_arrow(arrow_schema(table).empty_table()).schema == polars_schema(table)
    assert empty(table).schema == polars_schema(table) and empty(table).is_empty()
    assert set(table.key) <= set(polars_schema(table))


# Round trips ----------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(THINGS)
def test_rows_come_back_as_they_went_in(rows: list[Thing]) -> None:
    frame = rows_to_frame(Thing, rows)
    back = [Thing(**row) for row in frame.to_dicts()]
    assert back == sorted(rows, key=lambda row: (row.name.encode(), row.n))


@settings(max_examples=40, deadline=None)
@given(THINGS)
def test_arrow_and_parquet_give_the_frame_back(tmp_path_factory: Any, rows: list[Thing]) -> None:
    frame = rows_to_frame(Thing, rows)
    assert pl.from_arrow(frame.to_arrow()).equals(frame)
    path: Path = tmp_path_factory.getbasetemp() / "things.parquet"
    frame.write_parquet(path)
    assert conform(pl.read_parquet(path), Thing).equals(frame)
    pq.write_table(frame.to_arrow().cast(arrow_schema(Thing)), path)
    assert pq.read_schema(path).equals(arrow_schema(Thing))
    assert conform(pl.read_parquet(path), Thing).equals(frame)


def test_memories_and_claims_survive_parquet(tmp_path: Path) -> None:
    for table, row in ((ClaimRow, claim("甲殻類 at noon.")), (MemoryRow, memory("Likes tea 👩‍👩‍👧‍👦."))):
        frame = rows_to_frame(table, [row])
        frame.write_parquet(tmp_path / "one.parquet")
        assert table(**pl.read_parquet(tmp_path / "one.parquet").to_dicts()[0]) == row


# Conform --------------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(THINGS, st.integers(0, 99))
def test_conform_is_idempotent_and_blind_to_order(rows: list[Thing], seed: int) -> None:
    frame = rows_to_frame(Thing, rows)
    assert conform(frame, Thing).equals(frame)
    mixed = (
        frame.sample(fraction=1.0, shuffle=True, seed=seed)
        .select(reversed(frame.columns))
        .with_columns(extra=pl.lit(1))
    )
    assert conform(mixed, Thing).equals(frame)


def test_conform_casts_what_can_be_cast() -> None:
    loose = pl.DataFrame({"name": ["a"], "n": pl.Series([1], dtype=pl.Int8), "share": [1], "is_new": [True]})
    rest = empty(Thing).drop(loose.columns)
    frame = conform(
        pl.concat([loose, rest], how="diagonal").with_columns(colour=pl.lit("red"), tags=[], parts=[]), Thing
    )
    assert frame.schema == polars_schema(Thing)


ONE = {"name": "a", "n": 1, "is_new": False, "colour": "red", "tags": [], "parts": []}


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ([{**ONE, "name": None}], "1 nulls in name"),
        ([{**ONE, "tags": None}], "1 nulls in tags"),
        ([{**ONE, "colour": "green"}], "green"),
        ([ONE, ONE], "share a key"),
    ],
)
def test_conform_refuses_what_the_table_does_not_allow(rows: list[dict[str, Any]], complaint: str) -> None:
    with pytest.raises(SchemaMismatch, match=complaint) as caught:
        rows_to_frame(Thing, rows)
    assert "Thing" in str(caught.value) and caught.value.hint


def test_conform_refuses_missing_columns_and_impossible_casts() -> None:
    frame = rows_to_frame(Thing, [ONE])
    with pytest.raises(SchemaMismatch, match="lacks the columns n, colour"):
        conform(frame.drop("n", "colour"), Thing)
    with pytest.raises(SchemaMismatch):
        conform(frame.with_columns(n=pl.lit("many")), Thing)


# Large tables ---------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 3)), max_size=12))
def test_pairs_of_numbers_are_told_apart_whatever_their_size(pairs: list[tuple[int, int]]) -> None:
    one, other = (pl.Series(name, [p[place] for p in pairs], dtype=pl.UInt32) for place, name in enumerate("ab"))
    for way in ((one, other), (other, one)):
        expected = sorted({*zip(*way, strict=True)})
        assert pairs_once(*way).rows() == expected


def test_what_is_known_of_some_rows_stands_beside_all_of_them_in_their_order() -> None:
    rows = pl.DataFrame({"id": ["c", "a", "b"], "text": ["x", "y", "z"]})
    known = pl.DataFrame({"id": ["b", "c"], "rank": [2, 3]})
    assert beside(rows, known).rows() == [("c", "x", 3), ("a", "y", None), ("b", "z", 2)]


def test_what_is_collected_is_in_one_piece() -> None:
    parts = [rows_to_frame(Thing, [Thing(name=name, n=1, tags=[name])]) for name in "abc"]
    made = collected(pl.concat(parts, rechunk=False).lazy())
    assert made.n_chunks("all") == [1] * made.width
    assert made.equals(pl.concat(parts))
