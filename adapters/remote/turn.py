"""One writer's turn at a remote store, from the lease to giving it back.

At its beginning a turn writes the pointer once, as it is but for the turn's number: so the etag that any earlier turn saw is no longer the
pointer's, and one that was passed by (a machine that slept, a network that was gone) can't move it any more.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from adapters.remote.copy import Copy, passed_by
from adapters.remote.lease import RemoteLease
from slowwave.errors import PublishConflict, SlowwaveError
from slowwave.remote.mirror import moved_at, pointer
from slowwave.store import CURRENT, read_current


class Turn:
    """The right to write to the remote store that a folder is a copy of."""

    def __init__(self, folder: Path) -> None:
        from adapters.settings import load

        self._folder, self._copy = folder, Copy(folder)
        self._lease = RemoteLease(self._copy.objects, folder, load(folder).remote.lease_seconds)
        self._pointer: str | None = None

    def begin(self, until: float) -> None:
        """Take the lease, bring the copy up to date, and make the pointer this turn's."""
        self._lease.take(until)
        try:
            self._copy.bring()
            self._claim_pointer()
        except BaseException:
            self._lease.give_back()
            raise

    def _claim_pointer(self) -> None:
        found = self._copy.objects.get(CURRENT)
        if found is None:
            return
        content, seen = found
        version = content.decode("utf-8", "replace").partition("\n")[0].strip()
        if version != read_current(self._folder):
            raise passed_by(CURRENT)
        claimed = pointer(version, self._lease.number, moved_at(content) or datetime.now(UTC))
        self._pointer = self._copy.point(claimed, seen)
        self._copy.hold(claimed, self._pointer)

    def save(self) -> None:
        """Put what was written so far, so that it is there whatever becomes of this machine. Raises PublishConflict, StoreUnreachable."""
        self._require_held()
        self._copy.put()

    def move(self, version: str) -> None:
        """Put all that there is, then make `version` current if the pointer still is this turn's. Raises as `save` does."""
        self.save()
        self._require_held()
        moved = pointer(version, self._lease.number, datetime.now(UTC))
        self._pointer = self._copy.point(moved, self._pointer)
        self._copy.hold(moved, self._pointer)

    def end(self) -> None:
        """Put what is left, delete what has gone here, and give the lease back. Raises as `save` does."""
        try:
            self.save()
            self._require_held()
            self._copy.delete()
        finally:
            self._lease.give_back()

    def break_off(self, *, is_saving: bool) -> None:
        """The turn ended in an error, which is what a person is to read: what was worked out is put as far as it can be."""
        with suppress(SlowwaveError):
            if is_saving and self._lease.is_held:
                self._copy.put()
        with suppress(SlowwaveError):
            self._lease.give_back()

    def _require_held(self) -> None:
        if not self._lease.is_held:
            raise PublishConflict(
                f"this machine lost its turn at {self._copy.objects.place}: it did not renew its lease in time",
                "Run the night again: it goes on from what serves now, and what it has worked out already is kept.",
            )
