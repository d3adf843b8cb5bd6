"""A table whose indexes can't be read, looked through row by row: slower, and its words told apart more simply, but it answers.

Belongs here: searching without an index. Does not belong here: when that is done (`tables`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from heapq import nsmallest
from math import log

from slowwave.language import is_commonest
from slowwave.reader.arms import Stored
from slowwave.text import normalise

# The usual constants of Okapi BM25, which the index has too.
_K1, _B = 1.2, 0.75
_WORD = re.compile(r"\w+")
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|e)$")
Found = tuple[int, Counter[str], int]


class Scanned(Stored):
    """A table of which every row is looked at, whatever is asked."""

    uses_indexes = False

    def by_words(self, text: str, where: str | None, depth: int) -> dict[int, float]:
        sought = frozenset(_words(text))
        found, n_rows, n_words = self._holding(sought, where)
        spread = Counter(word for _, counts, _ in found for word in counts)
        weight = {word: log(1 + (n_rows - n + 0.5) / (n + 0.5)) for word, n in spread.items()}
        mean = n_words / n_rows if n_rows else 1.0

        def score(counts: Counter[str], length: int) -> float:
            norm = _K1 * (1 - _B + _B * length / mean)
            return sum(weight[word] * n * (_K1 + 1) / (n + norm) for word, n in counts.items())

        scored = ((number, score(counts, length)) for number, counts, length in found)
        return dict(nsmallest(depth, scored, key=lambda one: (-one[1], one[0])))

    def _holding(self, sought: frozenset[str], where: str | None) -> tuple[list[Found], int, int]:
        """Rows that hold a word that is sought: number, how often each stands there, and length; and how many rows and words there are."""
        found: list[Found] = []
        n_rows = n_words = 0
        for number, text in self._texts(where):
            words = list(_words(text))
            n_rows, n_words = n_rows + 1, n_words + len(words)
            if not sought.isdisjoint(words):
                found.append((number, Counter(word for word in words if word in sought), len(words)))
        return found, n_rows, n_words

    def _texts(self, where: str | None) -> Iterator[tuple[int, str]]:
        columns = ["_rowid", "search_text"]
        for batch in self._scanner(columns, where).to_batches():
            yield from zip(self._numbers(batch), batch["search_text"].to_pylist(), strict=True)


def _words(text: str) -> Iterable[str]:
    """Words as they are compared: in small letters, without English small words and endings."""
    return [_root(word) for word in _WORD.findall(normalise(text)) if not is_commonest(word)]


@lru_cache(65_536)
def _root(word: str) -> str:
    return _ENDING.sub("", word)
