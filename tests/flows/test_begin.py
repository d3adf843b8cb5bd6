"""How a night begins: what it tells of damage, whether or not a night before it was killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters import lake
from adapters.capture import Captured
from flows import ledger
from flows.begin import News, read_news
from models.decision import Action, Decision
from models.table import rows_to_frame


def damage(*places: str, n_new: int = 0) -> Captured:
    rows = [
        Decision(stage="capture", item_id=p, action=Action.QUARANTINE, reason="no JSON", other_id="d") for p in places
    ]
    return Captured("u-ana", rows_to_frame(Decision, rows), n_damaged=len(places), n_new_damaged=n_new)


def ended(store: Path, run: str, status: str, *places: str) -> None:
    """A run that met this damage and came to this end."""
    lake.write_table(store, f"runs/{run}/begin.decisions.parquet", damage(*places).decisions, Decision)
    ledger.update(store, run, status=status)


def news(store: Path, captured: Captured) -> News:
    return read_news(store, captured, None)


def test_the_first_damaged_line_is_the_first_of_its_file(tmp_path: Path) -> None:
    places = ["hostile.jsonl:29", "hostile.jsonl:4", "hostile.jsonl:101"]
    assert news(tmp_path, damage(*places, n_new=3)).warnings == (
        "3 damaged places quarantined (no JSON), the first at hostile.jsonl:4",
    )
    assert news(tmp_path, damage("z.jsonl:1", "a:b.jsonl:9", n_new=2)).warnings[0].endswith("at a:b.jsonl:9")
    assert news(tmp_path, damage("a.jsonl:1", n_new=1)).warnings[0].startswith("1 damaged place quarantined")
    assert news(tmp_path, damage()).warnings == ()


@pytest.mark.parametrize(
    ("status", "n"),
    [("running", 2), ("failed", 2), ("refused", 2), ("published", 0), ("held", 0), ("nothing_to_do", 0)],
)
def test_damage_is_news_until_a_night_that_ended_has_told_of_it(tmp_path: Path, status: str, n: int) -> None:
    ended(tmp_path, "20260301T030000Z-a", status, "a.jsonl:1", "a.jsonl:2")
    assert news(tmp_path, damage("a.jsonl:1", "a.jsonl:2")).facts["n_newly_quarantined"] == n


def test_old_damage_stays_told_and_new_damage_is_counted_beside_it(tmp_path: Path) -> None:
    ended(tmp_path, "20260301T030000Z-a", "published", "a.jsonl:1")
    ended(tmp_path, "20260302T030000Z-b", "published", "b.jsonl:1")
    ended(tmp_path, "20260303T030000Z-c", "running", "c.jsonl:1", "b.jsonl:1")
    met = damage("a.jsonl:1", "b.jsonl:1", "c.jsonl:1", "d.jsonl:7", n_new=1)
    assert news(tmp_path, met).facts["n_newly_quarantined"] == 2
