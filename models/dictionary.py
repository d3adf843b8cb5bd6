"""The data dictionary: every table as a Markdown page, from the classes that declare them. Writes no file.

Belongs here: which tables there are, and how a column is shown. A column's meaning stands where it is declared.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, cast

import pyarrow as pa

from models.call import Call
from models.claim import ClaimRow, Mention
from models.decision import Decision, Feedback
from models.memory import (
    DocumentRow,
    EdgeRow,
    EntityRow,
    EpisodeRow,
    MemoryRow,
    PublishedMemory,
    PublishedTurn,
    Vector,
    VerdictRow,
    WorkingRow,
)
from models.message import Absence, Consumed, Gone, LeftOut, Message, Signal
from models.table import Column, Table, columns
from models.tombstone import Tombstone, words_of
from models.turn import Topic, Turn
from slowwave import closed

NIGHTLY: tuple[type[Table], ...] = (
    Message,
    Signal,
    Gone,
    Absence,
    LeftOut,
    Tombstone,
    Consumed,
    Turn,
    Topic,
    ClaimRow,
    Mention,
    MemoryRow,
    VerdictRow,
    Vector,
    Decision,
    Feedback,
    Call,
)
PUBLISHED: tuple[type[Table], ...] = (
    PublishedMemory,
    EntityRow,
    EdgeRow,
    EpisodeRow,
    PublishedTurn,
    WorkingRow,
    DocumentRow,
)
# What files, folders and reports are called, whatever is in them.
_FILES = "lance parquet snapshots published runs audit manifest"


def words() -> frozenset[str]:
    """The words that every store holds whatever was said: of columns, of closed sets, of its own files; as they compare."""
    sets = [one for one in vars(closed).values() if isinstance(one, type) and issubclass(one, StrEnum)]
    told = [column.name for table in (*NIGHTLY, *PUBLISHED) for column in columns(table)]
    told += [value for one in sets for value in one]
    return frozenset(word for text in (*told, _FILES) for word in words_of(text))


_INTRO = """<!-- Made by `make docs` from the classes in models/ and slowwave/format.py. Edit those, not this page. -->

# Tables

Each table is declared once, as a class. Its Arrow and polars schemas, its promises and this page are derived from that class.
Times are UTC in microseconds. **Key** columns identify and order a row; a column may be null only where this page says so.
"""


def render() -> str:
    """The whole page as Markdown: published tables first, since those are what a reader meets."""
    sections = [
        "## Published tables",
        *(_section(table) for table in PUBLISHED),
        "## Tables of a night",
        *(_section(table) for table in NIGHTLY),
    ]
    return "\n\n".join([_INTRO.rstrip(), *sections]) + "\n"


def _section(table: type[Table]) -> str:
    about = " ".join((table.__doc__ or "").split())
    head = "| column | type | about |\n|---|---|---|"
    return f"### {table.__name__}\n\n{about}\n\n" + "\n".join([head, *(_line(column) for column in columns(table))])


def _line(column: Column) -> str:
    name = f"**`{column.name}`**" if column.is_key else f"`{column.name}`"
    about = " ".join([column.about, *_limits(column)]).strip()
    return f"| {name} | {_type(column.dtype)}{' or null' if column.is_nullable else ''} | {_cell(about)} |"


def _limits(column: Column) -> list[str]:
    limits = ["Key."] if column.is_key else []
    if column.values:
        limits.append(f"One of {', '.join(f'`{value}`' for value in column.values)}.")
    if column.ge is not None and column.le is not None:
        limits.append(f"From {column.ge:g} to {column.le:g}.")
    elif column.ge is not None:
        limits.append(f"At least {column.ge:g}.")
    elif column.le is not None:
        limits.append(f"At most {column.le:g}.")
    return limits


def _type(dtype: pa.DataType) -> str:
    if pa.types.is_timestamp(dtype):
        return "time"
    inner: list[pa.Field[pa.DataType]] = [cast(Any, dtype).field(i) for i in range(dtype.num_fields)]
    if pa.types.is_struct(dtype):
        return f"({', '.join(f'{field.name}: {_type(field.type)}' for field in inner)})"
    return f"list of {_type(inner[0].type)}" if inner else str(dtype)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
