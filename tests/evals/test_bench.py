"""Benches: a process is charged with what it used, imports are told from work, and the figures are all there."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from evals import bench
from evals.__main__ import main
from slowwave.errors import SlowwaveError, UsageError
from tests.evals.test_locomo import TALK

SPIN = "import time\nend = time.process_time() + {}\nwhile time.process_time() < end: pass\n"


def test_a_process_is_charged_with_its_own_seconds() -> None:
    idle, busy = bench.run(["-c", "print('a')\nprint('b')"]), bench.run(["-c", SPIN.format(0.3)])
    assert idle.told == "b"
    assert busy.cpu_seconds >= 0.3 > idle.cpu_seconds
    assert busy.wall_seconds >= 0.3


def test_a_peak_is_the_process_own_and_not_its_parents() -> None:
    program = "{}\nfrom evals.probe import peak_mb\nprint(peak_mb())"
    small, large = (float(bench.run(["-c", program.format(x)]).told) for x in ("x = 1", "x = bytearray(80_000_000)"))
    assert small < 60, "this test's own process holds more"
    assert 70 < large - small < 90


def test_a_process_that_fails_is_no_figure() -> None:
    with pytest.raises(SlowwaveError, match="ended with 3"):
        bench.run(["-c", "import sys; sys.exit(3)"])


def test_imports_count_once_however_deep_and_work_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "outer_part.py").write_text("import inner_part\n" + SPIN.format(0.2))
    (tmp_path / "inner_part.py").write_text(SPIN.format(0.2))
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from evals.probe import ImportClock\n"
        "clock = ImportClock()\n"
        "import outer_part\n"
        "before = clock.cpu\n" + SPIN.format(0.2) + "print([before, clock.cpu])"
    )
    before, after = json.loads(bench.run(["-c", program]).told)
    assert 0.4 <= before < 0.58
    assert after - before < 0.1


@pytest.mark.skipif(sys.platform == "win32", reason="a night locks its store with fcntl")
def test_a_bench_prints_one_line_and_writes_it_with_its_surroundings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "N_STARTS", 1)
    (tmp_path / "conv-26.json").write_text(json.dumps(TALK))
    out = tmp_path / "results" / "night.json"
    assert main(["bench", "night", "--data", str(tmp_path), "--json", "--out", str(out)]) == 0
    told = json.loads(capsys.readouterr().out)
    for ran in (told["cold"], told["second"]):
        assert ran["wall_seconds"] == pytest.approx(
            ran["startup"]["wall_seconds"] + ran["work"]["wall_seconds"], abs=0.03
        )
        assert ran["startup"]["cpu_seconds"] > 0
    assert next(iter(told["cold"]["stages"])) == "sift"
    assert told["reader"]["n_recalls"] == len(TALK["qa"]) - 1
    assert told["reader"]["recall_p50_ms"] <= told["reader"]["recall_p99_ms"]
    kept = json.loads(out.read_text())
    assert kept["figures"] == {name: value for name, value in told.items() if name != "surroundings"}
    assert {"load_average", "load_average_after", "versions", "n_cpus"} <= set(kept["surroundings"])


def test_a_bench_without_its_conversation_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "conv-1.json").write_text(json.dumps(TALK))
    assert main(["bench", "night", "--data", str(tmp_path)]) == UsageError.exit_status
