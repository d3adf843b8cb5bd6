"""Mentions and entities: rows for the people, projects, organisations, places and things that claims name.

Belongs here: rows and a guess of each entity's kind. Does not belong here: which names are one.
"""

from __future__ import annotations

import re
from typing import Any

import polars as pl

from models.ids import make_id
from models.memory import EntityRow
from models.rules import Owner
from models.table import pairs_once, polars_schema
from slowwave.format import Kind
from tasks.link.aliases import ASSISTANT, USER, Names
from tasks.link.mentioned import known_forms, spoken
from tasks.link.words import ORGANISATION, PLACE
from tasks.merge.identity import normalised

_QUOTES = 3
_SHOWN = pl.Schema({"name": pl.String, "aliases": pl.List(pl.String), "kind": pl.String})
_PERSON = re.compile(r"^(?:(?:Dr|Prof|Mr|Mrs|Ms)\.? )?[^\W\d_a-z][^\W\d_]+(?:[ -][^\W\d_a-z][\w.'’-]+){1,3}$")


def mention(claims: pl.DataFrame, names: Names) -> pl.DataFrame:
    """One row a claim (`n`, its row) and name: its subject and the names in it, each with its entity. The assistant is no entity.

    A name that is known under another is found wherever it stands, also where whoever made the claim listed no such name.
    """
    told = claims.select("claim_id", "owner", "subject", "subject_key", "mentions").with_row_index("n")
    subjects = told.select("n", "owner", name="subject", key="subject_key").filter(pl.col("key") != ASSISTANT)
    others = told.select("n", "owner", name="mentions").explode("name").drop_nulls("name")
    found = spoken(claims, names).join(told.select("n", "claim_id"), on="claim_id").select("n", "owner", "name", "key")
    parts = [(_with_ids(subjects), True), (_keyed(others, names), False), (_with_ids(found), False)]
    rows = pl.concat(rows.select("n", "name", "entity_id", is_subject=pl.lit(is_one)) for rows, is_one in parts)
    ordered = rows.sort("n", "name", "is_subject", "entity_id", descending=[False, False, True, False])
    is_first = (pl.col("n") != pl.col("n").shift()) | (pl.col("name") != pl.col("name").shift())
    first = ordered.filter(is_first.fill_null(True))
    return first.with_columns(claim_id=claims["claim_id"].gather(first["n"]))


def _keyed(others: pl.DataFrame, names: Names) -> pl.DataFrame:
    distinct = others.select("owner", "name").unique()
    named = distinct.with_columns(plain=normalised(distinct["name"])).filter(~pl.col("plain").is_in(["", ASSISTANT]))
    keys = pl.Series([names.key(*row) for row in named.select("owner", "plain").iter_rows()], dtype=pl.String)
    known = _with_ids(named.with_columns(key=keys)).select("owner", "name", "entity_id")
    return others.join(known, on=["owner", "name"])


def _with_ids(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(entity_id=_entity_ids("key", "owner"))


def _entity_ids(key: str, owner: str) -> pl.Expr:
    """A derived key is the entity's id already; the user's and a given one are hashed into one."""

    def hashed(batch: pl.Series) -> pl.Series:
        frame = batch.struct.unnest()
        distinct = frame.unique()
        ids = [k if k.startswith("ent_") else make_id("ent", o, k) for k, o in distinct.select(key, owner).iter_rows()]
        known = distinct.with_columns(made=pl.Series(ids, dtype=pl.String))
        return frame.join(known, on=[key, owner], how="left", maintain_order="left")["made"]

    return pl.struct(key, owner).map_batches(hashed, return_dtype=pl.String)


def gather(claims: pl.DataFrame, mentions: pl.DataFrame, names: Names, owner: Owner) -> pl.DataFrame:
    """One row an entity: the fullest name, the other names, how often, when, and a few quotes. `mentions` are those of `mention`."""
    # Numbers are grouped and sorted where ids would be: there are as many as names in claims.
    rows = mentions.with_columns(e=pl.col("entity_id").cast(pl.Categorical).to_physical())
    told = _in_time(claims, rows)
    seen = told.group_by("e").agg(
        n_mentions=pl.len(), first_seen_at=pl.col("said_at").min(), last_seen_at=pl.col("said_at").max()
    )
    known = rows.select("e", "entity_id", "n").unique("e")
    found = known.with_columns(owner=claims["owner"].gather(known["n"])).drop("n").join(seen, on="e")
    grouped = found.join(_as_subjects(claims, rows), on="e", how="left").join(
        _quotes(told, claims, names, known), on="entity_id", how="left"
    )
    forms = _forms(pl.concat([rows.select("entity_id", "name"), _named(names)]))
    named = grouped.join(forms, on="entity_id", how="left", maintain_order="left").rename({"entity_id": "id"})
    told_of = named.select("names", "is_user", "speaks", "kinds").iter_rows(named=True)
    shown = pl.DataFrame([_shown(row, owner) for row in told_of], schema=_SHOWN, orient="row")
    return named.hstack(shown).select(polars_schema(EntityRow).names())


def _in_time(claims: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Each entity (`e`) and claim that names it (`n`), once, entity by entity in order of time."""
    order = claims.select("said_at").with_row_index("n").sort("said_at", nulls_last=True, maintain_order=True)
    places = order.select("n").with_row_index("at").sort("n")["at"]
    met = pairs_once(rows["e"], places.gather(rows["n"]))
    return met.select("e").hstack(order[met["at"]])


def _as_subjects(claims: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """What claims about an entity tell of it: their kinds, whether it speaks, and whether it is the user."""
    speaks = pl.col("text").str.starts_with(pl.col("subject") + ": ")
    told = claims.select(pl.col("kind").cast(pl.Categorical), is_user=pl.col("subject_key") == USER, speaks=speaks)
    about = rows.filter("is_subject").select("e", "n")
    once = about.select("e").hstack(told[about["n"]]).unique()
    return once.group_by("e").agg(
        pl.col("is_user").any(), pl.col("speaks").any(), kinds=pl.col("kind").cast(pl.String).unique().sort()
    )


def _named(names: Names) -> pl.DataFrame:
    """Every joined name as it was said, by entity."""
    return known_forms(names).select(entity_id=_entity_ids("key", "owner"), name="name")


def _quotes(told: pl.DataFrame, claims: pl.DataFrame, names: Names, known: pl.DataFrame) -> pl.DataFrame:
    """What was said first of each entity, a few spans, one a claim; and what shows that its names are one."""
    first = told.group_by("e", maintain_order=True).agg(pl.col("n").head(_QUOTES)).explode("n")
    cited = first.join(known.select("e", "entity_id"), on="e", maintain_order="left")
    quoted = cited.select("entity_id", evidence=claims["evidence"].gather(cited["n"]).list.first())
    both = pl.concat([quoted, _proofs(names, quoted.schema)]).unique(maintain_order=True)
    return both.group_by("entity_id", maintain_order=True).agg("evidence")


def _proofs(names: Names, schema: pl.Schema) -> pl.DataFrame:
    """The sentences that join an entity's names, in order of time."""
    shown = {(owner, key, proof) for owner, key, _, proof in names.forms()}
    rows = sorted(shown, key=lambda row: (row[0], row[1], str(row[2].said_at), row[2].source_id, row[2].start))
    made = pl.DataFrame(
        {
            "owner": [row[0] for row in rows],
            "key": [row[1] for row in rows],
            "evidence": pl.Series([vars(row[2]) for row in rows], dtype=schema["evidence"]),
        },
        schema_overrides={"owner": pl.String, "key": pl.String},
    )
    return (
        made.select(entity_id=_entity_ids("key", "owner"), evidence="evidence")
        .group_by("entity_id", maintain_order=True)
        .agg(pl.col("evidence").head(_QUOTES))
        .explode("evidence")
    )


def _forms(rows: pl.DataFrame) -> pl.DataFrame:
    """Every entity's names as said, the fullest first, descriptions last; forms that only differ in case or spacing count once."""
    forms = rows.select("entity_id", "name").unique()
    ordered = (
        forms.with_columns(
            plain=normalised(forms["name"]),
            size=pl.col("name").str.strip_chars().str.len_chars(),
            is_described=pl.col("name").str.contains(r"^(?i:the|my) "),
        )
        .sort("entity_id", "is_described", "size", "name", descending=[False, False, True, False])
        .unique(["entity_id", "plain"], keep="first", maintain_order=True)
    )
    return ordered.group_by("entity_id", maintain_order=True).agg(names=pl.col("name").str.strip_chars())


def _shown(row: dict[str, Any], owner: Owner) -> tuple[str, list[str], str]:
    """The name of an entity, its others, and its kind."""
    shown: list[str] = row["names"]
    if row["is_user"] and owner.names:
        shown = [*owner.names, *(name for name in shown if name not in owner.names)]
    return shown[0], shown[1:], _kind(row, shown[0])


def _kind(row: dict[str, Any], name: str) -> str:
    """A guess: by what was said of it where that decides, else by how its name looks."""
    kinds: list[str] = row["kinds"] or []
    if row["is_user"] or row["speaks"] or Kind.COLLABORATOR in kinds:
        return "person"
    if Kind.PROJECT in kinds:
        return "project"
    if name.startswith("#"):
        return "channel"
    for kind, pattern in (("organisation", ORGANISATION), ("place", PLACE), ("person", _PERSON)):
        if pattern.search(name):
            return kind
    return "thing"
