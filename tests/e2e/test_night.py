"""A night end to end: it publishes, it is idle when nothing is new, it goes on after a kill, and both walks agree."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
from datetime import datetime
from pathlib import Path

import pytest

import slowwave
from flows import ledger
from flows.begin import Plan
from flows.night import Taken
from flows.road import consolidated
from flows.step import here
from slowwave.cli import main
from tests.e2e.conftest import AFTER_WEEK, WEEK
from tests.make import at

STAGES = ["sift", "segment", "extract", "link", "merge", "reconcile", "reinforce", "learn", "digest", "project"]


def files(folder: Path) -> dict[str, bytes]:
    """Every table of a run, by name."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))}


def run_of(store: Path) -> Path:
    return store / "runs" / slowwave.open(store).manifest.provenance["run"]


def test_a_week_becomes_a_memory_that_answers_with_its_quotes(week: Path) -> None:
    memory = slowwave.open(week)
    assert memory.snapshot().strip()
    results = memory.recall("What did I promise?", k=5)
    assert results
    for result in results:
        assert result.evidence
        assert all(piece.quote for piece in result.evidence)


def test_every_quote_is_in_the_source_byte_for_byte(week: Path) -> None:
    said = (Path(WEEK.split("=", 1)[1])).read_text(encoding="utf-8", errors="replace")
    memory = slowwave.open(week)
    quotes = {piece.quote for r in memory.recall("the week, in all", k=50) for piece in r.evidence}
    assert len(quotes) > 5
    for quote in quotes:
        if "[secret:" not in quote:
            assert quote.encode() in said.encode() or quote.replace('"', '\\"') in said or "\n" in quote


def test_a_second_night_finds_nothing_new(week: Path, tmp_path: Path) -> None:
    store = shutil.copytree(week, tmp_path / "store")
    before = (
        (store / "CURRENT").stat().st_mtime_ns,
        (store / "CURRENT").read_bytes(),
        sorted(os.listdir(store / "lance")),
    )
    outcome = consolidated(Plan(store, (WEEK,), at("2026-04-01T04:00")), here)
    assert outcome.status == "nothing_to_do"
    assert outcome.exit_status == 0
    assert (
        (store / "CURRENT").stat().st_mtime_ns,
        (store / "CURRENT").read_bytes(),
        sorted(os.listdir(store / "lance")),
    ) == before
    stages = ledger.read(store, outcome.run)["stages"].values()
    assert sum(s["calls"] for s in stages) == 0
    assert sum(s["n_embedded"] for s in stages) == 0


def walk_until(store: str, stage: str, as_of: datetime | None) -> None:
    """Walk, and be killed outright the moment a stage is done."""

    def kill(taken: Taken) -> None:
        if taken.stage == stage:
            os.kill(os.getpid(), signal.SIGKILL)

    consolidated(Plan(Path(store), (WEEK,), as_of, watch=kill), here)


def killed_at(stage: str, store: Path, as_of: datetime | None) -> str:
    """The run that a killed night left behind."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["flows.road"])
    child = context.Process(target=walk_until, args=(str(store), stage, as_of))
    child.start()
    child.join(120)
    assert child.exitcode == -signal.SIGKILL
    assert not (store / "CURRENT").exists()
    (killed,) = ledger.runs(store)
    return killed


@pytest.mark.parametrize("stage", STAGES)
def test_a_night_killed_at_any_border_resumes_to_the_same_version(stage: str, week: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    killed = killed_at(stage, store, AFTER_WEEK)
    outcome = consolidated(Plan(store, (WEEK,), AFTER_WEEK), here)
    assert outcome.run == killed
    taken = ledger.read(store, killed)["stages"]
    assert [name for name in STAGES if taken[name]["is_cached"]] == STAGES[: STAGES.index(stage) + 1]
    assert outcome.version == slowwave.open(week).version
    assert files(run_of(store)) == files(run_of(week))


def test_a_killed_night_without_a_time_of_its_own_goes_on_at_the_time_it_began(tmp_path: Path) -> None:
    store = tmp_path / "store"
    killed = killed_at("link", store, None)
    outcome = consolidated(Plan(store, (WEEK,)), here)
    assert outcome.run == killed
    assert slowwave.open(store).manifest.as_of == at(ledger.read(store, killed)["as_of"])


def test_a_night_that_goes_on_after_a_kill_still_says_what_it_could_not_read(tmp_path: Path) -> None:
    log, store = tmp_path / "log.jsonl", tmp_path / "store"
    good = {"session_id": "s", "message_id": "m1", "role": "user", "content": "I am allergic to walnuts."}
    log.write_text(json.dumps({**good, "created_at": "2026-03-01T10:00:00+01:00"}) + '\n{"half": \n')

    def cut(taken: Taken) -> None:
        raise KeyboardInterrupt(taken.stage)

    with pytest.raises(KeyboardInterrupt):
        consolidated(Plan(store, (f"jsonl={log}",), watch=cut), here)
    outcome = consolidated(Plan(store, (f"jsonl={log}",)), here)
    assert (outcome.status, outcome.exit_status) == ("published", 5)
    assert outcome.facts["n_newly_quarantined"] == 1
    log.write_text(log.read_text() + json.dumps({**good, "message_id": "m2", "content": "I play the viola."}))
    assert consolidated(Plan(store, (f"jsonl={log}",)), here).exit_status == 0, "known damage is no news"


@pytest.mark.prefect
def test_both_walks_leave_the_same_bytes(week: Path, tmp_path: Path) -> None:
    from flows.quiet import set_quiet

    set_quiet()
    from prefect.testing.utilities import prefect_test_harness

    from flows.consolidate import consolidate

    store = tmp_path / "store"
    with prefect_test_harness(server_startup_timeout=180):
        outcome = consolidate(Plan(store, (WEEK,), AFTER_WEEK))
    assert outcome.status == "published"
    assert outcome.version == slowwave.open(week).version
    assert files(run_of(store)) == files(run_of(week))


def test_more_news_makes_a_child_version(week: Path, tmp_path: Path) -> None:
    store = shutil.copytree(week, tmp_path / "store")
    first = slowwave.open(store)
    slowwave.record(
        store,
        [{"session_id": "late", "message_id": "l1", "role": "user", "content": "I moved to Rotterdam last week.",
          "created_at": "2026-04-01T20:00:00+02:00"}],
    )  # fmt: skip
    outcome = consolidated(Plan(store, (WEEK,), at("2026-04-02T03:00")), here)
    assert outcome.status == "published"
    second = slowwave.open(store)
    assert second.manifest.provenance["parent"] == first.version
    assert any("Rotterdam" in r.text for r in second.recall("Where did I move?"))
    assert not any("Rotterdam" in r.text for r in first.recall("Where did I move?"))


def test_conv26_answers_when(conv26_store: Path) -> None:
    results = slowwave.open(conv26_store).recall("When did Caroline go to the LGBTQ support group?")
    assert any(piece.message_id == "D1:3" for r in results for piece in r.evidence)
    assert any("7 May 2023" in r.text for r in results)


def test_an_edited_or_undone_message_replaces_what_it_said(tmp_path: Path) -> None:
    log, store = tmp_path / "log.jsonl", tmp_path / "store"

    def walk(content: str, day: int, mark: str | None = None) -> list[str]:
        line = {"session_id": "s", "message_id": "m1", "role": "user", "content": content, "mark": mark}
        log.write_text(json.dumps({**line, "created_at": "2026-03-01T10:00:00+01:00"}) + "\n")
        consolidated(Plan(store, (f"jsonl={log}",), at(f"2026-03-0{day}T03:00")), here)
        return [r.text for r in slowwave.open(store).recall("walnuts hazelnuts allergic", k=9)]

    assert walk("I am allergic to walnuts.", 2) == ["I am allergic to walnuts."]
    assert walk("I am allergic to hazelnuts.", 3) == ["I am allergic to hazelnuts."]
    assert walk("I am allergic to walnuts.", 4) == ["I am allergic to walnuts."]
    assert walk("I am allergic to hazelnuts.", 5) == ["I am allergic to hazelnuts."]
    assert walk("I am allergic to hazelnuts.", 6, mark="rewound") == []


@pytest.mark.parametrize(("offset", "zone"), [("-05:00", "-05:00"), ("Z", "")])
def test_a_deadline_is_shown_as_the_day_it_was_said_to_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], offset: str, zone: str
) -> None:
    log, store = tmp_path / "log.jsonl", tmp_path / "store"
    line = {
        "session_id": "s",
        "message_id": "m1",
        "role": "user",
        "content": "I promised Hanneke the bowls by 20 March.",
    }
    log.write_text(json.dumps({**line, "created_at": f"2026-03-01T10:00:00{offset}"}) + "\n")
    consolidated(Plan(store, (f"jsonl={log}",), at("2026-03-02T03:00")), here)
    assert slowwave.open(store).manifest.zone == zone
    assert main(["recall", "--store", str(store), "What did I promise?"]) == 0
    shown = capsys.readouterr().out
    assert "due 2026-03-20" in shown and "2026-03-21" not in shown
