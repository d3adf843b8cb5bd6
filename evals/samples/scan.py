"""Every byte of a store, pages decoded: what must be in no file at all is looked for here.

Belongs here: opening what a store holds. Does not belong here: which words must not stand there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from evals.published import words


def holds(store: Path, pattern: str) -> list[str]:
    """The files of a store, by their path in it, in which the pattern stands: in their bytes, or in what their pages hold."""
    sought = re.compile(pattern)
    return sorted({name for name, text in contents(store) if sought.search(text)})


def contents(store: Path) -> Iterator[tuple[str, str]]:
    """Every file as it lies there, and once more with its pages decoded where it is Parquet or a Lance table."""
    for path in sorted(store.rglob("*")):
        name = path.relative_to(store).as_posix()
        if path.is_file():
            # Latin-1 maps each byte to one character, so that no byte can hide another.
            yield name, path.read_bytes().decode("latin-1")
        if path.suffix == ".parquet" and path.is_file():
            yield name, "\n".join(words(pl.read_parquet(path).to_dicts()))
        if path.suffix == ".lance" and path.is_dir():
            yield name, "\n".join(_table(path))


def _table(path: Path) -> Iterator[str]:
    """All rows of all versions of a Lance table."""
    import lance

    for version in lance.dataset(str(path)).versions():
        rows = lance.dataset(str(path), version=version["version"]).to_table()
        yield from words(rows.select([name for name in rows.column_names if name != "vector"]).to_pylist())
