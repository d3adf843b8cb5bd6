"""Why nothing at a path is recognised, file by file: what is broken, closed, empty or refused there. Nothing of it is quoted.

Belongs here: the reasons. Does not belong here: what is recognised (the kinds), and what is said of it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from adapters.sources import chatgpt, jsonl
from adapters.sources.archive import members
from adapters.sources.database import is_database, opened
from adapters.sources.folder import DATABASES, file_name, find_files, unread
from adapters.sources.protocol import Damaged, Item, Read
from slowwave.errors import SourceError

# One reads every zip and every array there is, the other every file of lines: between them they meet whatever is broken.
_READERS: tuple[tuple[Read, tuple[str, ...]], ...] = ((chatgpt.read, (".zip", ".json")), (jsonl.read, jsonl.SUFFIXES))


def reasons(path: Path) -> dict[str, str]:
    """Each file that can't be read, as decisions name it, with why; of a file of lines the first damaged one."""
    found: dict[str, str] = {}
    for read, suffixes in _READERS:
        for item in _met(read, path) if path.is_dir() or path.suffix.lower() in suffixes else ():
            if isinstance(item, Damaged):
                found.setdefault(item.file, f"line {item.line}: {item.reason}" if item.line else item.reason)
    return found | dict(_databases(path)) | {item.file: item.reason for item in unread(path)}


def broken_zips(path: Path) -> dict[str, str]:
    """The zips of a folder that nobody could open, and the names in zips that point out of them, each with why."""
    found = members(path, lambda _: False) if path.is_dir() else ()
    return {item.file: item.reason for item in found if isinstance(item, Damaged)}


def _met(read: Read, path: Path) -> Iterator[Item]:
    """What a reader meets until it refuses the whole."""
    try:
        yield from read(path)
    except SourceError as error:
        yield Damaged(file_name(path, path), 0, _why(error, path))
    except OSError as error:
        yield Damaged(file_name(path, path), 0, f"cannot be read: {error.strerror or error}")


def _databases(path: Path) -> Iterator[tuple[str, str]]:
    for file in find_files(path, DATABASES):
        try:
            if is_database(file):
                with opened(file):
                    continue
        except SourceError as error:
            yield file_name(path, file), _why(error, file)


def _why(error: SourceError, file: Path) -> str:
    """What is said of the file, without its place."""
    return re.sub(rf"^(?:{re.escape(str(file))}|{re.escape(os.path.realpath(file))}) (?:is )?", "", str(error))
