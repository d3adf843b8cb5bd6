"""Dated: the dates that lines speak of, found once for all the claims that cite a line and all the checks of each.

Belongs here: that memory. Does not belong here: how date words are read (`slowwave.when`), and what is checked against them.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache

from models.ask import Line
from models.rules import Owner
from slowwave import when


def spoken(lines: Iterable[Line], owner: Owner) -> list[when.Found]:
    """Every date that the lines speak of, in order, resolved on the day of its line in the owner's zone."""
    zone = owner.zone or None
    return [found for line in lines for found in _found(line.text, line.said_at, line.offset_minutes, zone)]


@lru_cache(maxsize=4_096)
def _found(text: str, said_at: datetime | None, offset_minutes: int | None, zone: str | None) -> tuple[when.Found, ...]:
    return tuple(when.find(text, said_at, offset_minutes, zone))
