"""A table is a pydantic class. Arrow is derived from it, polars from Arrow; promises and docs read the same class.

Belongs here: the derivation and `conform`. Does not belong here: any particular table.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Generic,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import polars as pl
import pyarrow as pa
from pydantic import BaseModel, ConfigDict, Field, create_model

from slowwave.errors import SchemaMismatch

TIME = pa.timestamp("us", tz="UTC")
_SCALARS: dict[type, pa.DataType] = {
    str: pa.string(),
    int: pa.int64(),
    float: pa.float64(),
    bool: pa.bool_(),
    datetime: TIME,
}


class Table(BaseModel):
    """The declaration of a table: one annotated field a column, `key` the columns that identify and order a row."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    key: ClassVar[tuple[str, ...]] = ()


T = TypeVar("T", bound=Table)

if TYPE_CHECKING:

    class Frame(pl.DataFrame, Generic[T]):
        """A polars frame that `conform` has made to fit table `T`."""

    class _Lazy(pl.LazyFrame, Generic[T]):
        """What `Scan[T]` is where it is not a frame."""

    Scan = Frame[T] | _Lazy[T]

else:

    class Frame:
        """`Frame[T]` is `Annotated[pl.DataFrame, T]` at run time: a stage's signature says which table it takes."""

        def __class_getitem__(cls, table: type[Table]) -> Any:
            return Annotated[pl.DataFrame, table]

    class Scan:
        """`Scan[T]` says that a stage reads what it needs of a table that may be large: a frame, or one that is yet to be read."""

        def __class_getitem__(cls, table: type[Table]) -> Any:
            return Annotated[pl.LazyFrame, table]


@dataclasses.dataclass(frozen=True)
class Column:
    """One column as the promises and the data dictionary see it."""

    name: str
    dtype: pa.DataType
    is_nullable: bool
    about: str
    ge: float | None
    le: float | None
    values: tuple[str, ...]
    is_key: bool


def published(source: type, *, key: tuple[str, ...] = ("id",), without: tuple[str, ...] = ()) -> type[Table]:
    """The table derived from a dataclass of `slowwave.format`: same columns, order, bounds and sentences, `without` a few of them."""
    hints = get_type_hints(source)
    told = [f for f in dataclasses.fields(source) if f.name not in without]
    fields: dict[str, Any] = {f.name: (hints[f.name], _field(f)) for f in told}
    made = create_model(source.__name__, __base__=Table, __doc__=source.__doc__, **fields)
    made.key = key
    return made


def _field(source: dataclasses.Field[Any]) -> Any:
    meta = source.metadata
    options: dict[str, Any] = {"description": meta.get("about", ""), "ge": meta.get("ge"), "le": meta.get("le")}
    if source.default_factory is not dataclasses.MISSING:
        return Field(default_factory=source.default_factory, **options)
    default = ... if source.default is dataclasses.MISSING else source.default
    return Field(default, **options)


def _unwrap(annotation: Any) -> tuple[Any, bool]:
    """The annotation without `None`, and whether `None` was allowed."""
    if get_origin(annotation) in (Union, types.UnionType):
        inner = [a for a in get_args(annotation) if a is not type(None)]
        return inner[0], True
    return annotation, False


def dtype_of(annotation: Any) -> pa.DataType:
    """The Arrow type of a column annotation: scalars, enums as strings, lists, and nested classes as structs."""
    inner, _ = _unwrap(annotation)
    if get_origin(inner) in (list, Sequence):
        return pa.list_(pa.field("item", dtype_of(get_args(inner)[0])))
    if isinstance(inner, type) and issubclass(inner, StrEnum):
        return pa.string()
    if isinstance(inner, type) and dataclasses.is_dataclass(inner):
        hints = get_type_hints(inner)
        return pa.struct([pa.field(f.name, dtype_of(hints[f.name])) for f in dataclasses.fields(inner)])
    if isinstance(inner, type) and issubclass(inner, BaseModel):
        return pa.struct([pa.field(n, dtype_of(f.annotation)) for n, f in inner.model_fields.items()])
    if inner in _SCALARS:
        return _SCALARS[inner]
    raise TypeError(f"no Arrow type for {annotation!r}")


@cache
def columns(table: type[Table]) -> tuple[Column, ...]:
    """The table's columns in order."""
    found: list[Column] = []
    for name, info in table.model_fields.items():
        inner, nullable = _unwrap(info.annotation)
        bounds: dict[str, float] = {}
        for constraint in info.metadata:
            for side in ("ge", "le"):
                if getattr(constraint, side, None) is not None:
                    bounds[side] = float(getattr(constraint, side))
        values = tuple(v.value for v in inner) if isinstance(inner, type) and issubclass(inner, StrEnum) else ()
        found.append(
            Column(
                name=name,
                dtype=dtype_of(info.annotation),
                is_nullable=nullable,
                about=info.description or "",
                ge=bounds.get("ge"),
                le=bounds.get("le"),
                values=values,
                is_key=name in table.key,
            )
        )
    return tuple(found)


@cache
def arrow_schema(table: type[Table]) -> pa.Schema:
    """The Arrow schema; every field nullable in Arrow, since nested nullability doesn't survive every tool."""
    return pa.schema([pa.field(c.name, c.dtype) for c in columns(table)])


@cache
def polars_schema(table: type[Table]) -> pl.Schema:
    """The polars schema, derived by polars itself from the Arrow one."""
    return cast(Any, pl).from_arrow(arrow_schema(table).empty_table()).schema


def empty(table: type[T]) -> Frame[T]:
    """A frame of no rows that fits the table."""
    return cast("Frame[T]", pl.DataFrame(schema=polars_schema(table)))


def values_to_column(table: type[Table], name: str, values: Sequence[Any]) -> pl.Series:
    """Python values as a column of the table; nested ones in a fifth of the time that polars takes."""
    dtype = next(column.dtype for column in columns(table) if column.name == name)
    return cast(Any, pl).from_arrow(pa.array(values, dtype)).alias(name)


def rows_to_frame(table: type[T], rows: Sequence[Table] | Sequence[dict[str, Any]]) -> Frame[T]:
    """A conformed frame from declared rows (instances of the table, or mappings in its form)."""
    plain = [row.model_dump() if isinstance(row, BaseModel) else row for row in rows]
    try:
        # Arrow reads nested rows in a fifth of the time that polars takes.
        made = pa.Table.from_pylist(plain, schema=arrow_schema(table))
    except (pa.ArrowException, OverflowError) as error:
        raise _mismatch(table, str(error)) from error
    return conform(cast(Any, pl).from_arrow(made), table)


def conform(frame: pl.DataFrame, table: type[T]) -> Frame[T]:
    """Select, cast, order and sort by key, and refuse what the table does not allow.

    This one function makes runs deterministic in spite of parallel group-bys. Raises SchemaMismatch on a missing
    column, a null in a column that allows none, a value outside its closed set, or two rows of one key.
    """
    known = polars_schema(table)
    missing = [name for name in known if name not in frame.columns]
    if missing:
        raise _mismatch(table, f"lacks the columns {', '.join(missing)}")
    try:
        fits = list(frame.schema.items()) == list(known.items())
        made = frame if fits else frame.select(pl.col(name).cast(dtype) for name, dtype in known.items())
    except pl.exceptions.PolarsError as error:
        raise _mismatch(table, str(error)) from error
    # No row can be wrong or out of order where there is none.
    if not made.height:
        return cast("Frame[T]", made)
    _refuse(made, table)
    return cast("Frame[T]", _ordered(made, table) if table.key else made)


def beside(rows: pl.DataFrame, told: pl.DataFrame, on: str | Sequence[str] = ("id",)) -> pl.DataFrame:
    """The rows, in their order, with what `told` has of them, once a row at most; only `on` is joined: no wide column is copied."""
    return rows.hstack(rows.select(on).join(told, on=on, how="left", maintain_order="left").drop(on))


def pairs_once(one: pl.Series, other: pl.Series) -> pl.DataFrame:
    """The numbers (below 2**32) that stand side by side in two columns, each pair once and in order: as one number each, which is quick."""
    both = (one.cast(pl.UInt64) * 2**32 + other).unique().sort()
    return pl.DataFrame({one.name: both // 2**32, other.name: both % 2**32}).cast(pl.UInt32)


def collected(rows: pl.LazyFrame) -> pl.DataFrame:
    """The rows, read and worked on in passing: only what comes out is held whole. Order is kept but by joins and groups."""
    made = rows.collect(engine="streaming")
    if made.n_chunks() < 2:
        return made
    # In one piece, column by column: a frame in several is copied whole by the next that puts a column beside them.
    return pl.DataFrame([made.drop_in_place(name).rechunk() for name in made.columns])


def _ordered(frame: pl.DataFrame, table: type[Table]) -> pl.DataFrame:
    """The frame sorted by key, itself where it is so already; refused where two rows have one key."""
    if _is_ordered(frame, table.key):
        return frame
    made = frame.sort(table.key)
    if not _is_ordered(made, table.key) and (n := int(made.select(table.key).is_duplicated().sum())):
        raise _mismatch(table, f"has {n} rows that share a key {table.key}")
    return made


def _is_ordered(frame: pl.DataFrame, key: Sequence[str]) -> bool:
    """Whether every row's key comes after that of the row before it."""
    after = pl.lit(False)
    for name in reversed(key):
        now, before = pl.col(name), pl.col(name).shift()
        after = (now > before) | ((now == before) & after)
    return frame.height < 2 or bool(frame.select(after.slice(1).fill_null(False).all()).item())


def _refuse(frame: pl.DataFrame, table: type[Table]) -> None:
    wrong = frame.select(_wrong(table)).row(0, named=True)
    for col in columns(table):
        if n := wrong.get(f"nulls in {col.name}"):
            raise _mismatch(table, f"has {n} nulls in {col.name}")
        if wrong.get(f"aliens in {col.name}"):
            alien = set(frame.get_column(col.name).drop_nulls().unique().to_list()) - set(col.values)
            raise _mismatch(table, f"has {sorted(alien)[:3]} in {col.name}")


@cache
def _wrong(table: type[Table]) -> tuple[pl.Expr, ...]:
    """How many nulls there are in each column that allows none, and how many values outside its closed set; asked all at once."""
    nulls = [pl.col(c.name).null_count().alias(f"nulls in {c.name}") for c in columns(table) if not c.is_nullable]
    aliens = [(~pl.col(c.name).is_in(c.values)).sum().alias(f"aliens in {c.name}") for c in columns(table) if c.values]
    return (*nulls, *aliens)


def _mismatch(table: type[Table], what: str) -> SchemaMismatch:
    return SchemaMismatch(
        f"a frame for the table {table.__name__} {what}",
        "This is a bug in the stage that made the frame; the night's run folder holds its inputs for a report.",
    )
