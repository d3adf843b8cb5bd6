"""Objects under one prefix: got, put on a condition, listed and deleted. What fails in passing is tried again.

Who may do so and where the server is, the environment says (`AWS_*`), for readers and nights alike; nothing of it is ever written down.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, TypeVar

from slowwave.errors import UsageError
from slowwave.remote import Place
from slowwave.remote.faults import first_line, may_be_plain, told

T = TypeVar("T")
R = TypeVar("R")
AT_ONCE = 8
# A file of this size may take longer than a small request ever should.
_LARGE_BYTES = 8 * 2**20
_RETRY = {
    "max_retries": 7,
    "backoff": {"init_backoff": timedelta(milliseconds=100), "max_backoff": timedelta(seconds=4), "base": 2},
    "retry_timeout": timedelta(seconds=60),
}


@dataclass(frozen=True)
class Entry:
    """What a listing says of one object; `etag` changes with its content, `size` is in bytes."""

    etag: str
    size: int
    modified: datetime


class Objects:
    """The objects of one remote store, by key (relative to its prefix). Raises StoreUnreachable, StoreNotFound, UsageError."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._quick, self._patient = (_client(place, timeout) for timeout in ("30s", "900s"))

    def get(self, key: str) -> tuple[bytes, str] | None:
        """An object's content and etag; None where there is none."""
        found = self._asked(key, lambda lib: lib.get(self._patient, key))
        return None if found is None else (bytes(found.bytes()), str(found.meta["e_tag"]))

    def etag(self, key: str) -> str | None:
        """The etag of an object; None where there is none."""
        found = self._asked(key, lambda lib: lib.head(self._quick, key))
        return None if found is None else str(found["e_tag"])

    def list(self, prefix: str = "") -> dict[str, Entry]:
        """Every object whose key begins with `prefix`, which ends with a slash or is empty."""

        def read(lib: Any) -> dict[str, Entry]:
            pages = lib.list(self._quick, prefix=prefix or None)
            every = (one for page in pages for one in page)
            return {one["path"]: Entry(str(one["e_tag"]), one["size"], one["last_modified"]) for one in every}

        return self._asked(prefix, read) or {}

    def top(self) -> dict[str, Entry]:
        """The objects right under the prefix, in one request: the pointer and such."""

        def read(lib: Any) -> dict[str, Entry]:
            found = lib.list_with_delimiter(self._quick)["objects"]
            return {one["path"]: Entry(str(one["e_tag"]), one["size"], one["last_modified"]) for one in found}

        return self._asked("", read) or {}

    def put(self, key: str, content: bytes, seen: str | None) -> str | None:
        """Write an object if it still is what was `seen` (an etag; None: no such object); its new etag, or None where it is not.

        A put whose answer was lost is known by its content.
        """
        store = self._patient if len(content) > _LARGE_BYTES else self._quick
        mode = "create" if seen is None else {"e_tag": seen}

        def write(lib: Any) -> str | None:
            try:
                return str(lib.put(store, key, content, mode=mode, use_multipart=False)["e_tag"])
            except (lib.exceptions.AlreadyExistsError, lib.exceptions.PreconditionError):
                return None

        made = self._asked(key, write)
        if made is None:
            there = self.get(key)
            made = there[1] if there is not None and there[0] == content else None
        return made

    def holds_to_conditions(self, key: str, content: bytes) -> bool:
        """Whether the server refuses what it must, on an object that is there with this very content."""

        def passes(mode: Any) -> bool:
            def write(lib: Any) -> bool:
                try:
                    lib.put(self._quick, key, content, mode=mode, use_multipart=False)
                except (lib.exceptions.AlreadyExistsError, lib.exceptions.PreconditionError):
                    return False
                return True

            return bool(self._asked(key, write))

        return not passes("create") and not passes({"e_tag": f'"{"0" * 32}"'})

    def delete(self, keys: Iterable[str]) -> None:
        """Delete objects; those that are not there are passed over."""
        gone = sorted(keys)
        if gone:
            self._asked(gone[0], lambda lib: lib.delete(self._quick, gone))

    def _asked(self, key: str, ask: Callable[[Any], R]) -> R | None:
        import obstore

        try:
            return ask(obstore)
        except FileNotFoundError as error:
            if "NoSuchBucket" in str(error):
                raise told(self.place, key, error) from error
            return None
        except (obstore.exceptions.BaseError, OSError) as error:
            raise told(self.place, key, error) from error


def opened(place: Place) -> Objects:
    """The objects of a place; the same connections as long as the environment names the same server and credentials."""
    return _kept(place, tuple(sorted((name, value) for name, value in os.environ.items() if name.startswith("AWS_"))))


@lru_cache(maxsize=8)
def _kept(place: Place, _environment: tuple[tuple[str, str], ...]) -> Objects:
    return Objects(place)


def in_parallel(do: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
    """What `do` gives for each item, several at a time, in order; the first error is raised."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield from pool.map(do, items)


def _client(place: Place, timeout: str) -> Any:
    try:
        from obstore.exceptions import BaseError
        from obstore.store import S3Store
    except ModuleNotFoundError as error:
        raise UsageError(
            f"{place} is in an object store, and obstore is not installed here", "pip install 'slowwave[remote]'"
        ) from error
    client: Any = {"timeout": timeout, "connect_timeout": "10s", "allow_http": may_be_plain(place)}
    retry: Any = _RETRY
    try:
        return S3Store(place.bucket, prefix=place.prefix, client_options=client, retry_config=retry)
    except (BaseError, ValueError) as error:
        raise UsageError(
            f"{place} can't be opened: {first_line(str(error))}", "Check the AWS_ variables of the environment."
        ) from error
