"""The night as Prefect flows: `nightly` and `flush` are the same road, asked for by different triggers."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from flows.quiet import require_server, set_quiet

set_quiet()

from prefect import flow  # noqa: E402
from prefect.artifacts import create_markdown_artifact  # noqa: E402
from prefect.states import Completed, Failed  # noqa: E402

from adapters.remote import local  # noqa: E402
from flows import ledger  # noqa: E402
from flows.begin import Plan  # noqa: E402
from flows.report import night_report  # noqa: E402
from flows.road import Outcome, consolidated  # noqa: E402
from flows.step import as_task  # noqa: E402
from slowwave.errors import SlowwaveError  # noqa: E402

STATES = {"published": "Completed", "nothing_to_do": "NothingNew", "held": "Held"}


def consolidate(plan: Plan) -> Outcome:
    """Walk the night as a flow run of its own, named after its day, and hand its outcome back."""
    ended: list[Outcome] = []
    name = f"{plan.trigger}-{(plan.as_of or datetime.now().astimezone()):%Y-%m-%d}"

    @flow(name="consolidate", flow_run_name=name, persist_result=False)
    def walk(store: str, sources: list[str], trigger: str) -> Any:
        try:
            ended.append(consolidated(plan, as_task))
        except SlowwaveError as error:
            # A state and not a raise, so that a person reads the sentence and its hint, and not a traceback.
            return Failed(name=type(error).__name__, message=f"{error} Next: {error.hint}", data=error)
        return _end_state(plan.store, ended[0])

    require_server()
    walk(str(plan.store), list(plan.sources), plan.trigger)
    return ended[0]


def _end_state(store: Path, outcome: Outcome) -> Any:
    if outcome.run:
        report = night_report(ledger.read(store, outcome.run))
        create_markdown_artifact(key="night-report", markdown=report, description=f"{outcome.status} {outcome.version}")
    return Completed(name=STATES[outcome.status], message=f"{outcome.status}: {outcome.version}")


@flow(name="nightly", persist_result=False)
def nightly(store: str, sources: list[str] | None = None) -> str:
    """The scheduled night of one store. Returns the version that serves afterwards."""
    return _served(consolidate(Plan(local(store), tuple(sources or ()), trigger="night")))


@flow(name="flush", persist_result=False)
def flush(store: str, session_id: str = "", sources: list[str] | None = None) -> str:
    """A night asked for early, when a session is about to be compacted."""
    return _served(consolidate(Plan(local(store), tuple(sources or ()), trigger=f"flush-{session_id}".rstrip("-"))))


def _served(outcome: Outcome) -> str:
    return outcome.version or "nothing"
