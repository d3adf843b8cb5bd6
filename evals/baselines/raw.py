"""Searches over the turns as they were said: nothing is made of them beforehand, and no model is asked.

Belongs here: full context, full text, vectors and their fusion, each as plain as they come. Does not belong here: figures.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from evals.baselines.corpus import Corpus, Turn
from slowwave.embed import load

_WORD = re.compile(r"[^\W_]+")
# Words that are asked with and not for: left out, since with them full text finds four evidence turns in a hundred fewer.
_ASKING = frozenset(
    _WORD.findall(
        "a an and are as at be been but by did do does for had has have how if in into is it no not of on or such that the their then there"
        " these they this to was were what when where which who whom whose why will with would"
    )
)
# The constant of reciprocal rank fusion as its authors set it.
_RRF = 60


class Search(Protocol):
    """A system that has taken a corpus in."""

    def ask(self, text: str, k: int) -> list[tuple[frozenset[str], str]]:
        """At most `k` results, best first: the turns whose words each returns, and the text that it takes of a prompt."""
        ...


class Full:
    """The whole talk in the prompt, the newest first where not all of it fits."""

    def __init__(self, corpus: Corpus) -> None:
        self.turns = tuple(reversed(corpus.turns))

    def ask(self, text: str, k: int) -> list[tuple[frozenset[str], str]]:
        """Everything, whatever is asked."""
        return _shown(self.turns)


class FullText:
    """SQLite's full text with stems, any of the question's words, by BM25."""

    def __init__(self, corpus: Corpus) -> None:
        self.turns = corpus.turns
        self.con = sqlite3.connect(":memory:")
        self.con.execute("CREATE VIRTUAL TABLE turns USING fts5(text, tokenize='porter unicode61')")
        self.con.executemany("INSERT INTO turns (rowid, text) VALUES (?, ?)", enumerate(t.shown for t in self.turns))

    def places(self, text: str, k: int) -> list[int]:
        """Places of the turns found, best first."""
        said = dict.fromkeys(_WORD.findall(text.casefold()))
        words = " OR ".join(f'"{word}"' for word in said if word not in _ASKING)
        if not words:
            return []
        rows = self.con.execute(
            "SELECT rowid FROM turns WHERE turns MATCH ? ORDER BY bm25(turns), rowid LIMIT ?", (words, k)
        )
        return [int(row[0]) for row in rows]

    def ask(self, text: str, k: int) -> list[tuple[frozenset[str], str]]:
        """The best turns."""
        return _shown([self.turns[place] for place in self.places(text, k)])


class Vectors:
    """The vectors of the embedder that ours uses by default, compared one by one."""

    def __init__(self, corpus: Corpus) -> None:
        self.turns = corpus.turns
        self.embedder = load("static")
        self.vectors = self.embedder.embed_documents([turn.shown for turn in self.turns])

    def places(self, text: str, k: int) -> list[int]:
        """Places of the turns found, best first."""
        near = self.vectors @ self.embedder.embed_query(text)
        return [int(place) for place in np.argsort(-near, kind="stable")[:k]]

    def ask(self, text: str, k: int) -> list[tuple[frozenset[str], str]]:
        """The nearest turns."""
        return _shown([self.turns[place] for place in self.places(text, k)])


class Fused:
    """Both, by reciprocal rank."""

    def __init__(self, corpus: Corpus) -> None:
        self.turns = corpus.turns
        self.arms = (FullText(corpus), Vectors(corpus))

    def ask(self, text: str, k: int) -> list[tuple[frozenset[str], str]]:
        """The turns that stand highest in both."""
        scores: dict[int, float] = defaultdict(float)
        for arm in self.arms:
            for rank, place in enumerate(arm.places(text, max(k, _RRF)), 1):
                scores[place] += 1 / (_RRF + rank)
        best = sorted(scores, key=lambda place: (-scores[place], place))[:k]
        return _shown([self.turns[place] for place in best])


def _shown(turns: Sequence[Turn]) -> list[tuple[frozenset[str], str]]:
    return [(frozenset([turn.id]), turn.shown) for turn in turns]
