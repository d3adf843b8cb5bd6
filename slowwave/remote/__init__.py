"""A store under an object-store prefix (`s3://bucket/prefix`): read from here, and its inbox appended to.

    objects   get, put, list and delete objects, with errors that name the next step
    faults    those errors
    mirror    objects brought into a folder, and what is known of each of them
    reading   the folder that a reader reads of a remote store

Belongs here: what an agent's environment needs. Does not belong here: nights over a remote store (`adapters.remote`). Importing this loads
nothing; `obstore` is loaded when a remote store is first opened.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from slowwave.errors import UsageError

# What `--store` takes, as its help says it.
STORE = "the store's folder, or s3://BUCKET/PREFIX"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/{1,2}")
_URL = re.compile(r"s3:/{1,2}([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])/+(.+?)/*")
_TAME = re.compile(r"[^/\x00-\x1f\x7f\\]{1,200}")


@dataclass(frozen=True)
class Place:
    """Where a remote store is: a bucket and the prefix under which all of its objects lie."""

    bucket: str
    prefix: str

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}"


def is_remote(store: str | Path) -> bool:
    """Whether a store is under an object-store prefix and in no folder. A path made of an address is still that address."""
    return _SCHEME.match(str(store)) is not None


def place_of(store: str | Path) -> Place:
    """The bucket and prefix that an address names. Raises UsageError."""
    found = _URL.fullmatch(str(store))
    parts = found[2].split("/") if found else []
    if found is None or not all(_TAME.fullmatch(part) and part not in (".", "..") for part in parts):
        raise UsageError(
            f"{str(store)!r} is no address of a store",
            "Write it as s3://BUCKET/PREFIX; the prefix is the store's alone. Other object stores than those with S3's interface are "
            "not known.",
        )
    return Place(found[1], "/".join(parts))


def argument(text: str) -> str | Path:
    """What stands after `--store`: an address as it is, anything else as a path."""
    return text if is_remote(text) else Path(text)
