"""`slowwave doctor`: looks at all that a night needs, changes nothing, sends nothing, and says for each what to do.

Belongs here: what is looked at, in order. Does not belong here: the version itself, which `slowwave verify` reads from end to end.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from adapters.settings import Settings, load
from adapters.sources import parse_source
from flows import ledger
from flows.quiet import require_server, server
from flows.service import default_home, running
from slowwave import store as layout
from slowwave.errors import SlowwaveError

_NEEDED = ("polars", "pyarrow", "pylance", "lancedb", "duckdb", "great-expectations", "pydantic", "prefect")
_LEAST_BYTES = 2 * 2**30
_AHEAD = timedelta(minutes=5)


@dataclass(frozen=True)
class Look:
    """One thing that was looked at: whether it is well, what was found, and what to do where it is not."""

    what: str
    is_well: bool
    found: str
    next_step: str = ""


def doctor(store: Path) -> list[Look]:
    """Look at everything; what can't be looked at is not well."""
    looks = [*_environment(), *_place(store)]
    try:
        settings = load(store)
    except SlowwaveError as error:
        return [*looks, _ill("settings", error)]
    looks.append(Look("settings", True, "every setting is one that there is"))
    rest: list[Callable[[], Iterator[Look]]] = [
        lambda: _clock(store, settings),
        lambda: _sources(settings),
        lambda: _embedder(settings),
        lambda: _model(settings),
        lambda: _versions(store),
        lambda: _nights(store, settings),
        _server,
    ]
    return [*looks, *(look for part in rest for look in part())]


def _ill(what: str, error: SlowwaveError) -> Look:
    return Look(what, False, str(error), error.hint)


def _environment() -> Iterator[Look]:
    is_known = (3, 11) <= sys.version_info[:2] < (3, 14)
    yield Look("python", is_known, sys.version.split()[0], "Use Python 3.11, 3.12 or 3.13: make install PYTHON=...")
    missing = [name for name in _NEEDED if not _is_there(name)]
    yield Look("libraries", not missing, f"missing: {', '.join(missing)}" if missing else "all there", "make install")
    if os.environ.get("PYTHONDONTWRITEBYTECODE"):
        yield Look("bytecode", False, "PYTHONDONTWRITEBYTECODE doubles every start-up", "Empty that variable.")


def _is_there(name: str) -> bool:
    try:
        return bool(version(name))
    except PackageNotFoundError:
        return False


def _place(store: Path) -> Iterator[Look]:
    if not store.is_dir():
        yield Look("store", False, f"there is no folder {store}", f"slowwave init --store {store}")
        return
    is_ours = os.access(store, os.R_OK | os.W_OK | os.X_OK)
    yield Look(
        "store",
        is_ours,
        f"{store} can be {'written' if is_ours else 'no more than read'}",
        "Change its owner or its mode.",
    )
    others = store.stat().st_mode & 0o077
    yield Look(
        "privacy",
        not others,
        "others may read it" if others else "its owner's alone",
        f"chmod 700 {store}; a night does it too.",
    )
    free = shutil.disk_usage(store).free
    yield Look(
        "disk", free > _LEAST_BYTES, f"{free / 2**30:.1f} GiB free", "Make room: a night that can't write fails."
    )


def _clock(store: Path, settings: Settings) -> Iterator[Look]:
    zone = settings.owner.zone or "UTC"
    try:
        now = datetime.now(ZoneInfo(zone))
    except ZoneInfoNotFoundError:
        yield Look(
            "clock", False, f"no zone {zone} on this machine", "pip install tzdata, or name another under [owner]."
        )
        return
    serving = _serving(store)
    is_behind = serving is not None and serving.as_of > datetime.now(UTC) + _AHEAD
    found = f"{now:%Y-%m-%d %H:%M} {zone}"
    ahead = f"; the version that serves is of {serving.as_of:%Y-%m-%d %H:%M} UTC" if serving and is_behind else ""
    yield Look(
        "clock",
        not is_behind,
        found + ahead,
        "Set the clock; nights are never walked before the version they go on from.",
    )


def _serving(store: Path) -> layout.Manifest | None:
    try:
        name = layout.read_current(store)
        return layout.read_manifest(store, name) if name else None
    except SlowwaveError:
        return None


def _sources(settings: Settings) -> Iterator[Look]:
    if not settings.night.sources:
        yield Look("sources", True, "none in the settings: a night reads the inbox, and what --source names")
    for text in settings.night.sources:
        try:
            source = parse_source(text)
        except SlowwaveError as error:
            yield _ill("sources", error)
            continue
        is_readable = os.access(source.path, os.R_OK)
        yield Look(
            "sources",
            is_readable,
            f"{text} can{'' if is_readable else 'not'} be read",
            "Check path and mode; slowwave sources PATH says more.",
        )


def _embedder(settings: Settings) -> Iterator[Look]:
    name = settings.embed.embedder
    if name.startswith(("litellm:", "fastembed:")):
        yield Look("embedder", True, f"{name}: not tried, since it may need the network")
        return
    from adapters.embedder import open_embedder

    began = time.perf_counter()
    try:
        open_embedder(name)(["a kiln"])
        yield Look("embedder", True, f"{name} made a vector in {time.perf_counter() - began:.1f} s, loading included")
    except SlowwaveError as error:
        yield _ill("embedder", error)


def _model(settings: Settings) -> Iterator[Look]:
    from adapters.llm.access import is_local, require_allowed

    night, egress = settings.night, settings.egress
    if night.model == "offline":
        yield Look("model", True, "offline: rules, nothing leaves the machine")
        return
    try:
        require_allowed(night.model, night.api_base or None, egress.allowed_models, egress.proxies)
    except SlowwaveError as error:
        yield _ill("model", error)
        return
    where = "on this machine" if is_local(night.model, night.api_base, egress.proxies) else "hosted, and allowed"
    yield Look(
        "model", True, f"{night.model}: {where}; not asked. slowwave night --dry-run says what a night would ask"
    )


def _versions(store: Path) -> Iterator[Look]:
    try:
        name = layout.read_current(store) if store.is_dir() else None
        if name is None:
            yield Look("version", True, "nothing published yet", "")
            return
        manifest = layout.read_whole(store, name)
    except SlowwaveError as error:
        yield _ill("version", error)
        return
    lost = layout.missing_of(store, manifest)
    yield Look(
        "version",
        not lost,
        f"{name} serves" + (f", without {', '.join(lost)}" if lost else ""),
        "slowwave verify, then slowwave rollback.",
    )
    rolled = layout.read_rollback(store)
    if rolled is not None and rolled.is_held:
        yield Look(
            "held", False, f"held since {rolled.at:%Y-%m-%d}: nights read nothing", "slowwave resume --store DIR"
        )


def _nights(store: Path, settings: Settings) -> Iterator[Look]:
    for run in ledger.runs(store)[:1]:
        entry = ledger.read(store, run)
        at, status = datetime.fromisoformat(entry["as_of"]), entry.get("status", "unknown")
        is_old = datetime.now(UTC) - at > timedelta(hours=settings.alerts.silent_hours)
        is_well = status in ("published", "nothing_to_do") and not is_old
        step = (
            "Run one: slowwave night --store DIR; slowwave up has them run by themselves."
            if is_old
            else f"slowwave report {run}"
        )
        yield Look("last night", is_well, f"{run}: {status.replace('_', ' ')}{', long ago' if is_old else ''}", step)


def _server() -> Iterator[Look]:
    alive = running(default_home())
    if alive:
        lost = {"server", "worker", "watch"} - set(alive)
        yield Look("service", not lost, f"running: {', '.join(sorted(alive))}", "slowwave up starts what is missing.")
    if server() is None:
        return
    try:
        require_server()
        yield Look("server", True, f"{server()} answers")
    except SlowwaveError as error:
        yield _ill("server", error)
