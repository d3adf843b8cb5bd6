"""The contexts in which a person is spoken to, as nights learn by them and readers ask by them: what they are called, and parts of the day.

A lesson's attribute is `intervention_` and its dimension (`mode`, `part_of_day_and_channel`), its value what that dimension was.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

LESSON = "intervention_"
PAIR, SEPARATOR = "_and_", " + "
# A part and the hour it begins with; before the first and from the last on it is night.
_PARTS = (("morning", 5), ("afternoon", 12), ("evening", 17), ("night", 21))
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKEND, WORKDAY = "weekend", "weekday"


def part_of_day(hour: int) -> str:
    """morning, afternoon, evening or night, by the hour of a wall clock."""
    return next((name for name, starts in reversed(_PARTS) if hour >= starts), "night")


def at_time(local: datetime) -> dict[str, str]:
    """What a moment of a wall clock is by each dimension of time."""
    weekday = local.weekday()
    return {
        "part_of_day": part_of_day(local.hour),
        "week_part": WEEKEND if weekday >= 5 else WORKDAY,
        "weekday": WEEKDAYS[weekday],
    }


def applies(attribute: str | None, value: str | None, facts: Mapping[str, str]) -> int:
    """How many facts a lesson's context shares: 0 where it is another context, or no lesson at all."""
    if not attribute or not attribute.startswith(LESSON) or value is None:
        return 0
    names = attribute.removeprefix(LESSON).split(PAIR)
    values = value.split(SEPARATOR) if len(names) > 1 else [value]
    return len(names) if [facts.get(name) for name in names] == values else 0
