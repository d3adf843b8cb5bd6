"""Echoes: lines of a list that say word for word what was said before in another session: memory come back, not news.

A snapshot pasted without its heading looks like this. One line may be a thing said twice; two and more are a copy, and of a line that
is one, all sentences are.
Belongs here: finding such lists in all that was heard. Does not belong here: blocks that show what they are (`injected`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

import polars as pl

from models.decision import Action
from models.table import Frame, conform
from models.turn import Turn
from tasks.sift.looks import fold

Row = tuple[str, str, str, str, str]
Session = tuple[str, str]
_ITEM = re.compile(r"(?:(?:[-*•+]|\d+[.)])\s+)+")
_QUOTED = re.compile(r"[^“”\n]{1,80}: “")
_TWO_ITEMS = r"(?:^|\n)\s*(?:[-*•+]|\d+[.)])\s+\S[^\n]*\n\s*(?:[-*•+]|\d+[.)])\s+\S"
_COLUMNS = ("msg_key", "platform", "session_id", "said_at", "text", "spans")
_EVER = datetime.min.replace(tzinfo=UTC)  # what has no time was there before all that has one
_MIN_LINES = 2
_MIN_CHARS = 20
# A quick comparison is of so many letters, in the last so many characters.
_N_LETTERS, _N_TAIL = 12, 40


class Echoed(NamedTuple):
    """All turns with what is left of their spans, the keys of those that lost some, and a decision for each loss."""

    heard: Frame[Turn]
    cut: frozenset[str]
    decisions: list[Row]


class _Item(NamedTuple):
    """A kept span as it compares, and the line of a list that it stands in, by its place in the text; None outside a list."""

    key: str
    session: Session
    said_at: datetime
    place: int
    words: str
    line: int | None


def unechoed(heard: Frame[Turn], news: frozenset[str]) -> Echoed:
    """Take the list lines away that another session said before, two or more to a turn; `news` are the keys of tonight's turns."""
    is_listed = pl.col("role").is_in(["user", "assistant"]) & pl.col("text").str.contains(_TWO_ITEMS)
    listed = [item for item in _said(heard.filter(is_listed)) if item.line is not None]
    items = [item for item in listed if len(item.words) >= _MIN_CHARS]
    # What an earlier night compared need not be compared again, except with what is new.
    is_new = any(item.key in news for item in items)
    others = heard if is_new else heard.filter(pl.col("msg_key").is_in(sorted(news)))
    lost = _echoes(items, _first_said({item.words for item in items}, others)) if items else {}
    lost = {key: (_in_lines(lines, listed, key), first) for key, (lines, first) in lost.items()}
    return _without(heard, lost) if lost else Echoed(heard, frozenset(), [])


def _said(turns: pl.DataFrame) -> Iterator[_Item]:
    """Every kept span, its words as they compare: without the mark of a list, a speaker, and the quotation marks around it."""
    for key, platform, session, said_at, text, spans in turns.select(_COLUMNS).iter_rows():
        for place, span in enumerate(spans):
            start = text.rfind("\n", 0, span["start"]) + 1
            line = start if _ITEM.match(text[start : span["end"]].lstrip()) else None
            yield _Item(
                key, (platform, session), said_at or _EVER, place, _words(text[span["start"] : span["end"]]), line
            )


def _words(sentence: str) -> str:
    mark = _ITEM.match(sentence)
    bare = sentence[mark.end() :] if mark else sentence
    speaker = _QUOTED.match(bare)
    bare = bare[speaker.end() :].rstrip("”") if speaker else bare.rstrip("”")
    return " ".join(bare.casefold().split()).rstrip(" .")


def _first_said(wanted: set[str], turns: pl.DataFrame) -> dict[str, list[tuple[datetime, str, Session]]]:
    """Where each of these was said, the earliest first."""
    found: dict[str, list[tuple[datetime, str, Session]]] = {}
    for item in _said(turns.filter(_may_say(turns, wanted))):
        if item.words in wanted:
            found.setdefault(item.words, []).append((item.said_at, item.key, item.session))
    return {words: sorted(where) for words, where in found.items()}


def _may_say(turns: pl.DataFrame, wanted: set[str]) -> pl.Series:
    """Whether a kept span of a turn has the letters of one of these: the cheap look before the dear one, at all spans at once."""
    known = _letters(pl.Series(sorted(wanted)))
    is_long = pl.col("end") - pl.col("start") >= _MIN_CHARS
    spans = turns.select("text", "spans", turn=pl.int_range(pl.len())).explode("spans").unnest("spans").filter(is_long)
    # Most spans already end in other letters than any of these.
    ends = known.filter(known.str.len_chars() >= _N_LETTERS).str.tail(_N_LETTERS)
    last = _letters(_cut(spans, pl.max_horizontal("start", pl.col("end") - _N_TAIL))).str.tail(_N_LETTERS)
    spans = spans.filter(last.is_in(ends.implode()) | (last.str.len_chars() < _N_LETTERS))
    said = _cut(spans, pl.col("start"))
    # Where a speaker's name comes first, the letters are not those of the sentence alone.
    may_say = _letters(said).is_in(known.implode()) | said.str.contains("“", literal=True)
    return pl.int_range(turns.height, eager=True).is_in(spans["turn"].filter(may_say).unique().implode())


def _cut(spans: pl.DataFrame, start: pl.Expr) -> pl.Series:
    """The words of each span, from there."""
    return spans.select(pl.col("text").str.slice(start, pl.col("end") - start)).to_series()


def _letters(said: pl.Series) -> pl.Series:
    """The letters and digits of each text, without the mark of a list before them."""
    return fold(said).str.replace_all(r"^(?:\d+[.)]\s|[^\pL\pN])+|[^\pL\pN]+", "")


def _echoes(
    items: list[_Item], said: dict[str, list[tuple[datetime, str, Session]]]
) -> dict[str, tuple[set[int | None], str]]:
    """The lines of each turn that hold an echo, and the turn that said the first of them."""
    lost: dict[str, tuple[set[int | None], str]] = {}
    for item in items:
        before = (w for w in said.get(item.words, []) if w[0] < item.said_at and w[2] != item.session)
        if first := next(before, None):
            lost.setdefault(item.key, (set(), first[1]))[0].add(item.line)
    return {key: one for key, one in lost.items() if len(one[0]) >= _MIN_LINES}


def _in_lines(lines: set[int | None], listed: list[_Item], key: str) -> set[int]:
    """The places of all spans that stand in these lines of a turn."""
    return {item.place for item in listed if item.key == key and item.line in lines}


def _without(heard: Frame[Turn], lost: dict[str, tuple[set[int], str]]) -> Echoed:
    """The turns with what is left of their spans, and why."""
    touched = heard.filter(pl.col("msg_key").is_in(sorted(lost)))
    left: list[list[dict[str, int]]] = []
    decisions: list[Row] = []
    for key, spans in touched.select("msg_key", "spans").iter_rows():
        places, first = lost[key]
        kept = [span for place, span in enumerate(spans) if place not in places]
        left.append(kept)
        action = Action.FOLD if kept else Action.DROP
        decisions.append((key, action.value, "echo", first, f"{len(places)} left out"))
    cut = touched.with_columns(pl.Series("spans", left, dtype=touched.schema["spans"]))
    rest = heard.filter(~pl.col("msg_key").is_in(sorted(lost)))
    return Echoed(conform(pl.concat([rest, cut]), Turn), frozenset(lost), decisions)
