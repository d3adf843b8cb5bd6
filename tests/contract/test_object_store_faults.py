"""An object store that fails, and writers that die or pass each other by: the last good version serves, and nothing is lost or doubled."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import slowwave
from adapters.remote import lease, local
from adapters.remote.copy import Copy
from adapters.remote.turn import Turn
from flows.begin import Plan
from flows.forget import forget
from flows.night import Taken
from flows.road import consolidated
from flows.step import here
from slowwave import store as layout
from slowwave.errors import SlowwaveError, StoreHeld, StoreUnreachable
from slowwave.remote import objects
from slowwave.remote.reading import whole
from slowwave.verify import verify
from tasks.trace import Request
from tests.contract.objects import FLAGS, Home, ObjectServer
from tests.make import at

SAID = ["I live in Porto.", "My cat is called Miso.", "I play the cello.", "My sister Carlota moved to Braga."]
LEASE_SECONDS = 3


@pytest.fixture
def short_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWWAVE_REMOTE__LEASE_SECONDS", str(LEASE_SECONDS))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is tried again, so that a server that stays away is found out at once."""
    monkeypatch.setattr(objects, "_RETRY", {"max_retries": 0})
    objects._kept.cache_clear()
    yield
    objects._kept.cache_clear()


def is_sound(home: Home) -> None:
    """Whether every byte is what it was written to be, and no table lies there that no version names."""
    with whole(home.store) as folder:
        assert verify(folder).faults == []
        manifests = [layout.read_manifest(folder, version) for version in layout.versions(folder)]
        named = {ref.path for manifest in manifests for ref in manifest.tables.values()}
        assert {path.relative_to(folder).as_posix() for path in folder.glob("lance/*/*")} <= named


def test_a_server_that_fails_every_tenth_time_changes_nothing(remote: Home, object_server: ObjectServer) -> None:
    # In turn what was asked is not done, and done without an answer.
    object_server.fate = lambda n, method, path: "" if n % 10 else ("refuse", "lose")[n % 20 // 10]
    for n, said in enumerate(SAID):
        remote.said(n, said)
    first = remote.night("2026-03-02")
    assert first.status == "published"
    remote.said(7, "I prefer green tea.")
    remote.on("another machine")
    second = remote.night("2026-03-03")
    assert forget(local(remote.store), Request(entities=("Carlota",)), flags=FLAGS).exit_status == 0
    assert remote.memories() == sorted([*SAID[:3], "I prefer green tea."])
    assert second.facts["n_new_messages"] == 1
    is_sound(remote)
    assert object_server.n_failed > 20


@pytest.mark.parametrize("n_puts", [90, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 5, 30, 60, 110))])
def test_a_server_that_goes_away_in_mid_publish_leaves_the_last_version_and_the_next_night_heals(
    remote: Home, object_server: ObjectServer, impatient: None, short_lease: None, n_puts: int
) -> None:
    remote.said(1, SAID[0])
    first = remote.night("2026-03-02")
    remote.said(2, SAID[1])
    left = [n_puts]

    def goes_away(_: int, method: str, path: str) -> str:
        left[0] -= method == "PUT"
        return "" if left[0] > 0 else "refuse"

    object_server.fate = goes_away
    with pytest.raises(StoreUnreachable, match="does not answer"):
        remote.night("2026-03-03")
    object_server.well_again()
    assert slowwave.open(remote.store).version == first.version and remote.memories() == SAID[:1]
    remote.on("another machine")
    assert remote.night("2026-03-03").status == "published"
    assert remote.memories() == sorted(SAID[:2])
    is_sound(remote)


def test_a_night_killed_between_its_puts_and_the_pointer_is_healed_by_the_next(
    remote: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    remote.said(1, SAID[0])
    first = remote.night("2026-03-02")
    remote.said(2, SAID[1])

    def dies(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Turn, "move", lambda self, version: (self.save(), dies()))
        # A process that is killed gives nothing back.
        patched.setattr(lease.RemoteLease, "give_back", lambda self: self._ended.set())
        with pytest.raises(KeyboardInterrupt):
            remote.night("2026-03-03")
    assert slowwave.open(remote.store).version == first.version
    # Without waiting, since it died in this very working copy.
    assert remote.night("2026-03-03").status == "published"
    assert remote.memories() == sorted(SAID[:2])
    is_sound(remote)


@pytest.mark.parametrize(
    "knows_it",
    [
        pytest.param(False, id="its clock stood still"),
        pytest.param(True, id="its lease ran out", marks=pytest.mark.slow),
    ],
)
def test_a_writer_that_was_passed_by_moves_nothing_and_goes_on_from_what_others_published(
    remote: Home, monkeypatch: pytest.MonkeyPatch, short_lease: None, knows_it: bool
) -> None:
    monkeypatch.setattr(lease.RemoteLease, "_keep_up", lambda _: None)
    if not knows_it:
        monkeypatch.setattr(lease.RemoteLease, "is_held", True)
    remote.said(1, SAID[0])
    remote.night("2026-03-02")
    remote.said(2, SAID[1])
    others: list[str | None] = []

    def watch(taken: Taken) -> None:
        if taken.stage == "project" and not others:
            others.append("")
            time.sleep(LEASE_SECONDS + 0.1)
            remote.on("another machine")
            remote.said(3, SAID[2])
            others[0] = remote.night("2026-03-03").version
            remote.on("machine")

    outcome = consolidated(Plan(local(remote.store), (), at("2026-03-03T04:00"), FLAGS, watch=watch), here)
    assert others[0] and outcome.version == slowwave.open(remote.store).version
    assert [one.version for one in slowwave.open(remote.store).log()].count(others[0]) == 1
    assert remote.memories() == sorted(SAID[:3])
    is_sound(remote)


def _walk(store: str, environment: dict[str, str]) -> None:
    os.environ.update(environment)
    consolidated(Plan(local(store), (), at("2026-03-02T03:00"), FLAGS), here)


def test_started_together_on_two_machines_both_end_well_and_every_word_is_there_once(
    remote: Home, tmp_path: Path
) -> None:
    for n, said in enumerate(SAID):
        remote.said(n, said)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["flows.road"])
    ours = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
    machines = [{**ours, "SLOWWAVE_CACHE": str(tmp_path / name)} for name in ("one", "other")]
    nights = [context.Process(target=_walk, args=(remote.store, machine)) for machine in machines]
    for process in nights:
        process.start()
    for process in nights:
        process.join(120)
    assert [process.exitcode for process in nights] == [0, 0]
    assert remote.memories() == sorted(SAID)
    assert len(slowwave.open(remote.store).log()) == 1
    is_sound(remote)


def test_a_night_that_does_not_wait_says_that_another_is_at_work(remote: Home) -> None:
    remote.said(1, SAID[0])
    met: list[StoreHeld] = []

    def watch(_: Taken) -> None:
        remote.on("another machine")
        with pytest.raises(StoreHeld, match="another night is at work on s3://") as error:
            remote.night("2026-03-02", night={"wait_minutes": 0})
        met.append(error.value)

    consolidated(Plan(local(remote.store), (), at("2026-03-02T03:00"), FLAGS, watch=watch), here)
    assert "killed on another machine" in met[0].hint


def test_a_reader_goes_on_while_the_server_is_away(remote: Home, object_server: ObjectServer, impatient: None) -> None:
    remote.said(1, SAID[0])
    remote.night("2026-03-02")
    reader = slowwave.open(remote.store)
    object_server.fate = lambda *_: "refuse"
    assert reader._remote is not None
    reader._remote._looked = 0.0
    assert reader.recall("Where do I live?")[0].text == SAID[0]
    with pytest.raises(StoreUnreachable):
        reader.refresh()
    assert "does not answer" in slowwave.bundle(remote.store, "Where do I live?").warnings[0]


def test_a_file_that_another_writer_put_meanwhile_is_never_written_over(remote: Home) -> None:
    remote.said(1, SAID[0])
    remote.night("2026-03-02")
    copy = Copy(local(remote.store))
    key = next(key for key in copy.known if key.endswith("run.json"))
    other = copy.objects.put(key, b"{}", copy.known[key].etag)
    (copy.folder / key).write_text('{"mine": 1}')
    with pytest.raises(SlowwaveError, match="somebody else wrote"):
        copy.put()
    assert copy.objects.etag(key) == other
