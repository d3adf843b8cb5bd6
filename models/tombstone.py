"""Tombstones: what was forgotten, named by keys and by salted hashes of its words, so that it is known again and can't be read.

Words are compared as one stream of letters: case, accents, look-alike and invisible letters, spaces and marks make no difference.
Belongs here: the table, and how words become hashes. Does not belong here: finding them in a text (`models.forgotten`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from functools import cache
from hashlib import blake2b
from typing import Any, NamedTuple

from pydantic import Field

from models.ids import make_id
from models.table import Table
from slowwave.text import INVISIBLE, normalise

# Letters of one hashed stretch: long enough that nobody guesses it by trying words, short enough that a copy cut short has some.
STRETCH = 16
# Fewer letters than this are said by everybody: such a sentence is known by when it was said, too.
TELLING = 8
# Scripts that write words together: there each character is a word.
_JOINED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_JOINED}]|(?:(?![{_JOINED}])(?:\w|[\u0300-\u036f]|{INVISIBLE.pattern}))+")


class Target(StrEnum):
    """What one row of a tombstone names."""

    MESSAGE = "message"
    SESSION = "session"
    SIGNAL = "signal"
    SENTENCE = "sentence"
    WORDS = "words"


class Reach(StrEnum):
    """Where words are found: as whole words, as the beginning of a word, or anywhere in one."""

    WORD = "word"
    BEGINNING = "beginning"
    ANYWHERE = "anywhere"


class Tombstone(Table):
    """One thing that was forgotten. A message is forgotten for good, all else wherever it was said up to a time."""

    key = ("tombstone_id", "target", "name", "ordinal")
    tombstone_id: str = Field(description="Hash of all that one request forgot: its rows share it.")
    target: Target = Field(description="What the row names: message, session, signal, sentence or words.")
    name: str = Field(
        default="", description="Key of the message or signal; of the session to which the row is bound; else empty."
    )
    ordinal: int = Field(ge=0, description="Place among the rows of its request.")
    up_to: datetime | None = Field(
        default=None, description="It reaches what was said up to then, UTC; null means at any time."
    )
    reason: str = Field(description="Who asked: command, or wish (the owner's own words in talk).")
    salt: str = Field(description="The store's salt, in hex.")
    hashes: list[str] = Field(
        description="Salted hashes of stretches of letters, in order; empty for what a key names."
    )
    lengths: list[int] = Field(description="Letters of each stretch.")
    reach: Reach = Field(
        default=Reach.WORD, description="For words: whole words, the beginning of one, or anywhere in one."
    )


class Letters(NamedTuple):
    """A text as it compares: its letters, where each word begins among them, and where that word stands in the text."""

    stream: str
    begins: list[int]
    spans: list[tuple[int, int]]


def letters(text: str) -> Letters:
    """The letters of a text, word by word."""
    stream: list[str] = []
    begins: list[int] = []
    spans: list[tuple[int, int]] = []
    n = 0
    for match in _WORD.finditer(text):
        if word := fold(match[0]):
            stream.append(word)
            begins.append(n)
            spans.append(match.span())
            n += len(word)
    return Letters("".join(stream), begins, spans)


def words_of(text: str) -> set[str]:
    """The words of a text as they compare."""
    return {fold(match[0]) for match in _WORD.finditer(text)}


def fold(word: str) -> str:
    """The letters and digits of a word, without case, accents, and what can't be seen; look-alikes as what they look like."""
    plain = word.lower() if word.isascii() else normalise(word)
    if plain.isascii():
        return plain if plain.isalnum() else "".join(filter(str.isalnum, plain))
    bare = unicodedata.normalize("NFD", plain)
    return unicodedata.normalize("NFC", "".join(c for c in bare if c.isalnum()))


def salted(stretch: str, salt: bytes) -> str:
    """The hash of a stretch of letters."""
    # The salt is worked in once: a text has a hundred stretches.
    made = _salted_with(salt).copy()
    made.update(stretch.encode("utf-8", "surrogatepass"))
    return made.hexdigest()


@cache
def _salted_with(salt: bytes) -> blake2b:
    return blake2b(key=salt, digest_size=12)


def stretches(text: str) -> Iterator[str]:
    """The stretches of a sentence: one from the beginning of each word on, and the last one; of a short one, the whole."""
    found = letters(text)
    last = len(found.stream) - STRETCH
    if last <= 0:
        yield found.stream
        return
    for begin in (*(begin for begin in found.begins if begin < last), last):
        yield found.stream[begin : begin + STRETCH]


def when(stream: str, said_at: datetime | None) -> str:
    """A short sentence with the time it was said."""
    return f"{stream}@{said_at.isoformat() if said_at else ''}"


class Stone:
    """Gathers the rows of one request."""

    def __init__(self, salt: str, up_to: datetime | None, reason: str) -> None:
        self.salt, self.up_to, self.reason = salt, up_to, reason
        self._key = bytes.fromhex(salt)
        self._rows: dict[tuple[Any, ...], dict[str, Any]] = {}

    def key(self, target: Target, name: str, *, is_for_good: bool = False) -> None:
        """Name a message, session or signal by its key."""
        self._add(target, name, [], up_to=None if is_for_good else self.up_to)

    def sentence(self, text: str, said_at: datetime | None) -> None:
        """Name a sentence by its words."""
        found = list(stretches(text))
        if len(found) == 1 and 0 < len(found[0]) < TELLING:
            for at in {said_at, None}:
                self._add(Target.SENTENCE, "", [(when(found[0], at), len(found[0]))])
        elif found and found[0]:
            self._add(Target.SENTENCE, "", [(one, len(one)) for one in found])

    def words(self, words: list[str], reach: Reach, session: str = "") -> None:
        """Name every sentence that holds all of these words; `session` is the key of the one session where it is so."""
        streams = [stream for word in words if (stream := letters(word).stream)]
        if streams:
            self._add(Target.WORDS, session, [(stream, len(stream)) for stream in streams], reach=reach)

    def _add(self, target: Target, name: str, told: list[tuple[str, int]], **more: Any) -> None:
        hashes = [salted(stretch, self._key) for stretch, _ in told]
        row = {
            "target": target,
            "name": name,
            "hashes": hashes,
            "lengths": [n for _, n in told],
            "up_to": self.up_to,
            **more,
        }
        self._rows.setdefault((target, name, *hashes, more.get("reach")), row)

    def rows(self) -> list[dict[str, Any]]:
        """The rows; the same request over the same words makes the same."""
        told = [self._rows[key] for key in sorted(self._rows, key=str)]
        shared = {
            "tombstone_id": make_id("tomb", self.reason, self.salt, told),
            "reason": self.reason,
            "salt": self.salt,
        }
        return [{"reach": Reach.WORD, **row, **shared, "ordinal": n} for n, row in enumerate(told)]


def session_key(platform: str, session_id: str) -> str:
    """The key of a session."""
    return make_id("ses", platform, session_id)
