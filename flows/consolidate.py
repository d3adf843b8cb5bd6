"""The night as Prefect flows: `nightly` and `flush` are the same road, asked for by different triggers.

What a run is called and how it ends is for a person who looks at the server: `night-2026-05-03`, and a state that says what happened.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flows.quiet import require_server, set_quiet

set_quiet()

from prefect import flow, tags  # noqa: E402
from prefect.artifacts import create_markdown_artifact  # noqa: E402
from prefect.events import emit_event  # noqa: E402
from prefect.runtime import flow_run  # noqa: E402
from prefect.states import Completed, Failed  # noqa: E402

from adapters.remote import local, name_of  # noqa: E402
from adapters.settings import load  # noqa: E402
from flows import ledger  # noqa: E402
from flows.alerts import CEILING  # noqa: E402
from flows.begin import Plan  # noqa: E402
from flows.late import is_caught_up  # noqa: E402
from flows.report import night_report  # noqa: E402
from flows.road import Outcome, consolidated  # noqa: E402
from flows.step import as_task  # noqa: E402
from slowwave.errors import SlowwaveError  # noqa: E402
from slowwave.flushing import resource_of  # noqa: E402
from slowwave.store import read_current  # noqa: E402
from slowwave.zones import zone_of  # noqa: E402

STATES = {"published": "Completed", "nothing_to_do": "NothingNew", "held": "Held"}


def consolidate(plan: Plan) -> Outcome:
    """Walk the night as a flow run of its own, named after its day, and hand its outcome back."""
    ended: list[Outcome] = []

    @flow(name="consolidate", flow_run_name=_name(plan.trigger, plan.store, plan.as_of), persist_result=False)
    def walk(store: str, sources: list[str], trigger: str) -> Any:
        return _ended(plan, ended)

    require_server()
    with tags(resource_of(plan.store)):
        walk(str(plan.store), list(plan.sources), plan.trigger)
    return ended[0]


def _night() -> str:
    given = flow_run.parameters
    return _name("night", Path(given["store"]), flow_run.scheduled_start_time)


def _flush() -> str:
    return f"flush-{flow_run.parameters.get('session_id') or 'inbox'}"


@flow(name="nightly", flow_run_name=_night, persist_result=False)
def nightly(store: str, sources: list[str] | None = None) -> Any:
    """The scheduled night of one store. Of those that are late, one walks, and reads what all of them would have read.

    Args:
        store: The store's folder, or s3://BUCKET/PREFIX.
        sources: What to read, each as KIND=PATH; empty: what the settings name.
    """
    require_server()
    if is_caught_up():
        return Completed(name="Skipped", message="a night that began after this one was due has read everything")
    return _ended(Plan(Path(store), tuple(sources or ()), trigger="night"))


@flow(name="flush", flow_run_name=_flush, persist_result=False)
def flush(
    store: str,
    session_id: str = "",
    sources: list[str] | None = None,
) -> Any:
    """A session published early, when its context is about to be lost; the night reads it again.

    Args:
        store: The store's folder, or s3://BUCKET/PREFIX.
        session_id: The session that is asked for; empty: those that the inbox asks for.
        sources: What to read, each as KIND=PATH; empty: what the settings name.
    """
    require_server()
    trigger = f"flush-{session_id}".rstrip("-")
    return _ended(Plan(Path(store), tuple(sources or ()), trigger=trigger, flush=session_id))


def _ended(plan: Plan, ended: list[Outcome] | None = None) -> Any:
    """Walk, and end in a state that says how; `ended` is handed the outcome."""
    try:
        plan = replace(plan, store=local(plan.store))
        outcome = consolidated(plan, as_task)
    except SlowwaveError as error:
        # A state and not a raise, so that a person reads the sentence and its hint, and not a traceback.
        return Failed(name=type(error).__name__, message=_told(plan.store, error), data=error)
    if ended is not None:
        ended.append(outcome)
    _tell_ceilings(plan.store, outcome)
    return _end_state(plan.store, outcome)


def _end_state(store: Path, outcome: Outcome) -> Any:
    if outcome.run:
        report = night_report(ledger.read(store, outcome.run))
        create_markdown_artifact(key="night-report", markdown=report, description=f"{outcome.status} {outcome.version}")
    return Completed(name=STATES[outcome.status], message=f"{outcome.status}: {outcome.version}")


def _told(store: Path, error: SlowwaveError) -> str:
    """What went wrong, what serves all the same, and what to do."""
    try:
        serving = read_current(store)
    except SlowwaveError:
        serving = None
    return f"{error}. {f'{serving} still serves.' if serving else 'Nothing serves yet.'} Next: {error.hint}"


def _tell_ceilings(store: Path, outcome: Outcome) -> None:
    if names := outcome.facts.get("ceilings_reached"):
        told = {"message": f"{name_of(store)}: {', '.join(names)}", "run": outcome.run}
        emit_event(CEILING, resource={"prefect.resource.id": resource_of(store)}, payload=told)


def _name(trigger: str, store: Path, at: datetime | None) -> str:
    """What a run is called: what asked for it, and its day where its owner lives."""
    try:
        zone = zone_of(load(local(store)).owner.zone)
    except SlowwaveError:
        zone = UTC
    return f"{trigger}-{(at or datetime.now(UTC)).astimezone(zone):%Y-%m-%d}"
