"""The shared record-level cases with every variant of their invariants, where the cases are present."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path

import pytest

from evals.__main__ import main
from evals.cases import failures, load_checks
from evals.record import result
from slowwave.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("SLOWWAVE_CASES", ROOT.parent / "shared" / "cases"))
CASES = sorted(FOLDER.glob("r-*.json"))
needs_cases = pytest.mark.skipif(not CASES, reason=f"no cases in {FOLDER}; name their folder in SLOWWAVE_CASES")


@needs_cases
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_record_case(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    assert failures(case, load_checks(FOLDER)) == []


@needs_cases
def test_a_wrong_expectation_is_noticed() -> None:
    case = json.loads(CASES[0].read_text(encoding="utf-8"))
    case["expect"]["counts"] = {"active": 7}
    assert failures(case, load_checks(FOLDER)) == ["1 active, 7 expected"]


@needs_cases
def test_an_invariant_that_does_not_hold_is_noticed() -> None:
    case = json.loads(next(p for p in CASES if "idempotent" in p.read_text()).read_text(encoding="utf-8"))
    calls = []

    def forgetful(one: dict, runs: list) -> dict:
        calls.append(runs)
        made = result(one, runs)
        return made if len(calls) == 1 else {**made, "runs": [{**run, "records": []} for run in made["runs"]]}

    assert any("another state" in why for why in failures(case, load_checks(FOLDER), forgetful))


CASE = {
    "id": "r-900",
    "level": "record",
    "runs": [
        {
            "at": "2026-03-02T02:00:00+00:00",
            "candidates": [
                {
                    "cand_id": "c1",
                    "user_id": "u",
                    "project": None,
                    "kind": "semantic_fact",
                    "subject": "user",
                    "attribute": "car",
                    "value": "Wren 2",
                    "cardinality": "single",
                    "polarity": "assert",
                    "text": "Drives a Wren 2.",
                    "confidence": 0.9,
                    "event_time": "2026-03-01T18:00:00+00:00",
                    "origin": "user",
                    "sources": [{"session_id": "s1", "message_id": "m4"}],
                }
            ],
        }
    ],
    "expect": {},
}


def test_a_time_without_an_offset_is_rejected_alone() -> None:
    runs = copy.deepcopy(CASE["runs"])
    runs[0]["candidates"].append({**runs[0]["candidates"][0], "cand_id": "c2", "event_time": "2026-03-01T18:00:00"})
    made = result(CASE, runs)["runs"][0]
    assert made["rejected"] == [{"cand_id": "c2", "reason": "naive_time"}]
    assert [r["value"] for r in made["records"]] == ["Wren 2"]


def test_a_run_without_input_is_nothing_to_do() -> None:
    runs = [*CASE["runs"], {"at": "2026-03-03T02:00:00+00:00", "candidates": []}]
    made = result(CASE, runs)["runs"]
    assert [run["status"] for run in made] == ["published", "nothing_to_do"]
    assert [r["record_id"] for r in made[0]["records"]] == [r["record_id"] for r in made[1]["records"]]


def test_a_case_that_breaks_takes_no_other_down(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = {**CASE, "id": "r-901", "runs": [{"at": "not a time", "candidates": []}]}
    for case in (CASE, broken):
        (tmp_path / f"{case['id']}.json").write_text(json.dumps(case))
    (tmp_path / "check.py").write_text(
        "def check_record(case, result): return []\ndef variants(case): return []\ndef canonical(records): return records\n"
    )
    assert main(["cases", str(tmp_path), "--json"]) == 1
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["record"]["passed"], told["record"]["failed"]) == (1, 1)
    assert told["record"]["failures"][0]["id"] == "r-901"


def test_a_folder_without_cases_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "check.py").write_text("")
    assert main(["cases", str(tmp_path)]) == UsageError.exit_status
    assert "no cases" in capsys.readouterr().err
