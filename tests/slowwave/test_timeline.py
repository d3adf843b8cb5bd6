"""What happened last week: the week's roll-up and its events, each with its evidence."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import slowwave
from flows.begin import Plan
from flows.road import consolidated
from flows.step import here

WEEK = Path(__file__).resolve().parents[2] / "samples" / "week.jsonl"
AFTER = datetime(2026, 3, 11, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> slowwave.Reader:
    store = tmp_path_factory.mktemp("week") / "store"
    flags = {"embed": {"embedder": "none"}}
    consolidated(Plan(store, (f"jsonl={WEEK}",), datetime(2026, 3, 9, 3, tzinfo=UTC), flags), here)
    return slowwave.open(store)


def test_what_happened_last_week_has_an_answer(reader: slowwave.Reader) -> None:
    found = reader.recall("What happened last week?", 6, at=AFTER)
    assert found[0].kind == "week" and found[0].text.startswith("Week 10 of 2026")
    assert all(one.evidence for one in found) and len(found) > 1
    for one in found[1:]:
        assert one.first_seen_at is not None and datetime(2026, 3, 2, tzinfo=UTC) <= one.first_seen_at < AFTER
    assert [one.first_seen_at for one in found[1:]] == sorted(one.first_seen_at for one in found[1:])  # type: ignore[type-var]


def test_a_day_is_told_by_its_events_and_an_empty_time_by_search(reader: slowwave.Reader) -> None:
    assert all(one.kind != "week" for one in reader.recall("What happened yesterday?", at=AFTER))
    long_ago = reader.recall("What happened in May 2019?", at=AFTER)
    assert all(one.kind != "month" for one in long_ago)


def test_what_was_narrowed_is_searched(reader: slowwave.Reader) -> None:
    found = reader.recall("What happened last week?", at=AFTER, kinds=["preference"])
    assert {one.kind for one in found} <= {"preference"}
