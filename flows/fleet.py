"""The nights of many stores, in shards: a fleet is a folder of stores, and each store is walked as any other is, plainly.

Only stores with news are opened; one that fails fails alone. A shard is what a process or a Prefect task walks, one store after another, so
that what a night loads is loaded once. Belongs here: which stores, in which shards, and what became of them. Does not belong here: Prefect
(`fleet_flow`).
"""

from __future__ import annotations

import heapq
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

from adapters import soul
from adapters.forget import stones
from adapters.settings import load
from adapters.sources import parse_source
from flows import ledger
from flows.begin import ENDED
from flows.plan import Plan
from flows.road import consolidated
from flows.step import here
from slowwave import store as layout
from slowwave.errors import SlowwaveError, StoreNotFound

# A store without news is opened all the same after so long: a date may have changed what it holds.
QUIET_DAYS = 7.0
_DAY = 86400.0
# What an open store costs beside its news, in bytes of them.
_BASE_BYTES = 20_000


@dataclass(frozen=True)
class Walked:
    """What became of one store: its status as a night's, or `failed` with the error and its next step."""

    store: str
    status: str
    version: str | None = None
    error: str = ""
    hint: str = ""
    cpu_seconds: float = 0.0


@dataclass(frozen=True)
class Fleet:
    """What became of a fleet: the stores that were walked, and how many had no news."""

    walked: tuple[Walked, ...]
    n_quiet: int

    @property
    def counts(self) -> dict[str, int]:
        """Stores by what became of them, the most frequent first."""
        counted = Counter(one.status for one in self.walked)
        return {**dict(counted.most_common()), **({"no_news": self.n_quiet} if self.n_quiet else {})}

    @property
    def failed(self) -> list[Walked]:
        """The stores whose nights failed or were refused."""
        return [one for one in self.walked if one.error]

    @property
    def exit_status(self) -> int:
        """0 where every night ended well, else as of a night that failed."""
        return SlowwaveError.exit_status if self.failed else 0


def stores_of(folder: Path) -> list[Path]:
    """The stores in a folder, by name: what has settings, an inbox or a version. Raises StoreNotFound."""
    if not folder.is_dir():
        raise StoreNotFound(f"there is no folder {folder}", "Name the folder that holds the stores.")
    return sorted(
        path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".") and _is_store(path)
    )


def _is_store(path: Path) -> bool:
    return any((path / name).exists() for name in ("slowwave.toml", "inbox", layout.CURRENT))


def has_news(store: Path, now: float | None = None) -> bool:
    """Whether something was said, recorded or set since the store's last night began, or that is long ago; no table is opened."""
    since = _last_night(store)
    if (now or time.time()) - since > QUIET_DAYS * _DAY or _touched(store / soul.NAME) > _touched(store / soul.BASE):
        return True
    places = [
        store / "inbox",
        store / "slowwave.toml",
        store / stones.FOLDER,
        store / layout.ROLLBACK,
        *_sources(store),
    ]
    return any(_touched(path) > since for place in places for path in _within(place))


def _last_night(store: Path) -> float:
    """When the last night that ended well began to listen; 0 where there was none. What is published early is no night."""
    for run in ledger.runs(store):
        entry = ledger.read(store, run)
        if (
            entry.get("status") in ENDED
            and not str(entry.get("trigger", "")).startswith("flush")
            and entry.get("heard_at")
        ):
            return datetime.fromisoformat(entry["heard_at"]).timestamp()
    return 0.0


def _sources(store: Path) -> list[Path]:
    """The places that the store's settings name; of settings that are wrong the night says so."""
    try:
        return [parse_source(text).path for text in load(store).night.sources]
    except SlowwaveError:
        return [store]


def _within(place: Path) -> Iterator[Path]:
    yield place
    if place.is_dir():
        yield from place.rglob("*")


def _touched(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def shards(stores: Sequence[Path], n: int) -> list[list[Path]]:
    """The stores in at most `n` shards of about the same work, by the size of what was said; every store in one of them."""
    sized = sorted(((_size(store), store) for store in stores), key=lambda one: (-one[0], one[1]))
    made: list[list[Path]] = [[] for _ in range(max(1, min(n, len(stores))))]
    least = [(0, number) for number in range(len(made))]
    for size, store in sized:
        total, number = heapq.heappop(least)
        made[number].append(store)
        heapq.heappush(least, (total + size, number))
    return [shard for shard in made if shard]


def _size(store: Path) -> int:
    files = (path for path in _within(store / "inbox") if path.is_file())
    return _BASE_BYTES + sum(path.stat().st_size for path in files)


def walk_shard(stores: Iterable[Path], as_of: datetime | None = None) -> list[Walked]:
    """Walk one store after another; what goes wrong with one is written down, and the next is walked."""
    return [_walked(store, as_of) for store in stores]


def _walked(store: Path, as_of: datetime | None) -> Walked:
    began = time.process_time()
    try:
        outcome = consolidated(Plan(store, as_of=as_of, trigger="fleet"), here)
    except SlowwaveError as error:
        return Walked(store.name, "failed", None, str(error), error.hint, time.process_time() - began)
    except Exception as error:
        # A bug of ours in one store must not keep ten thousand others from their nights.
        told = f"{type(error).__name__}: {error}"
        return Walked(
            store.name,
            "failed",
            None,
            told,
            f"Run it alone: slowwave night --store {store}",
            time.process_time() - began,
        )
    return Walked(store.name, outcome.status, outcome.version, cpu_seconds=time.process_time() - began)


def walk_fleet(folder: Path, workers: int = 1, as_of: datetime | None = None, *, is_all: bool = False) -> Fleet:
    """Walk every store of a folder that has news, or all of them, by so many processes. Raises StoreNotFound."""
    found = stores_of(folder)
    stores = found if is_all else [store for store in found if has_news(store)]
    # A moment for all, so that it does not matter which process walks which store.
    at = as_of or datetime.now(UTC)
    if workers <= 1 or len(stores) <= 1:
        walked = walk_shard(stores, at)
    else:
        # Not forked: libraries that keep threads do not survive it.
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            parts = pool.map(walk_shard, shards(stores, workers), [at] * workers)
            walked = [one for part in parts for one in part]
    return Fleet(tuple(sorted(walked, key=lambda one: one.store)), len(found) - len(stores))
