"""Wished: what the owner's wishes in talk took away, as tombstones, so that it is erased and not only hidden.

Belongs here: the words that wishes took, and those they name. Does not belong here: reading a wish (`tasks.sift.wishes`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import polars as pl

from models.decision import Action, Decision
from models.message import Message
from models.table import Frame
from models.tombstone import Reach, Stone, Target, session_key
from models.turn import Turn
from tasks.sift import noise, sentences
from tasks.sift.wishes import Scope, Wish, wishes

Row = dict[str, Any]
Span = tuple[int, int]
REASON = "wish"
# A longer name is found with its endings, as a wish finds it.
_WITH_ENDINGS = 3
ASKED = ("forget request", "off the record")


def wished(
    decisions: Frame[Decision], heard: Frame[Turn], messages: Frame[Message], salt: str, as_of: datetime
) -> list[list[Row]]:
    """A tombstone for each of the owner's messages that took something away tonight, by the `decisions` of sift.

    `heard` are the turns with what is left of them, `messages` what was captured. A wish that nobody dated reaches up to `as_of`. The words
    of a wish that still goes on ("off the record from now on") stay, since it would not go on without them.
    """
    granted = decisions.filter((pl.col("action") == Action.FORGET) & pl.col("reason").is_in(ASKED))
    keys = pl.concat([granted["item_id"], granted["other_id"]])
    said = {
        row["msg_key"]: row for row in messages.filter(pl.col("msg_key").is_in(keys.implode())).iter_rows(named=True)
    }
    left = _left(heard.filter(pl.col("msg_key").is_in(keys.implode())))
    by_wish: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for item, asked_by, detail in granted.select("item_id", "other_id", "detail").iter_rows():
        by_wish[asked_by].append((item, detail))
    return [
        rows for asked_by, items in sorted(by_wish.items()) if (rows := _rows(asked_by, items, said, left, salt, as_of))
    ]


def _left(heard: pl.DataFrame) -> dict[str, list[Span]]:
    rows = heard.select("msg_key", "spans").iter_rows()
    return {key: [(span["start"], span["end"]) for span in spans] for key, spans in rows}


def _rows(
    asked_by: str,
    items: list[tuple[str, str]],
    said: dict[str, Row],
    left: dict[str, list[Span]],
    salt: str,
    as_of: datetime,
) -> list[Row]:
    asked = said.get(asked_by)
    if asked is None:
        return []
    stone = Stone(salt, asked["said_at"] or as_of, REASON)
    granted = _wishes(asked["text"])
    on = [wish.span for wish in granted if wish.scope is Scope.AFTER]
    for item, detail in sorted(items):
        if detail == "signal":
            stone.key(Target.SIGNAL, item, is_for_good=True)
        elif item in said:
            _take(said[item], left.get(item, []), on if item == asked_by else [], stone)
    for wish in granted:
        _name(wish, session_key(asked["platform"], asked["session_id"]), stone)
    return stone.rows()


def _wishes(text: str) -> list[Wish]:
    return wishes(text, sentences.split_outside(text, noise.blocks(text)))


def _take(row: Row, left: list[Span], stays: list[Span], stone: Stone) -> None:
    """What a message lost: all of it where nothing is left, else its sentences that are not."""
    if not left and not stays:
        stone.key(Target.MESSAGE, row["msg_key"], is_for_good=True)
    for start, end in _lost(row["text"], [*left, *stays]):
        stone.sentence(row["text"][start:end], row["said_at"])


def _lost(text: str, kept: list[Span]) -> Iterator[Span]:
    for start, end in sentences.split_outside(text, noise.blocks(text)):
        is_kept = any(begin < end and start < stop for begin, stop in kept)
        if not is_kept and not noise.is_filler(text[start:end], frozenset()):
            yield start, end


def _name(wish: Wish, session: str, stone: Stone) -> None:
    """The words that name a wish's topic: one of its names, or all of its other words."""
    if wish.scope is not Scope.TOPIC:
        return
    names = [term for term in wish.terms if term[:1].isupper()]
    bound = "" if wish.is_everywhere else session
    for words in [[name] for name in names] or [list(wish.terms)]:
        if words:
            stone.words(words, Reach.BEGINNING if min(map(len, words)) > _WITH_ENDINGS else Reach.WORD, bound)
