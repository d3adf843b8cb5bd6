"""Answers: what others say behind a thing that is forgotten, and say it again: in most of its words, or by its names and numbers.

Belongs here: which sentences of an answer go. Does not belong here: which messages are forgotten (`trace`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from models.tombstone import words_of
from slowwave.format import Trust
from tasks.sift import planted, sentences

# Names and numbers: what has a digit, or a capital that begins no sentence.
_MARKED = re.compile(r"(?<![.!?…:\n] )(?<!^)(?<!\n)(?<![\"“'(])\b[A-ZÀ-Þ][\w’'-]{2,}|\b[\w-]*\d[\w.,-]*\w")


def marked(text: str) -> set[str]:
    """The names and numbers of a text, as they compare."""
    return {word for match in _MARKED.finditer(text) for word in words_of(match[0]) if len(word) > 2}


def answers(
    session: Iterable[Mapping[str, Any]], told: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, datetime | None]]:
    """The sentences that say again what is `told` in the messages of these keys, each with its time; `session` is in order."""
    lines: list[frozenset[str]] = []
    names: set[str] = set()
    here = None
    for row in session:
        place = row["platform"], row["session_id"]
        if place != here:
            here, lines, names = place, [], set[str]()
        if row["role"] == "user" and row["trust"] == Trust.OWNER:
            # An answer goes no further than to the owner's next word.
            lines, names = [], set[str]()
        elif lines or names:
            yield from (
                (sentence, row["said_at"])
                for sentence in _sentences(row["text"])
                if _says_again(sentence, lines, names)
            )
        for text in told.get(row["msg_key"], ()):
            lines += [words for sentence in _sentences(text) if (words := planted.content(sentence))]
            names |= marked(text)


def _says_again(sentence: str, lines: list[frozenset[str]], names: set[str]) -> bool:
    return planted.is_parroted(sentence, lines) or not names.isdisjoint(words_of(sentence))


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences.split_outside(text, [])]
