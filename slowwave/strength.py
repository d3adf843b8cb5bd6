"""The one formula of strength, used alike by nights and readers. Nothing here looks at a clock.

Retention follows Ebbinghaus' curve as MemoryBank uses it (Zhong et al., 2024, section 3): `exp(-t / S)`, with `t` in days since
the last confirmation and `S` the stability. Strength is computed at the moment of use from stored dates, never stored.
"""

from __future__ import annotations

from datetime import datetime
from math import exp, log

DAY_SECONDS = 86_400.0
BANDS = (0.75, 0.5, 0.25, 0.1)
# What is as important as can be is worth as much as the same said half a year later.
IMPORTANT_DAYS = 180


def retention(stability_days: float, last_at: datetime | None, now: datetime) -> float:
    """Share retained, 0 to 1: `exp(-t / stability_days)`; 1 where no date is known or the date lies ahead."""
    if last_at is None:
        return 1.0
    days = max(0.0, (now - last_at).total_seconds() / DAY_SECONDS)
    return exp(-days / stability_days) if stability_days > 0 else 0.0


def strength(
    *, stability_days: float, last_at: datetime | None, confidence: float, importance: float, now: datetime
) -> float:
    """Strength, 0 to 1: confidence times a mean of retention and importance, so that neither alone keeps junk alive."""
    return confidence * (0.5 * retention(stability_days, last_at, now) + 0.5 * importance)


def band(value: float) -> int:
    """Which of a few bands a strength falls in, 0 the strongest: a day's decay moves few."""
    return sum(value < edge for edge in BANDS)


def reach(*, stability_days: float, last_at: datetime, confidence: float, importance: float) -> float:
    """How far ahead a memory reaches, in days since 1970: the day on which half of what fades of it has faded, put
    off by its importance, as far as it is sure.

    It orders memories as their strength does, and does not change while nothing is heard of them: no order moves with the calendar.
    """
    return last_at.timestamp() / DAY_SECONDS + confidence * (log(2) * stability_days + IMPORTANT_DAYS * importance)
