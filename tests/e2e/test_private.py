"""A store is its owner's alone from the first write on: every folder 0700 and every file 0600, whatever the umask."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

import slowwave
from flows.begin import Plan
from flows.night import Taken
from flows.road import consolidated
from flows.step import here
from tests.e2e.conftest import AFTER_WEEK, WEEK
from tests.make import at


@pytest.fixture(autouse=True)
def _lets_everybody_in() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def lying_open(store: Path) -> list[str]:
    found = [(path, path.lstat().st_mode) for path in [store, *store.rglob("*")]]
    return [
        f"{stat.S_IMODE(mode):o} {path}"
        for path, mode in found
        if stat.S_IMODE(mode) != (0o700 if stat.S_ISDIR(mode) else 0o600)
    ]


def test_nothing_lies_open_at_any_stage_of_any_night(tmp_path: Path) -> None:
    store, met = tmp_path / "store", list[str]()

    def watch(_: Taken) -> None:
        met.extend(lying_open(store))

    consolidated(Plan(store, (WEEK,), AFTER_WEEK, watch=watch), here)
    said = {"session_id": "late", "message_id": "l1", "role": "user", "content": "I moved to Rotterdam."}
    slowwave.record(store, [{**said, "created_at": "2026-04-01T20:00:00+02:00"}])
    slowwave.feedback(store, slowwave.open(store).recall("promise")[0].id, "confirmed")
    slowwave.flush(store, "late", "near_compaction")
    assert not lying_open(store)
    assert consolidated(Plan(store, (WEEK,), at("2026-04-02T03:00"), watch=watch), here).status == "published"
    assert consolidated(Plan(store, (WEEK,), at("2026-04-02T04:00"), watch=watch), here).status == "nothing_to_do"
    assert not met and not lying_open(store)
    assert {path.name for path in store.iterdir()} >= {"CURRENT", "inbox", "lance", "published", "runs", "snapshots"}


def test_a_store_that_was_made_by_hand_is_closed_by_its_first_night(tmp_path: Path) -> None:
    store = tmp_path / "store"
    (store / "inbox").mkdir(parents=True)
    (store / "slowwave.toml").write_text('[owner]\nzone = "Europe/Amsterdam"\n')
    assert len(lying_open(store)) == 3
    consolidated(Plan(store, (WEEK,), AFTER_WEEK), here)
    assert not lying_open(store)
