"""Trace: what a request to forget reaches, as the rows of a tombstone: messages, sentences and names, never their words.

Whoever answers a thing that is forgotten says it again, so an answer's sentences go with it. Belongs here: what goes. Does not belong
here: how it is taken out of files (`adapters.forget`), and the owner's wishes in talk (`wished`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import polars as pl

from models.memory import EntityRow, MemoryRow
from models.message import Message, Signal
from models.table import Frame
from models.tombstone import Reach, Stone, Target, letters, session_key, words_of
from slowwave.errors import UsageError
from tasks.segment import in_order
from tasks.sift import noise, planted, sentences
from tasks.trace.answers import answers

Row = dict[str, Any]
# A word of fewer letters stands in too many others to be looked for inside them.
_INSIDE = 5
# A part of a name of fewer letters is no name by itself.
_PART = 3


@dataclass(frozen=True)
class Request:
    """What a person asked to be forgotten: ids of memories, messages and sessions, entities by id or name, words, and a time."""

    memories: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was asked."""
        named = self.memories or self.messages or self.sessions or self.entities or self.texts
        return not (named or self.since or self.until)


@dataclass
class _Told:
    """What is to go of one message: stretches of its text."""

    row: Row
    said: list[str] = field(default_factory=list[str])


def trace(
    request: Request,
    messages: Frame[Message],
    signals: Frame[Signal],
    memories: Frame[MemoryRow],
    entities: Frame[EntityRow],
    stone: Stone,
) -> list[Row]:
    """The rows of the request's tombstone. Raises UsageError for an id that nothing has, and for a text without letters."""
    told: dict[str, _Told] = {}
    _whole(request, messages, signals, told, stone)
    ids = _named(request, entities, stone)
    _spoken(messages, entities.filter(pl.col("id").is_in(sorted(ids))), told, stone)
    _cited(request, messages, memories, ids, told, stone)
    for text in request.texts:
        if not (stream := letters(text).stream):
            raise UsageError(f"{text!r} has no letters", "Give the words that are to be forgotten.")
        stone.words([text], Reach.ANYWHERE if len(stream) >= _INSIDE else Reach.WORD)
    for one in told.values():
        for sentence in _telling(one.said):
            stone.sentence(sentence, one.row["said_at"])
    _answered(messages, signals, told, stone)
    return stone.rows()


def _whole(
    request: Request, messages: pl.DataFrame, signals: pl.DataFrame, told: dict[str, _Told], stone: Stone
) -> None:
    """Messages and sessions that are named, and what was said within the time."""
    for found in (_found(messages, name, "message", "msg_key", "message_id") for name in request.messages):
        _tell_whole(found, told, stone)
    for found in (_found(messages, name, "session", "session_id") for name in request.sessions):
        for platform, session in found.select("platform", "session_id").unique().iter_rows():
            stone.key(Target.SESSION, session_key(platform, session))
        _tell_whole(found, told, stone)
    if request.since or request.until:
        _tell_whole(messages.filter(_within("said_at", request)), told, stone)
        for key in signals.filter(_within("at", request))["signal_key"]:
            stone.key(Target.SIGNAL, key, is_for_good=True)


def _within(column: str, request: Request) -> pl.Expr:
    """Whether a time lies within; what has none lies in no time."""
    bounds = [pl.col(column) >= request.since] if request.since else []
    bounds += [pl.col(column) < request.until] if request.until else []
    return pl.all_horizontal(*bounds).fill_null(value=False)


def _found(frame: pl.DataFrame, name: str, what: str, *columns: str) -> pl.DataFrame:
    found = frame.filter(pl.any_horizontal(pl.col(column) == name for column in columns))
    if found.is_empty():
        raise UsageError(
            f"this store has no {what} {name!r}",
            "Take the id from recall or why; what was not captured yet needs a night first.",
        )
    return found


def _tell_whole(found: pl.DataFrame, told: dict[str, _Told], stone: Stone) -> None:
    for row in found.iter_rows(named=True):
        stone.key(Target.MESSAGE, row["msg_key"], is_for_good=True)
        told.setdefault(row["msg_key"], _Told(row)).said.append(row["text"])


def _named(request: Request, entities: pl.DataFrame, stone: Stone) -> set[str]:
    """The ids of the entities that are named; their names go wherever they stand, and the parts of names that nobody else bears."""
    every = list(entities.iter_rows(named=True))
    ids: set[str] = set()
    for name in request.entities:
        found = _meant(name, every)
        ids |= {one["id"] for one in found}
        others = {part for one in every if one not in found for part in _parts(one)}
        for one in found:
            own = {part for part in _parts(one) if len(part) >= _PART} - others
            for called in sorted({one["name"], *one["aliases"], *own}):
                stone.words([called], Reach.WORD)
    return ids


def _meant(name: str, every: list[Row]) -> list[Row]:
    """The entity of this id, of this name, or else the one that bears it as a part of its name. Raises UsageError."""
    wanted = letters(name).stream
    exact = [
        row
        for row in every
        if row["id"] == name or wanted in {letters(one).stream for one in (row["name"], *row["aliases"])}
    ]
    found = exact or [row for row in every if wanted in _parts(row)]
    if not wanted or not found:
        raise UsageError(f"this memory knows no {name!r}", "Give a name as recall shows it, or the words: --text WORDS")
    if not exact and len(found) > 1:
        raise UsageError(
            f"several bear the name {name!r}: {', '.join(sorted(row['name'] for row in found))}", "Give the whole name."
        )
    return found


def _parts(entity: Row) -> set[str]:
    return {part for name in (entity["name"], *entity["aliases"]) for part in words_of(name)}


def _spoken(messages: pl.DataFrame, named: pl.DataFrame, told: dict[str, _Told], stone: Stone) -> None:
    """What the person who is named said themselves: it is theirs, and it is about them who said it."""
    names = {letters(name).stream for one in named.iter_rows(named=True) for name in (one["name"], *one["aliases"])}
    speakers = messages.filter(pl.col("role") == "participant")["speaker"].unique()
    theirs = [speaker for speaker in speakers if letters(speaker).stream in names]
    if theirs:
        _tell_whole(messages.filter((pl.col("role") == "participant") & pl.col("speaker").is_in(theirs)), told, stone)


def _cited(
    request: Request,
    messages: pl.DataFrame,
    memories: pl.DataFrame,
    entities: set[str],
    told: dict[str, _Told],
    stone: Stone,
) -> None:
    """What memories rest on: those that are named, and those about an entity that is."""
    known = {row["msg_key"]: row for row in _rows_of(messages, memories)}
    parts = [_found(memories, name, "memory", "id") for name in request.memories]
    about = pl.col("entity_ids").list.set_intersection(sorted(entities)).list.len() > 0
    parts += [memories.filter(about | pl.col("subject_key").is_in(sorted(entities)))] if entities else []
    for part in parts:
        for evidence in part["evidence"].explode().drop_nulls():
            if evidence["source_kind"] == "signal":
                stone.key(Target.SIGNAL, evidence["source_id"], is_for_good=True)
            elif (row := known.get(evidence["source_id"])) is not None:
                told.setdefault(row["msg_key"], _Told(row)).said.append(evidence["quote"])


def _rows_of(messages: pl.DataFrame, memories: pl.DataFrame) -> Iterator[Row]:
    cited = memories["evidence"].explode().struct.field("source_id").unique()
    yield from messages.filter(pl.col("msg_key").is_in(cited.implode())).iter_rows(named=True)


def _telling(said: Iterable[str]) -> Iterator[str]:
    """The sentences of what was said, except those that only greet or cheer."""
    for text in said:
        spans: Sequence[tuple[int, int]] = sentences.split_outside(text, [])
        for start, end in spans:
            if not noise.is_filler(text[start:end], frozenset()):
                yield text[start:end]


def _answered(messages: pl.DataFrame, signals: pl.DataFrame, told: dict[str, _Told], stone: Stone) -> None:
    """What others said again of it: in the session behind it, and in what was observed there."""
    if not told:
        return
    sessions = pl.DataFrame(
        [(one.row["platform"], one.row["session_id"]) for one in told.values()],
        ["platform", "session_id"],
        orient="row",
    )
    near = in_order(messages.join(sessions.unique(), on=["platform", "session_id"], how="semi"))
    for sentence, said_at in answers(near.iter_rows(named=True), {key: one.said for key, one in told.items()}):
        stone.sentence(sentence, said_at)
    lines = [words for one in told.values() for sentence in _telling(one.said) if (words := planted.content(sentence))]
    seen = signals.join(sessions.unique(), on=["platform", "session_id"], how="semi").filter(pl.col("text") != "")
    for key, text in seen.select("signal_key", "text").iter_rows():
        if any(planted.is_parroted(sentence, lines) for sentence in _telling([text])):
            stone.key(Target.SIGNAL, key, is_for_good=True)
