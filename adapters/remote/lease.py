"""The lease of a remote store: the object `.lease`, which one writer holds for a while and renews as long as it is alive.

Each new holder raises its number. The lease keeps writers from working side by side; that a writer who was passed by moves nothing is
seen to by the pointer, which each turn writes once at its beginning (`turn`).
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Lock, Thread

from pydantic import Field

from adapters import files
from models.rules import Rules
from slowwave.errors import StoreHeld, StoreUnreachable
from slowwave.remote.faults import unsupported
from slowwave.remote.objects import Objects

KEY, _OWNER = ".lease", ".owner"
_LOOK_SECONDS = 1.0
_RENEWALS = 3


class RemoteSettings(Rules):
    """A store in an object store. Where the server is and who may use it, the environment says (`AWS_*`), for readers as for nights."""

    lease_seconds: float = Field(
        default=60.0,
        ge=1,
        description="How long another machine waits for a night that was killed; one that is alive renews its lease three times as often.",
    )


@dataclass(frozen=True)
class _Held:
    """What the object says: whose lease it is, by number, and until when if it is not renewed; `owner` is empty once it was given back."""

    number: int = 0
    owner: str = ""
    until: datetime = datetime.min.replace(tzinfo=UTC)


class RemoteLease:
    """The right to write to a remote store. `number` is of this turn, and larger than that of any before."""

    def __init__(self, objects: Objects, folder: Path, seconds: float) -> None:
        self._objects, self._seconds = objects, seconds
        self._owner = _owner(folder)
        self.number = 0
        self._etag: str | None = None
        self._until = 0.0
        self._lock, self._ended = Lock(), Event()

    @property
    def is_held(self) -> bool:
        """Whether nobody else can have taken it, by this machine's own clock."""
        return self._etag is not None and time.monotonic() < self._until

    def take(self, until: float) -> None:
        """Take the lease, waiting `until` (monotonic) for another holder. Raises StoreHeld, StoreUnreachable, UsageError."""
        while not self._try():
            if time.monotonic() >= until:
                raise StoreHeld(
                    f"another night is at work on {self._objects.place}",
                    f"Wait for it to end; the lease of one that was killed on another machine ends within {self._seconds:.0f} s.",
                )
            time.sleep(min(_LOOK_SECONDS, self._seconds / 10))
        if not self._objects.holds_to_conditions(KEY, self._content):
            raise unsupported(self._objects.place)
        Thread(target=self._keep_up, name="slowwave-lease", daemon=True).start()

    def give_back(self) -> None:
        """Let others take it at once; a lease that was lost is another's already."""
        self._ended.set()
        with self._lock, suppress(StoreUnreachable):
            if self._etag is not None:
                self._objects.put(KEY, _content(_Held(self.number)), self._etag)
            self._etag = None

    def _try(self) -> bool:
        found = self._objects.get(KEY)
        held = _Held() if found is None else _read(found[0])
        # Whoever held it in this working copy is no more: the copy's lock, which ends with its process, is ours.
        if held.owner not in ("", self._owner) and held.until > datetime.now(UTC):
            return False
        self.number = held.number + 1
        return self._write(None if found is None else found[1])

    def _write(self, seen: str | None) -> bool:
        began = time.monotonic()
        self._content = _content(_Held(self.number, self._owner, datetime.now(UTC) + timedelta(seconds=self._seconds)))
        self._etag = self._objects.put(KEY, self._content, seen) or self._lost_answer()
        # Counted from before it was asked for, so that it never seems to be held for longer than it is.
        self._until = began + self._seconds if self._etag is not None else 0.0
        return self._etag is not None

    def _lost_answer(self) -> str | None:
        """The etag of a lease that is ours all the same: of an earlier renewal whose answer never came."""
        found = self._objects.get(KEY)
        held = _Held() if found is None else _read(found[0])
        is_ours = (held.number, held.owner) == (self.number, self._owner)
        return found[1] if found is not None and is_ours else None

    def _keep_up(self) -> None:
        while not self._ended.wait(self._seconds / _RENEWALS):
            with self._lock, suppress(StoreUnreachable):
                if self._ended.is_set() or self._etag is None or not self._write(self._etag):
                    return


def _owner(folder: Path) -> str:
    """What this working copy is known by to others."""
    path = folder / _OWNER
    if not path.is_file():
        files.write_bytes(path, os.urandom(16).hex().encode())
    return path.read_text("utf-8")


def _content(held: _Held) -> bytes:
    said = {"number": held.number, "owner": held.owner, "until": held.until.isoformat()}
    return (json.dumps(said) + "\n").encode()


def _read(content: bytes) -> _Held:
    """What the object says; one that can't be read is nobody's, and its number is passed by as the pointer's is."""
    try:
        found = json.loads(content)
        return _Held(int(found["number"]), str(found["owner"]), datetime.fromisoformat(found["until"]))
    except (ValueError, KeyError, TypeError):
        return _Held()
