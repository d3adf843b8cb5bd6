"""When what is promised by a date falls due, and when what lasts until one ends.

Belongs here: which end of a phrase's interval is meant. Does not belong here: which interval it names (`finding`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

from slowwave.format import Precision
from slowwave.when.found import Found

_COARSE = (Precision.MONTH, Precision.SEASON, Precision.YEAR)


def due(found: Found, texts: Iterable[str]) -> datetime:
    """The last second of the day, week or month, or of what comes before it ("before April"), UTC, or the very minute where one was named.

    `texts` are what the phrase was found in.
    """
    if found.grain is Precision.INSTANT:
        return found.starts_at
    before = re.compile(rf"\bbefore (?:the )?{re.escape(found.phrase)}", re.IGNORECASE)
    is_before = found.grain in _COARSE and any(map(before.search, texts))
    return (found.starts_at if is_before else found.ends_at) - timedelta(seconds=1)


def end(found: Found) -> datetime:
    """Where "until June" ends, at June's beginning, and where "until Friday" does, at the end of Friday, UTC."""
    if found.grain is Precision.INSTANT or (found.relation == "until" and found.grain in _COARSE):
        return found.starts_at
    return found.ends_at
