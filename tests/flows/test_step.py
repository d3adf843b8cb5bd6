"""A step: what it depends on, what it leaves behind, and that it is not taken twice."""

from __future__ import annotations

import inspect
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

import flows.order
from adapters import lake
from flows import ledger
from flows.fingerprint import fingerprint, stage_modules
from flows.night import Known, Night, Walk
from flows.step import here, scanned, tables_of
from models.ask import Answer
from models.claim import ClaimRow
from models.decision import Action, Decision
from models.memory import MemoryRow, Vector, VerdictRow
from models.message import Consumed, Message, Signal
from models.rules import Owner, SiftRules, StageRules
from models.table import Frame, empty, rows_to_frame
from models.turn import Turn
from tests.make import NOW, message


class Silent:
    model, prompt = "test/1", ""

    def __call__(self, questions):
        return [Answer(key=q.key, value=None) for q in questions]


class Blind:
    name, dimension, digest = "none", 0, ""

    def __call__(self, texts):
        return []


class Kept(NamedTuple):
    messages: Frame[Message]
    decisions: Frame[Decision]


RUNS: list[str] = []


def sift(messages: Frame[Message], *, rules: SiftRules, as_of: datetime) -> Kept:
    """Keeps what was said before the night, and says what it left."""
    RUNS.append("sift")
    late = messages.filter(pl.col("said_at") > as_of)
    rows = [
        {"stage": "sift", "item_id": k, "action": Action.DEFER, "reason": "future", "other_id": "", "detail": ""}
        for k in late.get_column("msg_key")
    ]
    return Kept(messages.filter(pl.col("said_at") <= as_of), rows_to_frame(Decision, rows))


@pytest.fixture
def night(tmp_path: Path) -> Night:
    RUNS.clear()
    rows = [message("I like tea", seq=0), message("Later", seq=1, said="2027-01-01T00:00")]

    def write(name, frame, table):
        return lake.write_table(tmp_path, f"runs/first/begin.{name}.parquet", frame, table)

    known = {
        "turns": Turn,
        "claims": ClaimRow,
        "vectors": Vector,
        "memories": MemoryRow,
        "settled": MemoryRow,
        "verdicts": VerdictRow,
        "consumed": Consumed,
    }
    return Night(
        store=tmp_path,
        run="first",
        parent=None,
        as_of=NOW,
        owner=Owner(),
        rules=StageRules(),
        ask=Silent(),
        embed=Blind(),
        messages=write("messages", rows_to_frame(Message, rows), Message),
        signals=write("signals", empty(Signal), Signal),
        feedback=write("feedback", empty(Decision), Decision),
        known=Known(**{name: write(name, empty(table), table) for name, table in known.items()}),
    )


def test_the_signature_names_the_tables() -> None:
    takes, makes = tables_of(sift)
    assert takes == {"messages": Message}
    assert makes == {"messages": Message, "decisions": Decision}


def test_no_stage_that_embeds_scans_a_table() -> None:
    """What may be embedded is told from the whole frames that a stage is given."""
    stages = {name: stage for name, stage in vars(flows.order).items() if name in StageRules.model_fields}
    scanning = {name for name, stage in stages.items() if scanned(stage)}
    assert scanning >= {"link", "merge", "reconcile", "reinforce"}
    assert not scanning & {name for name, stage in stages.items() if "embed" in inspect.signature(stage).parameters}


def test_a_step_writes_what_it_made_and_what_it_decided(night: Night) -> None:
    taken = here(night, sift, {"messages": night.messages})
    kept = lake.read_table(night.store, taken.outputs["messages"], Message)
    assert kept.get_column("text").to_list() == ["I like tea"]
    assert taken.n_in == 2
    assert taken.n_kept == 1
    assert taken.n_decided == {"defer:future": 1}
    assert ledger.read(night.store, "first")["stages"]["sift"]["fingerprint"] == taken.fingerprint


def test_a_known_step_is_not_taken_again(night: Night) -> None:
    first = here(night, sift, {"messages": night.messages})
    again = here(night, sift, {"messages": night.messages})
    assert RUNS == ["sift"]
    assert again.is_cached
    assert again.outputs == first.outputs


def test_another_run_links_the_files_and_pays_nothing(night: Night) -> None:
    from dataclasses import replace

    here(night, sift, {"messages": night.messages})
    later = replace(night, run="second")
    taken = here(later, sift, {"messages": night.messages})
    assert taken.is_cached
    assert taken.seconds == 0.0
    assert taken.outputs["messages"].path == "runs/second/sift.messages.parquet"
    assert (night.store / taken.outputs["messages"].path).is_file()


def test_a_damaged_file_of_an_earlier_step_is_made_again(night: Night) -> None:
    taken = here(night, sift, {"messages": night.messages})
    (night.store / taken.outputs["messages"].path).write_bytes(b"half")
    again = here(night, sift, {"messages": night.messages})
    assert not again.is_cached
    assert again.outputs == taken.outputs


def test_the_fingerprint_follows_rules_time_and_inputs(night: Night) -> None:
    from dataclasses import replace

    refs = {"messages": night.messages}
    base = fingerprint(night, sift, refs)
    other_rules = night.rules.model_copy(update={"sift": SiftRules(max_future_skew_minutes=99)})
    assert fingerprint(replace(night, rules=other_rules), sift, refs) != base
    assert fingerprint(replace(night, as_of=NOW + timedelta(days=1)), sift, refs) != base
    assert fingerprint(night, sift, {"messages": night.signals}) != base
    unrelated = night.rules.model_copy(update={"merge": night.rules.merge.model_copy(update={"max_confidence": 0.5})})
    assert fingerprint(replace(night, rules=unrelated, run="x"), sift, refs) == base


def test_a_stage_leans_on_what_it_imports_from_its_room() -> None:
    assert stage_modules("tasks.reconcile")[0] == "tasks.reconcile"
    assert {"tasks.merge", "tasks.verdict"} <= set(stage_modules("tasks.reconcile"))
    assert "tasks.sift" not in stage_modules("tasks.reconcile")


def test_a_walk_goes_from_start_to_stop_and_hands_on_what_is_given(night: Night) -> None:
    walk = Walk(night, here, start="other", stop="other", given={"sift.messages": night.messages})
    made = walk(sift, messages=night.messages)
    assert made.messages == night.messages
    assert RUNS == []
    assert walk["sift.messages"] == night.messages
