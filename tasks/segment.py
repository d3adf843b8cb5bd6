"""Segment: sessions into topics that fit one question each. Whole turns only, and the same turns always make the same topics.

Belongs here: order within a session, and borders. Does not belong here: what a topic says (extract).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypeVar

import polars as pl

from models.decision import Action, Decision
from models.ids import make_id
from models.rules import SegmentRules
from models.table import Frame, rows_to_frame
from models.turn import Topic, Turn
from slowwave.tokens import count

F = TypeVar("F", bound=pl.DataFrame)
_SESSION = ("platform", "session_id")


class Segmented(NamedTuple):
    """`topics` hold every new turn once, except where a stretch holds no evidence at all."""

    topics: Frame[Topic]
    decisions: Frame[Decision]


class _Turn(NamedTuple):
    key: str
    owner: str
    session_id: str
    said_at: datetime | None
    is_evidence: bool
    is_new: bool
    n_tokens: int


def segment(turns: Frame[Turn], earlier: Frame[Turn], *, rules: SegmentRules) -> Segmented:
    """Cut the new turns of each session into topics, at silences and where a window is full.

    Borders depend on a session's new turns up to them alone, so what is said later moves none of them. Turns before a topic,
    `earlier` ones included, are its context.
    """
    topics: list[dict[str, Any]] = []
    decisions: list[Decision] = []
    for session in _sessions(turns, earlier):
        places = {turn.key: place for place, turn in enumerate(session)}
        for group in _groups(session, rules):
            if any(turn.is_evidence for turn in group):
                first = places[group[0].key]
                context = session[max(0, first - rules.context_turns) : first]
                topics.append(_topic(group, context, _ordinal(topics, group)))
            else:
                decisions += [_without_evidence(turn) for turn in group]
    return Segmented(rows_to_frame(Topic, topics), rows_to_frame(Decision, decisions))


def in_order(frame: F) -> F:
    """Rows of messages or turns by session, in the order they were said.

    By time, then by place; a message without a time stands after the one before it in its session's own order.
    """
    placed = frame.sort(*_SESSION, "seq", "said_at", "msg_key")
    timed = placed.with_columns(pl.col("said_at").forward_fill().over(_SESSION).alias("_at"))
    return timed.sort(*_SESSION, "_at", "seq", "msg_key").drop("_at")  # type: ignore[return-value]


def _sessions(turns: Frame[Turn], earlier: Frame[Turn]) -> Iterator[list[_Turn]]:
    """Each session with news, in order; a turn that was heard again counts as new."""
    before = earlier.join(turns, on="msg_key", how="anti").join(turns, on=_SESSION, how="semi")
    marked = [turns.with_columns(is_new=pl.lit(True)), before.with_columns(is_new=pl.lit(False))]
    columns = (*_SESSION, "msg_key", "owner", "said_at", "is_evidence", "is_new", "text", "spans")
    current: list[_Turn] = []
    last: tuple[str, str] | None = None
    for platform, session_id, key, owner, said_at, is_evidence, is_new, text, spans in (
        in_order(pl.concat(marked)).select(columns).iter_rows()
    ):
        if last not in (None, (platform, session_id)):
            yield current
            current = []
        last = (platform, session_id)
        n_tokens = sum(count(text[span["start"] : span["end"]]) for span in spans) if is_new else 0
        current.append(_Turn(key, owner, session_id, said_at, is_evidence, is_new, n_tokens))
    if current:
        yield current


def _groups(session: list[_Turn], rules: SegmentRules) -> Iterator[list[_Turn]]:
    """Runs of new turns without a long silence, each within the window; a turn longer than the window stands alone."""
    gap = timedelta(minutes=rules.gap_minutes)
    group: list[_Turn] = []
    n_tokens = 0
    last_at: datetime | None = None
    for turn in session:
        is_silence = bool(turn.said_at and last_at and turn.said_at - last_at > gap)
        if group and (is_silence or not turn.is_new or n_tokens + turn.n_tokens > rules.window_tokens):
            yield group
            group, n_tokens = [], 0
        if turn.is_new:
            group.append(turn)
            n_tokens += turn.n_tokens
        last_at = turn.said_at or last_at
    if group:
        yield group


def _ordinal(topics: list[dict[str, Any]], group: list[_Turn]) -> int:
    last = topics[-1] if topics else None
    return last["ordinal"] + 1 if last and last["session_id"] == group[0].session_id else 0


def _topic(group: list[_Turn], context: list[_Turn], ordinal: int) -> dict[str, Any]:
    keys = [turn.key for turn in group]
    return {
        "topic_id": make_id("top", keys),
        "owner": group[0].owner,
        "session_id": group[0].session_id,
        "ordinal": ordinal,
        "msg_keys": keys,
        "context_keys": [turn.key for turn in context],
        "n_tokens": sum(turn.n_tokens for turn in group),
    }


def _without_evidence(turn: _Turn) -> Decision:
    return Decision(stage="segment", item_id=turn.key, action=Action.DROP, reason="no evidence around it")
