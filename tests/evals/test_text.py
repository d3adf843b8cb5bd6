"""Text-level cases: in by the front door, and what was published in the words that their checks read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.cases import load_checks, text_failures
from evals.text import nights, result

CLOCK = "2026-03-05T02:00:00+00:00"


def said(text: str, *, id: str = "m1", user: str = "u-rui", at: str = "2026-03-04T10:00:00+00:00", **more: Any) -> dict:
    row = {"session_id": f"s-{user}", "message_id": id, "user_id": user, "role": "user", "content": text}
    return {**row, "created_at": at, "platform": "generic", **more}


def case(given: dict, **expect: Any) -> dict:
    return {"id": "t-900", "level": "text", "clock": CLOCK, "input": given, "expect": expect}


@pytest.fixture(scope="module")
def two_owners(tmp_path_factory: pytest.TempPathFactory) -> dict:
    late = said("I started fencing today!", user="u-aki", at="2026-03-04T00:30:00+09:00")
    mine = said("I live in Braga. My key is sk-live-0000example0000example0000example00.")
    asked = {"retrieval": [{"query": "Where does Rui live?", "mode": "hybrid", "must_hit": "f1"}]}
    return result(case({"messages": [mine, late]}, **asked), tmp_path_factory.mktemp("two"))


def test_each_user_has_a_store_of_their_own(two_owners: dict) -> None:
    texts = {row["user_id"]: row["text"] for row in two_owners["records"]}
    assert set(texts) == {"u-rui", "u-aki"}
    assert "fencing" in texts["u-aki"]


def test_days_are_those_of_the_speakers_own_clock(two_owners: dict) -> None:
    fencing = next(row for row in two_owners["records"] if "fencing" in row["text"])
    assert fencing["valid_from"].startswith("2026-03-04T00:00:00+09:00")


def test_records_have_the_shape_of_the_format(two_owners: dict) -> None:
    live = next(row for row in two_owners["records"] if "Braga" in row["text"])
    assert live["evidence"] == [{"session_id": "s-u-rui", "message_id": "m1"}]
    assert (live["subject"], live["status"], live["superseded_by"], live["due"]) == ("user", "active", None, None)


def test_retrieval_is_the_readers_own(two_owners: dict) -> None:
    live = next(row for row in two_owners["records"] if "Braga" in row["text"])
    assert live["record_id"] in two_owners["retrieval"][0]


def test_the_artefacts_are_all_that_left_and_nothing_else(two_owners: dict) -> None:
    whole = two_owners["artefacts_text"]
    assert "I live in Braga" in whole
    assert "search_text" in whole, "the index's own words are looked through as well"
    assert "promises" in whole, "and the run's report"
    assert "sk-live-0000" not in whole


def test_damaged_lines_are_reported_by_their_number(tmp_path: Path) -> None:
    whole = json.dumps(said("The kiln is closed on Mondays."))
    made = result(case({"raw_lines": ["﻿" + whole, "", '{"session_id": "s-u-rui", "cont', "no json"]}), tmp_path)
    told = made["report"]
    assert (told["messages_read"], told["lines_quarantined"]) == (1, 2)
    assert told["quarantined_line_numbers"] == [3, 4]
    assert told["blank_lines_ignored"] == 1
    assert told["run_status"] == "ok_with_warnings"
    assert [row["user_id"] for row in made["records"]] == ["u-rui"]


def test_runs_are_nights_and_a_snapshot_is_as_of_its_time(tmp_path: Path) -> None:
    runs = [
        {"at": "2026-03-05T02:00:00+00:00", "messages": [said("I live in Braga.")]},
        {
            "at": "2026-03-12T02:00:00+00:00",
            "messages": [said("I have a parrot called Quill.", id="m2", at="2026-03-11T10:00:00+00:00")],
        },
    ]
    between, after = "2026-03-06T02:00:00+00:00", "2026-03-13T02:00:00+00:00"
    asked = [{"at": between, "must_not_contain_any": []}, {"at": after, "must_not_contain_any": []}]
    made = result(case({"runs": runs}, snapshot_at=asked), tmp_path)
    assert "Braga" in made["snapshots"][between]
    assert "Quill" not in made["snapshots"][between]
    assert "Quill" in made["snapshots"][after]
    assert sum("Braga" in row["text"] for row in made["records"]) == 1, "a log that is read again says nothing twice"


PRIOR = {
    "record_id": "pm-1",
    "kind": "semantic_fact",
    "subject": "user",
    "text": "Plays the cello.",
    "status": "active",
    "valid_from": "2025-11-02",
    "evidence": [{"session_id": "old", "message_id": "old-m4"}],
}


def test_a_record_from_before_keeps_its_id_and_evidence(tmp_path: Path) -> None:
    made = result(case({"messages": [said("I live in Braga.")], "prior_memory": [PRIOR]}), tmp_path)
    rows = {row["record_id"]: row for row in made["records"]}
    assert rows["pm-1"]["text"] == PRIOR["text"]
    assert rows["pm-1"]["evidence"] == PRIOR["evidence"]
    assert any("Braga" in row["text"] for name, row in rows.items() if name != "pm-1")
    assert "Plays the cello" in made["artefacts_text"]


def test_a_night_of_nothing_but_noise_has_records_from_before(tmp_path: Path) -> None:
    noise = said("[heartbeat] check pending items; answer IDLE if none")
    made = result(case({"messages": [noise], "prior_memory": [PRIOR]}), tmp_path)
    assert [row["record_id"] for row in made["records"]] == ["pm-1"]
    assert made["report"]["llm_calls"] == 0
    assert made["report"]["skipped_sessions"] == ["s-u-rui"]


def test_lines_go_in_verbatim() -> None:
    lines = ["﻿{", "", "}\r"]
    assert nights(case({"raw_lines": lines}))[0].lines == tuple(lines)


def _node(name: str, parent: str | None, children: list[str], role: str = "user", text: str = "") -> dict:
    message = {
        "id": name,
        "author": {"role": role},
        "create_time": 1772618400.0,
        "content": {"content_type": "text", "parts": [text]},
    }
    return {"id": name, "parent": parent, "children": children, "message": message if text else None}


def test_an_export_is_read_by_its_source_and_counts_its_branches(tmp_path: Path) -> None:
    mapping = {
        "root": _node("root", None, ["old", "new"]),
        "old": _node("old", "root", [], text="I live in Porto."),
        "new": _node("new", "root", ["said"], text="I live in Braga."),
        "said": _node("said", "new", [], "assistant", "Braga is lovely."),
    }
    export = [{"id": "c1", "title": "t", "create_time": 1772618400.0, "current_node": "said", "mapping": mapping}]
    made = result(case({"chatgpt_export": export, "export_user_id": "u-rui"}), tmp_path)
    assert [(row["user_id"], "Braga" in row["text"]) for row in made["records"]] == [("u-rui", True)]
    assert (made["report"]["messages_read"], made["report"]["messages_on_other_branches"]) == (2, 1)


def test_a_case_that_breaks_says_why(tmp_path: Path) -> None:
    (tmp_path / "check.py").write_text("def check_text(case, result): return []")
    broken = {**case({"messages": [said("I live in Braga.")]}), "clock": "never"}
    assert text_failures(broken, load_checks(tmp_path)) == ["ValueError: Invalid isoformat string: 'never'"]
