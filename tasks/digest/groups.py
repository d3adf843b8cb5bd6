"""Roll-ups of what has no period: a platform, a channel, a person, a project; each in the few statements that count most there.

Belongs here: who or what is rolled up, and the score of a statement in it. Nothing depends on the date of the night: recency is counted
from the newest statement of the group, so that a roll-up changes only when something is said. Does not belong here: time (`rollups`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from math import exp
from typing import NamedTuple

import polars as pl

from models.ids import make_id
from models.rules import DigestRules
from slowwave.format import Episode
from slowwave.strength import DAY_SECONDS
from tasks.digest.statements import Statement

# What a statement gains beside its importance, each from 0 to 1.
_WEIGHTS = {"importance": 1.0, "recency": 0.5, "access": 0.3, "pinned": 1.0, "media": 0.2}
# A stability of a year counts as much as access can: what is said or used again and again.
_FULL_STABILITY_DAYS = 365.0


class _Group(NamedTuple):
    """What is rolled up: a level, its name within the owner, and how it is shown."""

    owner: str
    level: str
    name: str
    shown: str


def group_rollups(statements: Sequence[Statement], entities: pl.DataFrame, *, rules: DigestRules) -> list[Episode]:
    """One summary for each platform, channel, person and project of which at least `rules.min_rollup_statements` are told."""
    known = entities.filter(pl.col("kind").is_in(["person", "project"])).select("id", "owner", "kind", "name")
    # All of a memory is about its owner, so that the owner needs no roll-up.
    named = {key: (kind, name) for key, owner, kind, name in known.iter_rows() if key != make_id("ent", owner, "user")}
    told: dict[_Group, dict[str, Statement]] = defaultdict(dict)
    for statement in statements:
        for group in _groups_of(statement, named):
            told[group].setdefault(statement.memory_id, statement)
    return [
        _rolled(group, list(parts.values()), rules)
        for group, parts in sorted(told.items())
        if len(parts) >= rules.min_rollup_statements
    ]


def _groups_of(statement: Statement, named: dict[str, tuple[str, str]]) -> Iterator[_Group]:
    if statement.platform:
        yield _Group(statement.owner, "platform", statement.platform, statement.platform)
    if statement.thread:
        channel = f"{statement.platform}/{statement.thread}"
        yield _Group(statement.owner, "channel", channel, statement.thread)
    if statement.project:
        yield _Group(statement.owner, "project", statement.project.casefold(), statement.project)
    for entity in statement.entity_ids:
        if entity in named:
            kind, name = named[entity]
            key = name.casefold() if kind == "project" else entity
            if kind != "project" or key != (statement.project or "").casefold():
                yield _Group(statement.owner, kind, key, name)


def _rolled(group: _Group, parts: Sequence[Statement], rules: DigestRules) -> Episode:
    times = [one.happened_at for one in parts if one.happened_at]
    newest = max(times, default=None)
    ranked = sorted(parts, key=lambda one: (-score(one, newest, rules), one.memory_id))
    chosen = list({one.text: one for one in reversed(ranked)}.values())[::-1][: rules.max_rollup_sentences]
    told = sorted(chosen, key=lambda one: (one.happened_at is None, one.happened_at, one.place))
    return Episode(
        id=make_id("epi", group.owner, group.level, group.name),
        owner=group.owner,
        level=group.level,
        kind="summary",
        title=group.shown,
        text=" ".join(one.text for one in told),
        started_at=min(times, default=None),
        ended_at=newest,
        platform=_only(one.platform for one in parts),
        project=_only(one.project for one in parts),
        people=sorted({one.subject for one in parts} - {"user", "assistant"}),
        session_ids=sorted({one.session_id for one in parts}),
        importance=max(one.importance for one in parts),
        part_ids=sorted({one.memory_id for one in parts}),
        evidence=list(dict.fromkeys(proof for one in told for proof in one.evidence)),
    )


def score(one: Statement, newest: datetime | None, rules: DigestRules) -> float:
    """How much a statement counts in a roll-up: importance, recency, access, pins and media, each weighed by a round number."""
    days = (newest - one.happened_at).total_seconds() / DAY_SECONDS if newest and one.happened_at else None
    parts = {
        "importance": one.importance,
        "recency": exp(-days / rules.recency_days) if days is not None else 0.0,
        "access": min(1.0, one.stability_days / _FULL_STABILITY_DAYS),
        "pinned": float(one.is_pinned),
        "media": float(one.has_media),
    }
    return sum(_WEIGHTS[name] * value for name, value in parts.items())


def _only(values: Iterable[str | None]) -> str | None:
    """The one value that all share, or nothing."""
    found = set(values)
    return found.pop() if len(found) == 1 else None
