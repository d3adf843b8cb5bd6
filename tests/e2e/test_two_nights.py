"""Two nights at once on one store: one publishes, the other waits for it or goes on from it; nothing lost, nothing twice."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

import slowwave
from flows import ledger
from flows.begin import Plan
from flows.night import Taken
from flows.road import Outcome, consolidated
from flows.step import here
from slowwave.errors import PublishConflict, StoreHeld, UsageError
from slowwave.format import Memory
from slowwave.reader.tables import Tables
from slowwave.store import read_current, read_manifest
from tests.make import at

SAID = [
    *("I live in Porto.", "I am allergic to walnuts.", "My sister Ines plays the viola.", "I prefer green tea."),
    *("My cat is called Miso.", "I work at Delta Foods.", "I play the cello.", "My brother Rui lives in Braga."),
    "I promised Rui a visit.",
]


def hear(store: Path, *which: int) -> None:
    store.mkdir(exist_ok=True)
    for n in which:
        said = {"session_id": f"s{n}", "message_id": f"m{n}", "role": "user", "content": SAID[n], "platform": "test"}
        slowwave.record(store, [{**said, "created_at": f"2026-03-01T1{n}:00:00+01:00"}])


def texts(store: Path) -> list[str]:
    manifest = read_manifest(store, read_current(store) or "")
    return sorted(memory.text for memory in Tables(store, manifest).where("memories", Memory))


def _walk(store: str) -> None:
    consolidated(Plan(Path(store), (), at("2026-03-02T03:00")), here)


def test_started_together_all_end_well_and_every_word_is_there_once(tmp_path: Path) -> None:
    alone, store = tmp_path / "alone", tmp_path / "store"
    for one in (alone, store):
        hear(one, 0, 1, 2, 3)
    assert consolidated(Plan(alone, (), at("2026-03-02T03:00")), here).status == "published"
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["flows.road"])
    nights = [context.Process(target=_walk, args=(str(store),)) for _ in range(3)]
    for process in nights:
        process.start()
    for process in nights:
        process.join(120)
    assert [process.exitcode for process in nights] == [0, 0, 0]
    assert read_current(store) == read_current(alone) and texts(store) == texts(alone)
    ends = sorted(ledger.read(store, run)["status"] for run in ledger.runs(store))
    assert ends.count("published") == 1 and set(ends) == {"nothing_to_do", "published"}


def test_a_night_that_does_not_wait_says_that_another_is_at_work(tmp_path: Path) -> None:
    store = tmp_path / "store"
    hear(store, 0)
    met: list[str] = []

    def watch(_: Taken) -> None:
        with pytest.raises(StoreHeld, match="another night is at work") as error:
            consolidated(Plan(store, (), None, {"night": {"wait_minutes": 0}}), here)
        met.append(error.value.hint)

    consolidated(Plan(store, (), at("2026-03-02T03:00"), watch=watch), here)
    assert met and "ends with its process" in met[0]


def test_a_night_that_one_of_a_later_day_overtakes_goes_on_from_it_and_says_so(tmp_path: Path) -> None:
    store = tmp_path / "store"
    hear(store, 0)
    left = [1]

    def watch(taken: Taken) -> None:
        if taken.stage == "link" and left[0]:
            left[0] -= 1
            (store / ".lock").unlink()
            hear(store, 1)
            assert consolidated(Plan(store, (), at("2026-03-09T03:00")), here).status == "published"
            hear(store, 2)

    ended = consolidated(Plan(store, (), at("2026-03-02T03:00"), watch=watch), here)
    assert ended.status == "published" and any("another night published" in told for told in ended.warnings)
    assert read_manifest(store, ended.version or "").as_of == at("2026-03-09T03:00")
    assert len(texts(store)) == 3
    with pytest.raises(UsageError, match="lies before the version that serves"):
        consolidated(Plan(store, (), at("2026-03-08T03:00")), here)


def passed_by(store: Path, stage: str, times: int) -> Outcome:
    """A night whose lock is removed at a stage, where another one then publishes and more is said, so many times."""
    left = [times]

    def watch(taken: Taken) -> None:
        if taken.stage == stage and left[0]:
            left[0] -= 1
            (store / ".lock").unlink()
            hear(store, 1 + 2 * left[0])
            assert consolidated(Plan(store, (), at("2026-03-02T03:00")), here).status == "published"
            hear(store, 2 + 2 * left[0])

    return consolidated(Plan(store, (), at("2026-03-02T03:00"), watch=watch), here)


@pytest.mark.parametrize(("stage", "times"), [("sift", 1), ("project", 1), ("project", 3)])
def test_a_night_that_was_passed_by_goes_on_from_there(tmp_path: Path, stage: str, times: int) -> None:
    alone, store = tmp_path / "alone", tmp_path / "store"
    hear(alone, *range(2 * times + 1))
    consolidated(Plan(alone, (), at("2026-03-02T03:00")), here)
    hear(store, 0)
    assert passed_by(store, stage, times).status == "published"
    assert texts(store) == texts(alone) and len(texts(store)) >= 2 * times + 1
    ends = [ledger.read(store, run)["status"] for run in ledger.runs(store)]
    assert ends.count("rebased") == times


def test_one_that_is_passed_by_again_and_again_gives_up_and_loses_nothing(tmp_path: Path) -> None:
    store = tmp_path / "store"
    hear(store, 0)
    with pytest.raises(PublishConflict):
        passed_by(store, "sift", 4)
    consolidated(Plan(store, (), at("2026-03-02T03:00")), here)
    assert len(texts(store)) >= len(SAID)
