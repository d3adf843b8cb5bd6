"""Guards beside nights: a drifting configuration of the sample's owner is caught, and the next night tells what is proposed."""

from __future__ import annotations

import json
import os
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from evals.samples import read_expected
from evals.samples.counts import SAMPLES
from flows import ledger
from flows.begin import Plan
from flows.guard import guard
from flows.report import night_report
from flows.road import consolidated
from flows.step import here
from slowwave.cli import main
from tests.e2e.conftest import ROOT
from tests.expectations.watching import FIXTURES
from tests.make import at

FOLDER = Path(os.environ.get("SLOWWAVE_SAMPLES", ROOT / ".." / "shared" / "samples")).resolve()
SETTINGS = """
[guards]
folders = ["../agent"]

[guards.invariants.plots]
file = "kelpline.toml"
path = "plots.tool"
attribute = "plot_tool"

[guards.invariants.weekly_report]
file = "kelpline.toml"
path = "weekly.format"
attribute = "report_format"
"""


def test_the_drifting_configuration_of_the_sample_is_caught(tmp_path: Path) -> None:
    if not (FOLDER / "expected.json").is_file():
        pytest.skip(f"no samples at {FOLDER}; set SLOWWAVE_SAMPLES to the folder that holds them")
    right, store, agent = read_expected(FOLDER), tmp_path / "store", tmp_path / "agent"
    as_of = datetime.fromisoformat(right["as_of"])
    flags = {"owner": {"names": [right["user"]], "zone": right["timezone"]}}
    assert consolidated(Plan(store, SAMPLES["claude_code"].sources(FOLDER), as_of, flags), here).version
    shutil.copytree(FIXTURES / "sample", agent)
    (store / "slowwave.toml").write_text(SETTINGS)
    looked = guard(store, "daily", as_of)
    (drift,) = looked.report.broken
    assert drift.examples == (
        "plots: plots.tool in agent/kelpline.toml is another",
        "weekly_report: weekly.format in agent/kelpline.toml is another",
    )
    assert len(drift.memory_ids) >= 2
    assert looked.exit_status == 3
    text = (agent / "kelpline.toml").read_text()
    (agent / "kelpline.toml").write_text(text.replace("matplotlib", "altair").replace("pdf", "markdown"))
    assert guard(store, "daily", as_of).exit_status == 0


def test_what_a_guard_found_is_proposed_by_the_next_night_and_goes_when_words_are_forgotten(tmp_path: Path) -> None:
    store, log, agent = tmp_path / "store", tmp_path / "log.jsonl", tmp_path / "agent"
    agent.mkdir()
    (agent / "carlota.md").write_text("- [ ] ring her by 2026-01-05\n")

    def said(*texts: str) -> None:
        rows = [
            {"session_id": "s", "message_id": f"m{n}", "user_id": "u", "role": "user", "content": text}
            | {"created_at": f"2026-03-0{n + 1}T10:00:00Z"}
            for n, text in enumerate(texts)
        ]
        log.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def night(day: str) -> tuple[str, str]:
        outcome = consolidated(Plan(store, (f"jsonl={log}",), at(day)), here)
        assert outcome.run and outcome.status == "published"
        page = (store / "runs" / outcome.run / "audit.html").read_text()
        return night_report(ledger.read(store, outcome.run)), page

    said("I promised Bram the boat plans by 2 March.")
    told, page = night("2026-03-01T12:00")
    assert "Proposals" not in told + page
    (store / "slowwave.toml").write_text('[guards]\nfolders = ["../agent"]\noverdue_days = 0\n')
    looked = guard(store, as_of=at("2026-03-20T12:00"))
    overdue = next(one for one in looked.report.warnings if one.name == "staleness.promises")
    said("I promised Bram the boat plans by 2 March.", "I am allergic to walnuts.", "Carlota likes the sea.")
    for shown in night("2026-03-20T13:00"):
        part = shown[shown.index("Proposals") :]
        assert "staleness.promises" in part and "staleness.actions" in part
        assert overdue.memory_ids[0] in part
        assert "guards/20260320T120000Z-all/report.md" in part
        assert "carlota" not in part, "what files are called stays in the guard's own report"
    assert "agent/carlota.md:1" in (looked.folder / "report.md").read_text()
    status = main(["forget", "--store", str(store), "--text", "Carlota", "--as-of", "2026-03-21T12:00Z", "--yes"])
    assert status == 0
    assert not (store / "guards").exists()
