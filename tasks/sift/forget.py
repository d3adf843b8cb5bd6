"""Forget: what the owner said off the record, or asked to forget, loses its spans, tonight's and those of every night before.

A wish and what it took away stay among the turns without a span, so that they hold for whatever is read again later.
Belongs here: what a wish reaches. Does not belong here: how one is worded (`wishes`). On nobody's word but the owner's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import takewhile
from typing import NamedTuple

import polars as pl

from models.decision import Action
from models.phrases import leans
from models.table import Frame, conform
from models.turn import Turn
from slowwave.format import Trust
from tasks.segment import in_order
from tasks.sift import noise, sentences
from tasks.sift.hints import HINT, ODD_I, ODD_SPACE, SIGNS
from tasks.sift.looks import fold, holds
from tasks.sift.sentences import Span
from tasks.sift.wishes import Scope, Wish, is_back, is_said, mentions, wishes

_SESSION = ("platform", "session_id")
_OFF = (Scope.OWN, Scope.AFTER, Scope.SENTENCE)
Row = tuple[str, str, str, str, str]


class Reach(NamedTuple):
    """What one wish reached, for what was overheard of it: from when to when it was said, and in which words."""

    wish: Wish
    asked_by: str
    asked_at: datetime | None
    session: tuple[str, str]
    times: tuple[datetime, ...]
    texts: tuple[str, ...]

    @property
    def reason(self) -> str:
        """Why what it reaches goes."""
        return _reason(self.wish)


class Forgotten(NamedTuple):
    """All turns with what is left of their spans, the keys of those that lost some, a decision for each loss, and how far wishes reach."""

    heard: Frame[Turn]
    cut: frozenset[str]
    decisions: list[Row]
    reaches: list[Reach]


class _Said(NamedTuple):
    key: str
    session: tuple[str, str]
    role: str
    is_owner: bool
    said_at: datetime | None
    text: str
    spans: list[Span]


def forget(heard: Frame[Turn]) -> Forgotten:
    """Take away what the owner's wishes name, wherever it was said before them; a turn that loses all keeps its row."""
    wished = _wished(heard.filter(_IS_OWNERS))
    if not wished:
        return Forgotten(heard, frozenset(), [], [])
    losses = _Losses()
    for session in _sessions(heard, heard.filter(pl.col("msg_key").is_in(sorted(wished)))):
        for place, said in enumerate(session):
            for wish in wished.get(said.key, []):
                _grant(wish, place, session, heard, losses)
    return _without(heard, losses)


_IS_OWNERS = (pl.col("role") == "user") & (pl.col("trust") == Trust.OWNER)


def _wished(owners: pl.DataFrame) -> dict[str, list[Wish]]:
    """The wishes of those of the owner's turns that hold any, by key."""
    plain = owners["text"].str.replace_all(ODD_I, "i").str.replace_all(ODD_SPACE, " ")
    is_signed = holds(fold(plain), SIGNS)
    hinted = owners.filter(is_signed).filter(plain.filter(is_signed).str.contains(HINT))
    return {key: found for key, text in hinted.select("msg_key", "text").iter_rows() if (found := _wishes_in(text))}


def _wishes_in(text: str) -> list[Wish]:
    return wishes(text, sentences.split_outside(text, noise.blocks(text)))


class _Losses:
    """Which spans of which turns go, and at whose wish: the first one's."""

    def __init__(self) -> None:
        self.spans: dict[str, set[Span]] = {}
        self.why: dict[str, tuple[str, str]] = {}
        self.reaches: list[Reach] = []

    def take(self, said: _Said, spans: Iterable[Span], wish: Wish, asked_by: str) -> None:
        """Take spans of a turn away."""
        gone = self.spans.setdefault(said.key, set())
        fresh = set(spans) - gone
        if fresh:
            gone |= fresh
            self.why.setdefault(said.key, (_reason(wish), asked_by))

    def reach(self, wish: Wish, asked: _Said, told: list[_Said]) -> None:
        """Note what a wish reached besides its own words."""
        times = tuple(said.said_at for said in (asked, *told) if said.said_at is not None)
        texts = (asked.text[slice(*wish.span)], *(said.text for said in told))
        self.reaches.append(Reach(wish, asked.key, asked.said_at, asked.session, times, texts))


def _reason(wish: Wish) -> str:
    return "off the record" if wish.scope in _OFF else "forget request"


def _sessions(heard: pl.DataFrame, asked: pl.DataFrame) -> Iterator[list[_Said]]:
    """The sessions in which somebody wished, each in order."""
    session: list[_Said] = []
    for said in _read(in_order(heard.join(asked.select(_SESSION).unique(), on=_SESSION, how="semi"))):
        if session and session[-1].session != said.session:
            yield session
            session = []
        session.append(said)
    if session:
        yield session


def _read(frame: pl.DataFrame) -> Iterator[_Said]:
    columns = ("msg_key", *_SESSION, "role", "trust", "said_at", "text", "spans")
    for key, platform, session, role, trust, said_at, text, spans in frame.select(columns).iter_rows():
        is_owner = role == "user" and trust == Trust.OWNER
        kept = [(span["start"], span["end"]) for span in spans]
        yield _Said(key, (platform, session), role, is_owner, said_at, text, kept)


def _grant(wish: Wish, place: int, session: list[_Said], heard: pl.DataFrame, losses: _Losses) -> None:
    asked = session[place]
    losses.take(asked, _within(asked.spans, wish.span), wish, asked.key)
    if wish.scope is Scope.TOPIC:
        told = [*session[:place], *(said for said in session[place + 1 :] if said.role == "assistant"), asked]
        for said in [*told, *(_elsewhere(wish, asked, heard) if wish.is_everywhere else ())]:
            losses.take(said, _about(said, wish.terms), wish, asked.key)
        losses.reach(wish, asked, [])
        return
    reached = list(_reached(wish.scope, place, session))
    for said in reached:
        losses.take(said, said.spans, wish, asked.key)
    losses.reach(wish, asked, reached)


def _within(spans: list[Span], whole: Span) -> list[Span]:
    return [span for span in spans if span[0] < whole[1] and span[1] > whole[0]]


def _elsewhere(wish: Wish, asked: _Said, heard: pl.DataFrame) -> Iterator[_Said]:
    """What was said about the topic in other sessions, before the wish; letters beyond ASCII may write it otherwise."""
    pattern = "(?i)" + "|".join(map(re.escape, wish.terms))
    may_hold = pl.col("text").str.contains(pattern) | (pl.col("text").str.len_bytes() > pl.col("text").str.len_chars())
    is_other = (pl.col("platform") != asked.session[0]) | (pl.col("session_id") != asked.session[1])
    return _read(heard.filter(is_other & (pl.col("said_at") < asked.said_at) & may_hold))


def _about(said: _Said, terms: tuple[str, ...]) -> Iterator[Span]:
    """The sentences of a turn that speak of the topic, and those that go on about it."""
    is_on = False
    for start, end in said.spans:
        sentence = said.text[start:end]
        is_on = mentions(sentence, terms) or (is_on and leans(sentence))
        if is_on:
            yield start, end


def _reached(scope: Scope, place: int, session: list[_Said]) -> Iterator[_Said]:
    """The turns that a wish takes whole. What the agent answered to them goes too: it repeats them."""
    if scope is Scope.SESSION:
        yield from session[: place + 1]
    elif scope is Scope.BEFORE:
        for said in reversed(session[:place]):
            yield said
            if said.is_owner:
                return
    elif scope in (Scope.OWN, Scope.STRUCK):
        if scope is Scope.OWN:
            yield session[place]
        yield from takewhile(lambda said: said.role == "assistant", session[place + 1 :])
    elif scope is Scope.AFTER:
        yield from takewhile(lambda said: not (said.is_owner and is_back(said.text)), session[place + 1 :])


def _without(heard: Frame[Turn], losses: _Losses) -> Forgotten:
    """The turns with what is left of their spans, and why."""
    keys = sorted(key for key, gone in losses.spans.items() if gone)
    touched = heard.filter(pl.col("msg_key").is_in(keys))
    left: list[list[dict[str, int]]] = []
    decisions: list[Row] = []
    for key, text, spans in touched.select("msg_key", "text", "spans").iter_rows():
        kept = [span for span in spans if (span["start"], span["end"]) not in losses.spans[key]]
        # "Yes." before a wish, or "Rough evening." before what is forgotten, says nothing any more.
        kept = kept if is_said(text, [(span["start"], span["end"]) for span in kept]) else []
        left.append(kept)
        reason, asked_by = losses.why[key]
        decisions.append((key, Action.FORGET.value, reason, asked_by, f"{len(spans) - len(kept)} left out"))
    cut = touched.with_columns(pl.Series("spans", left, dtype=touched.schema["spans"]))
    rest = heard.filter(~pl.col("msg_key").is_in(keys))
    return Forgotten(conform(pl.concat([rest, cut]), Turn), frozenset(keys), decisions, losses.reaches)
