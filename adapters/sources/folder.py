"""Which files a folder holds, how they are named and opened, and what of a folder nobody reads: each such place by name.

Belongs here: files, links and names. Does not belong here: what stands in them. Nothing outside the folder that was asked for is read.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice, zip_longest
from pathlib import Path
from typing import BinaryIO

from adapters.sources.protocol import Damaged

_MAX_NAME_CHARS = 200
# Programs and version control bring links by the thousand, and hold nobody's words.
_PROGRAMS = frozenset({"node_modules", "site-packages", ".git", ".venv", "venv"})
# What some source reads; a link of another name would not have been read anyway.
_READ = (".jsonl", ".ndjson", ".json", ".zip", ".zst", ".db", ".sqlite", ".sqlite3", ".md")
DATABASES, _LOG = (".db", ".sqlite", ".sqlite3"), "-wal"


def find_files(path: Path, suffixes: tuple[str, ...]) -> list[Path]:
    """The file itself, or a folder's files with these suffixes, sorted. Links to folders, and out of the folder, are not followed."""
    if not os.path.isdir(path):
        return [path]
    found = [
        Path(folder) / name
        for folder, _, names in os.walk(path)
        for name in names
        if name.lower().endswith(suffixes) and not name.startswith(".")
    ]
    return sorted(file for file in found if not leads_out(file, path))


def sampled(files: list[Path], n_most: int) -> list[Path]:
    """At most so many of the files to know a folder by: the first of each folder in it come first, so that none hides another."""
    by_folder: defaultdict[Path, list[Path]] = defaultdict(list)
    for file in files:
        by_folder[file.parent].append(file)
    rounds = zip_longest(*by_folder.values())
    return list(islice((file for one in rounds for file in one if file is not None), n_most))


def unread(path: Path) -> Iterator[Damaged]:
    """What a folder holds and no source reads: folders that are closed, links that lead out or round, logs without a database."""
    closed: list[OSError] = []
    for folder, folders, names in os.walk(path, onerror=closed.append) if os.path.isdir(path) else ():
        folders[:] = sorted(name for name in folders if name not in _PROGRAMS)
        for name in [*folders, *sorted(names)]:
            file = Path(folder) / name
            reason = _why_link(file, path) if os.path.islink(file) else _why_log(file, names)
            if reason:
                yield Damaged(file_name(path, file), 0, reason)
    for error in closed:
        yield Damaged(file_name(path, Path(str(error.filename))), 0, "unreadable folder")


def _why_link(link: Path, root: Path) -> str | None:
    is_folder = os.path.isdir(link)
    if is_folder and link.parent.resolve().is_relative_to(link.resolve()):
        return "a link in a circle"
    if is_folder or link.name.lower().endswith(_READ):
        return "a link out of the folder" if leads_out(link, root) else None
    return "a link in a circle" if _is_circle(link) else None


def _why_log(file: Path, beside: list[str]) -> str | None:
    database = file.name.removesuffix(_LOG)
    is_log = file.name.endswith(_LOG) and database.lower().endswith(DATABASES)
    return "a log without its database" if is_log and database not in beside else None


def leads_out(file: Path, root: Path) -> bool:
    """Whether a link leads to something outside the folder; one that leads nowhere is left to whoever opens it."""
    if not os.path.islink(file) or not os.path.exists(file):
        return False
    return not file.resolve().is_relative_to(root.resolve())


def _is_circle(link: Path) -> bool:
    try:
        link.stat()
    except OSError as error:
        return error.errno == errno.ELOOP
    return False


def opened_plain(file: Path) -> BinaryIO:
    """The file, opened for reading, if it is a plain one: a pipe or a device might never end. Raises OSError."""
    place = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(place).st_mode):
        os.close(place)
        raise OSError(errno.EINVAL, "not a plain file", str(file))
    return os.fdopen(place, "rb")


def file_name(root: Path, file: Path) -> str:
    """How a file is named in decisions: relative to the folder that was asked for, as it can be stored and shown."""
    return shortened(file.relative_to(root).as_posix() if file != root else file.name)


def shortened(name: str) -> str:
    """A printable name of bounded length, its end kept."""
    shown = printable(name)
    half = _MAX_NAME_CHARS // 2
    return shown if len(shown) <= _MAX_NAME_CHARS else f"{shown[: half - 1]}…{shown[-half:]}"


def printable(name: str) -> str:
    """A name that can be stored and shown: bytes that are no text and control characters are written as escapes."""
    if name.isprintable():
        return name
    shown = name.encode("utf-8", "backslashreplace").decode()
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
