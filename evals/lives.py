"""Claims by the million, made from a seed: what the semantics of memory cost by size, with no words to read first.

Belongs here: claims that look like a long life's (slots and none, values that change, names that are one, names that meet).
Does not belong here: clocks.
"""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import polars as pl

START = datetime(2020, 1, 1, tzinfo=UTC)
END = datetime(2026, 1, 1, tzinfo=UTC)
_SECONDS = int((END - START).total_seconds())
# Of a hundred claims so many have no slot, a slot with many values, a slot with one; the last kind is where values compete.
_SHARES = (0.6, 0.25, 0.15)
_KINDS = ("semantic_fact", "preference", "episodic_event", "goal_or_commitment", "routine", "project")
_N_ATTRIBUTES = 40
_UNSAID = ("project", "project_ground", "thread", "valid_from", "valid_to", "valid_precision", "due_at")
_PEOPLE_PER_CLAIM = 0.02


def claims(n: int, *, seed: int, memories: int, first: int = 0) -> pl.DataFrame:
    """`n` claims as the table of claims has them, numbered from `first`, on `memories` matters; the same seed, the same claims.

    Claims of two calls with one seed are of one life: they share its people, slots and words, and nothing else.
    """
    draw = np.random.default_rng([seed, first])
    matter = draw.integers(0, memories, n)
    shape = _shape(matter, memories)
    said = draw.integers(0, _SECONDS, n)
    rows = pl.DataFrame({"i": np.arange(first, first + n), "matter": matter, "shape": shape, "said": said})
    n_people = max(2, int(memories * _PEOPLE_PER_CLAIM))
    return _filled(_worded(rows, n_people))


def _shape(matter: np.ndarray, memories: int) -> np.ndarray:
    """0 without a slot, 1 a slot with many values, 2 a slot with one: decided by the matter, so that a matter keeps its shape."""
    return np.searchsorted(np.cumsum(_SHARES[:2]), (matter % 1000) / 1000, side="right")


def _worded(rows: pl.DataFrame, n_people: int) -> pl.DataFrame:
    """Subjects, slots and sentences: one matter in three is about the user, and a single slot has two values in turn."""
    matter, shape = pl.col("matter"), pl.col("shape")
    pair = matter // 2
    person = pl.format("Person{} Name{}", pair % n_people, (pair % n_people) // 7)
    subject = pl.when(pair % 3 == 0).then(pl.lit("user")).otherwise(person)
    attribute = pl.when(shape == 2).then(pl.format("attribute_{}_{}", pair % _N_ATTRIBUTES, pair))
    attribute = attribute.when(shape == 1).then(pl.format("attribute_{}", matter % _N_ATTRIBUTES)).otherwise(None)
    value = pl.when(shape == 0).then(None).otherwise(pl.format("value {}", matter))
    return rows.with_columns(
        subject=subject,
        attribute=attribute,
        value=value,
        cardinality=pl.when(shape == 2).then(pl.lit("single")).otherwise(pl.lit("multi")),
        text=pl.format(
            "{} said something of matter {} that is worth a plain sentence of some length.", subject, matter
        ),
        kind=pl.lit(list(_KINDS), pl.List(pl.String)).list.get(matter % len(_KINDS)),
        said_at=pl.lit(START) + pl.duration(seconds=pl.col("said")),
    )


def _filled(rows: pl.DataFrame) -> pl.DataFrame:
    i = pl.col("i")
    given = {
        **dict.fromkeys(_UNSAID, pl.lit(None)),
        "claim_id": pl.format("clm_{}", i),
        "owner": pl.lit("owner"),
        "subject_key": pl.lit(""),
        "polarity": pl.lit("assert"),
        "context": pl.lit(""),
        "confidence": 0.6 + 0.3 * (i % 7) / 7,
        "importance": 0.3 + 0.5 * (i % 5) / 5,
        "is_unbounded": pl.lit(False),
        "is_pinned": pl.lit(False),
        "trust": pl.lit("owner"),
        "privacy": pl.lit("personal"),
        "mentions": pl.concat_list(pl.format("Person{} Name{}", i % 997, (i % 997) // 7)),
        "evidence": pl.concat_list(_span(i)),
        "writer": pl.struct(stage=pl.lit("extract"), model=pl.lit("offline"), prompt=pl.lit("")),
    }
    return rows.with_columns(**given)


def _span(i: pl.Expr) -> pl.Expr:
    return pl.struct(
        source_kind=pl.lit("message"),
        source_id=pl.format("msg_{}", i),
        session_id=pl.format("session-{}", i // 50),
        message_id=pl.format("m{}", i),
        start=pl.lit(0, pl.Int64),
        end=pl.col("text").str.len_chars().cast(pl.Int64),
        quote=pl.col("text"),
        said_at=pl.col("said_at"),
    )
