"""Commitments that later words close: what is said to be done, or called off, ends the open commitment that it speaks of.

A claim says so by its attribute, `done` or `called_off`. Shared words nominate; that enough of them are shared, that no other names
are meant, and that it was said later, decides. Belongs here: which commitment is meant. Does not belong here: what the date alone decides.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

import polars as pl

from models.table import collected
from slowwave.format import CommitmentState, Polarity, Precision, Status
from tasks.reconcile.fulfilling import COMPLETED, fulfils

CLOSES = {"done": CommitmentState.FULFILLED, "called_off": CommitmentState.CANCELLED}
CLOSED = pl.Schema({"id": pl.String, "closed": pl.String, "closer": pl.String})
_OURS = ("user", "assistant")
MIN_SHARED = 2  # words that a closing statement must share with what it closes
_COLUMNS = (
    "id",
    "owner",
    "project",
    "text",
    "attribute",
    "names",
    "last_seen_at",
    "valid_from",
    "valid_precision",
)
# How many days a date of this precision may hold; what is only near a date tells nothing about before and after.
_DAYS = {
    Precision.INSTANT: 1,
    Precision.DAY: 1,
    Precision.WEEKEND: 3,
    Precision.WEEK: 7,
    Precision.MONTH: 31,
    Precision.SEASON: 92,
    Precision.YEAR: 366,
}
_DATE = re.compile(r"\b\d{1,2} [A-Z][a-z]+ \d{4}\b|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}:\d\d\b|\b[A-Z][a-z]+ \d{4}\b")
_CALLED_OFF = re.compile(r"\bcall(?:s|ed|ing)? (?:\w+ ){0,2}off\b", re.IGNORECASE)  # no call is meant
_CALL = "cal"  # the stem of "call" and "called"
_NAME = re.compile(r"(?<=[^.!?:\n] )[^\W\d_a-zß-öø-ÿ][^\W\d_]+")
# A sentence's first word has its capital from grammar: it is a name where it is written as one elsewhere.
_FIRST = re.compile(r"(?:^|(?<=[.!?:\n] ))[^\W\d_a-zß-öø-ÿ][^\W\d_]+")
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
# Words that every promise and every report of its end may hold.
_ANYWHERE = frozenset(
    re.findall(
        r"\w+",
        """
        the and for with that this from have has had was were will shall would could should been being are not but you your our his
        her their its they them she him who what when where which then there here than into onto over out off back now today tomorrow
        yesterday tonight morning evening afternoon night week month year day early late soon already still again also too just
        please thanks done finish finished close closed cancel cancelled canceled drop dropped keep kept plan list promise
        promised note remind remember forget forgot
        get got give make made take took put can may must need needs want mine myself all both one two
        een het van voor met aan naar der die das den dem und ist les des une pour avec para com que uma
        monday tuesday wednesday thursday friday saturday sunday
        """,
    )
)
_ENDINGS = ("ingly", "ing", "ied", "ies", "ers", "ed", "er", "es", "s", "e")


class _Said(NamedTuple):
    """A memory as it is compared: its text, its scope, its words, which of them are names, whom it names, and when it was last said."""

    id: str
    text: str
    scope: tuple[str, str | None]
    words: frozenset[str]
    proper: frozenset[str]
    names: frozenset[str]
    attribute: str | None
    at: datetime
    is_over_at: datetime | None  # the end of the time in which it happened, where that is stated


def closed(memories: pl.DataFrame, mentions: pl.DataFrame | None = None) -> pl.DataFrame:
    """The open commitments that a later statement closes: `id`, the state `closed`, and the `closer`'s id; the latest word counts.

    `mentions` tell which entity is the owner, who is no name here: all promises of one owner would name the same.
    """
    is_closing = pl.col("attribute").is_in(list(CLOSES)).fill_null(False)
    is_standing = (
        (pl.col("status") == Status.ACTIVE)
        & (pl.col("polarity") == Polarity.ASSERT)
        & pl.col("last_seen_at").is_not_null()
    )
    ours = (
        [] if mentions is None else mentions.filter(pl.col("name").is_in(_OURS))["entity_id"].unique().sort().to_list()
    )
    names = pl.col("entity_ids").list.set_difference(ours) if ours else pl.col("entity_ids")
    told = memories.lazy().filter(is_standing).with_columns(names=names)
    standing = collected(told.select(*_COLUMNS, "commitment_state"))
    is_open = ~is_closing & (pl.col("commitment_state") == CommitmentState.OPEN)
    standing = standing.filter(is_closing | is_open)
    known = frozenset[str]().union(*map(proper, standing["text"]))
    closers = sorted(_said(standing.filter(is_closing), known), key=lambda said: (said.at, said.id))
    if not closers:
        return pl.DataFrame(schema=CLOSED)
    index = _Index(_said(standing.filter(is_open), known))
    found = {
        one.id: (CLOSES[closer.attribute or ""].value, closer.id) for closer in closers for one in _meant(closer, index)
    }
    return pl.DataFrame([(one, *how) for one, how in sorted(found.items())], CLOSED, orient="row")


def _said(rows: pl.DataFrame, known: frozenset[str]) -> Iterator[_Said]:
    for one, owner, project, text, attribute, names, at, begins, precision in rows.select(_COLUMNS).iter_rows():
        n_days = _DAYS.get(precision)
        over = begins + timedelta(days=n_days) if begins is not None and n_days else None
        written = proper(text) | (_first_words(text) & known)
        yield _Said(one, text, (owner, project), words(text), written, frozenset(names), attribute, at, over)


def _is_later(closer: _Said, one: _Said) -> bool:
    """Whether it was said after the promise, and speaks of nothing that was over before: "the contract was signed in 2024"."""
    return one.at < closer.at and (closer.is_over_at is None or closer.is_over_at >= one.at)


class _Index:
    """Open commitments by their words, and by the ends of their words: "set" finds "dataset"."""

    def __init__(self, commitments: Iterator[_Said]) -> None:
        self.by_word: dict[str, list[_Said]] = defaultdict(list)
        self.by_end: dict[str, list[_Said]] = defaultdict(list)
        for one in commitments:
            for word in one.words:
                self.by_word[word].append(one)
                for end in _word_ends(word):
                    self.by_end[end].append(one)

    def with_word(self, word: str) -> dict[str, _Said]:
        """The commitments that hold this word, one that ends in it, or one that it ends in; by id."""
        found = [*self.by_word.get(word, ()), *self.by_end.get(word, ())]
        found += [one for end in _word_ends(word) for one in self.by_word.get(end, ())]
        return {one.id: one for one in found}


def _word_ends(word: str) -> list[str]:
    return [word[at:] for at in range(3, len(word) - 2)]


def _meant(closer: _Said, index: _Index) -> list[_Said]:
    """The commitments that the closing statement speaks of; where one word is all they share, it must leave no choice."""
    shared: dict[str, int] = defaultdict(int)
    nominated: dict[str, _Said] = {}
    matter: dict[str, set[str]] = defaultdict(set)
    for word in closer.words:
        for one in index.with_word(word).values():
            if one.scope == closer.scope and _is_later(closer, one):
                shared[one.id] += 1
                nominated[one.id] = one
                # Much may be promised to one person: a name alone doesn't say which of it is meant.
                if word not in closer.proper | one.proper:
                    matter[one.id].add(word)
    nominated = {key: one for key, one in nominated.items() if key in matter}
    sure = [one for one in nominated.values() if _is_sure(closer, one, shared[one.id], len(matter[one.id]))]
    # The same thing may be owed to several people: what names the same ones is meant, where anything does.
    sure = [one for one in sure if not _names_others(closer, one)] or sure
    has_choice = sure or len(nominated) > 1 or len(closer.words - _OVER) > MIN_SHARED
    # Of several calls that are owed to one person, "I called Paulo" says not which.
    calls = [one for one in sure if matter[one.id] == {_CALL}]
    meant = [one for one in sure if len(calls) == 1 or one not in calls]
    return [one for one in (meant if has_choice else nominated.values()) if _may_end(closer, one)]


def _may_end(closer: _Said, one: _Said) -> bool:
    return closer.attribute != "done" or fulfils(closer.text, one.text)


def _is_sure(closer: _Said, one: _Said, n_shared: int, n_matter: int) -> bool:
    """Whether enough words are shared; one word more where both name someone, and not the same, and then no part of a name counts."""
    return n_matter > MIN_SHARED if _names_others(closer, one) else n_shared >= MIN_SHARED


def _names_others(closer: _Said, one: _Said) -> bool:
    return bool(closer.names and one.names) and closer.names.isdisjoint(one.names)


def words(text: str) -> frozenset[str]:
    """The stems of the words that tell one commitment from another: no dates, no words that any promise may hold."""
    said = _WORD.findall(_CALLED_OFF.sub(" ", _DATE.sub(" ", text)).casefold())
    told = (w for w in said if len(w) > 2 or w[0].isdigit())
    return frozenset(_stem(w) for w in told if _ANYWHERE.isdisjoint((w, _stem(w))))


def proper(text: str) -> frozenset[str]:
    """The stems of words that are written as names inside a sentence, where no grammar asks for a capital."""
    return frozenset(_stem(found.casefold()) for found in _NAME.findall(text))


def _first_words(text: str) -> frozenset[str]:
    """The stems of the words that begin its sentences."""
    return frozenset(_stem(found.casefold()) for found in _FIRST.findall(text))


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


# What says that it is over does not say what: of "The deck's sent, tick that off" the deck alone does.
_OVER = frozenset(map(_stem, [*COMPLETED, "tick", "cross", "check"]))
