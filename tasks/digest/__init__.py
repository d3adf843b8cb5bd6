"""Digest: the episodic timeline, so that "what happened last week" has an answer.

Everything here is extractive: an episode's text is sentences of its memories, or a signal's own words and fields, and each
one carries the quotes of its parts. What is sensitive or comes from an untrusted place stays out, since an episode has no
column that could say so. Belongs here: which memories are told, and the reasons for the rest. Events are made in `events`,
roll-ups of time in `rollups`, of platforms, channels, people and projects in `groups`.
"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from models.decision import Action, Decision
from models.memory import EntityRow, EpisodeRow, MemoryRow
from models.message import Signal
from models.rules import DigestRules, Owner
from models.table import Frame, rows_to_frame
from models.turn import Turn
from slowwave.format import Episode, Polarity, Privacy, Status, Trust
from tasks.digest.events import ALL_PERIODS, is_told, memory_event, periods_of, signal_event
from tasks.digest.groups import group_rollups
from tasks.digest.rollups import period_rollups, session_rollups
from tasks.digest.statements import statements_of


class Digested(NamedTuple):
    """The timeline, and what was not told."""

    episodes: Frame[EpisodeRow]
    decisions: Frame[Decision]


def digest(
    memories: Frame[MemoryRow],
    turns: Frame[Turn],
    signals: Frame[Signal],
    entities: Frame[EntityRow],
    *,
    rules: DigestRules,
    owner: Owner,
) -> Digested:
    """Tell what happened: events, then roll-ups by session, by ISO week and month of the owner's zone, and by platform, channel, person and
    project over all time.
    """
    judged = memories.with_columns(reason=_untold())
    told = judged.filter(pl.col("reason").is_null()).drop("reason").sort("id").to_dicts()
    statements = statements_of(told, turns, owner.zone)
    dated = [(event, periods_of(row, owner.zone)) for row in told if (event := memory_event(row))]
    noted = [signal_event(row) for row in signals.filter(is_told()).sort("signal_key").to_dicts()]
    sessions = session_rollups(statements, turns, rules=rules, zone=owner.zone)
    placed = [*dated, *((episode, ALL_PERIODS) for episode in (*noted, *sessions))]
    periods = period_rollups(placed, statements, rules=rules, zone=owner.zone)
    groups = group_rollups(statements, entities, rules=rules)
    found = [*(episode for episode, _ in placed), *periods, *groups]
    episodes = rows_to_frame(EpisodeRow, [_to_row(episode) for episode in found])
    return Digested(episodes, _explain(judged, turns, signals, episodes))


def _to_row(episode: Episode) -> EpisodeRow:
    return EpisodeRow.model_validate(vars(episode))


def _untold() -> pl.Expr:
    """Why a memory is not told, or null. What is over has still happened; what was wrong or replaced has not."""
    reasons = {
        "not_current": pl.col("status").is_in([Status.RETRACTED, Status.DISPUTED, Status.SUPERSEDED]),
        "negated": pl.col("polarity") != Polarity.ASSERT,
        "sensitive": pl.col("privacy") == Privacy.SENSITIVE,
        "untrusted": ~pl.col("trust").is_in([Trust.OWNER, Trust.PARTICIPANT, Trust.AGENT]),
        "no_evidence": pl.col("evidence").list.len() == 0,
    }
    return pl.coalesce(pl.when(is_so).then(pl.lit(reason)) for reason, is_so in reasons.items())


def _explain(
    judged: pl.DataFrame, turns: Frame[Turn], signals: Frame[Signal], episodes: Frame[EpisodeRow]
) -> Frame[Decision]:
    """A row for each memory, turn and signal that no episode tells."""
    parts = episodes.filter(pl.col("level").is_in(["event", "session"])).explode("part_ids")["part_ids"].drop_nulls()
    sessions = episodes.filter(pl.col("level") == "session").explode("session_ids")["session_ids"].drop_nulls()
    left = [
        judged.filter(~pl.col("id").is_in(parts.implode())).select("id", pl.col("reason").fill_null("no_session")),
        turns.filter(~pl.col("session_id").is_in(sessions.implode())).select(
            pl.col("msg_key").alias("id"), reason=pl.lit("no_memory")
        ),
        signals.filter(~is_told()).select(pl.col("signal_key").alias("id"), reason=pl.lit("no_event")),
    ]
    return rows_to_frame(
        Decision,
        [
            Decision(stage="digest", item_id=item, action=Action.DROP, reason=reason)
            for item, reason in pl.concat(left).iter_rows()
        ],
    )
