"""The working copy of a remote store: brought up to date at the beginning of a turn, put back object by object in it.

The object store is what counts: what is here and not there goes, and what is otherwise here is brought again. Kept to be put later is only
what a killed night worked out or paid for (stages' outputs, answers, the ledger) and what somebody asked to be forgotten.
"""

from __future__ import annotations

import fcntl
import json
import os
from hashlib import md5
from pathlib import Path

from adapters import files
from slowwave import private
from slowwave.errors import PublishConflict, SlowwaveError
from slowwave.remote import Place, place_of
from slowwave.remote.mirror import LOCK, RECORD, Mirror, folder_of, is_of_store
from slowwave.remote.objects import Entry, in_parallel
from slowwave.remote.objects import opened as objects_of
from slowwave.store import CURRENT

_TOMBSTONES = "snapshots/forgotten/"
_WAITING = ("runs/", "cache/", "ledger/", _TOMBSTONES)
_WAITING_STILL = ("ledger/", _TOMBSTONES)


def opened(place: Place) -> Path:
    """The working copy on this machine, as new as it can be: while a night is at work in it, it is left as it is."""
    folder = folder_of(place, "night")
    mark = folder / RECORD
    if not mark.is_file():
        Mirror(objects_of(place), folder).write()
    elif place_in(folder) != place:
        raise SlowwaveError(f"{folder} is the working copy of {place_in(folder)}", "Remove that folder.")
    descriptor = private.open_to_append(folder / LOCK)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        Copy(folder).bring()
    except BlockingIOError:
        pass
    finally:
        os.close(descriptor)
    return folder


def place_in(folder: Path) -> Place:
    """The remote store that a folder is a working copy of."""
    try:
        return place_of(str(json.loads((folder / RECORD).read_text("utf-8"))["store"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SlowwaveError(
            f"cannot read {folder / RECORD}: {error}", "Remove that folder: it is made anew from the object store."
        ) from error


class Copy(Mirror):
    """A working copy and the objects that it is a copy of."""

    def __init__(self, folder: Path) -> None:
        super().__init__(objects_of(place_in(folder)), folder)

    def bring(self) -> None:
        """Make the copy what the object store holds. Raises StoreUnreachable."""
        there = self.objects.list()
        fresh = {key for key in there if key.startswith(_TOMBSTONES)} - set(self.known)
        # What another machine's forgetting erased may stand in what was worked out here before it.
        waiting = _WAITING_STILL if fresh else _WAITING
        self.pull(there, lambda _: True, lambda key: key.startswith(waiting))

    def put(self) -> None:
        """Put every file that is new or changed, manifests after all that they name. Raises PublishConflict, StoreUnreachable."""
        changed = [key for key in self.changed() if key != CURRENT]
        manifests = [key for key in changed if key.endswith("/manifest.json")]
        try:
            for keys in ([key for key in changed if key not in set(manifests)], manifests):
                for key, etag in in_parallel(lambda key: (key, self._put(key)), keys):
                    self.note(key, etag)
        finally:
            self.write()

    def delete(self) -> None:
        """Delete the objects whose files have gone, manifests first, so that no reader meets half of a version."""
        gone = self.gone()
        manifests = [key for key in gone if key.endswith("/manifest.json")]
        for keys in (manifests, gone):
            self.objects.delete(keys)
        for key in gone:
            del self.known[key]
        self.write()

    def point(self, content: bytes, seen: str | None) -> str:
        """Write the pointer if it still is what was `seen`; its etag. Raises PublishConflict."""
        etag = self.objects.put(CURRENT, content, seen)
        if etag is None:
            raise passed_by(CURRENT)
        return etag

    def hold(self, content: bytes, etag: str) -> None:
        """Keep the pointer here as it is there."""
        files.write_bytes(self.folder / CURRENT, content)
        self.note(CURRENT, etag)
        self.write()

    def strays(self) -> list[str]:
        """Keys of objects that are not what lies here."""
        there: dict[str, Entry] = {key: one for key, one in self.objects.list().items() if is_of_store(key)}
        here = {key: one.etag for key, one in self.known.items()}
        otherwise = set(self.changed()) | {key for key, one in there.items() if here.get(key) != one.etag}
        return sorted(key for key in otherwise if key in there and key != CURRENT)

    def _put(self, key: str) -> str:
        known, content = self.known.get(key), (self.folder / key).read_bytes()
        # A file that was written once more with the same words; an etag is the digest of what is there, or else nothing's.
        if known is not None and known.etag.strip('"') == md5(content, usedforsecurity=False).hexdigest():
            return known.etag
        etag = self.objects.put(key, content, None if known is None else known.etag)
        if etag is None:
            raise passed_by(key)
        return etag


def passed_by(key: str) -> PublishConflict:
    """The error for an object that is no longer what this turn saw."""
    return PublishConflict(
        f"somebody else wrote {key} to the object store meanwhile",
        "Run the night again: it goes on from there, and what it has worked out already is kept.",
    )
