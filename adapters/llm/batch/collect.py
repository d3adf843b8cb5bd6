"""Collects what came of a batch: each answer is read as a single call's would be, and settled in the books at the batch's price."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace

from adapters.llm.batch.between import Between
from adapters.llm.batch.going import Going
from adapters.llm.batch.notes import Notes
from adapters.llm.batch.provider import Look, Provider, Result, rows
from adapters.llm.books import Books
from adapters.llm.call import Reply, Run
from adapters.llm.outcome import Outcome, status_of
from models.ask import Usage

_log = logging.getLogger(__name__)
# What is judged as a single call's answer would be; any other outcome is no answer.
_USABLE = {Outcome.ANSWERED, Outcome.INVALID, Outcome.TRUNCATED, Outcome.REFUSED}
# Words for batches that ended early: what they don't hold was never made.
_CUT_SHORT = {"failed", "cancelled", "expired"}
_HALF = "broken"


class Collecting:
    """What comes back from one provider. `price` is a batch's share of the price of single calls."""

    def __init__(
        self, provider: Provider, between: Between, notes: Notes, books: Books, *, price: float, run: Run
    ) -> None:
        self._provider, self._between, self._notes, self._books = provider, between, notes, books
        self._price, self._run = price, run
        self._ended: list[Going] = []

    def is_done(self, going: Going) -> bool:
        """One look at a batch; whether it has ended and its answers are here."""
        try:
            look = self._run(lambda: self._provider.look(going.note.batch_id))
            if look.is_ended:
                self._collect(going, look)
            return look.is_ended
        except Exception as error:
            if status_of(error) == 404:
                self._give_up(going)
                return True
            _log.warning("a batch could not be looked at: %s", type(error).__name__)
            return False

    def end(self) -> None:
        """Forget the batches whose answers are in the cache by now, here and at the provider."""
        for going in self._ended:
            try:
                if going.look is not None:
                    self._run(lambda g=going, at=going.look: self._provider.clear(g.note.batch_id, at))
            except Exception as error:
                _log.warning("a batch could not be deleted at its provider: %s", type(error).__name__)
            self._notes.end(going.note)
        self._ended.clear()

    def _collect(self, going: Going, look: Look) -> None:
        found, odd = self._results(going, look)
        if odd[_HALF]:
            # What broke on its way is whole at another reading.
            found, odd = self._results(going, look)
        for name, slot in going.note.slots.items():
            reply = self._came(going, name, found.get(name), look)
            if reply is not None:
                going.replies.setdefault(slot.key, reply)
        going.look = look
        self._ended.append(going)
        self._tell(going, odd)

    def _give_up(self, going: Going) -> None:
        """A batch that its provider no longer knows may have cost, and nothing will come of it."""
        self._books.tell(f"a batch of {going.size} is no longer known to its provider")
        for name in going.entries:
            going.settle(self._notes, name, Usage(), Outcome.UNKNOWN, is_metered=False)
        self._ended.append(going)

    def _results(self, going: Going, look: Look) -> tuple[dict[str, Result], Counter[str]]:
        """What came of each request, the first word on it alone; and how many lines were of no use."""
        found: dict[str, Result] = {}
        odd: Counter[str] = Counter()
        for row in rows(self._run(lambda: self._provider.lines(going.note.batch_id, look))):
            name = str(row.get("custom_id")) if row else ""
            if row is None or name not in going.note.slots or name in found:
                odd[_HALF if row is None else "twice" if name in found else "of no question"] += 1
            else:
                found[name] = self._provider.result(row)
        return found, odd

    def _came(self, going: Going, name: str, result: Result | None, look: Look) -> Reply | None:
        """The answer to a request; None where there is none of use."""
        if result is None:
            # Of a batch that was completed, what is not there may have been made all the same.
            going.settle(self._notes, name, Usage(), Outcome.UNKNOWN, is_metered=look.word in _CUT_SHORT)
            return None
        if result.body is None:
            outcome = Outcome.EXPIRED if result.reason == Outcome.EXPIRED else Outcome.FAILED
            going.settle(self._notes, name, Usage(), outcome, is_metered=True)
            return None
        reply = self._between.read(result.body)
        usage = replace(reply.usage, cost=reply.usage.cost * self._price, seconds=0.0)
        is_usable = reply.outcome in _USABLE
        is_fresh = going.settle(self._notes, name, usage, reply.outcome, is_metered=reply.is_metered and is_usable)
        # What an earlier night settled, it counted.
        return replace(reply, usage=usage if is_fresh else Usage()) if is_usable else None

    def _tell(self, going: Going, odd: Counter[str]) -> None:
        n_left = len(going.note.slots) - len(going.replies)
        if n_left and going.is_wanted:
            word = going.look.word if going.look else ""
            told = f"{n_left} of {going.size} of a batch that ended as {word!r} had no answer there"
            self._books.tell(f"{told}: asked singly, at the full price")
        if odd:
            told = ", ".join(f"{n} {what}" for what, n in sorted(odd.items()))
            self._books.tell(f"a batch's results had lines of no use: {told}")
