"""Whom a question names, by the linked entities of the version and the names as said."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from slowwave.format import Entity
from slowwave.language import language, runs, unelided
from slowwave.text import normalise

_WORD = re.compile(r"[\w'’-]+")
MAX_NAME_WORDS = 4
# Of a name in a script without spaces.
MAX_NAME_LETTERS = 8
# Languages that form the possessive of a name without an apostrophe.
ADDS_S = ("nl", "de")


class Index:
    """Every name and alias of a version's entities."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._ids: dict[str, set[str]] = defaultdict(set)
        self._people: set[str] = set()
        self._names: dict[str, tuple[str, ...]] = {}
        for entity in entities:
            self._names[entity.id] = (entity.name, *entity.aliases)
            for name in map(normalise, self._names[entity.id]):
                self._ids[name].add(entity.id)
                self._people |= {name} if entity.kind == "person" else set()
        self._ids.pop("", None)

    def ids(self, name: str) -> set[str]:
        return self._ids.get(normalise(name), set())

    def meant(self, name_or_id: str) -> dict[str, tuple[str, ...]]:
        """The entities, with their names, that a person means: by id, by a whole name, else by a word of one."""
        if name_or_id in self._names:
            return {name_or_id: self._names[name_or_id]}
        word = normalise(name_or_id)
        ids = self.ids(name_or_id) or {
            key for name, found in self._ids.items() if word in name.split() for key in found
        }
        return {key: self._names[key] for key in sorted(ids)}

    def is_person(self, name: str) -> bool:
        return normalise(name) in self._people


class Names:
    """The names in one question."""

    def __init__(self, question: str, index: Index, *, is_own: bool) -> None:
        self._index, self._is_own = index, is_own
        words = [singular(word) for word in _WORD.findall(normalise(question))]
        self._grams = _grams(words) | runs(normalise(question), MAX_NAME_LETTERS)
        if language(question) in ADDS_S:
            # "Marks fiets" is Mark's; who bears the name that ends so is meant as well.
            self._grams |= _grams([word.removesuffix("s") for word in words])
        self._ids = {key for gram in self._grams for key in index.ids(gram)}
        # A store has many memories and few subjects: each name is looked at once a question.
        self._is_named = cache(self._named)

    def about(self, subject: str, subject_key: str, entity_ids: Iterable[str]) -> float:
        """1 for a memory about whom the question names (or about the user who asks), half where it is only mentioned."""
        if self._is_named(subject) or subject_key in self._ids or (self._is_own and subject == "user"):
            return 1.0
        return 0.5 if self._ids.intersection(entity_ids) else 0.0

    def said_by(self, speaker: str, role: str) -> float:
        """1 for a turn said by whom the question names, or by the user who asks."""
        return float(self._is_named(speaker) or (self._is_own and role == "user"))

    def _named(self, name: str) -> bool:
        return normalise(name) in self._grams or bool(self._ids & self._index.ids(name))


def _grams(words: list[str]) -> set[str]:
    """Every run of up to `MAX_NAME_WORDS` words."""
    return {" ".join(words[i : i + n]) for n in range(1, MAX_NAME_WORDS + 1) for i in range(len(words) - n + 1)}


def singular(word: str) -> str:
    """A name without its possessive, or what French elides before it."""
    return unelided(word.removesuffix("'s").removesuffix("’s").strip("'’-"))
