"""How many calls are in flight, and how long each may take in all: a deadline holds however slowly a server drips.

A call that was given up on keeps its slot until its server lets go of it, so that a bad server never sees more at once.
"""

from __future__ import annotations

import queue
from collections.abc import Callable
from contextlib import nullcontext
from threading import Event, Semaphore, Thread
from typing import Any

from adapters.llm.call import Admit, Endpoint, Late, Reply, call
from adapters.llm.outcome import Outcome
from adapters.llm.pool import Limiter
from adapters.llm.prompt import Messages
from adapters.llm.wire import ROWS, Form

# The client's own time-out tells more of what went wrong, so it goes first.
_GRACE_SECONDS = 1.0


class Slots:
    """Calls in flight at most. Each is made within the `limiter`, which many models may share."""

    def __init__(self, width: int, limiter: Limiter = nullcontext) -> None:
        self._free = Semaphore(width)
        self._limiter = limiter

    def call(self, endpoint: Endpoint, messages: Messages, admit: Admit, form: Form = ROWS) -> Reply:
        """Put one request to the model and name what came back, within the endpoint's time-out once it has been admitted."""
        if not self._free.acquire(timeout=endpoint.timeout_seconds):
            return Reply(Outcome.TIMED_OUT, detail="every slot is held by a call that does not end")
        slot = _Slot(self._free, endpoint.timeout_seconds + _GRACE_SECONDS, self._limiter)
        try:
            return call(endpoint, messages, admit, slot.run, form)
        finally:
            slot.leave()


def within(seconds: float, work: Callable[[], Any]) -> Any:
    """Do the work within so many seconds. Raises Late after that, and whatever the work raises before."""
    return _Slot(Semaphore(0), seconds).run(work)


class _Slot:
    """One place in flight, held until the work that was begun in it ends."""

    def __init__(self, free: Semaphore, seconds: float, limiter: Limiter = nullcontext) -> None:
        self._free, self._seconds, self._limiter = free, seconds, limiter
        self._has_begun = Event()
        self._is_busy = False

    def run(self, work: Callable[[], Any]) -> Any:
        """Do the work, for so long. Raises Late after that, and whatever the work raises before."""
        done: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        self._is_busy = True
        # A client's time-out begins anew with each byte; only a thread of its own can be left behind.
        Thread(target=self._work, args=(work, done), daemon=True, name="call").start()
        # What waits for its turn among others is not late.
        self._has_begun.wait()
        try:
            made, error = done.get(timeout=self._seconds)
        except queue.Empty:
            raise Late("the answer came too slowly") from None
        if error is not None:
            raise error
        return made

    def leave(self) -> None:
        """Free the place, unless work is still at it."""
        if not self._is_busy:
            self._free.release()

    def _work(self, work: Callable[[], Any], done: queue.SimpleQueue[tuple[Any, BaseException | None]]) -> None:
        try:
            with self._limiter():
                self._has_begun.set()
                outcome: tuple[Any, BaseException | None] = work(), None
        except BaseException as error:
            outcome = None, error
        self._has_begun.set()
        self._free.release()
        done.put(outcome)
