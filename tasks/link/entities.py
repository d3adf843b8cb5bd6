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
from models.table import polars_schema
from slowwave.format import Kind
from tasks.link.aliases import ASSISTANT, USER, Names
from tasks.link.mentioned import known_forms, spoken
from tasks.link.words import ORGANISATION, PLACE
from tasks.merge.identity import normalised

_QUOTES = 3
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
    rows = _told(claims, mentions)
    forms = _forms(pl.concat([rows.select("entity_id", "name"), _named(names)]))
    grouped = rows.group_by("e").agg(
        pl.col("entity_id", "owner").first(),
        n_mentions=pl.col("is_first").sum(),
        first_seen_at=pl.col("said_at").min(),
        last_seen_at=pl.col("said_at").max(),
        is_user=(pl.col("is_user") & pl.col("is_subject")).any(),
        kinds=pl.col("kind").filter("is_subject").unique().sort(),
        speaks=(pl.col("speaks") & pl.col("is_subject")).any(),
    )
    grouped = grouped.drop("e").join(_quotes(rows, claims, names), on="entity_id", how="left")
    named = grouped.join(forms, on="entity_id", how="left", maintain_order="left").rename({"entity_id": "id"})
    made = [_row(row, owner) for row in named.iter_rows(named=True)]
    return pl.DataFrame(made, schema=polars_schema(EntityRow), strict=False)


def _told(claims: pl.DataFrame, mentions: pl.DataFrame) -> pl.DataFrame:
    """The mentions with what their claims tell, entity by entity in order of time; `is_first` is the first name of it in a claim."""
    speaks = pl.col("text").str.starts_with(pl.col("subject") + ": ")
    told = claims.select("owner", "kind", "said_at", is_user=pl.col("subject_key") == USER, speaks=speaks)
    # Numbers are grouped and sorted where ids would be: there are as many as names in claims.
    number = pl.col("entity_id").cast(pl.Categorical).to_physical()
    rows = mentions.select("n", "entity_id", "name", "is_subject", e=number).hstack(told[mentions["n"]])
    ordered = rows.sort("e", "said_at", "n", nulls_last=True)
    is_again = (pl.col("e") == pl.col("e").shift()) & (pl.col("n") == pl.col("n").shift())
    return ordered.with_columns(is_first=~is_again.fill_null(False))


def _named(names: Names) -> pl.DataFrame:
    """Every joined name as it was said, by entity."""
    return known_forms(names).select(entity_id=_entity_ids("key", "owner"), name="name")


def _quotes(rows: pl.DataFrame, claims: pl.DataFrame, names: Names) -> pl.DataFrame:
    """What was said first of each entity, a few spans, one a claim; and what shows that its names are one."""
    first = pl.col("n").filter("is_first").head(_QUOTES)
    cited = rows.group_by("e", maintain_order=True).agg(pl.col("entity_id").first(), first).explode("n")
    spans = claims["evidence"].gather(cited["n"]).list.first()
    quoted = cited.select("entity_id").with_columns(evidence=spans)
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


def _row(row: dict[str, Any], owner: Owner) -> dict[str, Any]:
    shown: list[str] = row["names"]
    if row["is_user"] and owner.names:
        shown = [*owner.names, *(name for name in shown if name not in owner.names)]
    known = {name: row.get(name) for name in polars_schema(EntityRow)}
    return {**known, "name": shown[0], "aliases": shown[1:], "kind": _kind(row, shown[0])}


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
