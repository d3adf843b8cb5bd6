"""Seraph: the soul as its parser cuts it, and provider rows as its protocol and its gate want them."""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path

import pytest

from slowwave.format import Kind, Privacy
from slowwave.reader import Reader
from slowwave.tokens import count
from tests.make import memory
from tests.slowwave.exporting import ours, reader_of

MEMORIES = [
    memory("Ana repairs harpsichords.", id="mem_work"),
    memory("Ana is allergic to peanuts.", id="mem_peanuts", kind=Kind.CONSTRAINT, is_pinned=True),
    memory("Antwoord eerst, geen emoji.", id="mem_talk", kind=Kind.COMMUNICATION_PREFERENCE),
    memory("Ana must send the meter readings every month.", id="mem_meter", kind=Kind.GOAL_OR_COMMITMENT),
    memory("毎週、家賃を払うこと。", id="mem_rent", kind=Kind.CONSTRAINT),
    memory("Ana will finish the lid by May.", id="mem_lid", kind=Kind.GOAL_OR_COMMITMENT),
    memory("Ren tunes with Ana.", id="mem_ren", kind=Kind.COLLABORATOR, subject="Ren"),
    memory("Ana walks at seven.", id="mem_walk", kind=Kind.ROUTINE),
    memory(
        "The soundboard is glued.",
        id="mem_glued",
        kind=Kind.TIMELINE_MILESTONE,
        project="Ruckers",
        said="2026-02-02T10:00",
    ),
    memory("Ruckers is a copy of a virginal.", id="mem_ruckers", kind=Kind.PROJECT, project="Ruckers"),
    memory("Ana went out.", id="mem_event", kind=Kind.EPISODIC_EVENT),
    memory("Ana owes 900.", id="mem_debt", privacy=Privacy.SENSITIVE),
    memory("Perhaps Ana sails.", id="mem_faint", confidence=0.3),
]
BUCKETS = {
    "goal",
    "commitment",
    "preference",
    "pattern",
    "project",
    "collaborator",
    "obligation",
    "routine",
    "timeline",
}


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    return reader_of(tmp_path / "store", MEMORIES)


def soul(path: Path) -> dict[str, list[str]]:
    """Sections of a soul file, by the platform's rule: a heading, then everything up to the next; a later one of a name wins."""
    found: dict[str, list[str]] = {}
    for line in path.read_text("utf-8").split("\n"):
        if line.strip().startswith("## "):
            assert line.strip()[3:] not in found, "this section takes another's place"
            found[line.strip()[3:]] = []
        elif found and line.strip() and not line.startswith("<!--"):
            found[list(found)[-1]].append(line)
    return found


def test_a_new_soul_has_seraphs_sections_and_the_slots_of_its_world_model(reader: Reader, tmp_path: Path) -> None:
    reader.export("seraph", tmp_path / "ws")
    assert (tmp_path / "ws/soul.md").read_text("utf-8").split("\n")[1] == "# Guardian Record"
    assert soul(tmp_path / "ws/soul.md") == {
        "Identity": ["- Ana repairs harpsichords.", "- Perhaps Ana sails."],
        "Values": ["- Ana is allergic to peanuts."],
        "Goals": ["- Ana will finish the lid by May."],
        "Personality Notes": ["- Antwoord eerst, geen emoji."],
        "Collaborators": ["- Ren tunes with Ana."],
        "Recurring Obligations": ["- 毎週、家賃を払うこと。", "- Ana must send the meter readings every month."],
        "Project Timeline": ["- Ruckers is a copy of a virginal.", "- The soundboard is glued."],
        "Active Routines": ["- Ana walks at seven."],
    }


def test_a_soul_that_is_there_stays_and_no_section_of_it_is_replaced(reader: Reader, tmp_path: Path) -> None:
    theirs = (
        "# Guardian Record\n\n## Identity\n- Name: Ana\n\n## Values\n(Not yet discovered)\n\n## Goals\n\n## Mine\n- x"
    )
    (tmp_path / "soul.md").write_text(theirs)
    reader.export("seraph", tmp_path)
    assert (tmp_path / "soul.md").read_text("utf-8").startswith(theirs)
    found = soul(tmp_path / "soul.md")
    assert found["Identity"] == ["- Name: Ana"] and found["Values"] == ["(Not yet discovered)"]
    assert found["Identity (remembered)"][0] == "- Ana repairs harpsichords." and found["Active Routines"]
    assert not reader.export("seraph", tmp_path).written
    reader_of(tmp_path / "none", []).export("seraph", tmp_path)
    assert (tmp_path / "soul.md").read_text("utf-8") == theirs


def test_the_soul_keeps_its_tokens(tmp_path: Path) -> None:
    many = [
        memory(f"さくらは{i}番目の倉庫で毎朝棚卸しを行う。", id=f"mem_{i:03}", kind=Kind.ROUTINE) for i in range(200)
    ]
    reader_of(tmp_path / "store", many).export("seraph", tmp_path / "ws")
    size = count((tmp_path / "ws/soul.md").read_text("utf-8"))
    assert 1900 < size <= 2000


def test_rows_pass_seraphs_gate_and_fill_its_slots(reader: Reader, tmp_path: Path) -> None:
    reader.export("seraph", tmp_path / "ws")
    found = json.loads((tmp_path / "ws/slowwave-memory.json").read_text("utf-8"))
    assert found["declaration"]["provenance"] == "external_advisory" and found["declaration"]["canonical"] is False
    assert found["declaration"]["conflict_policy"] == "guardian_wins"
    hits = {hit["memory_id"]: hit for hit in found["hits"]}
    assert set(hits) == {row.id for row in MEMORIES} - {"mem_debt", "mem_faint"}
    for hit in hits.values():
        assert hit["text"] and hit["evidence_id"] and hit["provider_name"] == "slowwave"
        assert hit["bucket"] in BUCKETS | {"external_memory"} and hit["privacy_boundary"] == "standard"
        assert hit["confidence"] >= 0.5 and 0.35 <= hit["score"] <= 1
        assert datetime.fromisoformat(hit["created_at"]).tzinfo
    assert hits["mem_meter"]["bucket"] == "obligation" and hits["mem_event"]["bucket"] == "external_memory"
    slots = {name: [slot["label"] for slot in held] for name, held in found["world_model"].items()}
    assert slots == {
        "collaborators": ["Ren"],
        "recurring_obligations": ["Ana must send the meter readings every month.", "毎週、家賃を払うこと。"],
        "project_timeline": ["Ruckers", "Ruckers"],
        "active_routines": ["Ana walks at seven."],
    }
    told = [slot["memory_id"] for held in found["world_model"].values() for slot in held]
    assert set(told) <= set(hits) and all(
        re.fullmatch(r"\d{4}-\d\d-\d\dT.*", s["at"]) for h in found["world_model"].values() for s in h
    )


def test_its_database_is_never_touched(reader: Reader, tmp_path: Path) -> None:
    (tmp_path / "seraph.db").write_bytes(b"SQLite format 3\0")
    reader.export("seraph", tmp_path)
    assert ours(tmp_path)["seraph.db"] == b"SQLite format 3\0"
