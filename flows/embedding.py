"""A hosted embedder as a night sees it: it is sent only texts whose every message may leave, and what it is sent is in the books.

A text has no id of its own, so its messages are read off the tables of the stage that wants it embedded.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from adapters.llm.books import Addressee, Books
from flows.egress import Gate
from models.ask import Embed, Usage
from models.turn import Turn
from slowwave.embed import BATCH
from slowwave.format import Privacy
from tasks.project.turns import kept_spans, words_of
from tasks.segment.stretches import sessions

Sources = dict[str, set[str]]
# One entry in the books is one request: the embedder would part a longer list itself.
BATCH_TEXTS = BATCH


class HostedEmbed:
    """An `Embed` on another machine. It embeds nothing by itself: `within` says what a stage's texts are made of."""

    def __init__(self, embed: Embed, gate: Gate, books: Books, to: Addressee) -> None:
        self.name, self.dimension, self.digest = embed.name, embed.dimension, embed.digest
        self.embed, self.gate, self.books, self.to = embed, gate, books, to

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """No vector for any text: nothing is known of where they come from."""
        return [[] for _ in texts]

    def within(self, stage: str, frames: Mapping[str, pl.DataFrame]) -> Embed:
        """The embedder for the texts of one stage's tables."""
        return _Within(self, stage, _sources(frames), _sensitive(self.gate, frames))


class _Within:
    def __init__(self, hosted: HostedEmbed, stage: str, sources: Sources, sensitive: set[str]) -> None:
        self.name, self.dimension, self.digest = hosted.name, hosted.dimension, hosted.digest
        self._hosted, self._stage, self._sources, self._sensitive = hosted, stage, sources, sensitive

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        may_leave = [text for text in texts if self._may_leave(text)]
        known: dict[str, list[float]] = {}
        for start in range(0, len(may_leave), BATCH_TEXTS):
            batch = may_leave[start : start + BATCH_TEXTS]
            known |= dict(zip(batch, self._sent(batch), strict=False))
        return [known.get(text, []) for text in texts]

    def _may_leave(self, text: str) -> bool:
        gate, sources = self._hosted.gate, self._sources.get(text, set())
        if text in self._sensitive or gate.why_text_kept(text):
            return False
        return all(gate.why_kept(key) is None for key in sources)

    def _sent(self, texts: list[str]) -> list[list[float]]:
        """The vectors of texts that left; none where a ceiling keeps them here."""
        hosted = self._hosted
        messages = sorted({key for text in texts for key in self._sources.get(text, ())})
        entry = hosted.books.enter(hosted.to, stage=self._stage, prompt="", messages=messages)
        if not entry.admit({"messages": [{"content": text} for text in texts]}):
            return []
        began = time.monotonic()
        try:
            return hosted.embed(texts)
        finally:
            # An embedder does not say what it read, so it is counted at its most.
            entry.settle(Usage(calls=1, seconds=time.monotonic() - began), "embedded", is_metered=False)


def _sources(frames: Mapping[str, pl.DataFrame]) -> Sources:
    """Every text that a stage may want embedded, with the messages it is made of."""
    found: Sources = {}
    for text, keys in _texts(frames):
        found.setdefault(text, set()).update(keys)
    return found


def _texts(frames: Mapping[str, pl.DataFrame]) -> Iterator[tuple[str, set[str]]]:
    # Link too takes turns and what was earlier, but there it is claims.
    if {"turns", "earlier"} <= frames.keys() and _is_turns(frames["earlier"]):
        heard = sessions(frames["turns"], frames["earlier"])  # type: ignore[arg-type]
        yield from ((turn.words, {turn.key}) for session in heard for turn in session)
    for frame in frames.values():
        yield from _said(frame) if _is_turns(frame) else _proven(frame)


def _is_turns(frame: pl.DataFrame) -> bool:
    return set(Turn.model_fields) <= set(frame.columns)


def _said(turns: pl.DataFrame) -> Iterator[tuple[str, set[str]]]:
    for row in turns.select("msg_key", "text", "spans").iter_rows(named=True):
        yield words_of(row["text"], kept_spans(row)), {row["msg_key"]}


def _proven(frame: pl.DataFrame) -> Iterator[tuple[str, set[str]]]:
    if {"text", "evidence"} <= set(frame.columns):
        for text, evidence in frame.select("text", "evidence").iter_rows():
            yield text, {e["source_id"] for e in evidence if e["source_kind"] == "message"}


def _sensitive(gate: Gate, frames: Mapping[str, pl.DataFrame]) -> set[str]:
    """The texts whose rows say that they are more private than what may leave."""
    if gate.rules.max_privacy == Privacy.SENSITIVE:
        return set()
    rows = [f for f in frames.values() if {"text", "privacy"} <= set(f.columns)]
    return {text for f in rows for text in f.filter(pl.col("privacy") == Privacy.SENSITIVE)["text"]}
