"""What a night counts is what readers would find: kinds of what is active, and strength by the one formula."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from adapters.reporting import ReportSettings
from flows import ledger
from flows.counted import counts, nights
from flows.ended import Ended
from slowwave.format import Memory, Status
from slowwave.reader.tables import Tables
from slowwave.store import read_current, read_manifest
from slowwave.strength import strength
from tests.e2e.conftest import AFTER_WEEK, week

__all__ = ["week"]


def test_kinds_and_strengths_are_those_of_the_published_memories(week: Path) -> None:
    manifest = read_manifest(week, read_current(week) or "")
    found = [one for one in Tables(week, manifest).where("memories", Memory) if one.status == Status.ACTIVE]
    counted = counts(Ended(week, ledger.runs(week)[0], ReportSettings()))
    assert counted["kinds"] == dict(Counter(one.kind.value for one in found))
    tenths = Counter(
        min(
            9,
            int(
                10
                * strength(
                    stability_days=one.stability_days,
                    last_at=one.last_confirmed_at or one.last_seen_at,
                    confidence=one.confidence,
                    importance=one.importance,
                    now=AFTER_WEEK,
                )
            ),
        )
        for one in found
    )
    assert counted["strengths"] == [tenths[place] for place in range(10)] and sum(tenths.values()) == len(found)


def test_nights_are_told_newest_first_and_not_without_end(tmp_path: Path) -> None:
    for day, status in ((1, "published"), (2, "refused"), (3, "published"), (4, "published"), (5, "nothing_to_do")):
        stages = {"extract": {"input_tokens": day, "output_tokens": 1, "cost": 0.5}, "sift": {"cost": 0}}
        counted = {"kinds": {"routine": day}, "strengths": [day]}
        ledger.update(tmp_path, f"2026030{day}", status=status, as_of=f"2026-03-0{day}", counted=counted, stages=stages)
    ledger.update(tmp_path, "20260306", status="published", as_of="2026-03-06")
    found = list(nights(Ended(tmp_path, "20260305", ReportSettings(max_nights=3))))
    assert [night.run for night in found] == ["20260305", "20260304", "20260303"]
    assert (found[0].tokens, found[0].cost, found[0].kinds) == (6, 0.5, {"routine": 5})
