"""Time zones by name: an IANA name, or a fixed offset such as `+01:00` where only messages' own offsets are known.

Does not belong here: what a date means (`when`), and how it is shown (`render`).
"""

from __future__ import annotations

import re
from datetime import UTC, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

_OFFSET = re.compile(r"([+-])(\d\d):([0-5]\d)")


def zone_of(name: str) -> tzinfo:
    """The zone of that name; UTC where it is empty or unknown here, since a date a few hours off is better than none."""
    offset = _OFFSET.fullmatch(name)
    try:
        if offset:
            minutes = int(offset[2]) * 60 + int(offset[3])
            return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes))
        return ZoneInfo(name) if name else UTC
    except (ValueError, OSError, LookupError):
        return UTC


def offset_name(minutes: int) -> str:
    """The name of a fixed offset from UTC: `+01:00` for 60."""
    hours, rest = divmod(abs(minutes), 60)
    return f"{'-' if minutes < 0 else '+'}{hours:02}:{rest:02}"
