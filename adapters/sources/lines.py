"""JSON lines read one at a time, in bounded memory, each good or damaged on its own.

Belongs here: files, bytes and JSON. Does not belong here: what an object means.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from adapters.sources.folder import file_name, find_files, opened_plain, sampled
from adapters.sources.protocol import BadLine, Damaged, read_json, read_line
from slowwave.errors import SourceError

# A longer line is no message that anybody wrote or read, and holding it would break the memory bound.
MAX_LINE_BYTES = 32 * 2**20
_HEAD_BYTES = 4096
# How many lines of how many files are looked at to recognise a format.
_N_LINES, _N_FILES = 20, 40
_MAGIC = (b"SQLite format 3\0", b"PK\3\4", b"\x1f\x8b", b"PAR1", b"\x89PNG", b"%PDF", b"\xff\xd8\xff")


def first_objects(path: Path, suffixes: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """The readable ones of the first lines of the first files: enough to recognise a format by."""
    for file in sampled(find_files(path, suffixes), _N_FILES):
        if not file.name.lower().endswith(suffixes):
            continue
        try:
            yield from (found for _, found in islice(objects(path, file), _N_LINES) if isinstance(found, dict))
        except SourceError:
            continue


def source_error(file: Path, what: str) -> SourceError:
    """The error for a file that can't be read at all."""
    return SourceError(f"{file} {what}", "Check the path and its permissions, or name another kind: --source KIND=PATH")


def objects(root: Path, file: Path) -> Iterator[tuple[int, dict[str, Any] | Damaged]]:
    """Each line's number and its object, or what is wrong with it; blank lines are skipped.

    A file that can't be read at all raises SourceError where it was named, and is damaged as a whole inside a folder.
    """
    name = file_name(root, file)
    try:
        with opened_plain(file) as opened:
            if _is_binary(opened):
                raise source_error(file, "is not text")
            yield from _objects(opened, name)
            if file != root and not opened.tell():
                yield 0, Damaged(name, 0, "empty file")
    except OSError as error:
        if file == root:
            raise source_error(file, f"cannot be read: {error.strerror or error}") from error
        yield 0, Damaged(name, 0, "unreadable file")
    except SourceError:
        if file == root:
            raise
        yield 0, Damaged(name, 0, "not text")


def _is_binary(opened: BinaryIO) -> bool:
    head = opened.read(_HEAD_BYTES)
    opened.seek(0)
    if head.startswith(_MAGIC):
        return True
    # A NUL or two is a damaged line; more than one byte in twenty is no text, unless a power cut left a hole beside good lines.
    is_hole = any(line.startswith(b"{") and b"\0" not in line for line in head.split(b"\n"))
    return head.count(0) * 20 > len(head) and not is_hole


def _objects(opened: BinaryIO, name: str) -> Iterator[tuple[int, dict[str, Any] | Damaged]]:
    number = 0
    while raw := opened.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(raw) > MAX_LINE_BYTES:
            yield number, Damaged(name, number, "line too long", _digest(raw))
            _skip_line(opened, raw)
            continue
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if not raw.isspace() and raw:
            try:
                yield number, parse(raw)
            except BadLine as error:
                yield number, Damaged(name, number, str(error), _digest(raw))


def _skip_line(opened: BinaryIO, raw: bytes) -> None:
    while raw and not raw.endswith(b"\n"):
        raw = opened.readline(2**20)


def _digest(raw: bytes) -> str:
    return sha256(raw.rstrip(b"\r\n")).hexdigest()[:16]


def parse(raw: bytes) -> dict[str, Any]:
    """The object of one line. Raises BadLine: bytes that are no UTF-8, broken JSON, no object, text that can't be stored."""
    try:
        found = read_line(raw)
    except ValueError:
        found = parse_strictly(raw)
    if not isinstance(found, dict):
        raise BadLine("not an object")
    return found


def parse_strictly(raw: bytes) -> Any:
    """What the standard library's reader makes of a line. Raises BadLine with why it makes nothing of it."""
    try:
        return read_json(raw.decode())
    except UnicodeDecodeError as error:
        raise BadLine("invalid UTF-8") from error
    except BadLine as error:
        if b"\0" in raw:
            raise BadLine("NUL in line") from error
        raise
