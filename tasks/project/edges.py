"""Relations: which entities are spoken of together, who works on what or prefers what, what waits for whom, and which memory took
another's place.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import polars as pl

from models.claim import Mention
from models.ids import make_id
from models.memory import EdgeRow, EntityRow
from models.rules import Owner
from models.table import Frame, rows_to_frame
from slowwave.format import Edge, Kind, Polarity, Status

_WORK = (Kind.COLLABORATOR, Kind.PROJECT)
_TASTE = (Kind.PREFERENCE, Kind.COMMUNICATION_PREFERENCE)
_BLOCKED = re.compile(
    r"(?i)\b(?:blocked (?:by|on)|waits? (?:for|on)|waiting (?:for|on)|held up by|stuck (?:on|until)|depends? on)\b"
)
_Triple = tuple[str, str, str]


def with_entities(memories: pl.DataFrame, mentions: Frame[Mention]) -> pl.DataFrame:
    """The memories with every entity that their claims mention, sorted."""
    named = memories.select("id", pl.col("claim_ids").alias("claim_id")).explode("claim_id").drop_nulls("claim_id")
    found = named.join(mentions, on="claim_id").group_by("id").agg(pl.col("entity_id").alias("mentioned"))
    return (
        memories.join(found, on="id", how="left", maintain_order="left")
        .with_columns(pl.col("entity_ids").list.set_union(pl.col("mentioned").fill_null([])).list.sort())
        .drop("mentioned")
    )


def find_edges(
    memories: pl.DataFrame, entities: Frame[EntityRow], mentions: Frame[Mention], owner: Owner
) -> Frame[EdgeRow]:
    """All relations, each with the memories that say so; between entities, only active memories count."""
    kinds = dict(entities.select("id", "kind").iter_rows())
    names = {one: (name, *aliases) for one, name, aliases in entities.select("id", "name", "aliases").iter_rows()}
    user = _user_entity(entities, owner)
    rows = memories.select(
        "id",
        "owner",
        "kind",
        "status",
        "subject",
        "entity_ids",
        "superseded_by",
        "confidence",
        "polarity",
        "text",
        "value",
    ).to_dicts()
    doubts: dict[_Triple, float] = defaultdict(lambda: 1.0)
    witnesses: dict[_Triple, set[str]] = defaultdict(set)
    for row in sorted(rows, key=lambda one: one["id"]):
        for triple in (*_relations(row, kinds, user), *_said_of(row, names, user)):
            doubts[triple] *= 1 - row["confidence"]
            witnesses[triple].add(row["id"])
    found = [*_between_entities(rows, doubts, witnesses), *_supersessions(rows)]
    return rows_to_frame(EdgeRow, [EdgeRow.model_validate(vars(edge)) for edge in found])


def _user_entity(entities: Frame[EntityRow], owner: Owner) -> str | None:
    names = {"user", *(name.casefold() for name in owner.names)}
    found = entities.filter(pl.col("name").str.to_lowercase().is_in(sorted(names)), pl.col("kind") == "person")
    return str(found["id"].item()) if found.height == 1 else None


def _relations(row: dict[str, Any], kinds: dict[str, str], user: str | None) -> Iterator[_Triple]:
    """What one active memory says of its entities; who works with whom only where its kind is about work."""
    if row["status"] != Status.ACTIVE:
        return
    present = [one for one in sorted(set(row["entity_ids"])) if one in kinds]
    for source, target in combinations(present, 2):
        yield source, "mentioned_with", target
    if row["kind"] not in _WORK:
        return
    people = sorted({one for one in present if kinds[one] == "person"} | ({user} if user else set()))
    projects = [one for one in present if kinds[one] == "project"]
    if row["kind"] == Kind.COLLABORATOR:
        yield from ((source, "collaborates_with", target) for source, target in combinations(people, 2))
    stated = [one for one in people if one in present] or ([user] if user and row["subject"] == "user" else [])
    yield from ((person, "works_on", project) for person in stated for project in projects)


def _said_of(row: dict[str, Any], names: dict[str, tuple[str, ...]], user: str | None) -> Iterator[_Triple]:
    """What an active statement says of the user's entity: prefers what its value names, is blocked by what its text then names."""
    if user is None or row["status"] != Status.ACTIVE or row["polarity"] != Polarity.ASSERT or row["subject"] != "user":
        return
    others = [one for one in sorted(set(row["entity_ids"])) if one in names and one != user]
    if row["kind"] in _TASTE:
        yield from ((user, "prefers", one) for one in others if _names_one(row["value"] or "", names[one]))
    if blocked := _BLOCKED.search(row["text"]):
        rest = row["text"][blocked.end() :]
        yield from ((user, "blocked_by", one) for one in others if _names_one(rest, names[one]))


def _names_one(text: str, names: tuple[str, ...]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in names)


def _between_entities(
    rows: list[dict[str, Any]], doubts: dict[_Triple, float], witnesses: dict[_Triple, set[str]]
) -> Iterator[Edge]:
    owner = rows[0]["owner"] if rows else ""
    for (source, relation, target), doubt in doubts.items():
        yield Edge(
            id=make_id("edge", owner, source, relation, target),
            owner=owner,
            source_id=source,
            relation=relation,
            target_id=target,
            confidence=1 - doubt,
            memory_ids=sorted(witnesses[source, relation, target]),
        )


def _supersessions(rows: list[dict[str, Any]]) -> Iterator[Edge]:
    by_id = {row["id"]: row for row in rows}
    for row in rows:
        successor = by_id.get(row["superseded_by"] or "")
        if successor:
            yield Edge(
                id=make_id("edge", row["owner"], successor["id"], "supersedes", row["id"]),
                owner=row["owner"],
                source_id=successor["id"],
                relation="supersedes",
                target_id=row["id"],
                confidence=successor["confidence"],
                memory_ids=sorted((successor["id"], row["id"])),
            )
