"""Promises about working sets: what each of them catches, and that quotes and secrets in them are seen like any others."""

from __future__ import annotations

from typing import Any

import pytest

from expectations.candidates import candidate_facts
from expectations.references import evidence_facts
from expectations.texts import secret_fact
from models.rules import Profile, SegmentRules
from tests.expectations.healthy import SNAPSHOT, Tables, candidate, cite, night, setting, wrong


def broken(tables: Tables, **profile: Any) -> list[str]:
    return wrong(candidate_facts(tables, SegmentRules(), {"snapshot": Profile(**profile)}))


def test_a_healthy_working_set_breaks_nothing() -> None:
    assert broken(night()) == []


@pytest.mark.parametrize(
    ("column", "value", "name"),
    [
        ("summary", [candidate(0)] * 4, "working_sets_are_bounded"),
        ("summary", [candidate(0, quote="x" * 401)], "working_sets_are_bounded"),
        ("entities", ["x" * 61], "working_sets_are_bounded"),
        ("preferences", [candidate(3)], "candidates_are_trusted"),
        ("summary", [candidate(0), candidate(1, trust="tool")], "candidates_are_trusted"),
        ("commitments", [candidate(3, privacy="open")], "promotions_exist"),
    ],
)
def test_each_fault_breaks_its_promise(column: str, value: object, name: str) -> None:
    assert broken(setting("working", "wrk_1", **{column: value})(night())) == [name]


def test_a_thread_holds_nothing_unpromoted_past_untrusted_or_too_private() -> None:
    assert broken(setting("documents", SNAPSHOT, thread=[cite(2)])(night())) == ["threads_are_promoted"]
    assert broken(setting("memories", "mem_0", status="superseded")(night())) == ["threads_are_promoted"]
    assert broken(setting("memories", "mem_0", trust="imported")(night())) == ["threads_are_promoted"]
    assert broken(night(), max_privacy="open") == ["threads_are_promoted"]


def test_quotes_and_secrets_of_candidates_and_threads_are_looked_at() -> None:
    key = "ghp_" + "a1B2" * 9
    for name in ("summary", "commitments", "preferences"):
        tables = setting("working", "wrk_1", **{name: [candidate(0, quote=key)]})(night())
        assert wrong(evidence_facts(tables)) == ["quotes_are_verbatim"]
        assert wrong([secret_fact(tables)]) == ["no_secrets"]
        lost = setting("working", "wrk_1", **{name: [candidate(0, source_id="msg_of_nobody")]})(night())
        assert wrong(evidence_facts(lost)) == ["evidence_exists"]
    told = setting("documents", SNAPSHOT, thread=[{**cite(0), "quote": "I live in Madrid."}])(night())
    assert wrong(evidence_facts(told)) == ["quotes_are_verbatim"]
