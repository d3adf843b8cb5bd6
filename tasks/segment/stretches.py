"""Sessions as lists of turns, and the stretches that sessions and silences make of them.

Belongs here: order within a session, and what time tells. Does not belong here: what the words tell (`borders`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypeVar

import polars as pl

from models.table import Frame
from models.turn import Turn
from slowwave.tokens import count

F = TypeVar("F", bound=pl.DataFrame)
_SESSION = ("platform", "session_id")
_COLUMNS = ("msg_key", *_SESSION, "owner", "project", "said_at", "is_evidence", "is_new", "text", "spans")
# The beginning of a long message says what it is about; how one greets and takes leave stands at its ends.
MAX_WORDS_CHARS = 1000
MAX_END_CHARS = 200


class Heard(NamedTuple):
    """A turn as borders see it: its kept words (their beginning), and how it begins and ends as captured."""

    key: str
    platform: str
    session_id: str
    owner: str
    project: str | None
    said_at: datetime | None
    is_evidence: bool
    is_new: bool
    n_tokens: int
    words: str
    beginning: str
    ending: str


def in_order(frame: F) -> F:
    """Rows of messages or turns by session, in the order they were said.

    By time, then by place; a message without a time stands after the one before it in its session's own order.
    """
    placed = frame.sort(*_SESSION, "seq", "said_at", "msg_key")
    timed = placed.with_columns(pl.col("said_at").forward_fill().over(_SESSION).alias("_at"))
    return timed.sort(*_SESSION, "_at", "seq", "msg_key").drop("_at")  # type: ignore[return-value]


def sessions(turns: Frame[Turn], earlier: Frame[Turn]) -> Iterator[list[Heard]]:
    """Each session with news, in order; a turn that was heard again counts as new."""
    before = earlier.join(turns, on="msg_key", how="anti").join(turns, on=_SESSION, how="semi")
    marked = [turns.with_columns(is_new=pl.lit(True)), before.with_columns(is_new=pl.lit(False))]
    current: list[Heard] = []
    rows: Iterator[tuple[Any, ...]] = in_order(pl.concat(marked)).select(_COLUMNS).iter_rows()
    for row in rows:
        turn = _heard(*row)
        if current and (current[0].platform, current[0].session_id) != (turn.platform, turn.session_id):
            yield current
            current = []
        current.append(turn)
    if current:
        yield current


def _heard(*row: Any) -> Heard:
    *about, is_new, text, spans = row
    n_tokens, *words = _words(text, spans) if is_new else (0, "", "", "")
    return Heard._make([*about, is_new, n_tokens, *words])


def _words(text: str, spans: list[dict[str, int]]) -> tuple[int, str, str, str]:
    """What counts of a turn's text: its tokens, and the stretches that borders read."""
    kept = [text[span["start"] : span["end"]] for span in spans]
    words = " ".join(_first(kept, MAX_WORDS_CHARS))
    return sum(map(count, kept)), words, text[:MAX_END_CHARS], text[-MAX_END_CHARS:]


def _first(texts: Iterable[str], max_chars: int) -> Iterator[str]:
    for text in texts:
        if max_chars <= 0:
            return
        yield text[:max_chars]
        max_chars -= len(text)


def stretches(session: list[Heard], gap_minutes: float) -> Iterator[list[Heard]]:
    """Runs of new turns without a long silence and without an earlier turn between them."""
    gap = timedelta(minutes=gap_minutes)
    stretch: list[Heard] = []
    last_at: datetime | None = None
    for turn in session:
        is_silence = bool(turn.said_at and last_at and turn.said_at - last_at > gap)
        if stretch and (is_silence or not turn.is_new):
            yield stretch
            stretch = []
        if turn.is_new:
            stretch.append(turn)
        last_at = turn.said_at or last_at
    if stretch:
        yield stretch


def within(stretch: list[Heard], window_tokens: int) -> Iterator[list[Heard]]:
    """The stretch, cut wherever a window is full; a turn longer than the window stands alone."""
    group: list[Heard] = []
    n_tokens = 0
    for turn in stretch:
        if group and n_tokens + turn.n_tokens > window_tokens:
            yield group
            group, n_tokens = [], 0
        group.append(turn)
        n_tokens += turn.n_tokens
    if group:
        yield group


def first_time(turns: Iterable[Heard]) -> datetime | None:
    """When the first new turn that has a time was said."""
    return next((turn.said_at for turn in turns if turn.is_new and turn.said_at is not None), None)
