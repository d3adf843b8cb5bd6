"""A cheap look before a costly one: a pattern, and the words of which whatever it is found in holds one.

Most sentences hold none of the words that a pattern is about, and the same few thousand sentences are put to pattern after pattern: so a
text is taken apart once, and a pattern is tried only where one of its words begins as a word of the text does. Belongs here: that look.
Does not belong here: any wording.
"""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]+")
_HEAD_LETTERS = 4
# Where case is ignored, Python takes the first two for an i and the last for an s.
_ODD = str.maketrans("İıſ", "iis")
# Scripts that write words together: there a word has no beginning that could be looked for, and every pattern is tried.
_JOINED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ANY = ""


@lru_cache(maxsize=8_192)
def heads(text: str) -> frozenset[str]:
    """How the words of a text begin: the first four letters of each, in small letters; a shorter word is whole."""
    if text.isascii():
        return frozenset([word[:_HEAD_LETTERS] for word in _WORD.findall(text.lower())])
    found = {word[:_HEAD_LETTERS] for word in _WORD.findall(text.translate(_ODD).lower())}
    return frozenset(found | {_ANY} if _JOINED.search(text) else found)


class Cue:
    """A pattern with its words: one of them, or a word that begins as it does, stands wherever the pattern is found."""

    def __init__(self, pattern: re.Pattern[str], words: str) -> None:
        self.pattern = pattern
        self.heads = frozenset(word[:_HEAD_LETTERS] for word in words.split()) | {_ANY}

    def search(self, text: str) -> re.Match[str] | None:
        """What the pattern finds first."""
        return None if self.heads.isdisjoint(heads(text)) else self.pattern.search(text)

    def may_be_in(self, text: str) -> bool:
        """Whether a text holds one of the words; where it doesn't, the pattern finds nothing."""
        return not self.heads.isdisjoint(heads(text))
