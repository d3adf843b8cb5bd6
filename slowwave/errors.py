"""Every error a person can meet, each with the next step. No logic lives here."""

from __future__ import annotations


class SlowwaveError(Exception):
    """Something a person can act on: `str(error)` says what happened, `error.hint` what to do next."""

    exit_status = 4

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class Transient(Exception):
    """Mixed into errors that may pass by themselves; only these are ever retried."""


class UsageError(SlowwaveError):
    """The call itself is off: an unknown source kind, a missing path, a model name nobody serves."""

    exit_status = 2


class StoreNotFound(SlowwaveError):
    """There is no store, or no published version in it, where the caller pointed."""

    exit_status = 2


class StoreUnwritable(SlowwaveError):
    """The store's folder cannot be written to."""


class StoreUnreachable(SlowwaveError, Transient):
    """The object store that holds the store does not answer."""


class FormatTooNew(SlowwaveError):
    """The version was written by a newer slowwave than the one reading it."""


class VersionGone(SlowwaveError):
    """`CURRENT` or a pinned reader names a version that is no longer there."""


class EmbedderMismatch(SlowwaveError):
    """The index was made with another embedder than the one at hand; answers would be wrong."""


class SourceError(SlowwaveError):
    """A platform's log could not be read at all; single bad lines are quarantined instead."""


class SchemaMismatch(SlowwaveError):
    """A frame is not what its table declares. This is our bug, never the user's input."""


class ModelError(SlowwaveError):
    """A model could not be asked: unknown name, no key, unusable answer."""


class ModelUnavailable(ModelError, Transient):
    """The model's server is down, slow or throttling; the same question may be answered later."""


class ServerUnreachable(SlowwaveError, Transient):
    """The Prefect server that is configured does not answer."""


class PromiseBroken(SlowwaveError):
    """A blocking promise failed; nothing was published and the last version still serves."""

    exit_status = 3


class StoreHeld(SlowwaveError):
    """The store waits for a person: after a rollback, or because a night would retire too much."""

    exit_status = 3


class PublishConflict(SlowwaveError, Transient):
    """Somebody else published since this night began."""
