"""Going back and on again: the store is held in between, and a plain resume leads where no rollback would have led."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import slowwave
from flows.begin import Plan
from flows.road import Outcome, consolidated
from flows.rollback import resume, roll_back
from flows.step import here
from slowwave.cli import main
from slowwave.errors import UsageError, VersionGone
from slowwave.format import Manifest
from slowwave.store import read_current, read_manifest, read_rollback, versions
from tests.make import at
from tests.slowwave.test_versions import purge

SAID = [
    ("s1", "I live in Porto."),
    ("s1", "I am allergic to walnuts."),
    ("s2", "My sister Ines plays the viola."),
    ("s1", "I promised Ines to send the score by Friday."),
    ("s3", "I moved to Aveiro last week."),
    ("s3", "I prefer green tea in the morning."),
    ("s2", "Ines moved to Braga."),
    ("s4", "I sent Ines the score."),
    ("s4", "I no longer drink green tea."),
]
N = 3


def hear(store: Path, *which: int) -> None:
    store.mkdir(exist_ok=True)
    for n in which:
        session, text = SAID[n]
        said = {"session_id": session, "message_id": f"m{n}", "role": "user", "content": text, "platform": "test"}
        slowwave.record(store, [{**said, "created_at": f"2026-03-0{1 + n // N}T1{n % N}:00:00+01:00"}])


def night(store: Path, n: int, *which: int) -> Outcome:
    hear(store, *which)
    return consolidated(Plan(store, (), at(f"2026-03-{n + 1:02d}T03:00")), here)


def serving(store: Path) -> Manifest:
    return read_manifest(store, read_current(store) or "")


def tables(manifest: Manifest) -> dict[str, str]:
    return {name: ref.sha256 for name, ref in manifest.tables.items()}


def texts(store: Path) -> set[str]:
    return {hit.text for hit in slowwave.open(store).recall("Ines viola walnuts tea live score", k=40)}


@pytest.fixture(scope="module")
def straight(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("straight") / "store"
    for n in (1, 2, 3):
        assert night(store, n, *range(N * (n - 1), N * n)).status == "published"
    return store


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, str, str]:
    """A store after two nights, and the names of their versions."""
    store = tmp_path / "store"
    made = [night(store, n, *range(N * (n - 1), N * n)).version or "" for n in (1, 2)]
    return store, made[0], made[1]


def test_the_store_is_held_in_between_and_a_plain_resume_leads_to_the_same(
    two: tuple[Path, str, str], straight: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, first, second = two
    assert main(["rollback", first, "--store", str(store)]) == 0
    assert read_current(store) == first and slowwave.open(store).version == first
    hear(store, *range(2 * N, 3 * N))
    assert main(["night", "--store", str(store), "--as-of", "2026-03-04T03:00Z", "--plain", "--quiet"]) == 3
    told = capsys.readouterr().out
    assert f"slowwave resume --store {store}" in told and f"{first} still serves" in told
    assert read_current(store) == first
    assert main(["log", "--store", str(store), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["held"] == {**said["held"], "to": first, "came_from": second, "is_held": True}
    marks = {row["version"]: (row["is_serving"], row["is_rolled_back"]) for row in said["versions"]}
    assert marks == {first: (True, False), second: (False, True)}
    assert main(["resume", "--store", str(store)]) == 0
    assert read_current(store) == first, "agents see no more than a night publishes"
    assert night(store, 3).status == "published"
    assert serving(store).content == serving(straight).content and serving(store).version == serving(straight).version
    assert serving(store).provenance["parent"] == second
    assert read_rollback(store) is None and not (store / "ROLLBACK").exists()


def test_with_nothing_new_the_next_night_brings_back_what_served(two: tuple[Path, str, str]) -> None:
    store, first, second = two
    roll_back(store, first)
    resume(store)
    assert (night(store, 3).status, read_current(store)) == ("published", second)
    assert (night(store, 3).status, read_rollback(store)) == ("nothing_to_do", None)


def test_back_by_steps_and_forward_again_still_goes_on_from_where_it_was(
    two: tuple[Path, str, str], straight: Path
) -> None:
    store, first, second = two
    third = night(store, 3, *range(2 * N, 3 * N)).version or ""
    for version in (second, first, second):
        assert roll_back(store, version).came_from == third
        assert read_current(store) == version
    resume(store)
    assert (night(store, 4).status, read_current(store)) == ("published", third)
    assert serving(store).content == serving(straight).content


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    order=st.permutations(range(3 * N)), cuts=st.tuples(st.integers(1, 7), st.integers(1, 7)), back=st.integers(0, 1)
)
@pytest.mark.slow
def test_law_11_whatever_was_said_when(
    tmp_path_factory: pytest.TempPathFactory, order: list[int], cuts: tuple[int, int], back: int
) -> None:
    one, other = sorted(cuts)
    parts = [order[:one], order[one:other], order[other:]]
    plain, rolled = (tmp_path_factory.mktemp("law") / name for name in ("plain", "rolled"))
    made = [[night(store, n, *parts[n - 1]).version for n in (1, 2)] for store in (plain, rolled)]
    assert made[0] == made[1]
    roll_back(rolled, made[1][back] or "")
    assert night(rolled, 3).status == "held"
    resume(rolled)
    assert [night(store, 3, *parts[2]).version for store in (plain, rolled)].count(read_current(plain)) == 2
    assert serving(plain).content == serving(rolled).content


@pytest.mark.parametrize("name", ["session:s3", "s3"])
def test_a_session_is_left_out_for_good(two: tuple[Path, str, str], straight: Path, tmp_path: Path, name: str) -> None:
    store, first, second = two
    assert any("Aveiro" in text for text in texts(store)) and any("tea" in text for text in texts(store))
    roll_back(store, first)
    rolled, left = resume(store, [name])
    assert rolled is not None and (rolled.to, left) == (first, {"session:s3": 2})
    assert night(store, 3, *range(2 * N, 3 * N)).status == "published"
    assert serving(store).provenance["parent"] == first
    never = tmp_path / "never"
    night(never, 1, 0, 1, 2)
    night(never, 3, 3, 6, 7, 8)
    assert tables(serving(store))["memories"] == tables(serving(never))["memories"]
    assert not any("Aveiro" in text for text in texts(store))
    # Said again in that session, or captured again from elsewhere, it stays out.
    slowwave.record(store, [{"session_id": "s3", "role": "user", "content": "I bought a boat.", "platform": "test"}])
    night(store, 4)
    assert not any("boat" in text or "Aveiro" in text for text in texts(store))
    assert second in versions(store)


def test_a_run_is_left_out_and_what_it_told_is_taken_back_though_the_version_holds_it(
    two: tuple[Path, str, str],
) -> None:
    store, first, second = two
    run = read_manifest(store, second).provenance["run"]
    roll_back(store, second)
    assert resume(store, [f"run:{run}"])[1] == {f"run:{run}": 3}
    assert night(store, 3).status == "published"
    assert tables(serving(store))["memories"] == tables(read_manifest(store, first))["memories"]


def test_a_source_is_left_out_by_its_kind_or_its_place(tmp_path: Path) -> None:
    store, log = tmp_path / "store", tmp_path / "log.jsonl"
    line = {"session_id": "t", "message_id": "t1", "role": "user", "content": "I keep bees.", "platform": "other"}
    log.write_text(json.dumps({**line, "created_at": "2026-03-01T08:00:00Z"}) + "\n")
    hear(store, 0, 1)
    plan = Plan(store, (f"jsonl={log}",), at("2026-03-02T03:00"))
    first = consolidated(plan, here).version or ""
    assert any("bees" in text for text in {h.text for h in slowwave.open(store).recall("bees")})
    roll_back(store, first)
    assert resume(store, [f"jsonl={log}"])[1] == {f"source:jsonl={log}": 1}
    log.write_text(log.read_text() + json.dumps({**line, "message_id": "t2", "content": "My bees swarmed."}) + "\n")
    assert consolidated(Plan(store, (f"jsonl={log}",), at("2026-03-03T03:00")), here).status == "published"
    assert not any("bees" in hit.text for hit in slowwave.open(store).recall("bees"))
    assert any("Porto" in hit.text for hit in slowwave.open(store).recall("Porto"))
    assert resume(store, ["source:jsonl"])[1] == {"source:jsonl": 4}
    assert consolidated(Plan(store, (), at("2026-03-04T03:00")), here).status == "published"
    assert not slowwave.open(store).recall("Porto bees walnuts")


def test_what_cannot_be_left_out_is_named(two: tuple[Path, str, str]) -> None:
    store, first, _ = two
    with pytest.raises(UsageError, match="is not held"):
        resume(store)
    roll_back(store, first)
    with pytest.raises(UsageError, match="'nobody' is no session, source or run"):
        resume(store, ["s1", "nobody"])
    assert night(store, 3).status == "held", "what was refused changed nothing"
    assert resume(store)[0]


def test_a_purged_or_broken_version_is_not_gone_back_to(two: tuple[Path, str, str]) -> None:
    store, first, second = two
    table = store / read_manifest(store, first).tables["memories"].path
    table.rename(table.with_suffix(".away"))
    with pytest.raises(VersionGone, match=r"no longer whole: .*memories"):
        roll_back(store, first)
    purge(store, read_manifest(store, first))
    with pytest.raises(VersionGone, match="purged"):
        roll_back(store, first)
    assert read_rollback(store) is None and read_current(store) == second
    assert main(["rollback", "../x", "--store", str(store)]) == 4


def test_where_the_version_it_came_from_was_purged_the_night_reads_again(two: tuple[Path, str, str]) -> None:
    store, first, second = two
    roll_back(store, first)
    resume(store)
    purge(store, read_manifest(store, second))
    assert night(store, 3, *range(2 * N, 3 * N)).status == "published"
    assert serving(store).provenance["parent"] == first
    assert any("Aveiro" in text for text in texts(store))


def test_killed_between_hold_and_pointer_the_store_is_held_and_the_command_ends_what_it_began(
    two: tuple[Path, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, first, second = two
    with monkeypatch.context() as patched:
        patched.setattr("adapters.pointer.move", _dies)
        with pytest.raises(KeyboardInterrupt):
            roll_back(store, first)
    assert read_current(store) == second and night(store, 3).status == "held"
    assert roll_back(store, first).came_from == second
    assert read_current(store) == first


def _dies(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_rollback_waits_for_no_library(two: tuple[Path, str, str]) -> None:
    store, first, second = two
    heavy = "import sys, flows.versions; print(sorted({'polars', 'pyarrow', 'lance', 'pydantic'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    began = time.perf_counter()
    for version in (first, second, first):
        roll_back(store, version)
    assert time.perf_counter() - began < 1
