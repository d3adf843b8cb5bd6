"""What an operator does by hand or now and then, as Prefect flows with a form each: forget, rollback, resume, upkeep.

What is typed into a form stays in the server's database, so things are named by id here, and never by their words.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from flows.quiet import require_server, set_quiet

set_quiet()

from prefect import flow  # noqa: E402
from prefect.states import Completed, Failed  # noqa: E402

from adapters.pointer import writing  # noqa: E402
from adapters.remote import local  # noqa: E402
from adapters.retention import retain, sweep  # noqa: E402
from adapters.settings import load  # noqa: E402
from flows import rollback as rolling  # noqa: E402
from slowwave.errors import SlowwaveError  # noqa: E402


@flow(name="forget", flow_run_name="forget", persist_result=False)
def forget(
    store: str,
    memories: list[str] | None = None,
    messages: list[str] | None = None,
    sessions: list[str] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    is_meant: bool = False,
) -> Any:
    """Erase from the whole store what is named. By words or by a person's name: `slowwave forget`, which leaves no trace here.

    Args:
        store: The store's folder, or s3://BUCKET/PREFIX.
        memories: Ids of memories, as recall gives them.
        messages: Ids or keys of messages.
        sessions: Ids of sessions.
        since: All that was said at or after this time.
        until: All that was said before this time.
        is_meant: Erase it for good. Without this, the run only counts what would go.
    """
    from flows import forget as forgetting
    from tasks.trace import Request

    every = [tuple(names or ()) for names in (memories, messages, sessions)]
    request = Request(memories=every[0], messages=every[1], sessions=every[2], since=since, until=until)

    def carried_out(place: Path) -> Any:
        if not is_meant:
            found = forgetting.foresee(place, request)
            said = f"{len(found.messages)} messages and {len(found.memories)} memories would go; is_meant does it"
            return Completed(name="OnlyCounted", message=said)
        done = forgetting.forget(place, request)
        said = f"{len(done.purged)} versions purged; {done.outcome.version or 'no version'} serves"
        if done.exit_status:
            return Failed(
                name="NotForgotten",
                message=f"{said}; {len(done.hits)} places still hold it. Next: slowwave forget --proof",
            )
        return Completed(name="Forgotten", message=said)

    return _ended(store, carried_out)


@flow(name="rollback", flow_run_name="rollback", persist_result=False)
def rollback(
    store: str,
    version: str,
) -> Any:
    """Make an earlier version serve, and hold the store until it is resumed.

    Args:
        store: The store's folder, or s3://BUCKET/PREFIX.
        version: The version's name, as slowwave log gives it.
    """

    def rolled(place: Path) -> Any:
        made = rolling.roll_back(place, version)
        return Completed(name="RolledBack", message=f"{made.to} serves; nights are held until the store is resumed")

    return _ended(store, rolled)


@flow(name="resume", flow_run_name="resume", persist_result=False)
def resume(
    store: str,
    without: list[str] | None = None,
) -> Any:
    """Let nights go on after a rollback, as though nothing had happened or without what is named.

    Args:
        store: The store's folder, or s3://BUCKET/PREFIX.
        without: What is left out for good: session:ID, source:KIND, source:KIND=PATH or run:NAME.
    """

    def resumed(place: Path) -> Any:
        _, left = rolling.resume(place, without or ())
        return Completed(name="Resumed", message=f"nights go on; {len(left)} names left out for good")

    return _ended(store, resumed)


@flow(name="upkeep", flow_run_name="upkeep", persist_result=False)
def upkeep(store: str) -> Any:
    """Let go of versions and runs beyond what is kept, and of what killed nights left; nights do this too, where there are any.

    Args:
        store: The store's folder, or s3://BUCKET/PREFIX.
    """

    def kept_up(place: Path) -> Any:
        settings = load(place)
        with writing(place, settings.night.wait_minutes * 60):
            sweep(place)
            versions, runs = retain(place, settings.retention, time.time())
        return Completed(name="KeptUp", message=f"{len(versions)} versions and {len(runs)} runs removed")

    return _ended(store, kept_up)


def _ended(store: str, done: Callable[[Path], Any]) -> Any:
    """Do it, and end in a state that says what to do where it can't be done."""
    require_server()
    try:
        return done(local(store))
    except SlowwaveError as error:
        return Failed(name=type(error).__name__, message=f"{error}. Next: {error.hint}")
