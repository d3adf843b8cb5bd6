"""Times of day beside a date phrase ("tomorrow at 17:30"), or alone. Not time zones in words, which nobody agrees on."""

from __future__ import annotations

import re
from datetime import time

from slowwave.when.words import COUNTS

_HOURS = "|".join(word for word in COUNTS if word.isalpha() and 1 <= COUNTS[word] <= 12 and len(word) > 2)
_CLOCK = re.compile(
    r"(?:\b(?:at|from|by|around|until|@)\s+|(?<=[\s,T]))"
    r"(?:(?P<h>[01]?\d|2[0-3])[:.h](?P<min>[0-5]\d)(?:\s?(?P<ap>[ap])\.?m\b\.?)?"
    r"|(?P<h12>1[0-2]|[1-9])\s?(?P<ap12>[ap])\.?m\b\.?)",
    re.IGNORECASE,
)
_WORD_CLOCK = re.compile(rf"\bat (?P<word>{_HOURS}|noon|midnight)(?: o[’']clock)?\b", re.IGNORECASE)


def clocks(text: str) -> list[tuple[int, int, time]]:
    """Every time of day in the text: start, end and the time. "At six" alone says no half of the day, so it needs a date."""
    found = [(m.start(), m.end(), made) for m in _CLOCK.finditer(text) if (made := _time(m)) is not None]
    return found + [(m.start(), m.end(), _word_time(m["word"])) for m in _WORD_CLOCK.finditer(text)]


def _time(m: re.Match[str]) -> time | None:
    hour = int(m["h"] or m["h12"])
    half = (m["ap"] or m["ap12"] or "").lower()
    if half and hour > 12:
        return None
    if half == "p" and hour < 12:
        hour += 12
    if half == "a" and hour == 12:
        hour = 0
    return time(hour, int(m["min"] or 0))


def _word_time(word: str) -> time:
    if word.lower() in ("noon", "midnight"):
        return time(12 if word.lower() == "noon" else 0)
    hour = int(COUNTS[word.lower()])
    # Nobody meets at six in the morning without saying so.
    return time(hour + 12 if hour < 8 else hour % 24)
