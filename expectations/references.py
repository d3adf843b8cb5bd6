"""Promises between tables: what is cited exists and says what the quote says, and supersession is a forest.

Everything here becomes a number of rows that break a promise; Great Expectations asserts that each is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

import polars as pl

from expectations.promise import CITING, Fact, found, key_of
from slowwave.format import Cardinality, Evidence, Polarity, Status
from slowwave.text import normalise

Tables = Mapping[str, pl.DataFrame]

_EVIDENCE = [column.name for column in fields(Evidence)]
_SOURCES = {
    "message": ("heard", "msg_key"),
    "signal": ("signals", "signal_key"),
    "feedback": ("feedback", "feedback_id"),
}
# Which ids a column of ids may hold, by table and column.
_LINKS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("memories", "entity_ids", ("entities",)),
    ("memories", "related_ids", ("memories",)),
    ("turns", "memory_ids", ("memories",)),
    ("edges", "source_id", ("entities", "memories")),
    ("edges", "target_id", ("entities", "memories")),
    ("edges", "memory_ids", ("memories",)),
    ("episodes", "part_ids", ("memories", "episodes")),
    ("documents", "memory_ids", ("memories",)),
    ("documents", "omitted_ids", ("memories",)),
)


def evidence_facts(tables: Tables) -> Iterator[Fact]:
    """Law 6: each memory rests on evidence, each cited thing exists, each quote is the captured text of its span."""
    memories = tables["memories"]
    bare = memories.filter(pl.col("evidence").list.len() == 0).get_column("id")
    yield found("memories_have_evidence", "every memory rests on at least one quote", bare)
    cited = _cited(tables)
    yield found("evidence_exists", "every cited message, signal and feedback was captured", _missing(tables, cited))
    yield found(
        "quotes_are_verbatim", "every quote is the captured text between its start and end", _misquoted(tables, cited)
    )
    heard = _ids(tables, "heard", "msg_key")
    turns = tables["turns"].get_column("id").to_list() if "turns" in tables else []
    yield found("turns_were_heard", "every published turn is a captured message", set(turns) - heard)


def _cited(tables: Tables) -> pl.DataFrame:
    """All evidence, a row each, with the row that cites it."""
    parts = [
        tables[name]
        .lazy()
        .select(pl.lit(name).alias("table"), pl.col(key_of(name)).alias("cited_by"), pl.col(column).alias("evidence"))
        .explode("evidence")
        .drop_nulls("evidence")
        .unnest("evidence")
        .select("table", "cited_by", *_EVIDENCE)
        for name, column in CITING
        if name in tables
    ]
    return pl.concat(parts, how="vertical_relaxed").collect()


def _missing(tables: Tables, cited: pl.DataFrame) -> Iterator[str]:
    """Rows that cite what is not there. A table of sources that was not handed over counts as empty."""
    for kind, group in cited.group_by("source_kind"):
        name, column = _SOURCES.get(str(kind[0]), ("", ""))
        known = _ids(tables, name, column)
        lost = group.filter(~pl.col("source_id").is_in(list(known)))
        yield from (f"{row} cites {source}" for row, source in lost.select("cited_by", "source_id").iter_rows())


def _misquoted(tables: Tables, cited: pl.DataFrame) -> Iterator[str]:
    if "heard" not in tables:
        return
    texts = tables["heard"].select("msg_key", pl.col("text").alias("captured"), "session_id", "message_id")
    pairs = cited.filter(pl.col("source_kind") == "message").join(
        texts, left_on="source_id", right_on="msg_key", suffix="_heard"
    )
    length = pl.col("end") - pl.col("start")
    said = pl.col("captured").str.slice(pl.col("start"), length.clip(0))
    # Slicing forgives a start before the text and an end behind it; a span that was cited may be neither.
    is_span = (pl.col("start") >= 0) & (length > 0) & (length == pl.col("quote").str.len_chars())
    is_true = is_span & (said == pl.col("quote"))
    is_named = (pl.col("session_id") == pl.col("session_id_heard")) & (
        pl.col("message_id") == pl.col("message_id_heard")
    )
    wrong = pairs.filter(~(is_true & is_named))
    for row, source, start, end in wrong.select("cited_by", "source_id", "start", "end").iter_rows():
        yield f"{row} cites {source} from {start} to {end}"


def link_facts(tables: Tables) -> Iterator[Fact]:
    """Every id that a published row names is a published row."""
    for name, column, targets in _LINKS:
        if name not in tables or column not in tables[name].columns:
            continue
        known: set[str] = set().union(*(_ids(tables, target, "id") for target in targets))
        pairs = tables[name].lazy().select(key_of(name), column)
        pairs = pairs.explode(column) if tables[name].schema[column] == pl.List else pairs
        lost = pairs.drop_nulls(column).filter(~pl.col(column).is_in(list(known))).collect()
        yield found(
            f"{name}.{column}.resolves",
            f"every id in {column} is published in {' or '.join(targets)}",
            (f"{row} names {other}" for row, other in lost.iter_rows()),
        )


def supersession_facts(tables: Tables) -> Iterator[Fact]:
    """Law 5: pointers resolve, lead to no circle, leave nothing superseded active, and a slot has one head."""
    memories = tables["memories"]
    after = dict(memories.drop_nulls("superseded_by").select("id", "superseded_by").iter_rows())
    known = _ids(tables, "memories", "id")
    lost = (f"{row} names {other}" for row, other in after.items() if other not in known)
    yield found("superseders_exist", "what took a memory's place is itself published", lost)
    yield found("supersession_is_a_forest", "no memory supersedes itself, however far around", _circular(after))
    both = memories.filter(pl.col("superseded_by").is_not_null() & (pl.col("status") == Status.ACTIVE))
    yield found("superseded_is_not_active", "a superseded memory is never current", both.get_column("id"))
    yield found("one_head_a_slot", "a slot has one active memory at most", _crowded(memories))


def period_facts(tables: Tables) -> Iterator[Fact]:
    """No time of being true ends before it begins; a beginning or an end that nobody knows is null."""
    inverted = tables["memories"].filter(pl.col("valid_to") < pl.col("valid_from"))
    yield found("periods_run_forward", "no memory ends to be true before it begins", inverted.get_column("id"))


def _circular(after: Mapping[str, str]) -> set[str]:
    circular: set[str] = set()
    done: set[str] = set()
    for start in sorted(after):
        path: dict[str, None] = {}
        at = start
        while at in after and at not in done and at not in path:
            path[at] = None
            at = after[at]
        if at in path:
            circular.add(at)
        done.update(path)
    return circular


def _crowded(memories: pl.DataFrame) -> Iterator[str]:
    """Slots with several heads: scope, subject and attribute, and the value too where many may stand side by side."""
    is_head = (pl.col("status") == Status.ACTIVE) & (pl.col("polarity") == Polarity.ASSERT)
    heads = memories.filter(is_head & pl.col("attribute").is_not_null())
    places: dict[tuple[str, ...], list[str]] = {}
    columns = ("id", "owner", "project", "subject_key", "attribute", "cardinality", "value")
    for row in heads.select(columns).iter_rows(named=True):
        value = "" if row["cardinality"] == Cardinality.SINGLE else normalise(row["value"])
        place = (row["owner"], row["project"] or "", row["subject_key"], row["attribute"], row["cardinality"], value)
        places.setdefault(place, []).append(row["id"])
    yield from (" ".join(sorted(ids)) for ids in places.values() if len(ids) > 1)


def _ids(tables: Tables, name: str, column: str) -> set[str]:
    return set(tables[name].get_column(column).to_list()) if name in tables else set()
