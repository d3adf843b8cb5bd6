"""`kill -9` at any point of a publish, with readers opening all the while: each sees one complete version, and the next night heals."""

from __future__ import annotations

import multiprocessing
import random
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Thread

import pytest

import slowwave
from adapters.retention import sweep
from slowwave import store as layout
from slowwave.format import Manifest
from slowwave.verify import verify
from tests.make import at, memory
from tests.stores import build, said


def publish(store: Path, n: int) -> Manifest:
    """The n-th version: as many memories as the manifest says, one of which says the number."""
    current = layout.read_current(store)
    parent = layout.read_manifest(store, current) if current else None
    rows = [memory(f"I counted to {n}, and {i} times more.", id=f"mem_{i}", message_id=f"m{i}") for i in range(3)]
    return build(
        store,
        memories=rows,
        turns=[said(f"I counted to {n}.", seq=n)],
        documents={"snapshot.md": f"# Memory\n- {n}\n", "soul.md": f"{n}"},
        embedder="none",
        parent=parent,
        as_of=at("2026-03-01"),
    )


def _child(store: str, n: int, pipe: Connection) -> None:
    began = time.perf_counter()
    pipe.send("begins")
    publish(Path(store), n)
    pipe.send(time.perf_counter() - began)


def is_complete(store: Path) -> str:
    """Open what serves and read all of it; the version's name."""
    reader = slowwave.open(store, embedder="none")
    manifest = reader.manifest
    folder = layout.version_folder(store, reader.version)
    for name, wanted in manifest.documents.items():
        assert sha256((folder / name).read_bytes()).hexdigest() == wanted
    number = (folder / "soul.md").read_text()
    found = reader.recall("I counted", k=9)
    assert sum(one.kind != "turn" for one in found) == manifest.tables["memories"].rows == 3
    assert all(f"counted to {number}" in one.text for one in found), "two versions in one"
    assert reader.snapshot() == f"# Memory\n- {number}\n"
    return reader.version


@contextmanager
def reading(store: Path) -> Iterator[list[str]]:
    """Readers that open again and again until the end; what they saw."""
    seen: list[str] = []
    faults: list[Exception] = []
    ended = Event()

    def read() -> None:
        while not ended.is_set():
            try:
                seen.append(is_complete(store))
            except Exception as error:
                faults.append(error)
            time.sleep(0.01)

    threads = [Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        yield seen
    finally:
        ended.set()
        for thread in threads:
            thread.join()
        assert not faults, faults[:3]


@pytest.mark.parametrize("n_kills", [10, pytest.param(200, marks=pytest.mark.slow)])
def test_every_open_sees_one_complete_version_and_the_next_night_heals(tmp_path: Path, n_kills: int) -> None:
    store, rng = tmp_path / "store", random.Random(n_kills)
    store.mkdir(mode=0o700)
    publish(store, 0)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.stores", "tests.e2e.test_killed_publish"])
    takes, n_killed = 0.5, 0
    with reading(store) as seen:
        for n in range(1, n_kills + 1):
            before = layout.read_current(store)
            mine, theirs = context.Pipe()
            child = context.Process(target=_child, args=(str(store), n, theirs))
            child.start()
            assert mine.poll(60) and mine.recv() == "begins"
            ends_by_itself = n % 10 == 1
            time.sleep(0 if ends_by_itself else rng.uniform(0, takes))
            if not ends_by_itself:
                child.kill()
            child.join(60)
            if mine.poll():
                takes = mine.recv()
            n_killed += child.exitcode == -signal.SIGKILL
            after = is_complete(store)
            assert (after == before) or layout.read_manifest(store, after).provenance["parent"] == before
    assert len(set(seen)) > 1 and n_killed > n_kills // 2
    healed = publish(store, n_kills + 1)
    assert is_complete(store) == healed.version
    sweep(store)
    left = {path.name for folder in ("lance", "published") for path in (store / folder).iterdir()}
    assert left == set(layout.versions(store))
    assert not list(store.rglob("*.tmp"))
    assert verify(store).faults == []
