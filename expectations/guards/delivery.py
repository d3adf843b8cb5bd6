"""Delivery lint: every scheduled job says to whom it delivers, by a handle and not by "whoever spoke last"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from expectations.guards.seen import Finding, Seen, found
from expectations.guards.values import MISSING, is_same, value_at
from expectations.promise import Fact
from models.guarding import GuardRules, JobFile, WatchedFile
from slowwave.text import legible, normalise

_MAX_NAME_CHARS = 60
_NAMES = ("id", "jobId", "name")


def delivery(seen: Seen, rules: GuardRules) -> Iterator[Fact]:
    """A fact for jobs without an explicit handle, and one for files in which the jobs are not where they should be."""
    implicit = frozenset(map(normalise, rules.implicit_handles))
    read = [
        (file, one, _jobs(file, one))
        for one in rules.jobs.values()
        for file in seen.files
        if file.is_of((one.file,)) and not file.fault
    ]
    yield found(
        "delivery.handles",
        "every scheduled job that delivers something addresses an explicit handle",
        (
            Finding(f"{file.name}: job {name}")
            for file, one, jobs in read
            for name, job in jobs or ()
            if not (_is_exempt(job, one) or _is_addressed(job, one, implicit))
        ),
        "Give the job the id of the chat, channel or person it is for; or switch its delivery off.",
    )
    yield found(
        "delivery.jobs",
        "every file of scheduled jobs has its jobs where the settings say",
        (Finding(file.name) for file, _, jobs in read if jobs is None),
        "Set `jobs` of that file under [guards.jobs] to the way to its list of jobs.",
    )


def _jobs(file: WatchedFile, one: JobFile) -> list[tuple[str, Any]] | None:
    """The jobs of a file with their names; None where there is neither a list nor a table of them."""
    held = value_at(file.data, one.jobs) if one.jobs else file.data
    if isinstance(held, list):
        return [(_name(job, str(at)), job) for at, job in enumerate(held)]
    return [(_short(str(key)), job) for key, job in held.items()] if isinstance(held, dict) else None


def _name(job: Any, place: str) -> str:
    told = (job[key] for key in _NAMES if isinstance(job.get(key), str | int)) if isinstance(job, dict) else iter(())
    return _short(str(next(told, place)))


def _short(name: str) -> str:
    return legible(name)[:_MAX_NAME_CHARS]


def _is_exempt(job: Any, one: JobFile) -> bool:
    """Whether a job delivers nothing: one of the conditions `way=value` holds."""
    conditions = (condition.partition("=") for condition in one.exempt)
    return any(is_same(_at(job, way), value) for way, _, value in conditions)


def _is_addressed(job: Any, one: JobFile, implicit: frozenset[str]) -> bool:
    """Whether one of the ways leads to a handle, or to handles alone."""
    found_ = [_at(job, way) for way in one.handles]
    lists = [to if isinstance(to, list) else [to] for to in found_]
    return any(bool(tos) and all(_is_handle(to, implicit) for to in tos) for tos in lists)


def _is_handle(to: Any, implicit: frozenset[str]) -> bool:
    is_plain = isinstance(to, str | int) and not isinstance(to, bool)
    return is_plain and normalise(to if isinstance(to, str) else f"{to:x}") not in implicit | {""}


def _at(job: Any, way: str) -> Any:
    found_ = value_at(job, way.strip())
    return None if found_ is MISSING else found_
