"""Our own memory as one system among others: one night over everything, then a reader.

Belongs here: the road in, and results in the form that is judged. Does not belong here: figures.
"""

from __future__ import annotations

import importlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import slowwave
from evals.baselines.corpus import Corpus
from evals.worlds.files import OWNER, Logs
from evals.worlds.year import ZONE
from flows.begin import Plan
from flows.road import consolidated
from flows.step import here
from slowwave.reader.results import Recalled


class Ours:
    """A store after one night; `model` and `api_base` say who answered its questions, the rules where empty."""

    def __init__(self, corpus: Corpus, folder: Path, model: str = "", api_base: str = "") -> None:
        self.turns = {turn.id: turn.text for turn in corpus.turns}
        self.as_of: datetime = corpus.as_of
        flags: dict[str, Any] = {"night": {"model": model, "api_base": api_base}} if model else {}
        if corpus.world is not None:
            flags["owner"] = {"id": OWNER, "names": [corpus.world.year.owner], "zone": ZONE}
        store = folder / f"{corpus.name}-store"
        consolidated(Plan(store, _sources(corpus, folder), corpus.as_of, flags, trigger="eval"), here)
        self.reader = slowwave.open(store)

    def ask(self, text: str, k: int) -> list[tuple[frozenset[str], str]]:
        """What the reader recalls; a piece of evidence counts where its words are shown, in the text or as its quote."""
        return [(self._quoted(one), _words(one)) for one in self.reader.recall(text, k, at=self.as_of)]

    def _quoted(self, one: Recalled) -> frozenset[str]:
        return frozenset(e.message_id for e in one.evidence if e.quote and e.quote in self.turns.get(e.message_id, ""))


def warm(folder: Path, *, has_model: bool) -> None:
    """A night over one message and one answer: loads all that a night and a reader need, and what speaks to a model where one is asked."""
    for library in ("litellm", "instructor") if has_model else ():
        importlib.import_module(library)
    store = folder / "warm"
    store.mkdir()
    said = {"session_id": "s", "role": "user", "content": "I keep bees in Brno.", "created_at": "2026-03-01T10:00:00Z"}
    slowwave.record(store, [said])
    consolidated(Plan(store, (), datetime(2026, 3, 2, tzinfo=UTC), {}, trigger="eval"), here)
    slowwave.open(store).recall("bees", 1)


def _sources(corpus: Corpus, folder: Path) -> tuple[str, ...]:
    if corpus.world is None:
        return (f"locomo={corpus.path}",)
    logs = Logs(folder / corpus.name)
    logs.write(corpus.world.sessions, corpus.world.year.nudges, corpus.as_of)
    return logs.sources


def _words(one: Recalled) -> str:
    """All that a result shows: its text, quotes that say more than it, and what it took the place of."""
    more = [e.quote for e in one.evidence if e.quote not in one.text]
    return "\n".join([one.text, *more, *(past.text for past in one.history)])
