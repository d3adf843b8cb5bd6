"""The guards as Prefect flows: `daily` and `weekly` are the same look, over the guards that the settings list for each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flows.quiet import require_server, set_quiet

set_quiet()

from prefect import flow  # noqa: E402
from prefect.artifacts import create_markdown_artifact  # noqa: E402
from prefect.states import Completed, Failed  # noqa: E402

from expectations.guards.page import verdict  # noqa: E402
from flows.guard import Which, guard  # noqa: E402
from flows.guard_reports import REPORT  # noqa: E402
from slowwave.errors import SlowwaveError  # noqa: E402


@flow(name="guard-daily", persist_result=False)
def daily(store: str) -> Any:
    """The guards of every day over one store; the run fails where something is broken, such as a drifting configuration."""
    return _looked(store, "daily")


@flow(name="guard-weekly", persist_result=False)
def weekly(store: str) -> Any:
    """The guards of every week over one store; the run fails where something is broken."""
    return _looked(store, "weekly")


def _looked(store: str, which: Which) -> Any:
    """Look, leave the report where Prefect shows it, and end in a state that says how it stands."""
    require_server()
    try:
        looked = guard(Path(store), which)
    except SlowwaveError as error:
        return Failed(name=type(error).__name__, message=f"{error} Next: {error.hint}")
    said = verdict(looked.report)
    create_markdown_artifact(key=f"guard-{which}", markdown=(looked.folder / REPORT).read_text(), description=said)
    if looked.report.broken:
        names = ", ".join(promise.name for promise in looked.report.broken)
        return Failed(name="Broken", message=f"{said} {names}. Next: read {looked.folder / REPORT}")
    return Completed(name="LookAt" if looked.report.warnings else "Completed", message=said)
