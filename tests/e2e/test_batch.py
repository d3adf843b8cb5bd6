"""Whole nights whose questions go out in batches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import slowwave
from flows import ledger
from flows.costs import summed
from flows.report import night_report
from slowwave.cli import main
from tests.contract.batches import READ, WRITTEN, Server
from tests.e2e import hosted

QUICK = 'batch = "auto"\nbatch_poll_seconds = 0.05\nbatch_wait_minutes = 0.01\ninput_price = 1e6\noutput_price = 1e6\n'


@pytest.fixture
def server() -> Iterator[Server]:
    with Server("openai") as running:
        yield running


@pytest.fixture
def said(tmp_path: Path) -> str:
    return f"jsonl={hosted.log(tmp_path / 'log.jsonl', 'I live in Tromso.', 'My doctor at the clinic says it is diabetes.')}"


def _texts(store: Path) -> set[str]:
    return {r.text for r in slowwave.open(store).recall("Tromso clinic doctor", k=20) if r.kind != "turn"}


def _told(store: Path) -> str:
    return night_report(ledger.read(store, ledger.runs(store)[0]))


def test_a_night_by_batch_publishes_and_sends_only_what_may_leave(tmp_path: Path, server: Server, said: str) -> None:
    store = tmp_path / "store"
    hosted.settings(store, server, night=QUICK)
    assert hosted.night(store, said) == 0
    assert "I live in Tromso." in _texts(store)
    assert "Tromso" in server.uploaded
    assert "clinic" not in server.uploaded
    assert (server.paid["batch"], server.paid["single"]) == (1, 0)
    (row,) = summed([store], ["model"])
    assert (row["calls"], row["cost"]) == (1, (READ + WRITTEN) / 2)
    assert "a batch" not in _told(store)


def test_a_night_whose_batch_fails_goes_on_and_says_so(tmp_path: Path, server: Server, said: str) -> None:
    store = tmp_path / "store"
    hosted.settings(store, server, night=QUICK)
    server.ends_as = "failed"
    assert hosted.night(store, said) == 0
    assert "I live in Tromso." in _texts(store)
    assert server.paid == {"single": 1}
    assert "1 of 1 question of a batch that ended as 'failed' had no answer there: asked singly" in _told(store)


def test_what_a_night_left_under_way_a_later_one_takes_up(tmp_path: Path, server: Server, said: str, capsys) -> None:
    store = tmp_path / "store"
    hosted.settings(store, server, night=QUICK + 'batch_late = "defer"\n')
    server.polls = float("inf")
    assert hosted.night(store, said) == 4
    assert "still at work on a batch" in capsys.readouterr().err
    server.polls = 0
    assert hosted.night(store, said, day=3) == 0
    assert "I live in Tromso." in _texts(store)
    assert (server.asked["create"], server.paid["batch"], server.paid["single"]) == (1, 1, 0)
    (row,) = summed([store], ["outcome"])
    assert (row["outcome"], row["calls"], row["cost"]) == ("answered", 1, (READ + WRITTEN) / 2)


def test_a_rehearsal_sends_no_batch_and_reckons_with_its_price(
    tmp_path: Path, server: Server, said: str, capsys
) -> None:
    store = tmp_path / "store"
    hosted.settings(store, server, night=QUICK)
    argv = ["night", "--store", str(store), "--source", said, "--as-of", "2026-03-02T03:00Z", "--dry-run"]
    assert main(argv) == 0
    assert sum(server.asked.values()) == 0
