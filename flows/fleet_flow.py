"""The nights of many stores as one Prefect flow: a task run a shard, and a table of what became of it. Stores have no task of their own.

Two thousand tiny tasks took down a server on SQLite; a shard costs Prefect the same whether it is of one store or of a thousand.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from flows.quiet import require_server, set_quiet

set_quiet()

from prefect import flow, task  # noqa: E402
from prefect.artifacts import create_table_artifact  # noqa: E402
from prefect.cache_policies import NO_CACHE  # noqa: E402
from prefect.states import Completed, Failed  # noqa: E402
from prefect.task_runners import ProcessPoolTaskRunner, ThreadPoolTaskRunner  # noqa: E402

from flows.fleet import Fleet, Walked, has_news, shards, stores_of, walk_shard  # noqa: E402
from slowwave.errors import SlowwaveError  # noqa: E402

# Where nobody says how many shards there are: enough to see how far it is, few enough for the server.
N_SHARDS = 8


@task(name="shard", task_run_name="shard-{number}", cache_policy=NO_CACHE, persist_result=False)
def walk(number: int, stores: list[str]) -> list[Walked]:
    """One shard, walked plainly."""
    return walk_shard(map(Path, stores))


@flow(name="nightly-fleet", flow_run_name="fleet", persist_result=False)
def nightly(
    folder: str, n_shards: int = N_SHARDS, runner: Literal["processes", "threads"] = "processes", workers: int = 2
) -> Any:
    """The nights of all stores in a folder that have news.

    Args:
        folder: The folder that holds the stores.
        n_shards: In how many tasks they are walked, balanced by what was said.
        runner: Whether tasks run in processes or in threads.
        workers: How many at once.
    """
    require_server()
    try:
        fleet = walk_on(folder, n_shards, runner, workers)
    except SlowwaveError as error:
        return Failed(name=type(error).__name__, message=f"{error}. Next: {error.hint}")
    told = ", ".join(f"{n} {status.replace('_', ' ')}" for status, n in fleet.counts.items()) or "no stores"
    if fleet.failed:
        rows = [["store", "error", "next"], *([one.store, one.error, one.hint] for one in fleet.failed)]
        create_table_artifact(key="fleet-failed", table=rows, description=told)
        return Failed(name="SomeFailed", message=f"{told}. Next: the artifact fleet-failed names them.")
    return Completed(name="Completed" if fleet.walked else "NothingNew", message=told)


def walk_on(folder: str, n_shards: int, runner: str, workers: int) -> Fleet:
    """Walk the fleet on one of Prefect's task runners. Raises StoreNotFound."""
    found = stores_of(Path(folder))
    stores = [store for store in found if has_news(store)]
    kinds = {"processes": ProcessPoolTaskRunner, "threads": ThreadPoolTaskRunner}
    walked: list[Walked] = []
    with kinds[runner](max_workers=workers) as pool:
        parts = [
            pool.submit(walk, {"number": number, "stores": [str(store) for store in shard]})
            for number, shard in enumerate(shards(stores, n_shards))
        ]
        for part in parts:
            walked += part.result()
    return Fleet(tuple(sorted(walked, key=lambda one: one.store)), len(found) - len(stores))
