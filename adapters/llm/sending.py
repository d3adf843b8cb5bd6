"""Sends a request to a model and insists where failing may pass: the one owner of retries, whatever is asked and however it is read.

Belongs here: attempts, waits, the books of each, and what stops a batch. Does not belong here: what an answer is worth.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from adapters.llm.books import Addressee, Books
from adapters.llm.call import Endpoint, Reply
from adapters.llm.counting import likely
from adapters.llm.outcome import Outcome
from adapters.llm.pool import Limiter
from adapters.llm.prompt import Messages
from adapters.llm.slots import Slots
from adapters.llm.wall import Wall
from adapters.llm.wire import ROWS, Form
from models.ask import Question, Usage

# These may pass by themselves; each is tried again after a while, a bounded number of times.
_PASSING = {Outcome.RATE_LIMITED, Outcome.TIMED_OUT, Outcome.SERVER_ERROR, Outcome.UNREACHABLE}


@dataclass(frozen=True)
class Patience:
    """How long to insist: attempts a request, the longest wait between two, how deep to split, and what counts as a rich topic."""

    max_attempts: int = 3
    max_splits: int = 2
    first_wait_seconds: float = 0.5
    max_wait_seconds: float = 60.0
    rich_lines: int = 6
    overlap_lines: int = 2


class Sender:
    """One model, as requests go to it: so many in flight, each in the books, the wall shared by all of a batch."""

    def __init__(
        self,
        endpoint: Endpoint,
        books: Books,
        to: Addressee,
        *,
        prompt: str,
        form: Form = ROWS,
        width: int = 8,
        patience: Patience | None = None,
        limiter: Limiter | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.endpoint, self.books, self.to, self.prompt, self.form = endpoint, books, to, prompt, form
        self.width = max(1, width)
        self.patience = patience or Patience()
        self.wall = Wall()
        self._slots = Slots(self.width, limiter or nullcontext)
        self._sleep = sleep

    @property
    def parameters(self) -> Mapping[str, Any]:
        """What an answer depends on beside the words: part of the key that the cache knows it by."""
        end = self.endpoint
        return {"temperature": end.temperature, "max_tokens": end.max_output_tokens, "mode": end.mode}

    def send(self, question: Question, asked: Messages, form: Form | None = None) -> Reply:
        """One request, insisted on where failing may pass; its usage is that of all attempts together."""
        usage = Usage()
        reply = Reply(Outcome.UNREACHABLE)
        for attempt in range(self.patience.max_attempts):
            last = self._try(question, asked, form or self.form)
            usage = usage + last.usage
            if attempt and last.outcome is Outcome.OVER_BUDGET:
                # No room to try again is no reason of its own: what failed before it is.
                break
            reply = last
            wait = self._wait_seconds(reply, attempt)
            if wait is None:
                break
            self._sleep(wait)
        self.wall.meet(reply.outcome)
        return replace(reply, usage=usage)

    def count(self, asked: Messages, form: Form | None = None) -> list[int]:
        """Input tokens of a request as it would go over the wire. Nothing is sent."""
        counts: list[int] = []
        counting = likely(self.to.model, self.to.tokenizer)
        # What is counted is kept here: `append` gives no leave to send.
        keep: Callable[[Mapping[str, Any]], bool] = lambda sent: bool(counts.append(counting.tokens_of(sent)))  # noqa: E731
        self._slots.call(self.endpoint, asked, keep, form or self.form)
        return counts

    def _try(self, question: Question, asked: Messages, form: Form) -> Reply:
        if self.wall.outcome:
            return Reply(self.wall.outcome)
        entry = self.books.enter(self.to, stage=question.purpose, prompt=self.prompt, messages=question.msg_keys)
        reply = Reply(Outcome.UNKNOWN, is_metered=False)
        try:
            reply = self._slots.call(self.endpoint, asked, entry.admit, form)
        finally:
            entry.settle(reply.usage, reply.outcome, is_metered=reply.is_metered, arrived=reply.text)
        return replace(reply, fits_halved=entry.fits_halved)

    def _wait_seconds(self, reply: Reply, attempt: int) -> float | None:
        """Seconds until the next attempt; none if there shall be no other."""
        if reply.outcome not in _PASSING or attempt + 1 >= self.patience.max_attempts or self.wall.outcome:
            return None
        wait = reply.retry_after_seconds
        if wait is None:
            wait = min(self.patience.first_wait_seconds * 4**attempt, self.patience.max_wait_seconds)
        return wait if wait <= self.patience.max_wait_seconds else None
