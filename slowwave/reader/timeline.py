"""What happened in a stretch of time: its roll-up, then the events in it, the weightiest of them, in the order in which they took place.

Belongs here: questions that ask for nothing but a time. Does not belong here: which questions those are (`slowwave.planner`).
"""

from __future__ import annotations

from datetime import timedelta

from slowwave.format import Episode, Status
from slowwave.reader.results import Recalled
from slowwave.reader.tables import Tables, instant, spelt
from slowwave.when import Period

# What a stretch is told by: its week or month; a day of it is told by its events alone.
_LONG, _WEEK, _MONTH = timedelta(days=5), timedelta(days=8), timedelta(days=32)


def happened(tables: Tables, window: Period, k: int, project: str | None) -> list[Recalled]:
    """Up to `k` episodes of the window; none where it has no two ends, or nothing is known of it."""
    if window.starts_at is None or window.ends_at is None or not tables.n_rows("episodes"):
        return []
    inside = f"started_at < {instant(window.ends_at)} AND started_at >= {instant(window.starts_at)}"
    touching = f"started_at < {instant(window.ends_at)} AND ended_at > {instant(window.starts_at)}"
    scope = f" AND {spelt('project', project)}" if project is not None else ""
    told = [one for one in tables.where("episodes", Episode, f"level = 'event' AND {inside}{scope}") if _is_said(one)]
    length = window.ends_at - window.starts_at
    level = "week" if length <= _WEEK else "month" if length <= _MONTH else ""
    whole = tables.where("episodes", Episode, f"level = '{level}' AND {touching}") if level and length >= _LONG else []
    whole = [one for one in whole if _is_said(one) and _share(one, window) > 0.5]
    rolled = [] if project is not None else sorted(whole, key=lambda one: (str(one.started_at), one.id))[:k]
    weightiest = sorted(told, key=lambda one: (-one.importance, str(one.started_at), one.id))[: k - len(rolled)]
    return [_result(one) for one in [*rolled, *sorted(weightiest, key=lambda one: (str(one.started_at), one.id))]]


def _is_said(episode: Episode) -> bool:
    """Whether somebody said it: a platform's own signals are no statement, and shown as one they would come back as one."""
    return any(proof.source_kind == "message" for proof in episode.evidence)


def _share(rolled: Episode, window: Period) -> float:
    """How much of a roll-up's own time lies in the window."""
    starts, ends = rolled.started_at, rolled.ended_at
    if starts is None or ends is None or window.starts_at is None or window.ends_at is None:
        return 0.0
    return (min(ends, window.ends_at) - max(starts, window.starts_at)) / (ends - starts)


def _result(episode: Episode) -> Recalled:
    """An episode as a result: its level where it is a roll-up, else what kind of event it was."""
    is_rolled = episode.level != "event"
    return Recalled(
        id=episode.id,
        text=f"{episode.title}: {episode.text}" if is_rolled else episode.text,
        kind=episode.level if is_rolled else episode.kind,
        subject=", ".join(episode.people) or "user",
        status=Status.ACTIVE,
        score=round(episode.importance, 4),
        parts={"importance": round(episode.importance, 4)},
        evidence=tuple(episode.evidence),
        valid_from=episode.started_at,
        valid_to=episode.ended_at,
        first_seen_at=episode.started_at,
        last_seen_at=episode.ended_at,
        project=episode.project,
    )
