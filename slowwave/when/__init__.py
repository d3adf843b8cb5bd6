"""Dates in words: find them, resolve them against the message's time, say them again in words that don't rot.

Belongs here: what readers and nights must do alike about time. Does not belong here: statuses, strength, any clock.
"""

from slowwave.when.asking import Period, period
from slowwave.when.falling_due import due, end
from slowwave.when.finding import find
from slowwave.when.found import Found
from slowwave.when.saying import day_words, render, resolve_words

__all__ = ["Found", "Period", "day_words", "due", "end", "find", "period", "render", "resolve_words"]
