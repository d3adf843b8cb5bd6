"""Two date phrases side by side, which speak of one time together: "ten years ago this June", "in May this year"."""

from __future__ import annotations

import re
from datetime import date, timedelta

from slowwave.format import Precision
from slowwave.when import foreign_days, spans
from slowwave.when.found import Found, Stretch
from slowwave.when.words import COUNT, VAGUE_COUNTS, WEEKDAY, count_of, unit_of

_AGO = re.compile(rf"\b(?P<n>{COUNT}) (?P<u>day|week|month|year|decade)s? (?:ago|back)$", re.IGNORECASE)
_WEEKDAY = re.compile(WEEKDAY)
_ANY_WEEKDAY = re.compile(rf"{WEEKDAY}|(?i:{foreign_days.WEEKDAY})")
_NAMED_DAY = re.compile(r"(?:today|yesterday|tomorrow|tonight|this (?:morning|afternoon|evening))\b", re.IGNORECASE)


def together(first: Found, second: Found) -> Stretch | None:
    """What two phrases mean as one: counted back from the second, else the narrower where one lies within the other; else nothing sure."""
    if (ago := _AGO.search(first.phrase)) and (made := _back(ago, second)):
        return made
    if _ANY_WEEKDAY.fullmatch(first.phrase) and second.first == second.last:
        # "Vrijdag 17 april": the date says which Friday.
        is_that = first.first.weekday() == second.first.weekday()
        return _stretch(second.first, second.last, second) if is_that else None
    inner, outer = (second, first) if _n_days(second) <= _n_days(first) else (first, second)
    return _within(outer, inner) or _moved(outer, inner)


def _within(outer: Found, inner: Found) -> Stretch | None:
    is_within = outer.first <= inner.first and inner.last <= outer.last
    return _stretch(inner.first, inner.last, inner) if is_within else None


def _moved(outer: Found, inner: Found) -> Stretch | None:
    """Resolve "last year in May": that year's; and "two weeks ago on Friday": that week's."""
    if (
        outer.grain is Precision.YEAR
        and inner.grain in (Precision.MONTH, Precision.DAY)
        and not _WEEKDAY.search(inner.phrase)
    ):
        first = spans.safe_day(outer.first.year, inner.first.month, inner.first.day)
        if first and inner.grain is Precision.MONTH:
            return spans.month(first.year, first.month)
        return spans.days(first) if first and inner.first == inner.last else None
    if outer.grain is Precision.WEEK and inner.first == inner.last and _WEEKDAY.fullmatch(inner.phrase):
        return spans.days(outer.first + timedelta(days=inner.first.weekday()))
    return None


def _back(ago: re.Match[str], second: Found) -> Stretch | None:
    """Resolve "a year ago today", "ten years ago this June"; a weekday has no anniversary."""
    unit, n = unit_of(ago["u"]), count_of(ago["n"])
    is_year = unit in ("year", "decade")
    is_counted = (is_year and not _WEEKDAY.search(second.phrase)) or _NAMED_DAY.match(second.phrase)
    if ago["n"].lower() in VAGUE_COUNTS or n % 1 or not is_counted:
        return None
    first = _earlier(second.first, int(n), unit)
    if second.grain is Precision.WEEK:
        return spans.week(first)
    if second.grain is Precision.WEEKEND:
        return spans.weekend(first)
    last = (
        first + (second.last - second.first) if second.grain is Precision.DAY else _earlier(second.last, int(n), unit)
    )
    return _stretch(first, last, second)


def _earlier(day: date, n: int, unit: str) -> date:
    if unit in ("day", "week"):
        return day - timedelta(days=n * (7 if unit == "week" else 1))
    return spans.shift_months(day, -n * {"month": 1, "year": 12, "decade": 120}[unit])


def _n_days(found: Found) -> int:
    return (found.last - found.first).days


def _stretch(first: date, last: date, of: Found) -> Stretch:
    is_vague = of.grain is Precision.APPROXIMATE
    return Stretch(first, last + timedelta(days=1), of.grain, is_vague=is_vague)
