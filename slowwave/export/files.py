"""Reading and writing in an agent's folder: only inside it, only plain files, whole or not at all.

A link that leads out of the folder is never followed. A file that is there keeps its mode; a new one is its owner's alone.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from slowwave import private
from slowwave.errors import SlowwaveError, UsageError

try:
    import fcntl
except ImportError:  # Windows has no advisory locks of this kind.
    fcntl = None

# No memory file is as large; what is was not meant for a prompt, and is left alone.
MAX_BYTES = 8_000_000


class LeftAlone(Exception):
    """Why a file is neither read nor written: a link out, a folder in its place, no text."""


def place_of(root: Path, name: str) -> Path:
    """Where a file of that name really lies. Raises LeftAlone for a place outside the folder."""
    real = Path(os.path.realpath(root))
    found = Path(os.path.realpath(real / name))
    if not found.is_relative_to(real) or found == real:
        raise LeftAlone("it leads out of the folder")
    return found


def read(place: Path) -> bytes | None:
    """The content of a plain file; None where there is none. Raises LeftAlone."""
    try:
        descriptor = os.open(place, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LeftAlone(f"it cannot be read: {error.strerror or error}") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise LeftAlone("it is no plain file")
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise LeftAlone("it is too large to be a memory file")
    if b"\0" in content:
        raise LeftAlone("it is no text in UTF-8")
    return content


def write(place: Path, content: bytes | None, before: bytes | None) -> bool:
    """Replace a file, or remove it; false where it is no longer what it was `before`. Raises SlowwaveError."""
    try:
        if content is None:
            if read(place) != before:
                return False
            place.unlink(missing_ok=True)
            return True
        private.make_folder(place.parent)
        return _replaced(place, content, before)
    except LeftAlone:
        return False
    except OSError as error:
        raise _unwritable(place, error) from error


def _unwritable(place: Path, error: OSError) -> SlowwaveError:
    return SlowwaveError(
        f"cannot write {place}: {error.strerror or error}",
        "Check that this user may write to the agent's folder and that the disk is not full; what was written before is whole.",
    )


def _replaced(place: Path, content: bytes, before: bytes | None) -> bool:
    temporary = place.with_name(f".{place.name[:80]}.{os.getpid()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, private.FILE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if before is not None:
            os.chmod(temporary, stat.S_IMODE(place.stat().st_mode))
        if read(place) != before:
            return False
        os.replace(temporary, place)
        return True
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def locked(place: Path, *, is_needed: bool) -> Generator[None]:
    """Hold the lock that a platform takes around its own writes: a file beside, called as its file with `.lock`."""
    if not is_needed or fcntl is None:
        yield
        return
    lock = place.with_name(f"{place.name}.lock")
    try:
        private.make_folder(place.parent)
        descriptor = private.open_to_append(lock)
    except OSError as error:
        raise _unwritable(lock, error) from error
    with os.fdopen(descriptor):
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


def require_folder(root: Path) -> None:
    """Raises UsageError where something else than a folder lies there."""
    if root.exists() and not root.is_dir():
        raise UsageError(f"{root} is no folder", "Name the agent's folder with --to DIR.")
