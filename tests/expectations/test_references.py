"""Evidence is closed, quotes are verbatim, supersession is a forest: fact by fact; that each fact blocks is shown in test_night."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expectations.references import evidence_facts, period_facts, supersession_facts
from tests.expectations.healthy import night, recited, setting, wrong
from tests.make import at


@pytest.mark.parametrize(
    "fault",
    [
        {"start": 1},
        {"start": -17},
        {"end": 3},
        {"start": -2, "end": 3},
        {"start": 5, "end": 5, "quote": ""},
        {"end": 9999},
        {"session_id": "s9"},
        {"message_id": "m9"},
    ],
)
def test_a_quote_is_the_captured_text_of_its_span_in_its_own_message(fault):
    assert wrong(evidence_facts(recited(**fault)(night()))) == ["quotes_are_verbatim"]


def test_spans_count_code_points():
    text = "日本語 🎌 in Kyōto"
    tables = night()
    tables["heard"] = tables["heard"].with_columns(text=pl.lit(text))
    for name in ("memories", "episodes", "entities"):
        tables[name] = tables[name].with_columns(
            evidence=pl.col("evidence").list.eval(
                pl.element().struct.with_fields(quote=pl.lit("🎌 in Kyō"), start=pl.lit(4), end=pl.lit(12))
            )
        )
    tables |= {name: tables[name].clear() for name in ("working", "documents")}
    assert wrong(evidence_facts(tables)) == []


def test_a_cited_signal_exists_and_needs_no_quote_in_a_message():
    lesson = {"source_kind": "signal", "source_id": "sig_1", "quote": "dismissed"}
    assert wrong(evidence_facts(recited(**lesson)(night()))) == []
    for lost in ({**lesson, "source_id": "sig_9"}, {**lesson, "source_kind": "rumour"}):
        assert wrong(evidence_facts(recited(**lost)(night()))) == ["evidence_exists"]


def test_episodes_and_entities_are_held_to_their_evidence_too():
    for table, key in (("episodes", "eps_1"), ("entities", "ent_1")):
        assert wrong(evidence_facts(recited(table, key, quote="no")(night()))) == ["quotes_are_verbatim"]


def test_published_evidence_without_captured_text_is_not_believed():
    tables = night()
    del tables["heard"]
    assert "evidence_exists" in wrong(evidence_facts(tables))


# Slots


def test_values_stand_side_by_side_where_an_attribute_holds_many():
    both = {"attribute": "pet", "cardinality": "multi", "superseded_by": None, "status": "active"}
    apart = setting("memories", "mem_1", value="dog", **both)(
        setting("memories", "mem_0", value="cat", **both)(night())
    )
    assert wrong(supersession_facts(apart)) == []
    same = setting("memories", "mem_1", value="  CAT. ", **both)(apart)
    assert wrong(supersession_facts(same)) == ["one_head_a_slot"]


def test_a_negation_and_another_project_have_heads_of_their_own():
    for other in ({"polarity": "negate"}, {"project": "work"}):
        tables = setting("memories", "mem_1", status="active", superseded_by=None, **other)(night())
        assert wrong(supersession_facts(tables)) == []


DAY = at("2026-02-23")


@pytest.mark.parametrize(("begins", "ends"), [(DAY, DAY), (None, DAY), (DAY, None), (None, None)])
def test_a_period_may_be_open_at_either_end_or_of_no_length(begins, ends):
    tables = setting("memories", "mem_1", valid_from=begins, valid_to=ends)(night())
    assert wrong(period_facts(tables)) == []


@given(st.lists(st.integers(0, 12), max_size=12))
def test_a_chain_of_any_shape_is_a_forest_unless_it_comes_back_to_itself(targets):
    base = night()["memories"].head(1)
    rows = [base.with_columns(id=pl.lit(str(n)), superseded_by=pl.lit(str(to))) for n, to in enumerate(targets)]
    memories = pl.concat(rows) if rows else base.clear()

    def comes_back(start: int) -> bool:
        at = start
        for _ in targets:
            at = targets[at] if at < len(targets) else len(targets) + 99
            if at == start:
                return True
        return False

    is_circular = any(comes_back(n) for n in range(len(targets)))
    assert ("supersession_is_a_forest" in wrong(supersession_facts({"memories": memories}))) == is_circular
