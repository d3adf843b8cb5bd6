"""Waits for batches, as long as a night may; what comes too late is cancelled and asked singly, or put off to another night."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence

from adapters.llm.batch.collect import Collecting
from adapters.llm.batch.going import Going, Item, Terms
from adapters.llm.batch.send import Sending
from adapters.llm.call import Reply

_log = logging.getLogger(__name__)
# Providers say that what is cancelled ends within ten minutes.
_CANCEL_SECONDS = 900.0


class Batches:
    """Batches of one model at one provider."""

    def __init__(
        self,
        sending: Sending,
        collecting: Collecting,
        terms: Terms,
        *,
        tell: Callable[[str], None],
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._sending, self._collecting, self._terms = sending, collecting, terms
        self._tell, self._sleep = tell, sleep

    def answers(self, items: Sequence[Item]) -> dict[str, Reply]:
        """What batches said to these questions, by key; what is not in it is free to be asked singly. Never raises."""
        wanted = {item.key: item for item in items}
        going: list[Going] = []
        late = going
        try:
            going += self._sending.earlier(set(wanted))
            held = {key for batch in going for key in batch.note.keys}
            for batch in self._sending.new([wanted[key] for key in sorted(wanted) if key not in held]):
                going.append(batch)
            late = self._late(going)
        except Exception as error:
            self._tell(f"batches were given up for tonight: {type(error).__name__}")
            late = [batch for batch in going if batch.look is None]
        for batch in late:
            self._leave(batch)
        return {key: reply for batch in going for key, reply in batch.replies.items() if key in wanted}

    def end(self) -> None:
        """Forget the batches whose answers were judged and kept."""
        self._collecting.end()

    def _late(self, going: list[Going]) -> list[Going]:
        """Wait; the batches that may still be answered when the waiting is over."""
        late = self._polled(going, self._terms.wait_seconds)
        if self._terms.late == "defer" or not late:
            return late
        for batch in late:
            if batch.is_wanted and batch.note.batch_id:
                self._sending.cancel(batch)
        return self._polled(late, _CANCEL_SECONDS)

    def _polled(self, going: list[Going], seconds: float) -> list[Going]:
        """Look at the batches until all that are waited for have ended, or for so long; those that have not."""
        waited, began = 0.0, time.monotonic()
        left = [batch for batch in going if not self._is_done(batch)]
        while any(batch.is_wanted for batch in left) and waited < seconds:
            self._sleep(self._terms.poll_seconds)
            waited = max(waited + self._terms.poll_seconds, time.monotonic() - began)
            left = [batch for batch in left if not self._is_done(batch)]
        return left

    def _is_done(self, batch: Going) -> bool:
        if self._sending.is_lost(batch):
            return True
        return bool(batch.note.batch_id) and self._collecting.is_done(batch)

    def _leave(self, batch: Going) -> None:
        batch.leave()
        if batch.is_wanted:
            self._tell(f"a batch of {batch.size} is under way: a later night goes on waiting for it")
