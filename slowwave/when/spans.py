"""Calendar arithmetic on local days: days, weeks, weekends, months, seasons, years. Knows no words and no zones."""

from __future__ import annotations

from datetime import date, timedelta

from slowwave.format import Precision
from slowwave.when.found import Stretch

SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_SIZES = {"day": 1, "night": 1, "fortnight": 14, "week": 7, "weekend": 7}


def days(first: date, n_days: int = 1) -> Stretch:
    """A day, or several in a row."""
    return Stretch(first, first + timedelta(days=n_days), Precision.DAY)


def week(inside: date) -> Stretch:
    """The week, Monday to Sunday, that holds a day."""
    monday = inside - timedelta(days=inside.weekday())
    return Stretch(monday, monday + timedelta(days=7), Precision.WEEK)


def weekend(inside: date) -> Stretch:
    """Saturday and Sunday of the week that holds a day."""
    saturday = inside + timedelta(days=5 - inside.weekday())
    return Stretch(saturday, saturday + timedelta(days=2), Precision.WEEKEND)


def month(year: int, number: int) -> Stretch:
    """A month; numbers outside 1 to 12 run over into other years."""
    years, index = divmod(number - 1, 12)
    following, next_index = divmod(number, 12)
    return Stretch(date(year + years, index + 1, 1), date(year + following, next_index + 1, 1), Precision.MONTH)


def year(number: int) -> Stretch:
    """A calendar year."""
    return Stretch(date(number, 1, 1), date(number + 1, 1, 1), Precision.YEAR)


def season(name: str, number: int, *, is_southern: bool) -> Stretch:
    """The season that begins in a year: meteorological, three whole months."""
    begins = SEASONS[name] + (6 if is_southern else 0)
    begins = begins - 12 if begins > 12 else begins
    return Stretch(month(number, begins).first, month(number, begins + 3).first, Precision.SEASON)


def shift_months(day: date, n_months: int) -> date:
    """The same day of another month, or that month's last day where it is shorter."""
    target = month(day.year, day.month + n_months)
    return min(target.first.replace(day=1) + timedelta(days=day.day - 1), target.until - timedelta(days=1))


def safe_day(number: int, month_number: int, day: int) -> date | None:
    """A date, or none where the calendar has no such day."""
    try:
        return date(number, month_number, day)
    except ValueError:
        return None


def shifted(today: date, n: float, unit: str) -> Stretch:
    """The day, week, weekend, month or year that lies `n` units from today; the grain is the unit's."""
    if unit in ("day", "night"):
        return days(today + timedelta(days=round(n)))
    if unit == "weekend":
        return weekend(today + timedelta(days=round(7 * n)))
    if unit in _SIZES:
        return week(today + timedelta(days=round(_SIZES[unit] * n)))
    if unit == "month":
        away = shift_months(today, round(n))
        return month(away.year, away.month)
    n_years = n * 10 if unit == "decade" else n
    if n_years % 1:
        away = shift_months(today, round(n_years * 12))
        return month(away.year, away.month)
    return year(today.year + round(n_years))


def back_to_weekday(today: date, weekday: int) -> date:
    """The last such weekday before today."""
    return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)


def on_to_weekday(today: date, weekday: int, *, or_today: bool = False) -> date:
    """The first such weekday after today, or today itself where that is allowed."""
    ahead = (weekday - today.weekday()) % 7
    return today + timedelta(days=ahead if ahead or or_today else 7)


def vague(stretch: Stretch) -> Stretch:
    """The same days, said to be approximate."""
    return stretch._replace(is_vague=True)


def part(whole: Stretch, which: str) -> Stretch:
    """The early, middle or late third of a stretch, as an approximate one."""
    third = (whole.until - whole.first) / 3
    index = {"early": 0, "beginning": 0, "start": 0, "middle": 1, "mid": 1}.get(which, 2)
    first = whole.first + index * third
    until = whole.until if index == 2 else first + third
    return Stretch(first, until, whole.grain, is_vague=True)
