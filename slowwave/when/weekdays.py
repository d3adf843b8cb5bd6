"""Rules for weekdays that the day of saying and the tense turn into dates: "on Friday", "Friday the 13th", "Wednesday week"."""

from __future__ import annotations

import re
from datetime import timedelta

from slowwave.when import spans
from slowwave.when.absolute import Make, Rule
from slowwave.when.found import Ground, Stretch
from slowwave.when.relative import SIDE, TIME_OF_DAY, side_of
from slowwave.when.words import COUNT, WEEKDAY, count_of, day_number, weekday_number

Match = re.Match[str]


def _weekday(m: Match, ground: Ground) -> Stretch | None:
    today, weekday, side = ground.today, weekday_number(m["w"]), side_of(m["side"])
    if side < 0 or (side == 0 and ground.tense == "past"):
        return spans.days(spans.back_to_weekday(today, weekday))
    ahead = spans.on_to_weekday(today, weekday, or_today=side == 0)
    # Said on a Thursday, "next Friday" is not tomorrow.
    is_tomorrow = m["side"].lower() == "next" and ahead - today == timedelta(days=1)
    return spans.days(ahead + timedelta(days=7 * is_tomorrow))


def _bare_weekday(m: Match, ground: Ground) -> Stretch | None:
    """Resolve "on Friday": the tense says which; without a tense or a deadline it may be any Friday, so none."""
    weekday = weekday_number(m["core"])
    is_span = ground.relation == "since" and m.string[m.end() :].startswith(" to ")
    if is_span and ground.tense is None:
        # "Moves from Thursday to Tuesday" speaks of a day to come; "was away from Thursday to Tuesday" has its past verb.
        return spans.days(spans.on_to_weekday(ground.today, weekday))
    has_begun = m[0].lower().startswith("since")
    if has_begun or ground.tense == "past" or (ground.relation == "since" and ground.tense != "future"):
        return spans.days(spans.back_to_weekday(ground.today, weekday))
    if ground.tense == "future" or ground.relation == "until":
        return spans.days(spans.on_to_weekday(ground.today, weekday, or_today=ground.relation == "until"))
    return None


def _weekday_of_week(m: Match, ground: Ground) -> Stretch | None:
    monday = spans.shifted(ground.today, side_of(m["side"]), "week").first
    return spans.days(monday + timedelta(days=weekday_number(m["w"])))


def _from_weekday(m: Match, ground: Ground) -> Stretch | None:
    """Resolve "a week from Saturday": the next Saturday, and the weeks on top."""
    ahead = spans.on_to_weekday(ground.today, weekday_number(m["w"]))
    return spans.days(ahead + timedelta(days=round(7 * count_of(m["n"]))))


def _weekday_and_day(m: Match, ground: Ground) -> Stretch | None:
    """Resolve "Friday the 13th": the next 13th that is a Friday, or the nearest where it is told in the past."""
    this = spans.month(ground.today.year, ground.today.month).first
    months = [spans.month(this.year, this.month + n).first for n in range(-14, 15)]
    days = [made for f in months if (made := spans.safe_day(f.year, f.month, day_number(m["d"])))]
    options = [day for day in days if day.weekday() == weekday_number(m["w"])]
    if ground.tense != "past":
        options = [d for d in options if d >= ground.today]
    return spans.days(min(options, key=lambda d: abs((d - ground.today).days))) if options else None


def _week_on_from(m: Match, ground: Ground) -> Stretch | None:
    """Resolve "Wednesday week": the Wednesday after the next."""
    return spans.days(spans.on_to_weekday(ground.today, weekday_number(m["w"])) + timedelta(days=7))


_MOVED = r"(?:moved|postponed|rescheduled|shifted|pushed|delayed|put off|brought forward)"


def _rule(pattern: str, make: Make, needs: str) -> Rule:
    return Rule(pattern, make, needs, re.IGNORECASE)


RULES: tuple[Rule, ...] = (
    # Weekdays keep their case: WEEKDAY itself says which abbreviations need a capital.
    Rule(rf"\b(?i:{SIDE}) (?P<w>{WEEKDAY})(?![’'\w]s\b|\w| of (?:the|each|every) month){TIME_OF_DAY}", _weekday, "w"),
    Rule(
        rf"(?i:\b(?:on|since|by|until|till|before|from|for|due|this)\s+)(?P<core>{WEEKDAY})(?!\w|-)(?!,? \d)",
        _bare_weekday,
        "w",
    ),
    Rule(
        rf"(?i:\b{_MOVED}\b[^.,;]{{0,30}}? to )(?P<core>{WEEKDAY})(?!\w|-)(?!,? \d)",
        _bare_weekday,
        "w",
    ),
    Rule(rf"\b(?P<w>{WEEKDAY}),? (?:the )?(?P<d>\d{{1,2}}(?:st|nd|rd|th))\b(?! of\b| [A-Z])", _weekday_and_day, "wd"),
    Rule(
        rf"(?<!every )(?<!each )(?<!last )(?<!next )\b(?P<w>{WEEKDAY}) week\b(?! (?:of|before|after))",
        _week_on_from,
        "wu",
    ),
    _rule(rf"\b(?P<w>{WEEKDAY}),? (?:of )?{SIDE} week\b", _weekday_of_week, "wu"),
    _rule(rf"\b{SIDE} week,? (?:on )?(?P<w>{WEEKDAY})\b", _weekday_of_week, "wu"),
    _rule(rf"\b(?P<n>{COUNT}) weeks? (?:from|on|after) (?:this |next )?(?P<w>{WEEKDAY})\b", _from_weekday, "wu"),
)
