"""Killed at any border, a request to forget is finished by the next night: nothing is left of it, and nothing else is lost."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

import slowwave
from adapters.capture import load_messages
from adapters.forget import stones
from adapters.forget.scan import texts
from flows.begin import Plan
from flows.forget import forget
from flows.road import consolidated
from flows.step import here
from slowwave.store import read_current, read_whole
from tasks.trace import Request
from tests.make import at

GONE = ("carlota", "divorce")
SAID = ["My sister Carlota is going through a divorce. Also I play the oboe.", "I like rye bread.", "I live in Porto."]
# The first time that this is done to a file whose path holds these words, the process is killed before it.
BORDERS = {
    "before the tombstone": ("os.rename", "forgotten", 1),
    "the mark without the tombstone": ("os.rename", "forgotten", 2),
    "before the inbox": ("open", "inbox/sessions/s", 2),
    "before the captures": ("os.rename", "snapshots/chat", 1),
    "between the new capture and the old": ("os.remove", "snapshots/chat", 1),
    "before the night": ("os.rename", "runs/", 1),
    "before it is current": ("os.rename", "CURRENT", 1),
    "before the stub": ("os.rename", "manifest.json", 2),
    "in the middle of a version": ("os.remove", "published", 1),
    "before the tables go": ("shutil.rmtree", "lance/20", 1),
    "in the middle of a run": ("os.remove", "runs/", 3),
    "before the mark goes": ("os.remove", "pending", 1),
}
QUICK = ("between the new capture and the old", "before it is current", "in the middle of a version")


def _killed(store: str, event: str, words: str, n: int) -> None:
    left = [n]

    def watch(name: str, args: tuple[object, ...]) -> None:
        if name == event and words in " ".join(
            map(os.fsdecode, (a for a in args if isinstance(a, str | bytes | Path)))
        ):
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    forget(Path(store), Request(texts=("Carlota",)), as_of=at("2026-02-03T03:00"))


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("killed") / "store"
    store.mkdir()
    for n, text in enumerate(SAID):
        said = {"session_id": f"s{n // 2}", "message_id": f"m{n}", "role": "user", "content": text, "platform": "chat"}
        slowwave.record(store, [{**said, "created_at": f"2026-02-01T1{n}:00:00+00:00"}])
    consolidated(Plan(store, as_of=at("2026-02-02T03:00")), here)
    return store


@pytest.mark.parametrize(
    "border", [pytest.param(name, marks=() if name in QUICK else (pytest.mark.slow,)) for name in BORDERS]
)
def test_the_next_night_finishes(walked: Path, tmp_path: Path, border: str) -> None:
    store = tmp_path / "store"
    shutil.copytree(walked, store)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["flows.forget"])
    process = context.Process(target=_killed, args=(str(store), *BORDERS[border]))
    process.start()
    process.join(120)
    assert process.exitcode == -signal.SIGKILL, "the border was never met"
    assert read_whole(store, read_current(store) or "").version, "a version serves all the while"
    is_written = any((store / stones.FOLDER).glob("*.parquet"))
    consolidated(Plan(store, as_of=at("2026-02-04T03:00")), here)
    if not is_written:
        # It was never written down, so it was never asked: the person asks again.
        forget(store, Request(texts=("Carlota",)), as_of=at("2026-02-04T03:00"))
    assert stones.pending(store) == []
    held = [
        path
        for path in store.rglob("*")
        if path.is_file()
        for _, text in texts(path)
        if any(w in text.casefold() for w in GONE)
    ]
    assert held == []
    assert set(load_messages(store)["text"]) == {"Also I play the oboe.", *SAID[1:]}
    assert "oboe" in " ".join(found.text for found in slowwave.open(store).recall("Which instrument?", 5))


def test_a_reader_that_was_open_goes_on_with_what_is_left(walked: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(walked, store)
    reader = slowwave.open(store)
    assert "divorce" in str(reader.recall("Carlota", 3))
    forget(store, Request(texts=("Carlota",)), as_of=at("2026-02-03T03:00"))
    assert "divorce" not in str(reader.recall("Carlota", 3))
    assert "oboe" in str(reader.recall("Which instrument?", 3))
