"""What a store lets go of, and what it never does; and a reader whose version was let go of."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import slowwave
from adapters.retention import RECENT_RUNS, RetentionSettings, retain, sweep
from slowwave import store as layout
from slowwave.errors import VersionGone
from slowwave.format import Manifest, TableRef
from slowwave.verify import verify
from tests.make import at, memory
from tests.slowwave.test_versions import purge
from tests.stores import build, said

DAY = 86400.0
KEEP = RetentionSettings(keep_versions=2, grace_hours=24)
TURNS = [said("hello there", seq=5)]


def version(store: Path, n: int, parent: Manifest | None, **more: object) -> Manifest:
    """A version of one day, whose turns are carried from the first, with a run of its own."""
    run = f"202603{n:02d}T030000Z-{n:08d}"
    folder = store / "runs" / run
    folder.mkdir(parents=True, mode=0o700)
    (folder / "link.claims.parquet").write_text(f"claims of {n}")
    ref = TableRef(path=f"runs/{run}/link.claims.parquet", sha256="5" * 63 + str(n), rows=1)
    return build(
        store,
        memories=[memory(f"I counted to {n}.", id="mem_n", message_id="m1")],
        turns=TURNS,
        parent=parent,
        as_of=at(f"2026-03-{n:02d}T03:00"),
        state={"claims": ref},
        provenance={"run": run},
        **more,  # type: ignore[arg-type]
    )


@pytest.fixture
def five(tmp_path: Path) -> tuple[Path, list[Manifest]]:
    made: list[Manifest] = []
    for n in range(1, 6):
        made.append(version(tmp_path, n, made[-1] if made else None))
    return tmp_path, made


def later(store: Path, days: float) -> float:
    """A clock so many days ahead of what was touched last."""
    return max(path.stat().st_mtime for path in store.rglob("*")) + days * DAY


def there(store: Path) -> tuple[set[str], set[str], set[str]]:
    folders = [{p.name for p in (store / f).iterdir() if p.is_dir()} for f in ("published", "lance", "runs")]
    return folders[0], folders[1], folders[2]


def test_the_newest_are_kept_with_what_they_rest_on(five: tuple[Path, list[Manifest]]) -> None:
    store, made = five
    gone, _ = retain(store, KEEP, later(store, 2))
    # The turns were written once, by the first night, and every version carries them.
    assert gone == [made[1].version, made[2].version]
    published, lance, runs = there(store)
    assert published == lance == {made[n].version for n in (0, 3, 4)}
    assert {str(made[n].provenance["run"]) for n in (0, 3, 4)} <= runs
    for n in (3, 4):
        reader = slowwave.open(store, made[n].version)
        assert reader.recall("hello there")[0].kind == "turn"
    assert retain(store, KEEP, later(store, 2)) == ([], [])


def test_within_the_grace_time_nothing_goes(five: tuple[Path, list[Manifest]]) -> None:
    store, _ = five
    before = there(store)
    assert retain(store, KEEP, later(store, 0.5)) == ([], [])
    assert retain(store, RetentionSettings(keep_versions=0, grace_hours=0), later(store, 99)) == ([], [])
    assert there(store) == before


def test_runs_that_published_nothing_go_by_age_but_not_the_last_ones(five: tuple[Path, list[Manifest]]) -> None:
    store, made = five
    idle = [store / "runs" / f"20260306T0{n}0000Z-idle" for n in range(8)]
    for folder in idle:
        folder.mkdir()
    _, old = retain(store, KEEP, later(store, 2))
    assert set(old) == {folder.name for folder in idle[:-RECENT_RUNS]} | {
        str(made[n].provenance["run"]) for n in (1, 2)
    }


def test_what_a_rollback_came_from_is_kept_and_a_branch_goes_in_its_time(five: tuple[Path, list[Manifest]]) -> None:
    from flows.rollback import clear, roll_back

    store, made = five
    roll_back(store, made[1].version)
    retain(store, KEEP, later(store, 2))
    assert there(store)[0] == {made[n].version for n in (0, 1, 3, 4)}
    clear(store)
    sixth = version(store, 6, made[1])
    assert retain(store, KEEP, later(store, 0.5)) == ([], []), "it served until just now"
    gone, _ = retain(store, KEEP, later(store, 2))
    assert set(gone) == {made[3].version, made[4].version}
    assert there(store)[0] == {made[0].version, made[1].version, sixth.version}


def test_a_stub_stays_and_an_unreadable_manifest_keeps_everything(five: tuple[Path, list[Manifest]]) -> None:
    store, made = five
    purge(store, made[1])
    damaged = layout.version_folder(store, made[2].version) / "manifest.json"
    whole = damaged.read_text()
    damaged.write_text("{")
    assert retain(store, KEEP, later(store, 2)) == ([], [])
    damaged.write_text(whole)
    assert retain(store, KEEP, later(store, 2))[0] == [made[2].version]
    assert layout.read_manifest(store, made[1].version).purged_at is not None


def test_what_killed_nights_left_is_swept_and_nothing_of_the_living(five: tuple[Path, list[Manifest]]) -> None:
    store, made = five
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    dead = [
        store / f".CURRENT.{ended.pid}.tmp",
        store / "runs" / str(made[0].provenance["run"]) / f".sift.turns.parquet.{ended.pid}.tmp",
    ]
    alive = store / f".CURRENT.{os.getppid()}.tmp"
    for path in (*dead, alive):
        path.write_text("half")
    for folder in (store / "lance" / "20260309-half", store / "published" / "20260309-half"):
        folder.mkdir()
    sweep(store)
    assert alive.exists() and not any(path.exists() for path in dead)
    published, lance, _ = there(store)
    assert published == lance == {one.version for one in made}
    assert not [fault for fault in verify(store).faults if "can't be read" in fault.what]


def test_a_reader_whose_version_went_reads_current_once_and_says_so(five: tuple[Path, list[Manifest]]) -> None:
    store, made = five
    readers = [slowwave.open(store) for _ in range(4)]
    pinned = slowwave.open(store, made[4].version)
    assert readers[0].recall("counted")
    sixth = version(store, 6, made[4])
    seventh = version(store, 7, sixth)
    retain(store, RetentionSettings(keep_versions=1, grace_hours=0), later(store, 2))
    assert made[4].version not in layout.versions(store)
    asks = [
        lambda r: r.recall("counted to")[0].text,
        lambda r: r.snapshot() and r.get("mem_n").text,
        lambda r: r.get("mem_n").text,
        lambda r: r.why("mem_n").memory.text,
    ]
    for reader, ask in zip(readers, asks, strict=True):
        assert ask(reader) == "I counted to 7."
        assert reader.version == seventh.version
        assert reader.warnings == [
            f"the version {made[4].version} was removed meanwhile; from here on {seventh.version} answers"
        ]
    with pytest.raises(VersionGone):
        pinned.recall("counted")


def test_a_reader_of_a_damaged_version_that_serves_is_told_so(five: tuple[Path, list[Manifest]]) -> None:
    store, made = five
    reader = slowwave.open(store)
    (store / made[4].tables["memories"].path).rename(store / "away")
    with pytest.raises(VersionGone):
        reader.recall("counted")
    assert replace(made[4]) == reader.manifest and reader.warnings == []
