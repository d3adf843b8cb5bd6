"""The nights of many stores: only those with news, each by itself, and the same whoever walks them."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from flows.fleet import QUIET_DAYS, has_news, shards, stores_of, walk_fleet
from slowwave.cli import main
from slowwave.store import read_current
from tests.e2e.test_two_nights import hear, texts
from tests.make import at

NIGHT = at("2026-03-02T03:00")


def fleet_of(folder: Path, n: int) -> list[Path]:
    folder.mkdir(exist_ok=True)
    for number in range(n):
        hear(folder / f"owner-{number}", number, number + 1)
    return stores_of(folder)


def test_each_store_has_its_night_and_one_that_fails_fails_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stores = fleet_of(tmp_path / "fleet", 3)
    (stores[1] / "slowwave.toml").write_text("[night]\nmodel = 'openai/not-allowed'\n")
    (tmp_path / "fleet" / "notes").mkdir()
    assert main(["fleet", str(tmp_path / "fleet"), "--as-of", "2026-03-02T03:00Z", "--json"]) == 4
    said = json.loads(capsys.readouterr().out)
    assert said["counts"] == {"published": 2, "failed": 1}
    failed = next(one for one in said["walked"] if one["error"])
    assert failed["store"] == "owner-1" and "not-allowed" in failed["error"] and failed["hint"]
    assert [read_current(store) is None for store in stores] == [False, True, False]
    assert texts(stores[0]) == ["I am allergic to walnuts.", "I live in Porto."]


def test_only_stores_with_news_are_opened(tmp_path: Path) -> None:
    stores = fleet_of(tmp_path / "fleet", 2)
    walk_fleet(tmp_path / "fleet", as_of=NIGHT)
    assert walk_fleet(tmp_path / "fleet").counts == {"no_news": 2}
    hear(stores[1], 5)
    assert [one.store for one in walk_fleet(tmp_path / "fleet").walked] == ["owner-1"]
    log = tmp_path / "log.jsonl"
    log.write_text("")
    (stores[0] / "slowwave.toml").write_text(f'[night]\nsources = ["jsonl={log}"]\n')
    os.utime(stores[0] / "slowwave.toml", (1, 1))
    os.utime(log, (1, 1))
    assert not has_news(stores[0])
    log.touch()
    assert has_news(stores[0]), "what the settings name is news too"
    assert has_news(stores[1], now=time.time() + (QUIET_DAYS + 1) * 86400), "a date may have changed something"


def test_more_processes_make_the_same_versions(tmp_path: Path) -> None:
    one, two = fleet_of(tmp_path / "one", 3), fleet_of(tmp_path / "two", 3)
    alone, together = (walk_fleet(folder[0].parent, workers, NIGHT) for folder, workers in ((one, 1), (two, 2)))
    assert [(w.store, w.status, w.version) for w in alone.walked] == [
        (w.store, w.status, w.version) for w in together.walked
    ]
    assert together.counts == {"published": 3}


def test_shards_are_balanced_and_hold_every_store_once(tmp_path: Path) -> None:
    stores = fleet_of(tmp_path / "fleet", 6)
    (stores[0] / "inbox" / "sessions" / "long.jsonl").write_text("x" * 500_000)
    made = shards(stores, 3)
    assert sorted(store for shard in made for store in shard) == stores
    assert [stores[0]] in made, "the large one is walked alone"
    assert shards(stores[:2], 8) == [[stores[0]], [stores[1]]]
    assert shards([], 4) == []


@pytest.mark.prefect
@pytest.mark.slow
def test_prefect_walks_shards_as_tasks_and_makes_the_same_versions(tmp_path: Path) -> None:
    from flows.quiet import set_quiet

    set_quiet()
    from prefect.client.orchestration import get_client
    from prefect.testing.utilities import prefect_test_harness

    from flows.fleet_flow import nightly

    plain, flow = fleet_of(tmp_path / "plain", 3), fleet_of(tmp_path / "flow", 3)
    walk_fleet(tmp_path / "plain")
    with prefect_test_harness(server_startup_timeout=180):
        state = nightly(str(tmp_path / "flow"), n_shards=2, runner="processes", workers=2, return_state=True)
        quiet = nightly(str(tmp_path / "flow"), runner="threads", return_state=True)
        with get_client(sync_client=True) as client:
            names = sorted(run.name for run in client.read_task_runs())
    assert (state.name, state.message) == ("Completed", "3 published")
    assert (quiet.name, quiet.message) == ("NothingNew", "3 no news")
    assert names == ["shard-0", "shard-1"]
    assert [texts(store) for store in flow] == [texts(store) for store in plain]
