"""Rules for dates that name a year, or a month or day whose year the message's time supplies.

A rule is a pattern and a function from its match to days. The group `core`, where there is one, is the phrase itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from slowwave.format import Precision
from slowwave.when import spans
from slowwave.when.found import Ground, Stretch
from slowwave.when.words import (
    COUNT,
    DAY_NUMBER,
    FULL_DATE,
    MONTH,
    ORDINAL,
    SEASON,
    UNIT,
    WEEKDAY,
    YEAR,
    count_of,
    day_number,
    month_number,
    unit_of,
    weekday_number,
)

Make = Callable[[re.Match[str], Ground], Stretch | None]


class Rule(NamedTuple):
    """A pattern, what it means, and what a text must hold before it is worth trying: see `finding.SIGNS`."""

    source: str
    make: Make
    needs: str = ""
    flags: int = 0

    @property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled at first need: a reader that never sees a date never pays for it."""
        return _compiled(self.source, self.flags)


@cache
def _compiled(source: str, flags: int) -> re.Pattern[str]:
    return re.compile(source, flags)


_NO_YEAR_AFTER = r"(?!\d|[-/]\d|:\d\d)"


_FAR_DAYS = 300


def nearest(make: Callable[[int], Stretch | None], ground: Ground) -> Stretch | None:
    """Of the same date in last, this and next year, the one that the tense asks for, else the nearest."""
    if ground.now is None:
        return None
    today = ground.today
    options = [s for n in (today.year - 1, today.year, today.year + 1) if (s := make(n))]
    # "We froze it until June" and "it ran until April" are both told in the past: of those the nearest is meant.
    is_until = ground.relation == "until"
    nearest_one = min(options, key=lambda s: abs((s.first - today).days), default=None)
    if ground.tense == "past" and not is_until:
        past = [s for s in options if s.first <= today]
        # "They called off the 2 April demo", said in March, is past only in its verb; "I moved out in May" is past all over.
        is_far = not past or (not ground.is_done and (today - past[-1].first).days > _FAR_DAYS)
        return nearest_one if is_far else past[-1]
    if ground.tense == "future" or (is_until and ground.tense is None):
        options = [s for s in options if s.until > today]
        return options[0] if options else None
    return nearest_one


def _day(year: int, month: int, day: int) -> Stretch | None:
    made = spans.safe_day(year, month, day)
    return spans.days(made) if made else None


def _dated(year: str | None, month: int, day: int, ground: Ground) -> Stretch | None:
    if year:
        return _day(int(year), month, day)
    return nearest(lambda number: _day(number, month, day), ground)


def parse_full(text: str) -> date | None:
    """The day of a full date such as "9 June, 2023", "June 9th 2023" or "2023-06-09"."""
    if re.match(r"\d{4}-", text):
        return spans.safe_day(*(int(x) for x in text.split("-")))
    name = re.search(MONTH, text)
    years = re.findall(YEAR, text)
    number = re.search(r"(?<!\d)\d{1,2}(?!\d)", text)
    if not (name and years and number):
        return None
    return spans.safe_day(int(years[-1]), month_number(name[0]), int(number[0]))


def _iso(m: re.Match[str], _: Ground) -> Stretch | None:
    return _day(int(m["y"]), int(m["m"]), int(m["d"]))


def _slashed(m: re.Match[str], _: Ground) -> Stretch | None:
    first, second = int(m["a"]), int(m["b"])
    if m["dot"] == ".":
        return _day(int(m["y"]), second, first)
    # 4/5/2023 is one day in Boston and another in Leeds: only an order that the calendar forces is believed.
    if first > 12 or first == second:
        return _day(int(m["y"]), second, first)
    return _day(int(m["y"]), first, second) if second > 12 else None


def slashed_day(m: re.Match[str], ground: Ground) -> Stretch | None:
    """Resolve "ends 31/12", "am 3.12.": with a slash only an order that the calendar forces is believed."""
    first, second = int(m["a"]), int(m["b"])
    if m["dot"] == "." or first > 12 or first == second:
        return _dated(None, second, first, ground) if second <= 12 else None
    return _dated(None, first, second, ground) if second > 12 else None


def _named(m: re.Match[str], ground: Ground) -> Stretch | None:
    return _dated(m["y"], month_number(m["m"]), day_number(m["d"]), ground)


def _named_words(m: re.Match[str], ground: Ground) -> Stretch | None:
    day = day_number(m["d"].split()[0])
    return _dated(m["y"], month_number(m["m"]), day, ground)


def _range(m: re.Match[str], ground: Ground) -> Stretch | None:
    month = month_number(m["m"])
    first = _dated(m["y"], month, day_number(m["d"]), ground)
    last = spans.safe_day(first.first.year, month, day_number(m["e"])) if first else None
    if first is None or last is None or last < first.first:
        return None
    return Stretch(first.first, last + timedelta(days=1), Precision.DAY, relation="at")


def _month(m: re.Match[str], ground: Ground) -> Stretch | None:
    number = month_number(m["m"])
    if m["y"]:
        return spans.month(int(m["y"]), number)
    return nearest(lambda year: spans.month(year, number), ground)


def _year(m: re.Match[str], _: Ground) -> Stretch | None:
    return spans.year(int(m["core"]))


def _season(m: re.Match[str], ground: Ground) -> Stretch | None:
    return spans.season(m["s"].lower(), int(m["y"]), is_southern=ground.is_southern)


def _part_of_month(m: re.Match[str], ground: Ground) -> Stretch | None:
    whole = _month(m, ground)
    return part_of(whole, m["part"], ground) if whole else None


def _part_of_year(m: re.Match[str], ground: Ground) -> Stretch | None:
    return part_of(spans.year(int(m["y"])), m["part"], ground)


def part_of(whole: Stretch, which: str, ground: Ground) -> Stretch:
    """A named part of a month, week or year: its last day, its second week, its beginning."""
    which = which.lower()
    if "day" in which:
        return spans.days(whole.first if "first" in which else whole.until - timedelta(days=1))
    if "week" in which:
        index = {"first": 0, "second": 1, "third": 2}.get(which.split()[0])
        first = whole.until - timedelta(days=7) if index is None else whole.first + timedelta(days=7 * index)
        return Stretch(first, first + timedelta(days=7), Precision.WEEK)
    if "end" in which and "week" not in which and ground.relation == "until":
        return spans.days(whole.until - timedelta(days=1))
    return spans.part(whole, next((w for w in ("early", "beginning", "start", "mid") if w in which), "late"))


def _beside(m: re.Match[str], _: Ground) -> Stretch | None:
    """A week, weekend, weekday or count of units before, after or of a full date."""
    day = parse_full(m["date"])
    if day is None:
        return None
    what, side = m["what"].lower(), m["side"].lower()
    sign = {"before": -1, "after": 1, "following": 1}.get(side, 0)
    if what == "week":
        return spans.week(day) if not sign else _seven_days(day, sign)
    if what == "weekend":
        return _weekend_beside(day, sign)
    if what in ("day", "month", "year"):
        return spans.shifted(day, sign, what)
    weekday = weekday_number(what)
    return spans.days(spans.on_to_weekday(day, weekday) if sign > 0 else spans.back_to_weekday(day, weekday))


def _seven_days(day: date, sign: int) -> Stretch:
    first = day - timedelta(days=7) if sign < 0 else day + timedelta(days=1)
    return Stretch(first, first + timedelta(days=7), Precision.WEEK)


def _weekend_beside(day: date, sign: int) -> Stretch:
    if not sign:
        return spans.weekend(day)
    if sign > 0:
        return spans.weekend(spans.on_to_weekday(day, 5))
    return spans.weekend(spans.back_to_weekday(day, 6))


def _counted_beside(m: re.Match[str], _: Ground) -> Stretch | None:
    day = parse_full(m["date"])
    sign = -1 if m["side"].lower() == "before" else 1
    return spans.shifted(day, sign * count_of(m["n"]), unit_of(m["u"])) if day else None


_PART = (
    r"(?:early|mid|late|(?:the )?(?:very )?(?:beginning|start|middle|end|first day|last day"
    r"|first week|second week|third week|last week) of)"
)


_LEADS_DAY = (
    r"on|by|before|until|till|since|from|due|due on|ends?|expires?|starts?|begins?|closes?|ended|expired|started|op|tot"
    r"|uiterlijk|vanaf|sinds|am|bis"
    r"|ab|le|au|avant le|dès le|el|hasta el|até|dia|no dia"
)


def _rule(pattern: str, make: Make, needs: str) -> Rule:
    return Rule(pattern, make, needs)


RULES: tuple[Rule, ...] = (
    _rule(r"\b(?P<y>\d{4})[-/](?P<m>\d\d)[-/](?P<d>\d\d)(?!\d)", _iso, "d"),
    _rule(rf"\b(?P<a>\d{{1,2}})(?P<dot>[./])(?P<b>\d{{1,2}})(?P=dot)(?P<y>{YEAR})\b", _slashed, "d"),
    _rule(
        rf"(?i:\b(?:{_LEADS_DAY})\s+)(?P<core>(?P<a>\d{{1,2}})(?P<dot>/)(?P<b>\d{{1,2}}))(?![\d/%.,:-]\d|\d|/)",
        slashed_day,
        "d",
    ),
    _rule(
        rf"\b(?P<d>{DAY_NUMBER})(?: of)? ?(?:-|–|to|and|until|till) ?(?P<e>{DAY_NUMBER})(?: of)? (?P<m>{MONTH})(?:,?"
        rf" (?P<y>{YEAR}))?" + _NO_YEAR_AFTER,
        _range,
        "dm",
    ),
    _rule(
        rf"\b(?P<m>{MONTH}) (?P<d>{DAY_NUMBER}) ?(?:-|–|to|and|until|till) ?(?P<e>{DAY_NUMBER})\b(?:,? (?P<y>{YEAR}))?"
        + _NO_YEAR_AFTER,
        _range,
        "dm",
    ),
    _rule(
        rf"\b(?:the )?(?P<d>{DAY_NUMBER}|{ORDINAL} of)\b(?: of)? ?(?P<m>{MONTH})\b(?:(?:,| of)? ?(?P<y>{YEAR}))?"
        + _NO_YEAR_AFTER,
        _named_words,
        "m",
    ),
    _rule(rf"\b(?P<m>{MONTH}) (?:the )?(?P<d>{DAY_NUMBER})\b(?:,? (?P<y>{YEAR}))?" + _NO_YEAR_AFTER, _named, "dm"),
    _rule(rf"\b(?P<m>{MONTH})(?:,| of)? (?P<y>{YEAR})\b", _month, "dm"),
    _rule(
        rf"(?i:\b(?:in|since|by|until|till|from|of|during|before|after|around|between|through|back in)\s+)"
        rf"(?P<core>(?P<m>{MONTH})(?P<y>(?!))?)(?![\w'’]| ?\d)",
        _month,
        "m",
    ),
    _rule(
        rf"(?i:\b(?:in|since|by|until|till|from|of|during|before|after|around|back in)\s+)(?P<core>{YEAR})\b(?![-/:.,]?\d)",
        _year,
        "d",
    ),
    _rule(rf"\b(?i:(?P<s>{SEASON}))(?: of|,)? (?P<y>{YEAR})\b", _season, "ds"),
    _rule(rf"\b(?i:(?P<part>{_PART}))[ -](?P<y>{YEAR})\b(?![-/.]\d)", _part_of_year, "d"),
    _rule(rf"\b(?i:(?P<part>{_PART}))[ -](?P<m>{MONTH})(?:,? (?P<y>{YEAR}))?\b", _part_of_month, "m"),
    _rule(
        rf"\b(?i:(?:the |a )?(?P<what>week|weekend|day|month|year|{WEEKDAY}) (?P<side>before|after|of|following))"
        rf" (?P<date>{FULL_DATE})\b",
        _beside,
        "d",
    ),
    _rule(
        rf"\b(?i:(?P<n>{COUNT}) (?P<u>{UNIT})s? (?P<side>before|after)) (?P<date>{FULL_DATE})\b", _counted_beside, "du"
    ),
)
