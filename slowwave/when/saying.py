"""Say found dates in absolute words, and put those in place of words that would rot. English wording only."""

from __future__ import annotations

import dataclasses
import re
from datetime import date, datetime, timedelta

from slowwave.format import Precision
from slowwave.when import feasts, foreign_days
from slowwave.when.finding import find
from slowwave.when.found import Found
from slowwave.when.words import MONTH_NAMES, WEEKDAY, WEEKDAY_NAMES

_SEASONS = {3: "spring", 6: "summer", 9: "autumn", 12: "winter"}
_PREPOSITION = re.compile(
    r"\b(?:on|in|at|by|since|from|until|till|til|before|after|of|for|to|through|during|over|around"
    r"|about|than|due|the|between|and|as"
    r"|depuis|en|seit|im|sinds|desde|jusqu['’]?en|op|tot|vóór|voor|uiterlijk|tegen|am|bis|zum|vor|ab|spätestens|avant"
    r"|d['’]ici|le|até|hasta|el)\s+$",
    re.IGNORECASE,
)
_AFTER_WEEKDAY = re.compile(rf"\b{WEEKDAY},?\s+$", re.IGNORECASE)
_ON_DAYS = (Precision.DAY, Precision.INSTANT, Precision.WEEKEND)
_FOREIGN_WEEKDAY = re.compile(rf"\b(?:{foreign_days.WEEKDAY})\b", re.IGNORECASE)
_HAS_WEEKDAY = re.compile(rf"\b{WEEKDAY}")


def day_words(day: date) -> str:
    """A day as "7 May 2023", whatever the machine's locale."""
    return f"{day.day} {MONTH_NAMES[day.month - 1]} {day.year}"


def render(found: Found) -> str:
    """The interval in words: "7 May 2023", "the week of 1 May 2023", "May 2023", "summer 2022", "about May 2023"."""
    first = found.first
    if found.grain is Precision.WEEK:
        return f"the week of {day_words(first)}"
    if found.grain is Precision.WEEKEND:
        return f"the weekend of {day_words(first)}"
    if found.grain is Precision.MONTH:
        return f"{MONTH_NAMES[first.month - 1]} {first.year}"
    if found.grain is Precision.SEASON:
        return f"{_SEASONS.get(first.month, 'the quarter from ' + MONTH_NAMES[first.month - 1])} {first.year}"
    if found.grain is Precision.YEAR:
        return str(first.year)
    if found.grain is Precision.APPROXIMATE:
        return f"about {_vague(first, found.last)}"
    return _days(found)


def _days(found: Found) -> str:
    if found.first != found.last:
        return f"{day_words(found.first)} to {day_words(found.last)}"
    clock = f" {found.clock:%H:%M}" if found.clock else ""
    return day_words(found.first) + clock


def _vague(first: date, last: date) -> str:
    middle = first + timedelta(days=(last - first).days // 2)
    n_days = (last - first).days + 1
    if n_days <= 7:
        return day_words(middle)
    if n_days > 366:
        return str(middle.year)
    names = [f"{MONTH_NAMES[d.month - 1]} {d.year}" for d in (first, last)]
    return f"{names[0]} to {names[1]}" if n_days > 45 else f"{MONTH_NAMES[middle.month - 1]} {middle.year}"


def resolve_words(
    text: str, said_at: datetime | None = None, offset_minutes: int | None = None, zone: str | None = None
) -> str:
    """The text with absolute dates in place of its relative words, so that it means the same on any later day."""
    made = text
    for found in reversed(find(text, said_at, offset_minutes, zone)):
        if found.is_relative and not found.phrase.lower().startswith("at "):
            made = made[: found.start] + _placed(made, found) + made[found.end :]
    return made


def _placed(text: str, found: Found) -> str:
    """The absolute words for one phrase, with the preposition that an adverb such as "yesterday" did without."""
    if found.is_foreign and found.grain in (*_ON_DAYS, Precision.WEEK):
        # English words would stand askew in another language; days written in figures read alike in all.
        weekday = _FOREIGN_WEEKDAY.search(found.phrase)
        days = " – ".join(dict.fromkeys((found.first.isoformat(), found.last.isoformat())))
        return f"{weekday[0]} {days}" if weekday else days
    if feast := feasts.NAMED.fullmatch(found.phrase):
        # The feast's name says more than its day does.
        return f"{'at ' if feast['side'] else ''}{feast['feast']} {found.first.year}"
    words = render(dataclasses.replace(found, clock=None))
    if found.grain in _ON_DAYS and found.first == found.last and _HAS_WEEKDAY.search(found.phrase):
        words = f"{WEEKDAY_NAMES[found.first.weekday()]} {words}"
    before = text[: found.start]
    led = _PREPOSITION.search(before) or _AFTER_WEEKDAY.search(before)
    if text[found.end : found.end + 2] in ("'s", "’s"):
        return words
    if found.relation != "at" and not led:
        words = f"{'since' if found.relation == 'since' else 'by'} {words}"
    elif found.grain in _ON_DAYS and (not led or led[0].strip().lower() == "in"):
        words = f"on {words}"
    elif not led and found.grain is not Precision.APPROXIMATE:
        words = f"in {words}"
    is_opening = not before.strip() or before.rstrip()[-1] in ".!?:"
    return words[0].upper() + words[1:] if is_opening and found.phrase[0].isupper() else words
