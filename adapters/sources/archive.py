"""Zips and folders that a platform exported, read in place: nothing is unpacked to disk, and no name in a zip is trusted.

Belongs here: which files there are, what is refused, and their bytes. Does not belong here: JSON (`elements`), and what it means.
"""

from __future__ import annotations

import os
import re
import stat
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from adapters.sources.folder import file_name, find_files, opened_plain, shortened
from adapters.sources.lines import source_error
from adapters.sources.protocol import BadLine, Damaged
from slowwave.errors import SourceError

_CHUNK_BYTES = 2**20
# Text shrinks to a tenth, a repeated paste to a hundredth; what shrinks more and is large was made to fill a machine. These are no
# settings: they guard against whoever made the zip, and what its owner trusts can be unpacked and named as a folder.
MAX_RATIO, MIN_BOMB_BYTES = 200, 64 * 2**20
# No export of one person comes near this, all its files together.
MAX_TOTAL_BYTES = 64 * 2**30
_ZIP_MAGIC = (b"PK\3\4", b"PK\5\6")
_ENCRYPTED = 0x1
_DRIVE = re.compile(r"[A-Za-z]:")
# What a zip made by chance or by malice can raise while it is opened or read.
_BROKEN = (BadZipFile, zlib.error, struct.error, EOFError, ValueError, OverflowError, RuntimeError)


@dataclass(frozen=True)
class Member:
    """One file: `name` as decisions name it, `path` inside its zip or folder, `chunks` its bytes, which may raise BadLine.

    The path is empty for a file that was itself asked for. A member of a zip is read before the next one is asked for.
    """

    name: str
    path: str
    chunks: Callable[[], Iterator[bytes]]


def members(path: Path, is_wanted: Callable[[str], bool]) -> Iterator[Member | Damaged]:
    """The wanted files of a folder (with the zips in it) or of a zip, in order of name; a plain file is itself wanted.

    Names start with the day of the export where platforms make them, so that what was exported last is read last. Raises SourceError
    where the path itself can't be read; inside a folder that is damage.
    """
    if not os.path.isdir(path):
        yield from _opened(path, shortened(path.name), "", is_wanted)
        return
    for file in find_files(path, (".json", ".zip")):
        name = file_name(path, file)
        if file.suffix.lower() != ".zip" and not is_wanted(name):
            continue
        try:
            yield from _opened(file, shortened(name), name, is_wanted)
        except SourceError as error:
            yield Damaged(
                shortened(name), 0, "unreadable file" if isinstance(error.__cause__, OSError) else "broken zip"
            )


def _opened(file: Path, name: str, path: str, is_wanted: Callable[[str], bool]) -> Iterator[Member | Damaged]:
    try:
        with opened_plain(file) as opened:
            is_zip = opened.read(4) in _ZIP_MAGIC
    except OSError as error:
        raise source_error(file, f"cannot be read: {error.strerror or error}") from error
    if is_zip or file.suffix.lower() == ".zip":
        yield from _zipped(file, name, is_wanted)
    else:
        yield Member(name, path, lambda: _plain_chunks(file))


def _plain_chunks(file: Path) -> Iterator[bytes]:
    try:
        with opened_plain(file) as opened:
            while chunk := opened.read(_CHUNK_BYTES):
                yield chunk
    except OSError as error:
        raise BadLine("unreadable file") from error


def _zipped(file: Path, name: str, is_wanted: Callable[[str], bool]) -> Iterator[Member | Damaged]:
    with ExitStack() as stack:
        try:
            raw = stack.enter_context(opened_plain(file))
            opened = stack.enter_context(ZipFile(raw))
        except OSError as error:
            raise source_error(file, f"cannot be read: {error.strerror or error}") from error
        except _BROKEN as error:
            raise source_error(file, "is a broken zip") from error
        n_bytes, most = 0, _most_bytes(raw)
        for info in sorted(opened.infolist(), key=lambda info: info.filename):
            inside = f"{name}/{shortened(info.orig_filename)}"
            if is_unsafe(info.orig_filename):
                yield Damaged(inside, 0, "unsafe path in a zip")
            elif not info.is_dir() and is_wanted(info.filename):
                refused = refusal(info, most - n_bytes)
                n_bytes += 0 if refused else info.file_size
                yield Damaged(inside, 0, refused) if refused else _member(opened, info, inside)


def _most_bytes(raw: BinaryIO) -> int:
    """How much all files of a zip may hold: those of a bomb may each look harmless, and overlap."""
    return min(MAX_TOTAL_BYTES, max(MIN_BOMB_BYTES, MAX_RATIO * os.fstat(raw.fileno()).st_size))


def is_unsafe(name: str) -> bool:
    """Whether a name in a zip points out of it: absolute, upwards, with a drive, or with something a path can't hold."""
    parts = name.replace("\\", "/").split("/")
    return not parts[0] or ".." in parts or "\0" in name or _DRIVE.match(name) is not None


def refusal(info: ZipInfo, room: int) -> str | None:
    """Why a file in a zip is not read, or None; `room` is how many bytes all files together may still have."""
    if stat.S_ISLNK(info.external_attr >> 16):
        return "a link in a zip"
    if info.flag_bits & _ENCRYPTED:
        return "encrypted"
    # Others let a few bytes grow to gigabytes in one step, and no platform uses them.
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        return "unknown compression"
    if info.file_size > min(room, max(MIN_BOMB_BYTES, MAX_RATIO * info.compress_size)):
        return "grows too much when unpacked"
    return None


def _member(opened: ZipFile, info: ZipInfo, name: str) -> Member:
    def chunks() -> Iterator[bytes]:
        try:
            # Never more than the size that was declared and checked: the library stops there.
            with opened.open(info) as member:
                while chunk := member.read(_CHUNK_BYTES):
                    yield chunk
        except (*_BROKEN, OSError) as error:
            raise BadLine("broken zip") from error

    return Member(name, info.filename, chunks)
