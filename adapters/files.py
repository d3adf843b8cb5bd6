"""Files of a store: private, whole or not at all. The standard library alone, so that what only moves a pointer starts at once.

Belongs here: bytes and small JSON. Does not belong here: tables (`lake`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from slowwave import private
from slowwave.errors import StoreUnwritable

_JSON = json.JSONEncoder(ensure_ascii=False, default=str)


def make_folder(folder: Path) -> Path:
    """The folder, made private to its owner (0700) where it wasn't there. Raises StoreUnwritable."""
    try:
        return private.make_folder(folder)
    except FileExistsError as error:
        raise StoreUnwritable(
            f"cannot write {folder}: it is a file", "Name a folder, or a path that is free."
        ) from error
    except OSError as error:
        raise unwritable(folder, error) from error


def unwritable(path: Path, error: OSError) -> StoreUnwritable:
    """The error for a place that can't be written, with what to do."""
    return StoreUnwritable(
        f"cannot write {path}: {error.strerror or error}",
        "Check that the folder belongs to the user who runs the night and that the disk is not full, or name another --store.",
    )


def write_bytes(path: Path, content: bytes) -> None:
    """Write a private file (0600) under a temporary name, then rename it: a reader sees all of it or none."""
    make_folder(path.parent)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, private.FILE)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise unwritable(path, error) from error


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write JSON that a person can read, whole or not at all."""
    write_bytes(path, (_in_lines(content) + "\n").encode())


def _in_lines(content: Any, depth: int = 2) -> str:
    """JSON with a line for each member and each member's member: the encoder that indents takes five times as long."""
    if not (depth and content and isinstance(content, Mapping)):
        return _JSON.encode(content)
    members = cast("Mapping[str, Any]", content).items()
    lines = (f"{' ' * (3 - depth)}{_JSON.encode(name)}: {_in_lines(value, depth - 1)}" for name, value in members)
    return "{\n" + ",\n".join(lines) + "\n" + " " * (2 - depth) + "}"


def sync(path: Path) -> None:
    """Have the system write a file, or a folder's list of names, to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
