"""How a bundle is read from one version: the answer, the snapshot that may be shown, and each section's way to its records.

Belongs here: which table answers for which section. Does not belong here: what fits (`bundles`), and what a section holds (`sections`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from slowwave.errors import UsageError, VersionGone
from slowwave.format import Document, Memory
from slowwave.planner import Plan, plan
from slowwave.reader.bundles import Bundle, Wanted, fill
from slowwave.reader.request import Only, one_of, up_to
from slowwave.reader.results import Recalled
from slowwave.reader.sections import Sections
from slowwave.reader.tables import Tables
from slowwave.reader.timeline import happened
from slowwave.when import Period

if TYPE_CHECKING:
    from slowwave.reader import Reader

T = TypeVar("T")
# Where a question names no time, what happened is told of the last days before it.
RECENT = timedelta(days=7)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a bundle was asked for; `facts` are of the moment, and `only` narrows the answer."""

    query: str
    budget_tokens: int
    profile: str
    now: datetime
    zone: str | None
    facts: Mapping[str, str]
    only: Only


def bundled(reader: Reader, tables: Tables, asked: Asked) -> Bundle:
    """The bundle of one question. Raises UsageError, EmbedderMismatch; what can't be read is left out with a warning."""
    if asked.budget_tokens < 1:
        raise UsageError(f"the budget is {asked.budget_tokens} tokens", "Give at least one.")
    planned = plan(asked.query, asked.now, asked.zone)
    warnings: list[str] = []
    results = _or_warn(warnings, "answer", lambda: _results(reader, asked)) or []
    snapshot = _or_warn(warnings, "snapshot", lambda: _snapshot(tables, asked, warnings))
    made = fill(
        Wanted(planned.mode, asked.budget_tokens, results, snapshot, _sections(tables, planned, asked), tuple(warnings))
    )
    zone = asked.zone or reader.manifest.zone or "UTC"
    return replace(made, version=reader.version, zone=zone, warnings=(*reader.warnings, *made.warnings))


def _or_warn(warnings: list[str], what: str, read: Callable[[], T]) -> T | None:
    try:
        return read()
    except VersionGone as error:
        warnings.append(f"no {what}: {error}. {error.hint}")
        return None


def _results(reader: Reader, asked: Asked) -> list[Recalled]:
    half = max(1, asked.budget_tokens // 2)
    return reader.recall(asked.query, 10, half, at=asked.now, zone=asked.zone, **asked.only)


def _snapshot(tables: Tables, asked: Asked, warnings: list[str]) -> Document | None:
    """The profile's text; none where it holds what is more private than was asked for."""
    found = [one for one in tables.where("documents", Document) if one.name in (asked.profile, f"{asked.profile}.md")]
    if not found:
        warnings.append(f"this version has no document {asked.profile!r}")
        return None
    level = asked.only.get("max_privacy")
    if level is not None and _is_too_private(tables, found[0], level):
        warnings.append(f"the document {asked.profile!r} holds what is more private than {level}, and is left out")
        return None
    return found[0]


def _is_too_private(tables: Tables, document: Document, level: str) -> bool:
    within = {one.privacy for one in tables.by_ids("memories", Memory, document.memory_ids).values()}
    return not within <= set(up_to(level))


def _sections(tables: Tables, planned: Plan, asked: Asked) -> dict[str, Callable[[int], list[Recalled]]]:
    level, project = asked.only.get("max_privacy"), asked.only.get("project")
    held = Sections(tables, asked.now, () if level is None else (one_of("privacy", up_to(level)),))
    return {
        "commitments": held.commitments,
        "collaborators": held.collaborators,
        "project": lambda n: held.project(project, n),
        "episodes": lambda n: _episodes(tables, planned, asked, n),
        "preferences": held.preferences,
        "guidance": lambda n: held.guidance(asked.facts, n),
    }


def _episodes(tables: Tables, planned: Plan, asked: Asked, n: int) -> list[Recalled]:
    # An episode has no level of privacy of its own, so it is only told where no level is asked for.
    if asked.only.get("max_privacy") is not None:
        return []
    return happened(tables, planned.window or Period(asked.now - RECENT, asked.now), n, asked.only.get("project"))
