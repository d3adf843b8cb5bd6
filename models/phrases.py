"""The owner's own words and phrases as they are looked for: whatever the case, the marks between them, and what nobody can see.

Belongs here: how a phrase is found. Does not belong here: what follows where one is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from slowwave.text import normalise

# Scripts that write words together, or their endings onto them: there an edge of a word can't be told.
_JOINED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_PRONOUN = re.compile(r"^(?:he|she|they|it|his|her|hers|their|its|him|them)\b", re.IGNORECASE)


@cache
def phrase(words: str, *, is_whole: bool) -> re.Pattern[str]:
    """The words in this order, to be searched for in `normalise`d text; from the beginning of the first one on.

    `is_whole`: to the end of the last one, so that "ant" is not found in "antler". Nothing is found for a blank.
    """
    parts = _words(words)
    if not parts:
        return re.compile(re.escape(normalise(words)) or r"(?!)")
    begins = "" if _JOINED.match(parts[0]) else r"(?<![^\W_])"
    ends = r"(?![^\W_])" if is_whole and not _JOINED.match(parts[-1][-1]) else ""
    return re.compile(begins + r"[\W_]*".join(map(re.escape, parts)) + ends)


def _words(words: str) -> list[str]:
    """The words of a phrase; an accent that stands alone is part of its word."""
    return "".join(c if c.isalnum() or unicodedata.combining(c) else " " for c in normalise(words)).split()


def holds(text: str, words: Iterable[str], *, is_whole: bool = True) -> bool:
    """Whether a text holds one of the words and phrases."""
    patterns = [phrase(one, is_whole=is_whole) for one in words]
    folded = normalise(text) if patterns else ""
    return any(pattern.search(folded) for pattern in patterns)


def leans(sentence: str) -> bool:
    """Whether a sentence goes on about what the one before it was about."""
    return _PRONOUN.match(sentence) is not None
