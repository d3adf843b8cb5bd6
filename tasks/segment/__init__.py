"""Segment: sessions into topics, topics into windows that fit one question each, and what each session was about.

Whole turns only, and the same turns always make the same topics. Belongs here: the stage, and what becomes of a stretch. Does not
belong here: where a stretch ends (`stretches`, `borders`), which topics share a question (`windows`), what a topic says (extract), what
a session leaves at hand (`working`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from models.ask import Embed
from models.decision import Action, Decision
from models.ids import make_id
from models.memory import WorkingRow
from models.message import Signal
from models.rules import SegmentRules
from models.table import Frame, rows_to_frame
from models.turn import Topic, Turn
from tasks.segment.borders import find_borders
from tasks.segment.stretches import Heard, in_order, sessions, stretches, within
from tasks.segment.windows import Part, pack
from tasks.segment.working import working_sets

__all__ = ["Segmented", "in_order", "segment"]


class Segmented(NamedTuple):
    """`topics` hold every new turn once, except where a topic holds no evidence at all; `working` has a row a session, old ones too."""

    topics: Frame[Topic]
    working: Frame[WorkingRow]
    decisions: Frame[Decision]


def segment(
    turns: Frame[Turn], earlier: Frame[Turn], signals: Frame[Signal], *, rules: SegmentRules, embed: Embed
) -> Segmented:
    """Cut the new turns of each session into topics, and put topics of one owner, platform and project into windows.

    A topic ends with its session, at a silence, and by meaning where no time tells or a stretch is longer than a window. Turns
    before a topic, `earlier` ones included, are its context. Working sets read both, and the observer's `signals`.
    """
    parts: list[Part] = []
    decisions: list[Decision] = []
    for session in sessions(turns, earlier):
        places = {turn.key: place for place, turn in enumerate(session)}
        topics: list[dict[str, Any]] = []
        for group in _groups(session, rules, embed):
            if any(turn.is_evidence for turn in group):
                first = places[group[0].key]
                context = session[max(0, first - rules.context_turns) : first]
                topics.append(_topic(group, context, len(topics)))
            else:
                decisions += [_without_evidence(turn) for turn in group]
        if topics:
            parts.append(Part.of(session, topics))
    return Segmented(
        topics=rows_to_frame(Topic, pack(parts, rules.window_tokens)),
        working=working_sets(turns, earlier, signals, rules),
        decisions=rows_to_frame(Decision, decisions),
    )


def _groups(session: list[Heard], rules: SegmentRules, embed: Embed) -> Iterator[list[Heard]]:
    """The new turns of a session, a topic at a time, each within the window."""
    for stretch in stretches(session, rules.gap_minutes):
        is_untimed = any(turn.said_at is None for turn in stretch)
        is_long = sum(turn.n_tokens for turn in stretch) > rules.window_tokens
        borders = find_borders(stretch, embed) if is_untimed or is_long else []
        for begin, end in zip([0, *borders], [*borders, len(stretch)], strict=True):
            yield from within(stretch[begin:end], rules.window_tokens)


def _topic(group: list[Heard], context: list[Heard], ordinal: int) -> dict[str, Any]:
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


def _without_evidence(turn: Heard) -> Decision:
    return Decision(stage="segment", item_id=turn.key, action=Action.DROP, reason="no evidence around it")
