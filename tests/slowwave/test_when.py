"""Dates in words: a table the rules were written with, one they were not, and the edges of zones and clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.format import Precision
from slowwave.when import find, period, render, resolve_words
from slowwave.when.feasts import easter

THURSDAY = datetime(2023, 5, 25, 13, 14, tzinfo=UTC)
HERE = Path(__file__).parent
MIN_FRESH = 0.92


def rows(name: str) -> list[tuple[datetime, str, str, str, str]]:
    made = []
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        text, days, grain, relation = ([part.strip() for part in line.split("|")] + ["", "", ""])[:4]
        said = THURSDAY
        if text.startswith("["):
            said, text = datetime.fromisoformat(text[1:11] + "T13:14+00:00"), text[12:].strip()
        made.append((said, text, days, grain, relation or "at"))
    return made


def told(said: datetime, text: str) -> tuple[str, str, str] | None:
    found = find(text, said, 0, None)
    if not found:
        return None
    one = found[0]
    days = one.first.isoformat() + (f"..{one.last.isoformat()}" if one.last != one.first else "")
    return days, one.grain.value, one.relation


def is_right(said: datetime, text: str, days: str, grain: str, relation: str) -> bool:
    if not days:
        return told(said, text) is None
    made = told(said, text)
    if made is None:
        return False
    # Where the wording is vague the days are a matter of taste, so only the saying so and the nearness count.
    if made[1] == "approximate":
        first, last = datetime.fromisoformat(days[:10]), datetime.fromisoformat(days[-10:])
        near = datetime.fromisoformat(made[0][:10])
        return first - timedelta(days=8) <= near <= last + timedelta(days=8)
    return made == (days, grain, relation)


@pytest.mark.parametrize("row", rows("dates_tuned.txt"), ids=lambda row: row[1])
def test_every_sentence_that_the_rules_were_written_with(row: tuple[datetime, str, str, str, str]) -> None:
    assert is_right(*row), told(row[0], row[1])


def test_most_sentences_that_they_were_not_written_with() -> None:
    fresh = rows("dates_fresh.txt")
    wrong = [(row[1], told(row[0], row[1]), row[2:]) for row in fresh if not is_right(*row)]
    assert len(fresh) >= 75
    assert 1 - len(wrong) / len(fresh) >= MIN_FRESH, wrong


def test_today_is_the_speakers_day_not_greenwichs() -> None:
    tokyo = datetime(2026, 2, 28, 15, 30, tzinfo=UTC)
    assert find("I started today", tokyo, 540)[0].first.isoformat() == "2026-03-01"
    assert find("I started today", tokyo, -180)[0].first.isoformat() == "2026-02-28"
    assert find("I started today", tokyo, None, "Asia/Tokyo")[0].starts_at == datetime(2026, 2, 28, 15, tzinfo=UTC)


def test_without_a_zone_the_precision_says_so_and_without_a_time_nothing_relative_is_resolved() -> None:
    assert find("I started today", THURSDAY)[0].precision is Precision.APPROXIMATE
    assert find("I started today", THURSDAY, 0)[0].precision is Precision.DAY
    assert find("I started today", None, 60) == []
    assert find("I started on 7 May 2023", None)[0].precision is Precision.DAY
    assert find("I started on 7 May", None) == []


def test_the_owners_zone_knows_the_clock_change_that_an_offset_does_not() -> None:
    # Clocks in Auckland go back on 5 April 2026: that day has 25 hours.
    said = datetime(2026, 4, 4, 0, 0, tzinfo=UTC)
    found = find("I sail tomorrow", said, 780, "Pacific/Auckland")[0]
    assert found.first.isoformat() == "2026-04-05"
    assert found.ends_at - found.starts_at == timedelta(hours=25)
    away = find("I sail tomorrow", said, 120, "Pacific/Auckland")[0]
    assert away.ends_at - away.starts_at == timedelta(hours=24)


def test_seasons_turn_with_the_hemisphere() -> None:
    assert find("last summer we swam", THURSDAY, 720, "Pacific/Auckland")[0].first.isoformat() == "2022-12-01"
    assert find("last summer we swam", THURSDAY, 60, "Europe/Lisbon")[0].first.isoformat() == "2022-06-01"


def test_a_time_of_day_joins_its_day_and_stands_alone_only_for_today() -> None:
    found = find("Call me tomorrow at 17:30", THURSDAY, 120)[0]
    assert found.starts_at == datetime(2023, 5, 26, 15, 30, tzinfo=UTC)
    assert found.precision is Precision.INSTANT
    assert find("The call is at 5pm", THURSDAY, 0)[0].starts_at == datetime(2023, 5, 25, 17, tzinfo=UTC)
    assert find("I swim every day at 17:30", THURSDAY, 0) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("on 7 May 2023", "7 May 2023"),
        ("last week", "the week of 15 May 2023"),
        ("last month", "April 2023"),
        ("last weekend", "the weekend of 20 May 2023"),
        ("in summer 2022", "summer 2022"),
        ("since 2019", "2019"),
        ("tomorrow at 17:30", "26 May 2023 17:30"),
        ("from 23 to 27 February 2026", "23 February 2026 to 27 February 2026"),
        ("a few weeks ago", "about 4 May 2023"),
    ],
)
def test_a_found_date_is_said_at_its_own_precision(text: str, said: str) -> None:
    assert render(find(text, THURSDAY, 0)[0]) == said


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("Yesterday I signed the lease", "On 24 May 2023 I signed the lease"),
        ("I ran a race last Saturday – wow", "I ran a race on Saturday 20 May 2023 – wow"),
        ("We move in a week from Saturday.", "We move in on Saturday 3 June 2023."),
        ("I've known them for 4 years, since school", "I've known them since 2019, since school"),
        ("It was great last month", "It was great in April 2023"),
        ("due by next Friday", "due by Friday 2 June 2023"),
        ("See you tomorrow at 17:30", "See you on 26 May 2023 at 17:30"),
        ("On 7 May 2023 it rained", "On 7 May 2023 it rained"),
        ("Vrijdag stuur ik het je", "Vrijdag 2023-05-26 stuur ik het je"),
        ("Nothing to see here", "Nothing to see here"),
    ],
)
def test_relative_words_give_way_to_dates_that_stay_true(text: str, resolved: str) -> None:
    assert resolve_words(text, THURSDAY, 0) == resolved


@given(
    row=st.sampled_from(rows("dates_tuned.txt") + rows("dates_fresh.txt")),
    when=st.datetimes(datetime(1980, 1, 1), datetime(2060, 1, 1)),
    offset=st.integers(-720, 840),
)
def test_any_day_gives_ordered_intervals_and_words_that_mean_the_same_later(row, when, offset) -> None:
    said = when.replace(tzinfo=UTC)
    first = find(row[1], said, offset)
    for found in first:
        assert found.starts_at < found.ends_at
        assert found.first <= found.last
        assert row[1][found.start : found.end] == found.phrase
    later = said + timedelta(days=400)
    once = resolve_words(row[1], said, offset)
    again = [f for f in find(once, later, offset) if f.is_relative and not f.phrase.startswith("at ")]
    # A day that no year near has, as 29 February mostly is, stays as it was said.
    assert not (first and again), (once, again)


@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    for found in find(text, THURSDAY, 0, "Europe/Lisbon"):
        assert text[found.start : found.end] == found.phrase
    resolve_words(text, THURSDAY, 0)


def test_a_question_names_its_period() -> None:
    def days(question: str) -> tuple[str | None, str | None] | None:
        made = period(question, THURSDAY, "UTC")
        return made and tuple(t.date().isoformat() if t else None for t in made)  # type: ignore[return-value]

    assert days("What happened last week?") == ("2023-05-15", "2023-05-22")
    assert days("What happened between March and May 2023?") == ("2023-03-01", "2023-06-01")
    assert days("What has changed since Monday?") == ("2023-05-22", "2023-05-25")
    assert days("What did I say before 1 May 2023?") == (None, "2023-05-01")
    assert days("What have I done lately?") == ("2023-04-25", "2023-05-25")
    assert days("What does Ana like?") is None


def test_the_offset_of_the_message_wins_over_the_owners_zone() -> None:
    said = datetime(2026, 3, 1, 23, 30, tzinfo=timezone.utc)  # noqa: UP017
    assert find("today", said, -480, "Asia/Tokyo")[0].first.isoformat() == "2026-03-01"
    assert find("today", said, None, "Asia/Tokyo")[0].first.isoformat() == "2026-03-02"


def test_a_span_of_days_to_come_looks_ahead_and_a_weekday_keeps_its_date() -> None:
    said = datetime(2026, 3, 4, 8, tzinfo=UTC)
    assert resolve_words("The visit moves from Thursday to Tuesday 10 March.", said, 60) == (
        "The visit moves from Thursday 5 March 2026 to Tuesday 10 March 2026."
    )
    assert resolve_words("I was away from Thursday.", said, 60) == "I was away from Thursday 26 February 2026."


SPRING = datetime(2026, 3, 24, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("We married ten years ago this June.", "We married in June 2016."),
        ("I moved here three years ago next week.", "I moved here in the week of 27 March 2023."),
        ("I started a year ago today.", "I started on 24 March 2025."),
        ("A decade ago this May we met.", "In May 2016 we met."),
        ("Last year in May we moved.", "In May 2025 we moved."),
        ("I rang Tom two weeks ago on Friday.", "I rang Tom on Friday 13 March 2026."),
        ("We meet this Friday 27 March.", "We meet on Friday 27 March 2026."),
        (
            "De vergunning moet uiterlijk vrijdag 17 april verlengd zijn.",
            "De vergunning moet uiterlijk vrijdag 2026-04-17 verlengd zijn.",
        ),
        ("Ich schicke es am Freitag 27. März.", "Ich schicke es am Freitag 2026-03-27."),
        # Nobody can tell which day that was.
        ("We opened five years ago last Monday.", "We opened five years ago last Monday."),
    ],
)
def test_phrases_side_by_side_speak_of_one_time(text: str, resolved: str) -> None:
    assert resolve_words(text, SPRING, 0) == resolved


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("I moved out of Antwerp in May.", "2025-05-01"),
        ("My sister married in April.", "2025-04-01"),
        ("I quit my job on 5 April.", "2025-04-05"),
        ("I moved out of Antwerp in November.", "2025-11-01"),
        ("We booked a cabin in May.", "2026-05-01"),
        ("I bought tickets for the show on 5 April.", "2026-04-05"),
        ("They moved the deadline to 5 April.", "2026-04-05"),
        ("The demo on 2 April was called off.", "2026-04-02"),
    ],
)
def test_what_was_done_in_a_month_was_done_in_one_gone_by(text: str, first: str) -> None:
    assert [f.first.isoformat() for f in find(text, SPRING, 0)] == [first]


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("I'll do it in 48 hours.", "I'll do it on 26 March 2026."),
        ("I'll call back within two hours.", "I'll call back by 24 March 2026."),
        ("I ran it in 4 hours.", "I ran it in 4 hours."),
        ("I owe Marek an answer before Easter.", "I owe Marek an answer before Easter 2026."),
        ("We went to Rome last Easter.", "We went to Rome at Easter 2025."),
        ("Ik stuur het voor Pasen.", "Ik stuur het voor Pasen 2026."),
        ("We hid the Easter eggs.", "We hid the Easter eggs."),
        ("The contract ends 31/12.", "The contract ends on 31 December 2026."),
        ("My visa expires on 20/4.", "My visa expires on 20 April 2026."),
        ("Der Vertrag endet am 31.12.", "Der Vertrag endet am 2026-12-31."),
        # One day in Boston and another in Leeds; a score; a ratio.
        ("I need it by 3/4.", "I need it by 3/4."),
        ("He gave it 16/20, on a 16/9 screen.", "He gave it 16/20, on a 16/9 screen."),
        ("The surgery is on the 14th.", "The surgery is on 14 April 2026."),
        ("My interview is on Friday.", "My interview is on Friday 27 March 2026."),
        ("Choir is on the 14th.", "Choir is on the 14th."),
        ("来週の金曜日までに報告書を送ります。", "2026-04-03までに報告書を送ります。"),
        ("我下周五之前把报告发给他。", "我2026-04-03之前把报告发给他。"),
        ("先週の月曜日に会いました。", "2026-03-16に会いました。"),
    ],
)
def test_hours_feasts_short_dates_and_once_only_events(text: str, resolved: str) -> None:
    assert resolve_words(text, SPRING, 0) == resolved


@pytest.mark.parametrize(
    ("year", "day"),
    [
        (1818, "03-22"),
        (1943, "04-25"),
        (2000, "04-23"),
        (2024, "03-31"),
        (2025, "04-20"),
        (2026, "04-05"),
        (2038, "04-25"),
    ],
)
def test_easter_falls_where_the_almanac_has_it(year: int, day: str) -> None:
    assert easter(year).isoformat() == f"{year}-{day}"
