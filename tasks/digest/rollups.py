"""Roll-ups: the few statements that stand for a session, a week or a month, in order, with the quotes of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

import polars as pl

from models.ids import make_id
from models.rules import DigestRules
from slowwave.format import Episode, Evidence
from tasks.digest.statements import Statement

_NEVER = datetime.min.replace(tzinfo=UTC)


class _Sentence(NamedTuple):
    """What a roll-up tells, and where it is from."""

    at: datetime | None
    source_id: str
    text: str
    evidence: tuple[Evidence, ...]


def session_rollups(
    statements: Sequence[Statement], turns: pl.DataFrame, *, rules: DigestRules, zone: str
) -> list[Episode]:
    """One conversation for each session that some memory cites: what it said that mattered, in the order it was said."""
    spans = _session_spans(turns)
    grouped: dict[tuple[str | None, str], list[Statement]] = defaultdict(list)
    for statement in statements:
        grouped[statement.platform, statement.session_id].append(statement)
    return [_session(part, spans.get(key), rules=rules, zone=zone) for key, part in grouped.items()]


def _session_spans(
    turns: pl.DataFrame,
) -> dict[tuple[str | None, str], tuple[datetime | None, datetime | None, list[str]]]:
    is_named = pl.col("role") == "participant"
    spans = turns.group_by("platform", "session_id").agg(
        pl.col("said_at").min().alias("start"),
        pl.col("said_at").max().alias("end"),
        pl.col("speaker").filter(is_named).unique().sort().alias("people"),
    )
    return {(platform, session): (start, end, people) for platform, session, start, end, people in spans.iter_rows()}


def _session(
    part: list[Statement],
    span: tuple[datetime | None, datetime | None, list[str]] | None,
    *,
    rules: DigestRules,
    zone: str,
) -> Episode:
    first = part[0]
    start, end, speakers = span or _quoted_span(part)
    told = sorted(select(part, rules.max_rollup_sentences), key=lambda one: one.place)
    among = f" of {' and '.join(speakers)}" if speakers else ""
    on = f" on {say_day(_local_day(start, zone))}" if start else ""
    projects = {one.project for one in part}
    return Episode(
        id=make_id("epi", first.owner, "session", first.platform, first.session_id),
        owner=first.owner,
        level="session",
        kind="conversation",
        title=f"Conversation{among}{on}",
        text=" ".join(one.text for one in told),
        started_at=start,
        ended_at=end,
        platform=first.platform,
        project=projects.pop() if len(projects) == 1 else None,
        people=_people([*speakers, *(one.subject for one in part)]),
        session_ids=[first.session_id],
        importance=max(one.importance for one in part),
        part_ids=sorted({one.memory_id for one in part}),
        evidence=[proof for one in told for proof in one.evidence],
    )


def _quoted_span(part: Iterable[Statement]) -> tuple[datetime | None, datetime | None, list[str]]:
    times = [proof.said_at for one in part for proof in one.evidence if proof.said_at]
    return (min(times), max(times), []) if times else (None, None, [])


def period_rollups(
    placed: Sequence[tuple[Episode, frozenset[str]]], statements: Sequence[Statement], *, rules: DigestRules, zone: str
) -> list[Episode]:
    """One summary for each ISO week and month in which something took place, on the owner's calendar.

    Each episode comes with the levels of period that its time is known well enough for.
    """
    week = _Calendar("week", zone, _monday, _week_title)
    month = _Calendar("month", zone, _first_of_month, _month_title)
    return [episode for one in (week, month) for episode in _periods(one, placed, statements, rules)]


class _Calendar(NamedTuple):
    """How days fall into periods of one level."""

    level: str
    zone: str
    first_day: Callable[[date], date]
    title: Callable[[date], str]

    def start(self, moment: datetime) -> date:
        """The first day of the period that the moment falls in, on the owner's calendar."""
        return self.first_day(_local_day(moment, self.zone))


def _periods(
    calendar: _Calendar,
    placed: Sequence[tuple[Episode, frozenset[str]]],
    statements: Sequence[Statement],
    rules: DigestRules,
) -> Iterator[Episode]:
    parts: dict[date, list[Episode]] = defaultdict(list)
    for episode, levels in placed:
        if episode.started_at and calendar.level in levels:
            parts[calendar.start(episode.started_at)].append(episode)
    said: dict[date, list[Statement]] = defaultdict(list)
    for statement in statements:
        if statement.happened_at and calendar.level in statement.levels:
            said[calendar.start(statement.happened_at)].append(statement)
    for day in sorted(parts):
        sentences = _sentences(parts[day], said[day], statements, rules.max_rollup_sentences)
        yield _period(calendar, day, parts[day], sentences)


def _sentences(
    parts: Sequence[Episode], said: Sequence[Statement], statements: Sequence[Statement], most: int
) -> list[_Sentence]:
    """What a period tells: what happened in it, else what was said in it, else what the signals record; in order."""
    talks = {session for part in parts if part.level == "session" for session in part.session_ids}
    told = select(said or [one for one in statements if one.session_id in talks], most)
    found = [_Sentence(one.happened_at, one.memory_id, one.text, one.evidence) for one in told]
    if not found:
        shown = sorted(parts, key=lambda one: (-one.importance, one.started_at, one.id))[:most]
        found = [_Sentence(one.started_at, one.id, one.text, tuple(one.evidence)) for one in shown]
    return sorted(found, key=lambda one: (one.at or _NEVER, one.source_id))


def _period(calendar: _Calendar, day: date, parts: list[Episode], sentences: list[_Sentence]) -> Episode:
    end = day + timedelta(days=7) if calendar.level == "week" else _first_of_month(day + timedelta(days=31))
    return Episode(
        id=make_id("epi", parts[0].owner, calendar.level, day.isoformat()),
        owner=parts[0].owner,
        level=calendar.level,
        kind="summary",
        title=calendar.title(day),
        text=" ".join(dict.fromkeys(one.text for one in sentences)),
        started_at=_midnight(day, calendar.zone),
        ended_at=_midnight(end, calendar.zone),
        people=_people(name for part in parts for name in part.people),
        session_ids=sorted({session for part in parts for session in part.session_ids}),
        importance=max(part.importance for part in parts),
        part_ids=sorted(part.id for part in parts),
        evidence=list(dict.fromkeys(proof for one in sentences for proof in one.evidence)),
    )


def select(statements: Iterable[Statement], most: int) -> list[Statement]:
    """The statements to tell: the weightiest, no text twice."""
    chosen: dict[str, Statement] = {}
    for statement in sorted(statements, key=lambda one: (*one.weight, one.session_id)):
        if len(chosen) < most:
            chosen.setdefault(statement.text, statement)
    return list(chosen.values())


def _people(names: Iterable[str]) -> list[str]:
    return sorted({name for name in names if name not in ("user", "assistant")})


def _local_day(moment: datetime, zone: str) -> date:
    return moment.astimezone(ZoneInfo(zone or "UTC")).date()


def _midnight(day: date, zone: str) -> datetime:
    return datetime.combine(day, time(), ZoneInfo(zone or "UTC")).astimezone(UTC)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _first_of_month(day: date) -> date:
    return day.replace(day=1)


def say_day(day: date) -> str:
    """A day in words, e.g. 8 May 2023."""
    return f"{day.day} {day:%B %Y}"


def _week_title(day: date) -> str:
    year, week, _ = day.isocalendar()
    return f"Week {week} of {year}, {say_day(day)} to {say_day(day + timedelta(days=6))}"


def _month_title(day: date) -> str:
    return f"{day:%B %Y}"
