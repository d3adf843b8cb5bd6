"""Recorded answers: a killed night pays for none twice, a version is made again from them, and they can be purged; rehearsals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

import slowwave
from slowwave.cli import main
from tests.contract import loopback as lb
from tests.e2e import hosted

ROOT = Path(__file__).parents[2]
NIGHT = "from slowwave.cli import main; raise SystemExit(main())"


@pytest.fixture
def server() -> lb.Loopback:
    with lb.Loopback() as running:
        yield running


def projects(path: Path, n: int) -> Path:
    """A message a project, and so a question a message."""
    return hosted.log(path, *({"content": f"I own {i} cats at home.", "project": f"p{i}"} for i in range(n)))


def tree(folder: Path) -> dict[str, str]:
    return {str(p): sha256(p.read_bytes()).hexdigest() for p in sorted(folder.rglob("*")) if p.is_file()}


def run_of(store: Path) -> str:
    return slowwave.open(store).manifest.provenance["run"]


@pytest.mark.slow
def test_a_night_killed_while_it_asks_never_asks_again_what_had_arrived(tmp_path: Path, server: lb.Loopback) -> None:
    store, said = tmp_path / "store", projects(tmp_path / "log.jsonl", 6)
    hosted.settings(store, server)
    server.behave = lambda r: lb.Reply(delay_seconds=60) if "own 4" in str(r.lines) else lb.diligent(r)
    argv = [
        sys.executable,
        "-c",
        NIGHT,
        "night",
        "--store",
        str(store),
        "--source",
        f"jsonl={said}",
        "--plain",
    ]
    night = subprocess.Popen(
        [*argv, "--as-of", "2026-03-02T03:00Z", "--quiet"], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    deadline = time.monotonic() + 120
    answers = store / "cache" / "answers"
    while (len(list(answers.rglob("*.json"))) < 5 or len(server.requests) < 6) and time.monotonic() < deadline:
        time.sleep(0.05)
    night.send_signal(signal.SIGKILL)
    night.wait()
    arrived = {str(r.lines) for r in server.requests if "own 4" not in str(r.lines)}
    server.behave = lb.diligent
    assert hosted.night(store, f"jsonl={said}") == 0
    asked = Counter(str(r.lines) for r in server.requests)
    assert len(arrived) == 5
    assert {asked[lines] for lines in arrived} == {1}
    assert len(asked) == 6
    spent = json.loads((store / "runs" / run_of(store) / "run.json").read_text())
    assert spent["status"] == "published"
    from flows.costs import calls

    rows = calls([store])
    assert [row["outcome"] for row in rows].count("unknown") == 1
    assert len(rows) == 7


def test_a_night_at_its_ceiling_publishes_a_part_and_says_what_it_left(
    tmp_path: Path, server: lb.Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    store, said = tmp_path / "store", projects(tmp_path / "log.jsonl", 5)
    server.behave = lambda r: lb.Reply(lb.diligent(r).text, usage=(9_000, 100, 0))
    hosted.settings(store, server, night="max_night_tokens = 40000\nmax_output_tokens = 200\nmax_concurrency = 1")
    assert hosted.night(store, f"jsonl={said}") == 5
    out = capsys.readouterr().out
    left = 5 - len(server.requests)
    assert 0 < left < 5
    assert "put off (over_budget)" in out
    assert f"{left} topic" in out and "at the ceiling max_night" in out
    hosted.settings(store, server)
    assert hosted.night(store, f"jsonl={said}", day=3) == 0
    assert len(server.requests) == 5


def test_the_week_is_made_again_bit_for_bit(week: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = tree(week)
    assert main(["replay", run_of(week), "--store", str(week)]) == 0
    assert slowwave.open(week).manifest.version in capsys.readouterr().out
    assert tree(week) == before


def test_a_models_version_is_made_again_without_it_and_a_purged_answer_is_named(
    tmp_path: Path, server: lb.Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    hosted.settings(store, server)
    said = hosted.log(tmp_path / "log.jsonl", "I own a zebrafish.", "My doctor at the clinic says it is diabetes.")
    hosted.night(store, f"jsonl={said}")
    n_asked, run = len(server.requests), run_of(store)
    assert main(["replay", run, "--store", str(store), "--to", str(tmp_path / "again")]) == 0
    assert len(server.requests) == n_asked
    again = slowwave.open(tmp_path / "again").manifest
    assert again.tables == {k: again.tables[k] for k in slowwave.open(store).manifest.tables}
    assert again.version == slowwave.open(store).manifest.version
    server.behave = lambda r: lb.saying(lb.claim(1, statement="I own a zebrafish."))
    assert main(["cache", "purge", "--store", str(store), "--message", "m"]) == 0
    assert not any(b"zebrafish" in path.read_bytes() for path in (store / "cache").rglob("*") if path.is_file())
    assert main(["replay", run, "--store", str(store)]) == 4
    assert "1 of 1 answers are not in the cache" in capsys.readouterr().err


def test_a_rehearsal_says_what_a_night_would_ask_and_leaves_no_trace(
    tmp_path: Path, server: lb.Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    store, said = tmp_path / "store", projects(tmp_path / "log.jsonl", 3)
    hosted.settings(store, server, night="input_price = 1.0\noutput_price = 2.0\nmax_output_tokens = 100")
    argv = ["night", "--store", str(store), "--source", f"jsonl={said}", "--as-of", "2026-03-02T03:00Z", "--json"]
    before = tree(tmp_path)
    assert main([*argv, "--dry-run"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert tree(tmp_path) == before
    assert server.requests == []
    assert (found["n_new_messages"], found["n_questions"], found["n_cached"], found["output_tokens"]) == (3, 3, 0, None)
    assert found["most_cost"] == pytest.approx((found["input_tokens"] + 2 * 300) / 1e6)
    hosted.night(store, f"jsonl={said}")
    more = projects(tmp_path / "log.jsonl", 5)
    capsys.readouterr()
    before = tree(tmp_path)
    assert main([*argv[:-2], "2026-03-03T03:00Z", "--source", f"jsonl={more}", "--json", "--dry-run"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert tree(tmp_path) == before
    assert (found["n_new_messages"], found["n_questions"]) == (2, 2)
    assert found["output_tokens"] > 0 and "calls before" in found["output_ground"]
    assert main(["night", "--store", str(tmp_path / "none"), "--source", f"jsonl={said}", "--dry-run"]) == 0
    assert not (tmp_path / "none").exists()


def test_a_purge_takes_every_answer_that_held_the_message(tmp_path: Path, server: lb.Loopback) -> None:
    store, said = tmp_path / "store", projects(tmp_path / "log.jsonl", 3)
    hosted.settings(store, server)
    hosted.night(store, f"jsonl={said}")
    entries = sorted((store / "cache" / "answers").rglob("*.json"))
    assert len(entries) == 3
    (key,) = json.loads(entries[0].read_text())["messages"]
    assert main(["cache", "purge", "--store", str(store), "--message", key]) == 0
    assert sorted((store / "cache" / "answers").rglob("*.json")) == entries[1:]
