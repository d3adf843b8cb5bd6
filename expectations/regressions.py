"""Promises against what a night could do to a memory and no table alone shows: lost or doubled texts, floods, the dead revived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import polars as pl

from expectations.promise import CITING, Fact, found, key_of
from models.rules import Profile
from slowwave.format import Status

Tables = Mapping[str, pl.DataFrame]
# Two lines of a text may well be alike; a text of which a quarter stands twice was written twice.
_MAX_REPEATED, _MIN_LINES = 0.25, 4
# Words that are said again become one memory; a few may be apart for their dates, and a tenth of a memory is no few.
_MAX_DUPLICATES, _MIN_DUPLICATES = 0.1, 10
# A memory that was in a text and stands as it did belongs in it; one may have given way, two have not.
_MIN_LEFT_OUT = 2
_STANDING = ["privacy", "trust", "kind", "tier"]
_SAYING = ["owner", "project", "kind", "subject_key", "attribute", "polarity", "valid_from"]


def regression_facts(
    tables: Tables, before: Tables, profiles: Mapping[str, Profile], dead: Collection[str]
) -> Iterator[Fact]:
    """`before` is what the parent had; `dead` the keys of messages that are deleted, left out or forgotten."""
    yield found("documents_are_there", "no text of last night is missing", _lost(tables, before, profiles))
    yield found(
        "documents_hold_what_they_held", "no text is empty that has something to hold", _emptied(tables, before)
    )
    yield found(
        "documents_say_nothing_twice", "no text holds a memory, or a quarter of its lines, twice", _doubled(tables)
    )
    rows = _duplicates(tables["memories"])
    n_active = tables["memories"].filter(pl.col("status") == Status.ACTIVE).height
    is_flood = len(rows) >= _MIN_DUPLICATES and len(rows) > _MAX_DUPLICATES * n_active
    about = f"at most {_MAX_DUPLICATES:.0%} of the active memories say what another one says"
    yield found("few_duplicates", about, rows if is_flood else ())
    yield found(
        "the_dead_stay_dead", "nothing rests on what was deleted, left out or forgotten", _revived(tables, dead)
    )


def _lost(tables: Tables, before: Tables, profiles: Mapping[str, Profile]) -> set[str]:
    if "documents" not in before:
        return set()
    known = before["documents"].filter(pl.col("profile").is_in(list(profiles))).get_column("name")
    return set(known.to_list()) - set(tables["documents"].get_column("name").to_list())


def _emptied(tables: Tables, before: Tables) -> Iterator[str]:
    for row in tables["documents"].iter_rows(named=True):
        if row["memory_ids"] and not row["text"].strip():
            yield row["name"]
    if not {"documents", "memories"} <= before.keys():
        return
    columns = ["id", "status", *_STANDING]
    old = before["memories"].select(columns).filter(pl.col("status") == Status.ACTIVE)
    standing = set(old.join(tables["memories"].select(columns), on=columns, how="semi").get_column("id").to_list())
    held = {row["name"]: row["memory_ids"] or [] for row in before["documents"].iter_rows(named=True)}
    for name, now in tables["documents"].select("name", "memory_ids").iter_rows():
        if not now and len(standing & set(held.get(name, []))) >= _MIN_LEFT_OUT:
            yield name


def _doubled(tables: Tables) -> Iterator[str]:
    for row in tables["documents"].iter_rows(named=True):
        lines = [line.strip() for line in row["text"].splitlines() if line.strip() and not line.startswith("#")]
        repeated = len(lines) - len(set(lines))
        is_doubled = len(lines) >= _MIN_LINES and repeated > _MAX_REPEATED * len(lines)
        if is_doubled or max(Counter(row["memory_ids"] or ()).values(), default=0) > 1:
            yield row["name"]


def _duplicates(memories: pl.DataFrame) -> list[Any]:
    """Active memories that say, of the same subject and time, what another one with a smaller id says."""
    active = memories.filter(pl.col("status") == Status.ACTIVE).sort("id")
    words = active.with_columns(_words=pl.col("text").str.to_lowercase().str.replace_all(r"\W+", " ").str.strip_chars())
    return words.filter(~pl.struct(*_SAYING, "_words").is_first_distinct()).get_column("id").to_list()


def _revived(tables: Tables, dead: Collection[str]) -> Iterator[str]:
    if not dead:
        return
    keys = pl.Series(sorted(dead))
    yield from (f"turn {row}" for row in tables["turns"].filter(pl.col("id").is_in(keys.implode())).get_column("id"))
    for name, column in CITING:
        if name in tables:
            cited = tables[name].select(key=key_of(name), source=column).explode("source").drop_nulls()
            rows = cited.filter(pl.col("source").struct.field("source_id").is_in(keys.implode()))
            yield from (f"{name} {row}" for row in rows.get_column("key"))
