"""Which stretch of a long turn to return: the whole of a short one, else the sentences that hold most of the question's words."""

from __future__ import annotations

import re
from itertools import pairwise

from slowwave.language import paired
from slowwave.text import normalise

# A result is to be read at a glance; what is around it is one `sessions` or `why` away.
MAX_CHARS = 600
_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*|\n+")
_WORD = re.compile(r"\w+")


def words(text: str) -> set[str]:
    """The words of a text that can tell one passage from another: of three letters or more, or pairs where no space parts words."""
    plain = normalise(text)
    return {word for word in _WORD.findall(plain) if len(word) > 2} | set(paired(plain))


def passage(text: str, asked: set[str]) -> tuple[int, int]:
    """Half-open code points of the stretch; the earliest of equally good ones."""
    if len(text) <= MAX_CHARS:
        return 0, len(text)
    starts = _starts(text)
    best, most = (0, 0), -1
    for i, start in enumerate(starts):
        end = _end(text, starts, i)
        n = len(asked & words(text[start:end]))
        if n > most:
            best, most = (start, end), n
    return best


def _starts(text: str) -> list[int]:
    """Where sentences begin; a sentence longer than a passage is cut into pieces."""
    found = [0, *(m.end() for m in _END.finditer(text) if m.end() < len(text)), len(text)]
    return [at for a, b in pairwise(found) for at in range(a, b, MAX_CHARS)]


def _end(text: str, starts: list[int], i: int) -> int:
    """The last sentence border within reach of sentence `i`'s start."""
    limit = starts[i] + MAX_CHARS
    ends = [at for at in [*starts[i + 1 :], len(text)] if at <= limit]
    return ends[-1] if ends else min(limit, len(text))
