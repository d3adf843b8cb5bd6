"""Each expectation that a table's class implies is broken by a row that breaks it, and by no other."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from expectations import gx
from expectations.derive import scalars, suite_of
from expectations.night import TABLES
from models.claim import ClaimRow, Mention
from models.decision import Decision
from models.table import Table, columns
from tests.expectations.healthy import night
from tests.make import claim

ALL: dict[str, type[Table]] = {**TABLES, "claims": ClaimRow, "mentions": Mention, "decisions": Decision}


def rows_of(name: str) -> list[dict[str, Any]]:
    made = {
        "claims": [claim("I swim.").model_dump()],
        "mentions": [{"claim_id": "c", "name": "Lisbon", "entity_id": "e", "is_subject": False}],
        "decisions": [
            {"stage": "sift", "item_id": "m", "action": "drop", "reason": "noise", "other_id": "", "detail": ""}
        ],
    }
    return made[name] if name in made else night()[name].to_dicts()


def visible(name: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame([{c.name: row[c.name] for c in scalars(ALL[name])} for row in rows], infer_schema_length=None)


def broken(name: str, frame: pl.DataFrame, **more: Any) -> set[str]:
    promises = gx.run([gx.Check(frame.to_pandas(), suite_of(name, ALL[name], **more))])
    return {promise.name for promise in promises if not promise.is_kept}


def spoiled(name: str) -> tuple[list[dict[str, Any]], set[str]]:
    """Rows that break every promise of the table, one each, and the promises' names."""
    base = rows_of(name)[0]
    rows, names = [base], set()

    def add(promise: str, number: int, **values: Any) -> None:
        fresh = {key: f"{key}-{number}" for key in ALL[name].key if key not in values and isinstance(base[key], str)}
        closed = {c.name for c in columns(ALL[name]) if c.values}
        rows.append({**base, **{k: v for k, v in fresh.items() if k not in closed}, **values})
        names.add(f"{name}.{promise}")

    for number, column in enumerate(scalars(ALL[name])):
        if not column.is_nullable:
            add(f"{column.name}.given", number, **{column.name: None})
        if column.values:
            add(f"{column.name}.values", number + 100, **{column.name: "alien"})
        if column.ge is not None or column.le is not None:
            low = column.ge is not None
            add(f"{column.name}.bounds", number + 200, **{column.name: column.ge - 1 if low else column.le + 1})
    rows.append(base)
    return rows, names | {f"{name}.key"}


@pytest.mark.parametrize("name", ALL)
def test_each_derived_promise_is_broken_by_a_row_that_breaks_it(name):
    rows, names = spoiled(name)
    assert broken(name, visible(name, rows)) == names
    assert broken(name, visible(name, rows[:1])) == set()


@pytest.mark.parametrize("name", ALL)
def test_every_scalar_column_that_may_not_be_null_closed_or_bounded_has_its_expectation(name):
    told = {one.name for e in suite_of(name, ALL[name]).expectations for one in gx.promised_by(e.meta or {})}
    wanted = {f"{name}.rows", f"{name}.columns", f"{name}.key"}
    for column in scalars(ALL[name]):
        wanted |= {f"{name}.{column.name}.given"} if not column.is_nullable else set()
        wanted |= {f"{name}.{column.name}.values"} if column.values else set()
        wanted |= {f"{name}.{column.name}.bounds"} if (column.ge, column.le) != (None, None) else set()
    assert told == wanted


def test_no_list_and_no_vector_is_put_before_the_expectations():
    assert [column.name for column in scalars(TABLES["vectors"])] == ["embedding_id"]
    assert {"evidence", "entity_ids", "writer"}.isdisjoint(column.name for column in scalars(TABLES["memories"]))


def test_columns_too_many_or_too_few_are_seen():
    frame = visible("entities", rows_of("entities"))
    assert broken("entities", frame.with_columns(extra=1)) == {"entities.columns"}
    assert "entities.columns" in broken("entities", frame.drop("kind"))


def test_the_count_of_rows_comes_first_and_an_empty_frame_breaks_it_alone():
    frame = visible("entities", rows_of("entities"))
    (whole,) = suite_of("entities", ALL["entities"]).expectations
    assert gx.promised_by(whole.meta or {})[0].name == "entities.rows"
    assert broken("entities", frame.clear(), least_rows=1) == {"entities.rows"}


def test_a_broken_promise_names_rows_by_key_and_never_by_value():
    frame = visible("entities", rows_of("entities")).with_columns(name=pl.lit(None, dtype=pl.String))
    promises = gx.run([gx.Check(frame.to_pandas(), suite_of("entities", ALL["entities"]), ("id",))])
    (promise,) = [p for p in promises if not p.is_kept]
    assert (promise.name, promise.observed, promise.examples) == ("entities.name.given", 1, ("ent_1",))


def test_an_expectation_that_cannot_be_put_is_kept_by_nobody():
    frame = visible("entities", rows_of("entities")).to_pandas()
    odd = gx.suite("entities", {"id.odd": None}, gx.meta_of(gx.Promised("entities.id.odd", "nobody knows what")))
    (promise,) = gx.run([gx.Check(frame, odd, ("id",))])
    assert (promise.is_kept, promise.examples) == (False, ()) and "odd" in str(promise.observed)
