"""The bench of a fleet: every store it counts was published, and one that was not is no figure."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals import bench_fleet
from slowwave.errors import SlowwaveError


def test_a_fleet_is_made_walked_and_counted(tmp_path: Path) -> None:
    bench_fleet.fill(tmp_path / "fleet", 3)
    figures = bench_fleet.plain(tmp_path / "fleet")
    assert figures["n_stores"] == 2, "the first one pays for what is loaded"
    assert figures["cpu_ms_a_store"] > 0 and figures["peak_mb"] >= figures["mb_after_the_first"] > 0
    assert len(figures["mb_by_quarter"]) == 2
    with pytest.raises(SlowwaveError, match="ended nothing_to_do"):
        bench_fleet.plain(tmp_path / "fleet")
