"""The project of a claim whose session's metadata names none: the one that it names, else the one that the observer saw beside its session.

Only what is said of work and has no slot is assigned: a preference or a promise that names a project is the owner's all the same, and a
scope is part of what a memory is. What is not known stays null. Belongs here: which project. Does not belong here: metadata (sources).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

import polars as pl

from slowwave.format import Kind
from slowwave.text import normalise
from tasks.link.aliases import Names
from tasks.link.spoken import PEOPLE

ENTITY, OBSERVER = "entity", "observer"
_OF_WORK = (Kind.PROJECT, Kind.TIMELINE_MILESTONE, Kind.TOOL_OR_WORKFLOW_LESSON, Kind.SEMANTIC_FACT)
_KNOWN = pl.Schema({"owner": pl.String, "entity_id": pl.String, "named": pl.String})


def unassigned(claims: pl.DataFrame) -> pl.DataFrame:
    """The claims without a project that an earlier night assigned: it is worked out anew from all that is known."""
    is_metadata = pl.col("project_ground").is_null()
    return claims.with_columns(project=pl.when(is_metadata).then("project"), project_ground=pl.lit(None, pl.String))


def assigned(
    claims: pl.DataFrame, mentions: pl.DataFrame, turns: pl.DataFrame, signals: pl.DataFrame, names: Names
) -> pl.DataFrame:
    """The claims of heard turns with the project that they belong to, and what says so (`project_ground`)."""
    if turns.is_empty():
        return claims
    known = _projects(claims, turns, signals, names)
    heard = pl.col("evidence").list.first().struct.field("source_id").is_in(turns["msg_key"].implode())
    may = claims.filter(
        pl.col("project").is_null()
        & pl.col("attribute").is_null()
        & pl.col("kind").is_in([kind.value for kind in _OF_WORK])
        & pl.col("trust").is_in([trust.value for trust in PEOPLE])
        & heard
    ).select("claim_id", "owner", "text", session_id=pl.col("evidence").list.first().struct.field("session_id"))
    found = may.join(_named(may, mentions, known), on="claim_id", how="left").join(
        _observed(signals, known, names), on=["owner", "session_id"], how="left"
    )
    made = found.filter(pl.col("named").is_not_null() | pl.col("seen").is_not_null()).select(
        "claim_id",
        given=pl.coalesce("named", "seen"),
        ground=pl.when(pl.col("named").is_not_null()).then(pl.lit(ENTITY)).otherwise(pl.lit(OBSERVER)),
    )
    joined = claims.join(made, on="claim_id", how="left", maintain_order="left")
    return joined.with_columns(project=pl.coalesce("project", "given"), project_ground="ground").drop("given", "ground")


def _projects(claims: pl.DataFrame, turns: pl.DataFrame, signals: pl.DataFrame, names: Names) -> pl.DataFrame:
    """Every project that metadata, an observer or somebody's words name, by its entity: as metadata writes it most."""
    told: Counter[tuple[str, str, int]] = Counter()
    for rank, frame in ((0, claims), (0, turns), (1, signals)):
        rows = frame.select("owner", "project").drop_nulls("project").filter(pl.col("project") != "")
        told.update((owner, project, rank) for owner, project in rows.iter_rows())
    told.update((owner, whole, 2) for owner, whole in _described(names))
    best: dict[tuple[str, str], tuple[tuple[int, int, str], str]] = {}
    for (owner, project, rank), n in told.items():
        key, order = (owner, names.key(owner, normalise(project))), (rank, -n, project)
        best[key] = min((order, project), best.get(key, (order, project)))
    rows = [(owner, key, project) for (owner, key), (_, project) in sorted(best.items())]
    return pl.DataFrame(rows, schema=_KNOWN, orient="row")


def _described(names: Names) -> Iterable[tuple[str, str]]:
    """Names that somebody described as a project: "Kelpline, the buoy project"."""
    for owner, joins in sorted(names.joins.items()):
        for join in joins.values():
            if join.pair.reason == "description" and join.pair.alias.endswith(" project"):
                yield owner, join.pair.whole


def _named(may: pl.DataFrame, mentions: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
    """The project of each claim that names just one."""
    joined = mentions.join(may.select("claim_id", "owner"), on="claim_id").join(known, on=["owner", "entity_id"])
    told = pl.concat([joined.select("claim_id", "named"), _spelt(may, known)])
    one = told.group_by("claim_id").agg(pl.col("named").unique())
    return one.filter(pl.col("named").list.len() == 1).select("claim_id", named=pl.col("named").list.first())


def _spelt(may: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
    """The projects whose name a claim's text has, whether or not whoever made the claim listed it as one."""
    projects: dict[str, dict[str, str]] = defaultdict(dict)
    for owner, project in known.select("owner", "named").iter_rows():
        projects[owner][project.casefold()] = project
    spelt = sorted({name for names in projects.values() for name in names})
    if not spelt:
        return pl.DataFrame(schema={"claim_id": pl.String, "named": pl.String})
    pattern = re.compile(
        rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(spelt, key=len, reverse=True)))})(?![\w-])", re.IGNORECASE
    )
    held = may.filter(pl.col("text").str.contains_any(spelt, ascii_case_insensitive=True)).select(
        "claim_id", "owner", "text"
    )
    found = [
        (claim_id, projects[owner][match[0].casefold()])
        for claim_id, owner, text in held.iter_rows()
        for match in pattern.finditer(text)
        if match[0].casefold() in projects[owner]
    ]
    return pl.DataFrame(found, schema={"claim_id": pl.String, "named": pl.String}, orient="row")


def _observed(signals: pl.DataFrame, known: pl.DataFrame, names: Names) -> pl.DataFrame:
    """The project of each session beside which the observer saw just one."""
    seen = signals.select("owner", "session_id", "project").drop_nulls().unique()
    keys = [names.key(owner, normalise(project)) for owner, project in seen.select("owner", "project").iter_rows()]
    told = seen.with_columns(entity_id=pl.Series(keys, dtype=pl.String)).join(known, on=["owner", "entity_id"])
    one = told.group_by("owner", "session_id").agg(seen=pl.col("named").unique())
    return one.filter(pl.col("seen").list.len() == 1).with_columns(pl.col("seen").list.first())
