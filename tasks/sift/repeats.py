"""Repeats: what the same party said before in its session, at length: a prompt sent again, a paste, a closing phrase.

A sentence counts as said before only word for word: one that differs in a number, a negation, a name or anything else stays.
Belongs here: what was said before. Does not belong here: lists that come back from memory in other sessions (`echoes`).
"""

from __future__ import annotations

from tasks.sift.sentences import Span
from tasks.sift.trim import is_protected

# A shorter sentence of an agent may be an answer, and answers may be alike.
_MIN_PHRASE_CHARS = 30


class Repeats:
    """The long texts of one session so far, whole and by sentence; each is looked up, so the cost grows with the text alone."""

    def __init__(self, min_chars: int, share: float) -> None:
        self.min_chars, self.share = min_chars, share
        self._texts: dict[tuple[str, str], str] = {}
        self._sentences: dict[tuple[str, str], str] = {}
        self._phrases: dict[str, str] = {}

    def first(self, role: str, text: str, key: str) -> str | None:
        """The message that said exactly this long text before; remembers it where there is none."""
        if len(text) < self.min_chars:
            return None
        first = self._texts.setdefault((role, text), key)
        return first if first != key else None

    def apart(self, role: str, text: str, key: str, spans: list[Span]) -> tuple[list[Span], str]:
        """The sentences that are new, and the message that said the others; remembers them all."""
        if len(text) < self.min_chars and role != "assistant":
            return spans, ""
        said = [text[start:end] for start, end in spans]
        first = self._known(role, said, key) if len(text) >= self.min_chars else [""] * len(said)
        if role == "assistant":
            first = [one or self._phrase(sentence, key) for one, sentence in zip(first, said, strict=True)]
        others = [one for one in first if one]
        kept = [span for span, one in zip(spans, first, strict=True) if not one]
        return kept, min(others, key=others.index) if others else ""

    def _known(self, role: str, said: list[str], key: str) -> list[str]:
        """For each sentence of a long text who said it first, if most of the text was said before."""
        first = [self._sentences.setdefault((role, sentence), key) for sentence in said]
        n_again = sum(len(sentence) for sentence, one in zip(said, first, strict=True) if one != key)
        is_again = n_again >= self.share * sum(map(len, said))
        return [one if is_again and one != key else "" for one in first]

    def _phrase(self, sentence: str, key: str) -> str:
        """Who said an agent's sentence first, unless saying it again may mean something else: a date, a promise."""
        if len(sentence) < _MIN_PHRASE_CHARS:
            return ""
        first = self._phrases.setdefault(sentence, key)
        return first if first != key and not is_protected(sentence) else ""
