"""What a batch is asked and on which terms, and how its requests are settled in the books."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from adapters.llm.batch.notes import Note, Notes
from adapters.llm.batch.provider import Look
from adapters.llm.books import Entry
from adapters.llm.call import Reply
from adapters.llm.outcome import Outcome
from adapters.llm.prompt import Messages
from models.ask import Question, Usage

Shape = Literal["openai", "anthropic"]
Asked = Literal["openai", "anthropic", "auto"]


@dataclass(frozen=True)
class Terms:
    """How batches are asked for: in which `shape`, or the one that the provider has.

    `price` is their share of the price of single calls; `late` is what becomes of what comes too late. Where they are
    not open, no new batch is sent, and those under way are waited for.
    """

    shape: Asked = "auto"
    wait_seconds: float = 6 * 3600.0
    poll_seconds: float = 60.0
    late: Literal["single", "defer"] = "single"
    price: float = 0.5
    most_requests: int = 5000
    is_open: bool = True


@dataclass(frozen=True)
class Item:
    """A question that the cache does not know, under its key there."""

    key: str
    question: Question
    messages: Messages


@dataclass
class Going:
    """A batch under way: its note, what of it is still open in the books, and what came of it, by key."""

    note: Note
    entries: dict[str, Entry]
    is_wanted: bool = True
    look: Look | None = None
    replies: dict[str, Reply] = field(default_factory=dict)

    @property
    def size(self) -> str:
        """How many questions it holds, in words."""
        n = len(self.note.slots)
        return "1 question" if n == 1 else f"{n} questions"

    def settle(self, notes: Notes, slot: str, usage: Usage, outcome: Outcome, *, is_metered: bool) -> bool:
        """Settle a request in the books, once in all its life; whether it was done now."""
        entry = self.entries.get(slot)
        if entry is None or slot in self.note.settled:
            return False
        # Noted first: killed between the two, what was set aside stays spent, and is never given back twice.
        notes.settle(self.note, slot)
        entry.settle(usage, outcome, is_metered=is_metered)
        return True

    def drop(self, notes: Notes) -> None:
        """Give up a batch that was never created: it cost nothing."""
        for slot in self.entries:
            self.settle(notes, slot, Usage(), Outcome.FAILED, is_metered=True)
        notes.end(self.note)

    def leave(self) -> None:
        """Put its questions off: what was set aside stays so until another night knows more."""
        for slot, entry in self.entries.items():
            if slot not in self.note.settled:
                entry.settle(Usage(), Outcome.BATCHED, is_metered=False)
        self.replies = {key: Reply(Outcome.BATCHED) for key in self.note.keys}
