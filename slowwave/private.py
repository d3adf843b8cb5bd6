"""Folders and files that only their owner may read, from the first write on. Standard library alone, since agents write too.

Belongs here: modes. Does not belong here: what is written.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

FOLDER, FILE = 0o700, 0o600
_OTHERS = 0o077
_lock = Lock()
_masks: list[int] = []


def make_folder(folder: Path) -> Path:
    """The folder, made its owner's alone (0700) with every folder above it that was not there. Raises OSError."""
    missing: list[Path] = []
    there = folder
    while not there.is_dir():
        missing.append(there)
        there = there.parent
    for one in reversed(missing):
        # Another writer may have made it meanwhile; a file in the way is an error all the same.
        one.mkdir(mode=FOLDER, exist_ok=True)
        one.chmod(FOLDER)
    return folder


def open_to_append(path: Path) -> int:
    """A descriptor to append to a file, made its owner's alone where it was not there; never through a link. Raises OSError."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    return os.open(path, flags, FILE)


@contextmanager
def masked() -> Generator[None]:
    """While this lasts, whatever the process makes is its owner's alone, libraries' files too; several may last at once."""
    with _lock:
        _masks.append(os.umask(_OTHERS))
    try:
        yield
    finally:
        with _lock:
            # The first one found what the process had before, and the last one gives it back.
            before = _masks.pop()
            if not _masks:
                os.umask(before)


def tighten(store: Path) -> None:
    """Take a store, and what lies at its top, from others who could read it: it may have been made before the first night."""
    for path in [store, *store.iterdir()]:
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode) or not stat.S_IMODE(found.st_mode) & _OTHERS or found.st_uid != os.geteuid():
            continue
        path.chmod(FOLDER if stat.S_ISDIR(found.st_mode) else FILE)
