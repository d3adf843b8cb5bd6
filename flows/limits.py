"""What bounds the calls of many nights together: the fleet's own pool, and a global concurrency limit of Prefect's server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from adapters.llm.pool import Limiter, Pool
from adapters.settings import NightSettings
from flows.quiet import server, set_quiet


def limiter_of(chosen: NightSettings, store: Path) -> Limiter | None:
    """What each call of this store's nights is made within; None where nothing bounds them together."""
    limits: list[Limiter] = []
    if chosen.max_fleet_concurrency:
        shared = store.resolve().parent / ".slowwave-fleet" / "places"
        limits.append(Pool(shared, chosen.max_fleet_concurrency))
    if chosen.rate_limit and server():
        limits.append(lambda: _of_prefect(chosen.rate_limit))
    return (lambda: _all(limits)) if limits else None


def _of_prefect(name: str) -> AbstractContextManager[None]:
    # Prefect is only here when a limit of its server is named: a plain night must not pay for it.
    set_quiet()
    from prefect.concurrency.sync import concurrency

    return concurrency(name, occupy=1)


@contextmanager
def _all(limits: list[Limiter]) -> Iterator[None]:
    with ExitStack() as stack:
        for limit in limits:
            stack.enter_context(limit())
        yield
