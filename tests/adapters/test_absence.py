"""What has gone at its source is recorded once, closed when it is back, and takes nothing back; a place that is in doubt misses nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.capture import Missed, capture, load_messages
from adapters.capture.snapshots import ABSENT, load_all
from adapters.sources import Source
from flows.report import night_report
from flows.road import ledger
from models.message import Absence
from slowwave.store import read_manifest
from tests.adapters.test_gone import night, tombstone
from tests.adapters.test_sources import GOOD, write
from tests.make import at

Line = dict[str, Any]
DAYS = [at(f"2026-05-0{day}T03:00") for day in range(1, 8)]


def line(session: str, n: int, **more: Any) -> Line:
    text = f"Line {n} of {session}: I water plant {n}."
    return {**GOOD, "session_id": session, "message_id": f"m{n}", "content": text, **more}


A, B, C = [line("a", 1), line("a", 2)], [line("b", 1), line("b", 2)], [line("c", 1)]


def anonymous(lines: list[Line]) -> list[Line]:
    return [{**one, "user_id": None} for one in lines]


def read(store: Path, path: Path, lines: list[Any], day: int) -> Missed:
    return capture(store, [Source("jsonl", write(path, *lines))], as_of=DAYS[day]).missed


def rows(store: Path) -> list[tuple[Any, ...]]:
    found = load_all(store, ABSENT, Absence).sort("at", "session_id", "message_id", "ordinal")
    return found.select("session_id", "message_id", "ordinal", "is_back", "last_seen_at", "at").rows()


def files(store: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in store.rglob("*.parquet")}


def test_a_pruned_log_is_recorded_once_and_closed_when_it_is_back(tmp_path: Path) -> None:
    store, path = tmp_path / "store", tmp_path / "a.jsonl"
    assert read(store, path, A + B, 0) == Missed()
    assert read(store, path, A + B, 1) == Missed()
    assert rows(store) == []
    assert read(store, path, [A[0]], 2) == Missed(1, 1, 1, 1)
    gone = [("a", "m2", 0, False, DAYS[1], DAYS[2]), ("b", "", 0, False, DAYS[1], DAYS[2])]
    assert rows(store) == gone
    assert read(store, path, [A[0]], 3) == Missed(1, 1, 0, 0)
    assert rows(store) == gone
    assert read(store, path, A + B[:1], 4) == Missed(0, 1, 0, 1)
    assert rows(store)[2:] == [
        ("a", "m2", 1, True, DAYS[1], DAYS[4]),
        ("b", "", 1, True, DAYS[1], DAYS[4]),
        ("b", "m2", 0, False, DAYS[3], DAYS[4]),
    ]
    assert read(store, path, A + B, 5) == Missed()
    assert read(store, path, A, 6) == Missed(1, 0, 1, 0)
    assert rows(store)[-1] == ("b", "", 2, False, DAYS[5], DAYS[6])
    assert load_messages(store).height == 4


def test_the_same_capture_twice_writes_nothing(tmp_path: Path) -> None:
    store, path = tmp_path / "store", tmp_path / "a.jsonl"
    for day, lines in enumerate([A + B, A]):
        read(store, path, lines, day)
        before = files(store)
        read(store, path, lines, day)
        assert files(store) == before


def test_a_message_beside_a_session_that_went_later_is_not_back(tmp_path: Path) -> None:
    store, path = tmp_path / "store", tmp_path / "a.jsonl"
    for day, lines in enumerate([A + B, A + B[:1], A]):
        read(store, path, lines, day)
    assert [row[:4] for row in rows(store)] == [("b", "m2", 0, False), ("b", "", 0, False)]


@pytest.mark.parametrize("what", ["nothing", "another place", "another account", "another owner's", "damaged"])
def test_a_place_that_is_in_doubt_misses_nothing(tmp_path: Path, what: str) -> None:
    store, path = tmp_path / "store", tmp_path / "logs"
    path.mkdir()
    (owner := A[0]["user_id"])
    capture(store, [Source("jsonl", write(path / "a.jsonl", *anonymous(A + B)).parent)], owner=owner)
    doubt: dict[str, list[Any]] = {
        "nothing": [],
        "another place": A,
        "another account": anonymous(C),
        "another owner's": [{**C[0], "user_id": "u-other"}],
        "damaged": anonymous(A),
    }
    if what == "damaged":
        (path / "b.jsonl").write_bytes(b"\x1f\x8b\0\0not a log\0")
    place = tmp_path / "elsewhere" if what == "another place" else path
    place.mkdir(exist_ok=True)
    write(place / "a.jsonl", *doubt[what])
    for _ in range(2):
        assert capture(store, [Source("jsonl", place)], owner=owner).missed == Missed()
    assert rows(store) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_a_closed_folder_hides_and_is_not_missed(tmp_path: Path) -> None:
    store, logs = tmp_path / "store", tmp_path / "logs"
    (logs / "old").mkdir(parents=True)
    write(logs / "new.jsonl", *A)
    write(logs / "old" / "b.jsonl", *B)
    capture(store, [Source("jsonl", logs)])
    (logs / "old").chmod(0)
    assert capture(store, [Source("jsonl", logs)]).missed == Missed()
    (logs / "old").chmod(0o700)


def test_damage_that_was_there_before_hides_nothing(tmp_path: Path) -> None:
    store, logs = tmp_path / "store", tmp_path / "logs"
    logs.mkdir()
    (logs / "empty.jsonl").touch()
    for lines, missed in ((A + B, Missed()), (A, Missed(1, 0, 1, 0))):
        write(logs / "a.jsonl", *lines)
        assert capture(store, [Source("jsonl", logs)]).missed == missed


def test_a_log_of_the_owners_that_was_wholly_replaced_is_the_same_place(tmp_path: Path) -> None:
    store, path = tmp_path / "store", tmp_path / "a.jsonl"
    read(store, path, A, 0)
    assert read(store, path, C, 1) == Missed(1, 0, 1, 0)


def test_what_its_platform_deleted_is_not_merely_absent(tmp_path: Path) -> None:
    store, path = tmp_path / "store", tmp_path / "a.jsonl"
    gone = [line("s-1", 1, platform="openclaw")]
    read(store, path, A + gone, 0)
    write(path, *A)
    both = [Source("jsonl", path), *tombstone(tmp_path / "claw")]
    assert capture(store, both, as_of=DAYS[1]).missed == Missed()


def test_a_night_tells_it_once_and_its_memories_are_the_same(tmp_path: Path) -> None:
    path, versions = tmp_path / "a.jsonl", {}
    for name, later in (("kept", A + B + C), ("pruned", A + C)):
        store = tmp_path / name
        night(store, [Source("jsonl", write(path, *A, *B))], 1)
        ended = night(store, [Source("jsonl", write(path, *later))], 2)
        assert ended.facts["n_sessions_newly_gone"] == (name == "pruned")
        told = [text for text in ended.warnings if "no longer at its source" in text]
        assert told == (["1 session is no longer at its source; memory keeps it"] if name == "pruned" else [])
        assert all(text in night_report(ledger.read(store, ended.run)) for text in told)
        versions[name] = read_manifest(store, ended.version)
    again = night(tmp_path / "pruned", [Source("jsonl", path)], 3)
    assert (again.facts["n_sessions_gone"], again.facts["n_sessions_newly_gone"]) == (1, 0)
    assert versions["kept"].tables == versions["pruned"].tables
    assert versions["kept"].state["memories"].sha256 == versions["pruned"].state["memories"].sha256


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sets(st.sampled_from(range(6)), min_size=1), min_size=1, max_size=6))
def test_what_is_missed_is_what_was_held_and_is_not(
    tmp_path_factory: pytest.TempPathFactory, nights: list[set[int]]
) -> None:
    folder = tmp_path_factory.mktemp("law")
    every, held = [*A, *B, line("d", 1), line("d", 2)], set[int]()
    for day, chosen in enumerate(nights):
        found = read(folder / "store", folder / "a.jsonl", [every[i] for i in sorted(chosen)], day)
        held |= chosen
        here = {every[i]["session_id"] for i in chosen}
        lost = [every[i]["session_id"] for i in sorted(held - chosen)]
        assert found.n_sessions == len(set(lost) - here)
        # A message that was missed before its whole session went is still one of those that are missed.
        assert found.n_messages >= sum(session in here for session in lost)
    assert load_messages(folder / "store").height == len(held)
