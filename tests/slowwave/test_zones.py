"""Zones by name, and the days a person is shown."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.render import day
from slowwave.zones import offset_name, zone_of
from tests.make import at


@given(st.integers(-14 * 60, 14 * 60))
def test_an_offset_is_read_back_as_it_was_named(minutes: int) -> None:
    assert zone_of(offset_name(minutes)).utcoffset(None) == timedelta(minutes=minutes)


@pytest.mark.parametrize("name", ["", "Nowhere/Atlantis", "../../etc/passwd", "+99:00", "Europe", "\x00"])
def test_an_unknown_zone_is_utc(name: str) -> None:
    assert zone_of(name) is UTC


def test_a_day_is_that_of_the_zone() -> None:
    end = at("2026-03-20T23:59:59-04:00")
    assert (day(end), day(end, zone_of("America/New_York")), day(end, zone_of("-04:00"))) == (
        "2026-03-21",
        "2026-03-20",
        "2026-03-20",
    )
    last = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert day(last, zone_of("+01:00")) == "9999-12-31" and day(None) == "?"
