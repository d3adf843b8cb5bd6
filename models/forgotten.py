"""Forgotten: which stretches of a text a tombstone names, found by hashes alone.

Belongs here: the finding. Does not belong here: what a tombstone holds (`models.tombstone`), and what is done about it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

import polars as pl

from models.phrases import leans
from models.spans import Span, around, is_one_sentence, joined_up, sentences_of, without
from models.tombstone import STRETCH, TELLING, Letters, Reach, Target, letters, salted, when

# Of a sentence's stretches, a copy has more than this share. One other word in a sentence of up to fifteen is another statement.
_COPY = 0.75
# Stretches of one copy lie no further apart than so many words.
_GAP = 5
_PASSES = 4


class Voice(StrEnum):
    """Whose words a text holds: the owner's, somebody else's in a talk, or nobody's, since it only copies what was said."""

    OWNER = "owner"
    OTHER = "other"
    COPY = "copy"


class Place(NamedTuple):
    """Where, when and by whom a text was said."""

    msg_key: str = ""
    session: str = ""
    said_at: datetime | None = None
    voice: Voice = Voice.COPY


@dataclass
class _Row:
    """One row of a tombstone, as it is looked for."""

    ordinal: int
    target: str
    name: str
    up_to: datetime | None
    hashes: list[str]
    lengths: list[int]
    reach: str


@dataclass
class _Lot:
    """All rows of one salt: which of them a hash is of, as which of their stretches, and which lengths are to be hashed where."""

    salt: bytes
    rows: dict[int, _Row] = field(default_factory=dict[int, _Row])
    at: dict[str, list[tuple[_Row, int]]] = field(default_factory=dict[str, list[tuple[_Row, int]]])
    at_words: set[int] = field(default_factory=set[int])
    anywhere: set[int] = field(default_factory=set[int])
    tied: set[int] = field(default_factory=set[int])


class Forgotten:
    """Finds in texts what tombstones name."""

    def __init__(self, tombstones: pl.DataFrame) -> None:
        self._lots: dict[str, _Lot] = {}
        self.messages: set[str] = set()
        self.signals: set[str] = set()
        self.sessions: dict[str, list[datetime | None]] = defaultdict(list)
        columns = ("salt", "target", "name", "up_to", "hashes", "lengths", "reach")
        for n, (salt, target, name, up_to, *told) in enumerate(tombstones.select(columns).iter_rows()):
            self._add(salt, _Row(n, target, name, up_to, *told))

    def _add(self, salt: str, row: _Row) -> None:
        if row.target == Target.MESSAGE:
            self.messages.add(row.name)
        elif row.target == Target.SIGNAL:
            self.signals.add(row.name)
        elif row.target == Target.SESSION:
            self.sessions[row.name].append(row.up_to)
        else:
            lot = self._lots.setdefault(salt, _Lot(bytes.fromhex(salt)))
            lot.rows[row.ordinal] = row
            is_tied = row.target == Target.SENTENCE and row.lengths[0] < TELLING
            (lot.anywhere if row.reach == Reach.ANYWHERE else lot.tied if is_tied else lot.at_words).update(row.lengths)
            for n, found in enumerate(row.hashes):
                lot.at.setdefault(found, []).append((row, n))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look for."""
        return not (self._lots or self.messages or self.signals or self.sessions)

    def is_whole(self, place: Place) -> bool:
        """Whether a message is forgotten as a whole: by its key, or with its session."""
        if place.msg_key in self.messages:
            return True
        return any(_is_before(place.said_at, up_to) for up_to in self.sessions.get(place.session, ()))

    def spans(self, text: str, place: Place) -> list[Span]:
        """What of a text is forgotten, in order and not overlapping."""
        found = [span for _, span in self.found(text, place)]
        return joined_up(found)

    def found(self, text: str, place: Place | None = None) -> Iterator[tuple[int, Span]]:
        """Every stretch that a row names, with the row's number. Without a `place`, whoever said it, and whenever."""
        if not text or not self._lots:
            return
        told = letters(text)
        for lot in self._lots.values():
            hits = _hits(lot, told, place)
            for row in (lot.rows[ordinal] for ordinal in sorted(hits)):
                if _is_reached(row, place):
                    yield from ((row.ordinal, span) for span in _of_row(row, hits[row.ordinal], text, told))


def _is_before(said_at: datetime | None, up_to: datetime | None) -> bool:
    """Whether a thing was said up to a time; where no time tells, it was."""
    return up_to is None or said_at is None or said_at <= up_to


def _is_reached(row: _Row, place: Place | None) -> bool:
    """Whether a row reaches what was said there. What the owner says later is new; what others say later, as far as it copies nothing."""
    if place is None:
        return not row.name
    if row.name not in ("", place.session):
        return False
    if _is_before(place.said_at, row.up_to):
        return True
    is_bound = row.target == Target.SENTENCE or bool(row.name)
    return place.voice is Voice.COPY or (place.voice is Voice.OTHER and is_bound)


# Of a row: the number of a stretch, and the words it covers, from and to.
_Hits = dict[int, list[tuple[int, int, int]]]


def _hits(lot: _Lot, told: Letters, place: Place | None) -> _Hits:
    found: _Hits = defaultdict(list)
    ends = {*told.begins[1:], len(told.stream)}
    for begin, length, stretch in _stretches(lot, told, ends, place):
        for row, n in lot.at.get(salted(stretch, lot.salt), ()):
            if _fits(row, told, begin, begin + length, ends):
                first = bisect_right(told.begins, begin) - 1
                found[row.ordinal].append((n, first, bisect_left(told.begins, begin + length)))
    return found


def _stretches(lot: _Lot, told: Letters, ends: set[int], place: Place | None) -> Iterator[tuple[int, int, str]]:
    """What is hashed of a text: where it begins, how many letters it has, and what it is, with its time where that is what tells it."""
    for begin, length in _windows(lot, told, ends):
        yield begin, length, told.stream[begin : begin + length]
    if place is None:
        return
    for length in lot.tied:
        for begin in (begin for begin in told.begins if begin + length in ends):
            yield begin, length, when(told.stream[begin : begin + length], place.said_at)


def _windows(lot: _Lot, told: Letters, ends: set[int]) -> Iterator[tuple[int, int]]:
    """Where stretches begin, and how long they are: at words' beginnings, of long sentences at words' ends too, or anywhere."""
    size = len(told.stream)
    for length in lot.at_words | lot.anywhere:
        begins = set(range(size)) if length in lot.anywhere else set(told.begins)
        if length == STRETCH:
            begins |= {end - STRETCH for end in ends}
        yield from ((begin, length) for begin in begins if 0 <= begin <= size - length)


def _fits(row: _Row, told: Letters, begin: int, end: int, ends: set[int]) -> bool:
    """Whether a row's words may begin and end there; a whole word ends before the ending of a genitive too."""
    if row.reach == Reach.ANYWHERE:
        return True
    if row.target == Target.SENTENCE and row.lengths[0] == STRETCH:
        # What is known of a long sentence are stretches of it.
        return True
    at = bisect_left(told.begins, begin)
    if at == len(told.begins) or told.begins[at] != begin:
        return False
    if row.reach == Reach.BEGINNING or end in ends:
        return True
    return row.target == Target.WORDS and told.stream[end : end + 1] == "s" and end + 1 in ends


def _of_row(row: _Row, hits: list[tuple[int, int, int]], text: str, told: Letters) -> Iterator[Span]:
    if row.target == Target.SENTENCE:
        yield from _copies(row, hits, text, told)
        return
    n_wanted = len(set(row.hashes))
    sentences = sentences_of(text)
    for n, (start, end) in enumerate(sentences):
        held = {row.hashes[which] for which, first, _ in hits if start <= told.spans[first][0] < end}
        if len(held) == n_wanted:
            yield start, end
            for after in sentences[n + 1 :]:
                if not leans(text[slice(*after)]):
                    break
                yield after


def _copies(row: _Row, hits: list[tuple[int, int, int]], text: str, told: Letters) -> Iterator[Span]:
    """Where the text says a forgotten sentence: its words where it is all there, the whole sentence where some of it is."""
    for group in _groups(sorted(hits, key=lambda hit: hit[1:])):
        share = len({n for n, _, _ in group}) / len(row.hashes)
        start, end = told.spans[group[0][1]][0], told.spans[max(last for *_, last in group) - 1][1]
        if len(row.hashes) == 1 and not is_one_sentence(text, start, end):
            # So few letters may also be the end of one sentence and the beginning of another.
            continue
        if share == 1:
            yield around(text, start, end)
        elif share > _COPY:
            yield from (span for span in sentences_of(text) if span[0] < end and start < span[1])


def _groups(hits: list[tuple[int, int, int]]) -> Iterator[list[tuple[int, int, int]]]:
    """The hits that lie close together."""
    group: list[tuple[int, int, int]] = []
    for hit in hits:
        if group and hit[1] - group[-1][1] > _GAP:
            yield group
            group = []
        group.append(hit)
    if group:
        yield group


def left_of(text: str, place: Place, forgotten: Forgotten) -> str:
    """What is left of a text; empty where no word is."""
    for _ in range(_PASSES):
        spans = forgotten.spans(text, place)
        if not spans:
            break
        # What stood apart may stand together now.
        text = without(text, spans)
    return text
