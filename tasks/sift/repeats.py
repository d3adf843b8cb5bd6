"""Repeats: what the same party said before in its session, at length: a prompt sent again, a paste, a closing phrase.

A sentence counts as said before only word for word: one that differs in a number, a negation, a name or anything else stays.
Belongs here: what was said before. Does not belong here: lists that come back from memory in other sessions (`echoes`).
"""

from __future__ import annotations

from collections import defaultdict

from tasks.sift.sentences import Span
from tasks.sift.trim import is_protected

# A shorter sentence of an agent may be an answer, and answers may be alike.
_MIN_PHRASE_CHARS = 30


class Repeats:
    """The long texts of one session so far, whole and by sentence; each is looked up, so the cost grows with the text alone."""

    def __init__(self, min_chars: int, share: float) -> None:
        self.min_chars, self.share = min_chars, share
        self._texts: dict[tuple[str, str], str] = {}
        self._sentences: defaultdict[str, dict[str, str]] = defaultdict(dict)
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
        first = self._known(role, said, key) if len(text) >= self.min_chars else {}
        if role == "assistant":
            first = self._phrases_said(said, key) | first
        if not first:
            return spans, ""
        return [span for place, span in enumerate(spans) if place not in first], first[min(first)]

    def _known(self, role: str, said: list[str], key: str) -> dict[int, str]:
        """The sentences of a long text that were said before, by their place, and who said each first, if they are most of it."""
        first = _others([self._sentences[role].setdefault(sentence, key) for sentence in said], key)
        n_again = sum(len(said[place]) for place in first)
        return first if first and n_again >= self.share * sum(map(len, said)) else {}

    def _phrases_said(self, said: list[str], key: str) -> dict[int, str]:
        """Who said an agent's sentence first, unless saying it again may mean something else: a date, a promise."""
        first = _others([self._phrases.setdefault(sentence, key) for sentence in said], key)
        return {
            place: one
            for place, one in first.items()
            if len(said[place]) >= _MIN_PHRASE_CHARS and not is_protected(said[place])
        }


def _others(first: list[str], key: str) -> dict[int, str]:
    """Those that another message said first, by their place."""
    return {place: one for place, one in enumerate(first) if one != key} if first.count(key) < len(first) else {}
