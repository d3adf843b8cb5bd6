"""What `slowwave flush` does where a checkout is: a server that is there is told, and without one the inbox is drained here and now."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from flows.quiet import server
from flows.service import default_home, read_note, running
from flows.watching import emit
from slowwave.errors import ServerUnreachable, StoreHeld
from slowwave.flushing import Asked
from slowwave.remote import is_remote


@dataclass(frozen=True)
class Answered:
    """What became of a request: who answers it, and the version that serves by now."""

    by: str
    version: str | None = None
    status: str = "asked"

    def as_dict(self) -> dict[str, Any]:
        """What a program reads."""
        return asdict(self)

    def told(self) -> str:
        """What a person reads."""
        if self.by:
            return f"asked for; {self.by} answers it"
        if self.status == "published":
            return f"published early: {self.version}; the night reads it again"
        return f"{self.status.replace('_', ' ')}; {self.version or 'no version'} serves"


def answer(store: str | Path, asked: Asked | None) -> Answered:
    """Have a request that lies in the inbox answered; without one, all that lie there. Raises what a night raises."""
    if asked is not None and _is_watched(store):
        return Answered("the service that watches this store")
    url = server()
    if asked is not None and url is not None:
        return _told(url, store, asked)
    return _drained(store, asked)


def _is_watched(store: str | Path) -> bool:
    """Whether the service of this machine looks at the inbox of this store."""
    home = default_home()
    return (
        not is_remote(store) and "watch" in running(home) and read_note(home).get("store") == str(Path(store).resolve())
    )


def _told(url: str, store: str | Path, asked: Asked) -> Answered:
    try:
        emit(url, str(store), asked)
    except OSError as error:
        raise ServerUnreachable(
            f"the Prefect server at {url} does not answer: {error}",
            "The request lies in the inbox. Start the server, or take PREFECT_API_URL away: then slowwave flush answers it itself.",
        ) from error
    return Answered(f"the Prefect server at {url}")


def _drained(store: str | Path, asked: Asked | None) -> Answered:
    from adapters.remote import local
    from flows.plan import Plan
    from flows.road import consolidated
    from flows.step import here

    session = asked.session_id if asked else ""
    plan = Plan(local(store), trigger=f"flush-{session}".rstrip("-"), flush=session, wait_seconds=0)
    try:
        outcome = consolidated(plan, here)
    except StoreHeld as error:
        raise StoreHeld(
            "another night is at work on the store; the request lies in the inbox",
            f"When it has ended: slowwave flush --store {store}; the next run answers it too.",
        ) from error
    return Answered("", outcome.version, outcome.status)
