"""The bench of capture: the same input for the same seed, and figures that add up. No time is asserted."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from evals import bench_capture
from evals.__main__ import main
from evals.bench_input import SESSION_MESSAGES, long_message, messages, write


def test_the_input_is_the_same_for_the_same_seed_and_like_a_working_week() -> None:
    rows = list(messages(2000))
    assert rows == list(messages(2000))
    assert rows != list(messages(2000, seed=1))
    n_words = sorted(len(row["content"].split()) for row in rows)
    assert n_words[200] >= 15 and n_words[1000] >= 25 and n_words[1800] <= 65
    assert len({row["content"] for row in rows}) == len({row["message_id"] for row in rows}) == len(rows)
    assert set(Counter(row["session_id"] for row in rows).values()) == {SESSION_MESSAGES}
    assert len({row["created_at"][:10] for row in rows}) > 3
    said = "\n".join(row["content"] for row in rows)
    assert all(sign in said for sign in ("```", "https://", "FAILED", "token", "🎉"))


def test_a_long_message_has_its_length() -> None:
    assert 99_990 <= len(long_message(100_000)["content"].encode()) <= 100_000


@pytest.mark.skipif(sys.platform == "win32", reason="memory is read from the system's own count")
def test_the_command_needs_no_data_and_its_figures_are_sane(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"N_SPEED": 1000, "N_RUNS": 1, "N_SESSION": 500, "MESSAGE_BYTES": 100_000}.items():
        monkeypatch.setattr(bench_capture, name, value)
    out = tmp_path / "bench-capture.json"
    assert main(["bench", "capture", "--messages", "2002", "--json", "--out", str(out)]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    speed = told["messages_per_cpu_second"]
    assert 0 < speed["with_segment"] < speed["capture_and_sift"] < min(speed["capture"], speed["sift"])
    first, second = told["history"]["first"], told["history"]["second"]
    assert (first["n_new"], first["n_known"], second["n_new"], second["n_known"]) == (2002, 0, 0, 2002)
    assert 0 <= first["peak_mb_above_imports"] < first["peak_mb"]
    assert told["long_message"]["peak_mb_above_imports"] >= 0 and told["long_session"]["cpu_seconds"] > 0
    assert json.loads(out.read_text())["figures"] == {k: v for k, v in told.items() if k != "surroundings"}


def test_a_night_is_measured_over_data_that_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "night"]) == 2
    assert "--data DIR" in capsys.readouterr().err


def test_what_is_written_is_read_line_by_line(tmp_path: Path) -> None:
    rows = list(messages(3))
    lines = write(tmp_path / "a.jsonl", iter(rows)).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == rows
