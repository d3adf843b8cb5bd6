"""The deployed guards as Prefect runs them: a drifting configuration fails the daily run, and one that agrees does not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.expectations.watching import FIXTURES
from tests.make import memory
from tests.stores import build

SETTINGS = """
[guards]
folders = ["../agent"]

[guards.invariants.home]
file = "agent.toml"
path = "home.city"
attribute = "home_city"
"""


@pytest.mark.prefect
def test_drift_fails_the_daily_run_and_the_report_is_an_artifact(tmp_path: Path) -> None:
    from flows.quiet import set_quiet

    set_quiet()
    from prefect.client.orchestration import get_client
    from prefect.testing.utilities import prefect_test_harness

    from flows.guard_flow import daily, weekly

    store, agent = tmp_path / "store", tmp_path / "agent"
    rows = [memory("I live in Lisbon.", attribute="home_city", value="Lisbon", kind="semantic_fact")]
    build(store, memories=rows, documents={}, embedder="none")
    (store / "slowwave.toml").write_text(SETTINGS)
    shutil.copytree(FIXTURES / "drift/bad", agent)
    with prefect_test_harness(server_startup_timeout=180):
        broken = daily(str(store), return_state=True)
        shutil.copy(FIXTURES / "drift/good/agent.toml", agent)
        kept = weekly(str(store), return_state=True)
        gone = daily(str(tmp_path / "nowhere"), return_state=True)
        with get_client(sync_client=True) as client:
            artifacts = {artifact.key: artifact.data for artifact in client.read_artifacts()}
    assert broken.is_failed() and "drift.invariants" in broken.message
    assert kept.is_completed()
    assert gone.is_failed() and "Next: Check the path" in gone.message
    assert "home.city in agent/agent.toml is another" in artifacts["guard-daily"]
    assert "Nothing is broken" in artifacts["guard-weekly"]
