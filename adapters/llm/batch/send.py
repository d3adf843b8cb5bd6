"""Sends batches, and finds those again that an earlier night sent: noted before they leave, and never sent twice."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from adapters.llm.batch.between import Between, Written
from adapters.llm.batch.going import Going, Item, Terms
from adapters.llm.batch.notes import Note, Notes, Slot
from adapters.llm.batch.provider import NotSent, Provider
from adapters.llm.books import Addressee, Books, Entry
from adapters.llm.call import Run
from adapters.llm.outcome import Outcome, named
from models.ask import Usage

_log = logging.getLogger(__name__)
_FINAL = {Outcome.REJECTED, Outcome.DENIED}
_NEVER_SENT = {Outcome.UNREACHABLE, Outcome.RATE_LIMITED}


def name_of(to: Addressee) -> str:
    """How notes name whom their batch was sent to."""
    return f"{to.model} at {to.host}"


class Sending:
    """Batches on their way to one provider. `run` bounds how long each request may take in all."""

    def __init__(
        self,
        provider: Provider,
        between: Between,
        terms: Terms,
        *,
        prompt: str,
        notes: Notes,
        books: Books,
        to: Addressee,
        run: Run,
        max_attempts: int = 3,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._provider, self._between, self._terms, self._prompt = provider, between, terms, prompt
        self._notes, self._books, self._to = notes, books, to
        self._run, self._max_attempts, self._sleep = run, max_attempts, sleep
        self._name = name_of(to)

    def earlier(self, wanted: set[str]) -> Iterator[Going]:
        """Batches that earlier nights noted and nobody has ended; `wanted` are the keys that are asked tonight."""
        for note in self._notes.of(self._name):
            entries = {
                name: self._books.adopted(self._to, slot.about, slot.most, month=note.month)
                for name, slot in note.slots.items()
                if name not in note.settled
            }
            going = Going(note, entries, is_wanted=bool(wanted & note.keys))
            if not self.is_lost(going):
                yield going

    def new(self, items: Sequence[Item]) -> Iterator[Going]:
        """Batches of these questions, as many as it takes; what could not be sent is in none."""
        most = self._terms.most_requests
        items = items if self._terms.is_open else []
        for start in range(0, len(items), most):
            requests = {item.key: asked for item in items[start : start + most] if (asked := self._admitted(item))}
            if not requests:
                continue
            going = self._named({key: entry for key, (entry, _) in requests.items()})
            if self._is_sent(going.note, {slot: requests[s.key][1] for slot, s in going.note.slots.items()}):
                yield going
                continue
            going.drop(self._notes)
            self._books.tell(f"a batch of {going.size} could not be sent: asked singly, at the full price")

    def is_lost(self, going: Going) -> bool:
        """Whether a batch of which no id is known was never created; false as long as nobody can tell."""
        if going.note.batch_id:
            return False
        try:
            found = self._run(lambda: self._provider.find(going.note))
        except Exception as error:
            _log.warning("a batch could not be looked for: %s", type(error).__name__)
            return False
        if found is not None:
            self._notes.sent(going.note, found)
            return False
        going.drop(self._notes)
        return True

    def cancel(self, going: Going) -> None:
        """Ask for no more answers. One that has ended by itself refuses, which is as good."""
        try:
            self._run(lambda: self._provider.cancel(going.note.batch_id))
        except Exception as error:
            _log.warning("a batch could not be cancelled: %s", type(error).__name__)

    def _admitted(self, item: Item) -> tuple[Entry, Written] | None:
        """The request's entry and form; None where no ceiling has room for it now, or where it cannot be made."""
        asked = item.question
        entry = self._books.enter(self._to, stage=asked.purpose, prompt=self._prompt, messages=asked.msg_keys)
        written = self._between.written(item.messages, lambda request: entry.admit(request, waits=False))
        if written is None:
            entry.settle(Usage(), Outcome.FAILED, is_metered=True)
            return None
        return entry, written

    def _named(self, entries: Mapping[str, Entry]) -> Going:
        # The same questions have the same name, whichever process asks them.
        name = "sw" + hashlib.sha256("\n".join(sorted(entries)).encode()).hexdigest()[:24]
        named_entries = {f"{name}-{n:05d}": (key, entries[key]) for n, key in enumerate(sorted(entries))}
        slots = {slot: Slot(key, entry.about, entry.most) for slot, (key, entry) in named_entries.items()}
        note = Note(name, self._name, self._books.run, self._books.month, time.time(), slots)
        return Going(note, {slot: entry for slot, (_, entry) in named_entries.items()})

    def _is_sent(self, note: Note, requests: Mapping[str, Written]) -> bool:
        """Note the batch and send it, insisting where failing may pass. True where it was sent, or may have been."""
        try:
            self._notes.begin(note)
        except OSError as error:
            _log.warning("a batch could not be noted, so it is not sent: %s", error.strerror)
            return False
        for _ in range(self._max_attempts):
            try:
                batch_id: Any = self._run(lambda: self._provider.create(note, requests))
            except Exception as error:
                cause = error.__cause__ if isinstance(error, NotSent) else error
                outcome = named(cause)[0] if isinstance(cause, Exception) else Outcome.UNKNOWN
                _log.warning("a batch could not be sent: %s", outcome)
                if outcome in _FINAL:
                    return False
                self._sleep(self._terms.poll_seconds)
                if not isinstance(error, NotSent) and outcome not in _NEVER_SENT and self._may_be_there(note):
                    return True
            else:
                self._notes.sent(note, batch_id)
                return True
        return False

    def _may_be_there(self, note: Note) -> bool:
        """Whether a batch stands at the provider though sending it seemed to fail, or nobody can tell."""
        try:
            found = self._run(lambda: self._provider.find(note))
        except Exception:
            return True
        if found is not None:
            self._notes.sent(note, found)
        return found is not None
