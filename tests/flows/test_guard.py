"""The command: what it tells, how it ends, what it writes, and that it changes nothing that it watches."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from flows import guard_reports
from slowwave.cli import main
from tests.expectations.watching import FIXTURES
from tests.make import memory
from tests.stores import build

Capture = pytest.CaptureFixture[str]
AS_OF = "2026-03-09T09:00Z"
DRIFT = """
[guards.invariants.home]
file = "agent.toml"
path = "home.city"
attribute = "home_city"
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    rows = [memory("I live in Lisbon.", attribute="home_city", value="Lisbon", kind="semantic_fact")]
    build(tmp_path / "store", memories=rows, documents={}, embedder="none")
    return tmp_path / "store"


def watching(store: Path, folder: Path, more: str = "") -> None:
    text = f"[guards]\nfolders = [{json.dumps(str(folder))}]\n{more}"
    (store / "slowwave.toml").write_text(text, encoding="utf-8")


def guard(store: Path, capsys: Capture, *more: str, as_of: str = AS_OF) -> tuple[int, str]:
    status = main(["guard", "--store", str(store), "--as-of", as_of, *more])
    return status, capsys.readouterr().out


def test_a_drifting_file_ends_the_daily_look_with_3_and_is_reported(store: Path, capsys: Capture) -> None:
    watching(store, FIXTURES / "drift/bad", DRIFT)
    status, said = guard(store, capsys, "--daily")
    assert status == 3
    assert "broken: drift.invariants" in said
    assert "home: home.city in bad/agent.toml is another" in said
    folder = store / "guards/20260309T090000Z-daily"
    report, page = (folder / "report.md").read_text(), (folder / "audit.html").read_text()
    for text in (report, page):
        assert "home.city in bad/agent.toml is another" in text
        assert "Porto" not in text and "Lisbon" not in text
    assert f"report: {folder / 'report.md'}" in said
    assert "default-src 'none'" in page


def test_one_that_agrees_ends_with_0(store: Path, capsys: Capture) -> None:
    watching(store, FIXTURES / "drift/good", DRIFT)
    status, said = guard(store, capsys, "--daily")
    assert status == 0
    assert said.startswith("Nothing is broken")


def test_json_tells_the_same(store: Path, capsys: Capture) -> None:
    watching(store, FIXTURES / "repeats/bad")
    status, said = guard(store, capsys, "--weekly", "--json")
    told = json.loads(said)
    assert status == 0
    assert set(told["warnings"]) == {"repeats.rate", "repeats.dated"}
    assert told["months"][-1] == {"month": "2026-02", "n_errors": 3, "n_repeats": 2, "rate": 0.6667}


def test_the_weekly_report_has_a_table_of_months(store: Path, capsys: Capture) -> None:
    watching(store, FIXTURES / "repeats/bad")
    _, said = guard(store, capsys, "--weekly")
    assert "repeated errors by month: 2026-01 0 of 1, 2026-02 2 of 3" in said
    folder = store / "guards/20260309T090000Z-weekly"
    assert "| 2026-02 | 3 | 2 | 67% |" in (folder / "report.md").read_text()
    assert "Errors by month" in (folder / "audit.html").read_text()
    guard(store, capsys, "--daily")
    assert "Errors by month" not in (store / "guards/20260309T090000Z-daily/report.md").read_text()


def stamps(folder: Path) -> dict[str, Any]:
    found = sorted(folder.rglob("*"))
    return {str(p): (p.stat().st_mtime_ns, p.stat().st_mode, p.read_bytes() if p.is_file() else None) for p in found}


@pytest.mark.parametrize("guarded", sorted(path.name for path in FIXTURES.iterdir()))
def test_what_is_watched_stays_byte_for_byte(tmp_path: Path, store: Path, capsys: Capture, guarded: str) -> None:
    folder = tmp_path / "agent"
    for path in sorted((FIXTURES / guarded).rglob("*")):
        if path.is_file():
            copy = folder / path.relative_to(FIXTURES / guarded)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
            os.utime(copy, (1_700_000_000, 1_700_000_000))
            copy.chmod(0o400)
    for path in (folder, *filter(Path.is_dir, folder.rglob("*"))):
        path.chmod(0o500)
    watching(store, folder, DRIFT)
    before = stamps(folder)
    published = {name: stamps(store / name) for name in ("published", "lance")}
    guard(store, capsys)
    assert stamps(folder) == before
    assert {name: stamps(store / name) for name in published} == published
    for path in (folder, *filter(Path.is_dir, folder.rglob("*"))):
        path.chmod(0o700)


def test_only_the_newest_reports_are_kept(store: Path, capsys: Capture) -> None:
    watching(store, FIXTURES / "drift/good", "keep_reports = 2\n")
    for hour in (1, 2, 3):
        guard(store, capsys, "--daily", as_of=f"2026-03-09T0{hour}:00Z")
    assert [path.name[8:11] for path in sorted((store / "guards").iterdir())] == ["T02", "T03"]


def test_the_newest_report_of_each_guard_proposes(store: Path, capsys: Capture) -> None:
    watching(store, FIXTURES / "drift/bad", DRIFT)
    guard(store, capsys, as_of="2026-03-09T01:00Z")
    assert {one["name"] for one in guard_reports.proposals(store)} == {"drift.invariants"}
    watching(store, FIXTURES / "drift/good", DRIFT)
    guard(store, capsys, "--daily", as_of="2026-03-09T02:00Z")
    assert guard_reports.proposals(store) == []


@pytest.mark.parametrize(
    "damage", ["", "[]", '{"guards": 3, "report": 4}', '{"guards": ["drift"], "report": {"promises": 1}}']
)
def test_a_damaged_report_proposes_nothing(store: Path, capsys: Capture, damage: str) -> None:
    watching(store, FIXTURES / "drift/bad", DRIFT)
    guard(store, capsys)
    for path in (store / "guards").glob("*/guard.json"):
        path.write_text(damage)
    assert guard_reports.proposals(store) == []


def test_without_folders_memory_alone_is_looked_at(store: Path, capsys: Capture) -> None:
    status, said = guard(store, capsys)
    assert status == 0
    assert "0 files" in said


def test_a_store_without_a_version_says_what_to_do(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "store").mkdir()
    assert main(["guard", "--store", str(tmp_path / "store")]) == 2
    assert "Run a night first" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong",
    [
        '[guards.invariants.a]\nfile = "a.toml"\npath = "x"\n',
        '[guards]\ndaily = ["sleep"]\n',
        "[guards]\nfolder = []\n",
    ],
)
def test_a_setting_that_cannot_be_is_named(store: Path, capsys: Capture, wrong: str) -> None:
    (store / "slowwave.toml").write_text(wrong)
    assert main(["guard", "--store", str(store)]) == 2
    assert "the setting guards." in capsys.readouterr().err
