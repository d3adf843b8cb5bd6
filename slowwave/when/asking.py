"""What time a question asks about: for a reader's planner. Not what kind of question it is."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import NamedTuple

from slowwave.when.finding import find

_LATELY = re.compile(r"\b(?:recently|lately|these days|of late|neuerdings|récemment|onlangs)\b", re.IGNORECASE)
LATELY_DAYS = 30


class Period(NamedTuple):
    """A half-open UTC interval; none at an end that the question leaves open."""

    starts_at: datetime | None
    ends_at: datetime | None


def period(question: str, now: datetime, zone: str | None = None) -> Period | None:
    """The interval that a question asks about, or none: "last week", "between March and May", "since Monday".

    Several phrases give the interval that covers them all; "since" leaves the end at `now`, "before" leaves the start open.
    """
    found = find(question, now, None, zone)
    if not found:
        return Period(now - timedelta(days=LATELY_DAYS), now) if _LATELY.search(question) else None
    starts_at = min(f.starts_at for f in found)
    ends_at = max(f.ends_at for f in found)
    if len(found) == 1 and found[0].relation == "since":
        return Period(starts_at, now)
    if len(found) == 1 and found[0].relation == "until":
        return Period(
            None, starts_at if re.search(r"\bbefore\s+(?:the\s+)?$", question[: found[0].start], re.I) else ends_at
        )
    return Period(starts_at, ends_at)
