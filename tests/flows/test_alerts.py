"""Alerts: whatever a run of ours may end in is told to somebody or is well, and what is asked for can be asked of Prefect."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

from adapters.serving import AlertSettings
from flows.alerts import BAD, CEILING, HELD, NAMES, NIGHTS, triggers_of

FLOWS = Path(__file__).resolve().parents[2] / "flows"
STATE = re.compile(r'\b(Failed|Completed)\(\s*name="(\w+)"(?: if [^,]* else "(\w+)")?')


def test_every_state_that_a_failed_run_ends_in_is_told_and_no_other_is() -> None:
    ends = [found for path in FLOWS.glob("*.py") for found in STATE.findall(path.read_text())]
    failed = {name for kind, *names in ends for name in names if name and kind == "Failed"}
    well = {name for kind, *names in ends for name in names if name and kind == "Completed"}
    told = {name for names in BAD.values() for name in names}
    assert {"Broken", "NotForgotten", "SomeFailed"} <= failed <= told
    assert {"Skipped", "Forgotten", "RolledBack"} <= well and not well & (told - set(HELD))
    assert {"ModelUnavailable", "SourceError", "StoreUnwritable", "Crashed"} <= set(BAD["slowwave: a run failed"])


def test_silence_is_a_trigger_that_fires_where_nothing_comes() -> None:
    triggers = triggers_of(AlertSettings(silent_hours=30))
    assert set(triggers) == set(NAMES)
    silent = triggers["slowwave: no night has ended"]
    assert (silent.posture.value, silent.within, silent.threshold) == ("Proactive", timedelta(hours=30), 1)
    assert "prefect.flow-run.NothingNew" in silent.expect, "a quiet night is a night"
    late = triggers["slowwave: a night is late"]
    assert late.match_related.get("prefect.resource.name") == list(NIGHTS), "a guard that is late is no night"
    assert triggers["slowwave: a ceiling of cost was reached"].expect == {CEILING}
