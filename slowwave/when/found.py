"""What a date phrase was found to mean, and the ground it was resolved on. No patterns here, and no wording."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from slowwave.format import Precision

# Seasons are the other way round there; the zone is all we know of where someone lives.
_SOUTHERN = (
    "Australia/",
    "Antarctica/",
    "Pacific/Auckland",
    "Pacific/Chatham",
    "Africa/Johannesburg",
    "America/Argentina/",
    "America/Buenos_Aires",
    "America/Santiago",
    "America/Sao_Paulo",
    "America/Montevideo",
    "America/Asuncion",
)


@dataclass(frozen=True)
class Found:
    """One date phrase of a text: where it stands, and the half-open UTC interval that it names.

    `relation` says how a statement stands to the interval: "at" it, "since" it or "until" it. `grain` is the natural size of
    the interval; `precision` is the same, or APPROXIMATE where the day's borders or the wording are vague. `first` and
    `last` are local days, both inclusive. `is_foreign` says that the words are of another language than English.
    """

    start: int
    end: int
    phrase: str
    starts_at: datetime
    ends_at: datetime
    precision: Precision
    grain: Precision
    first: date
    last: date
    relation: str = "at"
    is_relative: bool = False
    is_future: bool = False
    clock: time | None = None
    is_foreign: bool = False


class Stretch(NamedTuple):
    """Local days, half-open, before they become an interval in UTC."""

    first: date
    until: date
    grain: Precision
    is_vague: bool = False
    relation: str | None = None


class Ground(NamedTuple):
    """What a phrase is resolved against: the speaker's day, and the hints of the words around the phrase.

    `is_done` says that the past tense is the time's own: something was done in it, not merely settled or told for it.
    """

    now: datetime | None
    tz: tzinfo
    is_sure: bool
    is_southern: bool
    tense: str | None = None
    relation: str = "at"
    is_done: bool = False

    @property
    def today(self) -> date:
        """The speaker's local day. Only relative rules ask for it, and those don't run without a time."""
        assert self.now is not None
        return self.now.date()


def ground(said_at: datetime | None, offset_minutes: int | None, zone: str | None) -> Ground:
    """The ground for a message: its own offset first, else the owner's zone, else UTC, which is marked unsure."""
    tz, is_sure = _zone_of(said_at, offset_minutes, zone)
    now = said_at.astimezone(tz) if said_at is not None else None
    return Ground(now, tz, is_sure, (zone or "").startswith(_SOUTHERN))


def _zone_of(said_at: datetime | None, offset_minutes: int | None, zone: str | None) -> tuple[tzinfo, bool]:
    named = _named(zone)
    if offset_minutes is None:
        return (named, True) if named else (UTC, False)
    offset = timedelta(minutes=offset_minutes)
    # The owner's zone knows of clock changes, a bare offset doesn't: prefer it where the two agree.
    if named and said_at is not None and said_at.astimezone(named).utcoffset() == offset:
        return named, True
    return timezone(offset), True


def _named(zone: str | None) -> ZoneInfo | None:
    if not zone:
        return None
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError):
        return None
