"""The words of dates: names, numbers and their patterns. No meaning beyond what number a word stands for."""

from __future__ import annotations

import re


def _list(words: str) -> list[str]:
    return words.split()


_MONTHS = _list("january february march april may june july august september october november december")
_WEEKDAYS = _list("monday tuesday wednesday thursday friday saturday sunday")
_NUMBERS = _list("one two three four five six seven eight nine ten eleven twelve")
_ORDINALS = _list("first second third fourth fifth sixth seventh eighth ninth tenth")
MONTH_NAMES = [name.capitalize() for name in _MONTHS]
WEEKDAY_NAMES = [name.capitalize() for name in _WEEKDAYS]

MONTH_NUMBERS = (
    {name: i for i, name in enumerate(_MONTHS, 1)} | {n[:3]: i for i, n in enumerate(_MONTHS, 1)} | {"sept": 9}
)
WEEKDAY_NUMBERS = (
    {name: i for i, name in enumerate(_WEEKDAYS)}
    | {name[:3]: i for i, name in enumerate(_WEEKDAYS)}
    | {"tues": 1, "thur": 3, "thurs": 3}
)
COUNTS: dict[str, float] = (
    {word: float(i) for i, word in enumerate(_NUMBERS, 1)}
    | {"a": 1, "an": 1, "fifteen": 15, "twenty": 20, "thirty": 30, "half a": 0.5}
    | {"a couple of": 2, "a couple": 2, "couple of": 2, "a few": 3, "few": 3, "several": 4, "some": 3}
)
VAGUE_COUNTS = {"a couple of", "a couple", "couple of", "a few", "few", "several", "some"}
ORDINAL_NUMBERS = {word: i for i, word in enumerate(_ORDINALS, 1)} | {"last": -1}

# "may" and "march" are verbs, "sat" and "sun" are words: those count only with a capital letter.
_SAFE_MONTHS = [m for m in _MONTHS if m not in ("may", "march")]
MONTH = (
    rf"(?:(?i:{'|'.join(_SAFE_MONTHS)})|May|MAY|March|MARCH"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\b\.?)"
)
WEEKDAY = rf"(?:(?i:{'|'.join(_WEEKDAYS)})|(?:Mon|Tues|Tue|Wed|Thurs|Thur|Thu|Fri|Sat|Sun)\b\.?)"
COUNT = (
    rf"(?:\d{{1,3}}|half a|a couple(?: of)?|couple of|a few|few|several|some|an?|{'|'.join(_NUMBERS)}"
    rf"|fifteen|twenty|thirty)"
)
UNIT = r"(?:fortnight|weekend|week|day|night|month|year|decade)"
YEAR = r"(?:19|20)\d\d"
SEASON = r"(?:spring|summer|autumn|fall|winter)"
ORDINAL = rf"(?:{'|'.join(_ORDINALS)})"
DAY_NUMBER = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
FULL_DATE = rf"(?:{DAY_NUMBER}(?: of)? ?{MONTH},? ?{YEAR}|{MONTH} {DAY_NUMBER},? {YEAR}|{YEAR}-\d\d-\d\d)"
# What happens on one day, and does not come round.
ONCE = (
    r"(?:surgery|operation|interview|exam|flight|wedding|funeral|hearing|viewing|delivery|scan|trial|handover|launch"
    r"|defence|defense|graduation"
    r"|christening|due date|deadline|move|appointment|check-?up|biopsy|premiere|concert|inspection|audit)"
)
_UNITS = _list("hour day night week weekend fortnight month year decade quarter morning afternoon evening")
_OTHERS = _list("yesterday today tonight tomorrow ago spring summer autumn fall winter noon midnight")
TRIGGERS = frozenset([*MONTH_NUMBERS, *WEEKDAY_NUMBERS, *_UNITS, *(f"{unit}s" for unit in _UNITS), *_OTHERS])


_WORD = re.compile(r"[^\W_]+")
_OF_TIME = TRIGGERS | {str(year) for year in range(1900, 2100)}


def names_a_time(text: str) -> bool:
    """Whether a word of the text may be part of a date or a length of time; what it means is not asked."""
    return not _OF_TIME.isdisjoint(_WORD.findall(text.lower()))


def month_number(word: str) -> int:
    """1 for january, jan or Jan."""
    return MONTH_NUMBERS[word.lower().rstrip(".")]


def weekday_number(word: str) -> int:
    """0 for Monday."""
    return WEEKDAY_NUMBERS[word.lower().rstrip(".")]


def count_of(words: str) -> float:
    """3.0 for "3", "three" or "a few"."""
    words = words.lower()
    return float(words) if words.isdigit() else COUNTS[words]


def day_number(words: str) -> int:
    """15 for "15th", 1 for "first"."""
    digits = re.sub(r"\D", "", words)
    return int(digits) if digits else ORDINAL_NUMBERS[words.lower()]


def unit_of(word: str) -> str:
    """The singular of a unit, in small letters."""
    return word.lower().removesuffix("s")
