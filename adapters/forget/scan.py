"""Scan: every text in every file of a store, decoded, and whether it still says what was forgotten.

Parquet and Lance pages are decoded, of every Lance version and index; zip, gzip and zstd are opened; what is no text is read as bytes.
Belongs here: finding. Does not belong here: taking away (`erase`, `purge`).
"""

from __future__ import annotations

import gzip
import html
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from adapters.capture import load_messages, load_signals
from adapters.forget.values import strings, texts_of
from models.dictionary import words as words_of_every_store
from models.forgotten import Forgotten
from models.tombstone import fold, words_of

_TAG = re.compile(r"<[^>]*>")
_PRINTABLE = re.compile(rb"[\x20-\x7e\x80-\xff\t\n]{4,}")


@dataclass(frozen=True)
class Hit:
    """A place that still says what was forgotten: the file, relative to the store, and the column or member in it."""

    path: str
    where: str


def scan(store: Path, forgotten: Forgotten, words: Iterable[str] = ()) -> list[Hit]:
    """Every place of the store that holds what is forgotten, or one of these words.

    No hit is what was said anew since then, nor a name that is also the owner's, a platform's or a word that every store holds, as Lance
    is: it would be found in every store. The sentences that named it are looked for all the same.
    """
    anew = {row for text in (*_captured(store), *words_of_every_store()) for row, _ in forgotten.found(text)}
    wanted = frozenset(filter(None, map(fold, words)))
    found: set[Hit] = set()
    for path in sorted(path for path in store.rglob("*") if path.is_file() and not path.is_symlink()):
        for where, text in texts(path):
            if _says(text, forgotten, anew, wanted):
                found.add(Hit(path.relative_to(store).as_posix(), where))
    return sorted(found, key=lambda hit: (hit.path, hit.where))


def _says(text: str, forgotten: Forgotten, anew: set[int], words: frozenset[str]) -> bool:
    if any(row not in anew for row, _ in forgotten.found(text)):
        return True
    return bool(words) and not words.isdisjoint(words_of(text))


def _captured(store: Path) -> Iterator[str]:
    """What is still, or again, captured."""
    messages, signals = load_messages(store), load_signals(store)
    for column in ("text", "owner", "platform", "source"):
        yield from messages[column].drop_nulls().unique()
    yield from signals["text"].unique()


def texts(path: Path) -> Iterator[tuple[str, str]]:
    """Every text of a file, with the column or member that holds it."""
    read = _READERS.get(path.suffix)
    if read is not None:
        try:
            yield from read(path)
            return
        except (OSError, ValueError, pa.ArrowException, zipfile.BadZipFile):
            # Damaged or cut short: what can still be seen of it is looked at as bytes.
            pass
    yield from _decoded(path.read_bytes(), "")


def _decoded(content: bytes, where: str) -> Iterator[tuple[str, str]]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        yield from ((where, run[0].decode("utf-8", "replace")) for run in _PRINTABLE.finditer(content))
        return
    yield from ((where, one) for one in texts_of(text))
    if "<" in text:
        yield where, html.unescape(_TAG.sub(" ", text))


def _parquet(path: Path) -> Iterator[tuple[str, str]]:
    yield from _table(pq.read_table(path))


def _lance(path: Path) -> Iterator[tuple[str, str]]:
    from lance.file import LanceFileReader

    yield from _table(LanceFileReader(str(path)).read_all().to_table())


def _table(table: pa.Table) -> Iterator[tuple[str, str]]:
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_fixed_size_list(column.type) or pa.types.is_floating(column.type):
            continue
        for value in _distinct(column):
            if isinstance(value, bytes):
                yield from _decoded(value, name)
            else:
                yield from ((name, text) for text in strings(value))


def _distinct(column: pa.ChunkedArray) -> list[Any]:
    is_plain = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    return (column.unique() if is_plain else column).to_pylist()


def _zip(path: Path) -> Iterator[tuple[str, str]]:
    with zipfile.ZipFile(path) as opened:
        for member in opened.infolist():
            yield from _decoded(opened.read(member), member.filename)


def _gzip(path: Path) -> Iterator[tuple[str, str]]:
    yield from _decoded(gzip.decompress(path.read_bytes()), "")


def _zstd(path: Path) -> Iterator[tuple[str, str]]:
    with pa.CompressedInputStream(BytesIO(path.read_bytes()), "zstd") as opened:
        yield from _decoded(opened.read(), "")


_READERS: dict[str, Callable[[Path], Iterator[tuple[str, str]]]] = {
    ".parquet": _parquet,
    ".lance": _lance,
    ".zip": _zip,
    ".gz": _gzip,
    ".zst": _zstd,
}
