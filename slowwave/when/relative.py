"""Rules for phrases that mean nothing without the day on which they were said. Each needs `ground.today`."""

from __future__ import annotations

import re
from datetime import date, timedelta

from slowwave.format import Precision
from slowwave.when import spans
from slowwave.when.absolute import Make, Rule, nearest, part_of
from slowwave.when.found import Ground, Stretch
from slowwave.when.words import (
    COUNT,
    DAY_NUMBER,
    MONTH,
    ORDINAL,
    SEASON,
    UNIT,
    VAGUE_COUNTS,
    WEEKDAY,
    count_of,
    day_number,
    month_number,
    unit_of,
    weekday_number,
)

Match = re.Match[str]
_NAMED_DAYS = {
    "day before yesterday": -2,
    "yesterday": -1,
    "last night": -1,
    "today": 0,
    "tonight": 0,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "tomorrow": 1,
    "day after tomorrow": 2,
}
_BACK = {"last", "past", "previous"}
_ON = {"next", "coming", "upcoming", "following"}


def _named_day(m: Match, ground: Ground) -> Stretch | None:
    words = re.sub(r"^the ", "", m["core"].lower())
    return spans.days(ground.today + timedelta(days=_NAMED_DAYS[words]))


def side_of(words: str | None) -> int:
    """-1, 0 or 1 for last, this or next ("this past" looks back, "this coming" on)."""
    parts = set((words or "").lower().split())
    return -1 if _BACK & parts else 1 if _ON & parts else 0


def _unit(m: Match, ground: Ground) -> Stretch | None:
    unit, side = unit_of(m["u"]), side_of(m["side"])
    if unit == "weekend":
        return _weekend(ground.today, side)
    if unit == "quarter":
        first = spans.month(ground.today.year, (ground.today.month - 1) // 3 * 3 + 1 + 3 * side).first
        return Stretch(first, spans.month(first.year, first.month + 2).until, Precision.SEASON)
    return spans.shifted(ground.today, side, unit)


def _weekend(today: date, side: int) -> Stretch:
    """On a Saturday or Sunday "last weekend" is the one before this one."""
    this = spans.weekend(today)
    if side < 0:
        return spans.weekend(today - timedelta(days=7))
    if side > 0:
        return spans.weekend(today + timedelta(days=7)) if today >= this.first else this
    return this


def _twice_removed(m: Match, ground: Ground) -> Stretch | None:
    """Resolve "the week before last", "the year after next"."""
    return spans.shifted(ground.today, -2 if "before" in m["side"].lower() else 2, unit_of(m["u"]))


def _ago(m: Match, ground: Ground) -> Stretch | None:
    made = spans.shifted(ground.today, -count_of(m["n"]), unit_of(m["u"]))
    return spans.vague(made) if m["n"].lower() in VAGUE_COUNTS or m["about"] else made


def _some_ago(m: Match, ground: Ground) -> Stretch | None:
    unit = unit_of(m["u"])
    return spans.vague(spans.shifted(ground.today, -3, "day" if unit in ("day", "night") else unit))


def _ahead(m: Match, ground: Ground) -> Stretch | None:
    made = spans.shifted(ground.today, count_of(m["n"]), unit_of(m["u"]))
    if m["within"]:
        return made._replace(relation="until")
    return spans.vague(made) if m["n"].lower() in VAGUE_COUNTS else made


def _hours(m: Match, ground: Ground) -> Stretch | None:
    """Resolve "in 48 hours" to the day that it leads to; "I ran it in 4 hours" says how long it took."""
    if ground.now is None or (ground.tense != "future" and not m["within"]) or ground.tense == "past":
        return None
    minutes = count_of(m["n"]) * (60 if m["u"].lower().startswith("h") else 1)
    made = spans.days((ground.now + timedelta(minutes=minutes)).date())
    return made._replace(relation="until") if m["within"] else made


def _lasting(m: Match, ground: Ground) -> Stretch | None:
    """Resolve "for three years now" began three years ago: the interval is that beginning."""
    begun = spans.shifted(ground.today, -count_of(m["n"]), unit_of(m["u"]))
    begun = spans.vague(begun) if m["n"].lower() in VAGUE_COUNTS or m["about"] else begun
    return begun._replace(relation="since")


def _over(m: Match, ground: Ground) -> Stretch | None:
    """Resolve "over the past two months": the whole stretch up to today."""
    far = spans.shifted(ground.today, -count_of(m["n"] or "one"), unit_of(m["u"])).first
    return Stretch(far, ground.today + timedelta(days=1), Precision.APPROXIMATE, is_vague=True)


def _other_day(_: Match, ground: Ground) -> Stretch | None:
    return Stretch(ground.today - timedelta(days=5), ground.today, Precision.APPROXIMATE, is_vague=True)


def _season(m: Match, ground: Ground) -> Stretch | None:
    today, side, name = ground.today, side_of(m["side"]), m["s"].lower()
    options = [spans.season(name, today.year + n, is_southern=ground.is_southern) for n in (-2, -1, 0, 1, 2)]
    if side < 0:
        return [s for s in options if s.until <= today][-1]
    if side > 0:
        return next(s for s in options if s.first > today)
    return min(options, key=lambda s: abs((s.first - today).days))


def _sided_month(m: Match, ground: Ground) -> Stretch | None:
    today, side, number = ground.today, side_of(m["side"]), month_number(m["m"])
    options = [spans.month(today.year + n, number) for n in (-1, 0, 1)]
    if side < 0:
        return [s for s in options if s.until <= today][-1]
    if side > 0:
        return next(s for s in options if s.first > today)
    return options[1]


def _month_day(m: Match, ground: Ground) -> Stretch | None:
    """Resolve "on the 15th": the tense or a deadline says of which month; else it may be any month's."""
    if ground.tense is None and ground.relation == "at":
        return None
    day, today = day_number(m["d"]), ground.today
    near = [spans.month(today.year, today.month + n).first for n in (-2, -1, 0, 1, 2)]
    options = [made for f in near if (made := spans.safe_day(f.year, f.month, day))]
    if ground.tense == "past" or m[0].lower().startswith("since"):
        return spans.days([d for d in options if d <= today][-1])
    return spans.days(next(d for d in options if d >= today))


def _day_of_month(m: Match, ground: Ground) -> Stretch | None:
    """Resolve "the 15th of this month", "the first of next month"."""
    whole = spans.shifted(ground.today, side_of(m["side"]), "month")
    made = spans.safe_day(whole.first.year, whole.first.month, day_number(m["d"].split()[0]))
    return spans.days(made) if made else None


def _part_of_unit(m: Match, ground: Ground) -> Stretch | None:
    side, unit = side_of(m["side"]), unit_of(m["u"])
    whole = _weekend(ground.today, side) if unit == "weekend" else spans.shifted(ground.today, side, unit)
    if "end" in m["part"].lower() and ground.tense != "past" and side >= 0:
        ground = ground._replace(relation="until")
    if unit == "week" and "end" in m["part"].lower():
        # A working week ends on Friday, and a promise for its end is due then.
        return spans.days(whole.first + timedelta(days=4 if side >= 0 and ground.relation == "until" else 6))
    return part_of(whole, m["part"], ground)


def _nth_weekday(m: Match, ground: Ground) -> Stretch | None:
    """Resolve "the first Monday of next month", "the last Friday in March"; one "of the month" is of every month, so none."""
    if not m["m"] and not m["side"] and ground.relation == "at":
        return None
    whole = _whole_month(m, ground)
    if whole is None:
        return None
    matching = [
        d
        for i in range((whole.until - whole.first).days)
        if (d := whole.first + timedelta(days=i)).weekday() == weekday_number(m["w"])
    ]
    which = m["nth"].lower()
    index = -1 if which == "last" else day_number(which) - 1
    return spans.days(matching[index]) if index < len(matching) else None


def _whole_month(m: Match, ground: Ground) -> Stretch | None:
    if m["m"]:
        number = month_number(m["m"])
        return nearest(lambda year: spans.month(year, number), ground)
    return spans.shifted(ground.today, side_of(m["side"]), "month")


def _rule(pattern: str, make: Make, needs: str) -> Rule:
    return Rule(pattern, make, needs, re.IGNORECASE)


SIDE = r"(?P<side>last|this past|this last|past|previous|this coming|this|next|coming|upcoming|the following)"
_ABOUT = r"(?P<about>(?:about|around|almost|nearly|roughly|over|like|more than|at least) )?"
TIME_OF_DAY = r"(?: (?:morning|afternoon|evening|night)(?!s))?"
_PART = (
    r"(?P<part>(?:early|mid|late|(?:the )?(?:very )?(?:beginning|start|middle|end|last day|first day"
    r"|first week|last week) of))"
)

RULES: tuple[Rule, ...] = (
    _rule(
        r"\b(?P<core>(?:the )?day before yesterday|(?:the )?day after tomorrow|yesterday|today|tonight|tomorrow"
        r"|last night|this morning|this afternoon|this evening)\b" + TIME_OF_DAY,
        _named_day,
        "n",
    ),
    _rule(rf"\b(?:the )?{SIDE} (?P<u>week|month|year|weekend|quarter)\b(?!s)", _unit, "u"),
    _rule(r"\b(?:the )?(?P<u>week|month|year|weekend) (?P<side>before last|after next)\b", _twice_removed, "u"),
    _rule(rf"\b{_ABOUT}(?P<n>{COUNT}) (?P<u>{UNIT})s? (?:ago|back|earlier)\b", _ago, "u"),
    _rule(r"\b(?P<u>day|week|weekend|month|year)s (?:ago|back)\b", _some_ago, "u"),
    _rule(
        rf"\b(?P<within>within )?(?:(?:in|within) )?(?P<n>{COUNT}) (?P<u>{UNIT})s?(?P<now> from (?:now|today)"
        rf"|(?:[’']s?)? time)\b",
        _ahead,
        "u",
    ),
    _rule(rf"\b(?:in|(?P<within>within)) (?:about |around )?(?P<n>{COUNT}) (?P<u>{UNIT})s?\b(?![’'])", _ahead, "u"),
    _rule(
        rf"\b(?:in|(?P<within>within)) (?:about |the next )?(?P<n>{COUNT}) (?P<u>hour|hr|minute|min)s?\b(?![’'])",
        _hours,
        "",
    ),
    _rule(rf"\b(?:for )?{_ABOUT}(?P<n>{COUNT}) (?P<u>{UNIT})s? (?:now|already|and counting)\b", _lasting, "u"),
    _rule(
        rf"(?:\b(?:have|has|been)|[’'](?:ve|s)) [^.?!;]{{0,80}}?\b(?P<core>for {_ABOUT}(?P<n>{COUNT}) (?P<u>{UNIT})s?)\b",
        _lasting,
        "u",
    ),
    _rule(
        rf"\b(?:over|in|during|for|these) (?:the )?(?:last|past) (?:(?P<n>{COUNT}) )?(?P<u>day|week|month|year)s?\b",
        _over,
        "u",
    ),
    _rule(r"\b(?:just )?the other (?:day|night|evening)\b", _other_day, ""),
    _rule(rf"\b{SIDE} (?P<s>{SEASON})\b", _season, "s"),
    Rule(rf"\b(?i:{SIDE}) (?P<m>{MONTH})\b(?! ?\d)", _sided_month, "m"),
    Rule(
        r"\b(?i:on|by|until|till|since|before|from|for|due|due on) (?P<core>the (?P<d>\d{1,2}(?:st|nd|rd|th)))\b(?! of\b| [A-Z])",
        _month_day,
        "d",
    ),
    _rule(rf"\b(?:the )?(?P<d>{DAY_NUMBER}|{ORDINAL}) of (?:{SIDE}|the) month\b", _day_of_month, "u"),
    _rule(rf"\b{_PART} (?:{SIDE}|the) (?P<u>month|year|week|weekend)\b", _part_of_unit, "u"),
    _rule(
        rf"\b(?:the )?(?P<nth>{ORDINAL}|last) (?P<w>{WEEKDAY}) (?:of|in) (?:(?P<m>{MONTH})|(?:{SIDE}|the) month)\b",
        _nth_weekday,
        "w",
    ),
)
