"""Whether a memory learns when and how to speak up, held against the fixed rule that made the outcomes.

Belongs here: asking for guidance in every context, and comparing. Does not belong here: the rule (`year.welcome`).
"""

from __future__ import annotations

from datetime import datetime, time, timedelta
from statistics import fmean
from zoneinfo import ZoneInfo

from evals.worlds.life import Stand, Year
from evals.worlds.year import ZONE, welcome
from slowwave.format import Kind
from slowwave.reader import Reader
from slowwave.reader.results import Recalled

HOURS, CHANNELS, URGENCIES = (8, 14, 18), ("native", "email", "popup"), ("low", "normal", "urgent")
_K = 10


def decided(reader: Reader, day: datetime) -> list[bool]:
    """For every hour, channel and urgency of a day: whether an agent that follows the first lesson it is given does right."""
    return [
        speaks(reader, _at(day, hour), channel, urgency) == welcome(hour, channel, urgency)
        for hour in HOURS
        for channel in CHANNELS
        for urgency in URGENCIES
    ]


def by_always_speaking() -> float:
    """The share that an agent does right who has no lessons."""
    return fmean(welcome(hour, channel, urgency) for hour in HOURS for channel in CHANNELS for urgency in URGENCIES)


def speaks(reader: Reader, at: datetime, channel: str, urgency: str) -> bool:
    """Whether an agent would speak: as the first lesson has it, and by itself where there is none."""
    given = reader.guidance(channel=channel, urgency=urgency, at=at, zone=ZONE, k=_K)
    lessons = [one for one in given if one.kind == Kind.INTERVENTION_OUTCOME]
    return not lessons or "accepted" in lessons[0].text


def _at(day: datetime, hour: int) -> datetime:
    """A working day's hour."""
    local = day.astimezone(ZoneInfo(ZONE)).date()
    while local.weekday() > 4:
        local -= timedelta(days=1)
    return datetime.combine(local, time(hour, 5), ZoneInfo(ZONE))


def worded(year: Year, reader: Reader, at: datetime) -> list[bool]:
    """For every wish about how to be spoken to that holds: whether guidance tells it."""
    given = reader.guidance(at=at, zone=ZONE, k=2 * _K)
    return [_tells(given, stand) for matter in year.of("styles") for stand in matter.stands if stand.holds(at)]


def _tells(given: list[Recalled], stand: Stand) -> bool:
    return any(stand.value.casefold() in one.text.casefold() for one in given)
