"""Overheard: signals that hold what the owner wishes forgotten go too, tonight's and those of every night before.

What was on the screen while it was said, and where an agent or an observer put it into other words. A signal without text holds nothing.
Belongs here: which signals a wish reaches. Does not belong here: which turns it reaches (`forget`).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

import polars as pl

from models.decision import Action
from models.message import Signal
from models.table import Frame, conform
from slowwave import planted
from tasks.sift import sentences
from tasks.sift.forget import Reach, Row
from tasks.sift.wishes import Scope, mentions


class Overheard(NamedTuple):
    """The signals that stay, and a decision for each that goes."""

    signals: Frame[Signal]
    decisions: list[Row]


class _Seen(NamedTuple):
    key: str
    session: tuple[str, str | None]
    at: datetime | None
    text: str
    sentences: list[str]


def unheard(signals: Frame[Signal], reaches: list[Reach], moment: timedelta) -> Overheard:
    """Take away the signals that a wish reaches: of its moment, `moment` before and after included, or in its words."""
    if not reaches:
        return Overheard(signals, [])
    lines = {reach: _lines(reach) for reach in reaches}
    every = sorted({line for held in lines.values() for line in held}, key=sorted)
    decisions: list[Row] = []
    for seen in _read(signals):
        is_retold = any(planted.is_parroted(sentence, every) for sentence in seen.sentences)
        for reach in reaches:
            if _is_reached(seen, reach, moment) or (is_retold and _retells(seen, lines[reach])):
                decisions.append((seen.key, Action.FORGET.value, reach.reason, reach.asked_by, "signal"))
                break
    gone = [key for key, *_ in decisions]
    return Overheard(conform(signals.filter(~pl.col("signal_key").is_in(gone)), Signal), decisions)


def _lines(reach: Reach) -> set[frozenset[str]]:
    """The telling words of each sentence that was taken back; a topic has its own words for what is about it."""
    if reach.wish.scope is Scope.TOPIC:
        return set()
    return {words for text in reach.texts for line in _sentences(text) if (words := planted.content(line))}


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences.split_outside(text, [])]


def _read(signals: pl.DataFrame) -> list[_Seen]:
    columns = ("signal_key", "platform", "session_id", "at", "text")
    told = signals.filter(pl.col("text") != "").sort("signal_key").select(columns).iter_rows()
    return [_Seen(key, (platform, session), at, text, _sentences(text)) for key, platform, session, at, text in told]


def _is_reached(seen: _Seen, reach: Reach, moment: timedelta) -> bool:
    is_here = seen.session == reach.session
    if reach.wish.scope is Scope.TOPIC:
        is_near = is_here or ((reach.wish.is_everywhere or seen.session[1] is None) and _is_before(seen, reach))
        return is_near and mentions(seen.text, reach.wish.terms)
    if seen.at is None or not reach.times or not (is_here or seen.session[1] is None):
        return False
    return min(reach.times) - moment <= seen.at <= max(reach.times) + moment


def _is_before(seen: _Seen, reach: Reach) -> bool:
    """Whether it was seen before the wish; where no time tells, the wish comes first."""
    return seen.at is None or reach.asked_at is None or seen.at < reach.asked_at


def _retells(seen: _Seen, lines: set[frozenset[str]]) -> bool:
    return any(planted.is_parroted(sentence, lines) for sentence in seen.sentences)
