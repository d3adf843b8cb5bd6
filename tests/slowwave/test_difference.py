"""What came between two versions, each memory told once, in the group that a person would look in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli import main
from slowwave.format import CommitmentState, Kind, Status
from slowwave.reader.difference import Difference, difference
from tests.make import at, memory
from tests.slowwave.test_versions import purge
from tests.stores import build, entity

BERLIN = memory("I live in Berlin.", id="mem_berlin", message_id="m0")
LISBON = memory("I live in Lisbon now.", id="mem_lisbon", message_id="m1")
SCORE = memory(
    "I will send the score.",
    id="mem_score",
    kind=Kind.GOAL_OR_COMMITMENT,
    message_id="m2",
    commitment_state=CommitmentState.OPEN,
)
TEA = memory("I prefer green tea.", id="mem_tea", message_id="m3")


def changed(row: Any, **values: Any) -> Any:
    return row.model_copy(update=values)


def between(store: Path, old: list[Any], new: list[Any], **more: Any) -> Difference:
    first = build(store, memories=old)
    return difference(store, first, build(store, memories=new, parent=first, **more))


def told(found: Difference) -> list[tuple[str, str, str]]:
    return [(change.group, change.id, change.how) for change in found.changes]


GONE_TO_LISBON = changed(BERLIN, status=Status.SUPERSEDED, superseded_by="mem_lisbon", valid_to=at("2026-02-20"))


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ([], [TEA], [("learned", "mem_tea", "")]),
        ([], [changed(TEA, status=Status.EXPIRED)], [("learned", "mem_tea", "expired already")]),
        ([BERLIN], [GONE_TO_LISBON, LISBON], [("changed", "mem_lisbon", "took the place of another")]),
        ([TEA], [changed(TEA, text="I prefer green tea, always.")], [("changed", "mem_tea", "in other words")]),
        (
            [SCORE],
            [changed(SCORE, commitment_state=CommitmentState.FULFILLED)],
            [("changed", "mem_score", "fulfilled, was open")],
        ),
        (
            [SCORE],
            [changed(SCORE, due_at=at("2026-03-20"))],
            [("changed", "mem_score", "due 2026-03-20, was nobody knows when")],
        ),
        (
            [BERLIN],
            [changed(BERLIN, status=Status.DISPUTED), changed(LISBON, status=Status.DISPUTED)],
            [("disputed", "mem_berlin", "disputed, was active"), ("disputed", "mem_lisbon", "said, and contradicted")],
        ),
        ([TEA], [changed(TEA, status=Status.ARCHIVED)], [("archived", "mem_tea", "archived, was active")]),
        ([changed(TEA, status=Status.ARCHIVED)], [TEA], [("changed", "mem_tea", "active, was archived")]),
        ([TEA], [changed(TEA, status=Status.RETRACTED)], [("changed", "mem_tea", "taken back")]),
        ([TEA, BERLIN], [BERLIN], [("forgotten", "mem_tea", "no longer there")]),
        ([TEA], [changed(TEA, id="mem_tea_again")], []),
        ([TEA], [changed(TEA, stability_days=99.0)], []),
    ],
)
def test_each_change_is_told_once(tmp_path: Path, old: list[Any], new: list[Any], changes: list[Any]) -> None:
    found = between(tmp_path, old, new)
    assert told(found) == changes
    assert sum(found.counts.values()) == len(changes)


def test_rows_and_documents_are_counted_and_the_way_back_is_told_too(tmp_path: Path) -> None:
    first = build(tmp_path, memories=[TEA])
    second = build(tmp_path, memories=[TEA], entities=[entity("Ana")], parent=first, documents={"soul.md": "s"})
    found = difference(tmp_path, first, second)
    assert found.changes == () and found.rows["entities"] == (0, 1)
    assert found.documents == ("snapshot.md", "soul.md")
    assert difference(tmp_path, second, first).rows["entities"] == (1, 0)


def test_the_command_tells_people_and_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = build(tmp_path, memories=[BERLIN, changed(TEA, text="I prefer\x1b[2J green tea.")])
    second = build(tmp_path, memories=[GONE_TO_LISBON, LISBON], parent=first)
    assert main(["diff", first.version, second.version, "--store", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "learned 0, changed 1, disputed 0, archived 0, forgotten 1" in shown
    assert "  I live in Lisbon now. (before: I live in Berlin.)  mem_lisbon\n" in shown
    assert "\\x1b[2J green tea. (no longer there)" in shown and "\x1b" not in shown
    assert main(["diff", first.version, second.version, "--store", str(tmp_path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["counts"] == {"learned": 0, "changed": 1, "disputed": 0, "archived": 0, "forgotten": 1}
    assert said["changes"][0] == {
        "group": "changed",
        "id": "mem_lisbon",
        "kind": "semantic_fact",
        "text": LISBON.text,
        "how": "took the place of another",
        "before": BERLIN.text,
    }
    purge(tmp_path, first)
    assert main(["diff", first.version, second.version, "--store", str(tmp_path)]) == 4
    assert "purged" in capsys.readouterr().err
