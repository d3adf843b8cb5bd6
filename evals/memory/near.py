"""Pairs of memories that say nearly the same, and memories that were taken back.

Two active memories of one owner, scope, subject, kind and polarity are near-duplicates where their content words are nearly one set
(Jaccard similarity of at least 0.9) and their numbers and names are the same. Content words are all words but articles, forms of
"be", prepositions and joining words; case and punctuation count for nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

from slowwave.format import Memory, Status

MIN_SIMILARITY = 0.9
_TOKEN = re.compile(r"\w+(?:[.,:’'-]\w+)*|[?%€$£+#]")
_EMPTY = frozenset(
    re.findall(
        r"\S+",
        "a an the is are was were am be been of to in on at by for with from and that this it its so just very really",
    )
)
_TAKEN_BACK = (Status.SUPERSEDED, Status.RETRACTED, Status.DISPUTED)
Pair = tuple[Memory, Memory]


def near_pairs(memories: Iterable[Memory]) -> list[Pair]:
    """Every pair of near-duplicates, in order of their ids."""
    groups: dict[tuple[Any, ...], list[Memory]] = defaultdict(list)
    for memory in sorted(memories, key=lambda one: one.id):
        if memory.status == Status.ACTIVE:
            scope = (memory.owner, memory.project, memory.subject_key)
            groups[(*scope, memory.kind, memory.polarity)].append(memory)
    return [pair for group in groups.values() for pair in _near(group)]


def _near(group: list[Memory]) -> Iterator[Pair]:
    told = [(memory, _marks(memory.text), _content(memory.text)) for memory in group]
    for (one, marks, words), (other, other_marks, other_words) in combinations(told, 2):
        if marks == other_marks and is_near(words, other_words):
            yield one, other


def is_near(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether two sets of content words are nearly one; of two without any it can't be told."""
    whole = words | others
    return bool(whole) and len(words & others) / len(whole) >= MIN_SIMILARITY


def _content(text: str) -> frozenset[str]:
    words = {word.casefold().replace("’", "'") for word in _TOKEN.findall(text)}
    return frozenset(words - _EMPTY)


def _marks(text: str) -> frozenset[str]:
    """The numbers in a text, and the names: words with a capital that begin no sentence."""
    inner = re.sub(r"(?:^|[.!?:]\s+)\W*\w+", " ", text)
    words = _TOKEN.findall(inner)
    numbers = {word for word in _TOKEN.findall(text) if word[0].isdigit()}
    return frozenset(numbers | {word.casefold() for word in words if word[0].isupper()})


def listed(pairs: Iterable[Pair]) -> list[list[str]]:
    """Both texts of each pair, for a person to read."""
    return [[one.text, other.text] for one, other in pairs]


def retired(memories: Iterable[Memory]) -> list[dict[str, str | None]]:
    """The memories that were superseded, retracted or are disputed, and what took their place, for a person to read."""
    known = {memory.id: memory for memory in memories}
    return [
        {
            "status": str(memory.status),
            "text": memory.text,
            "by": known[memory.superseded_by].text if memory.superseded_by in known else None,
        }
        for memory in sorted(known.values(), key=lambda one: one.id)
        if memory.status in _TAKEN_BACK
    ]
