"""What a Seraph workspace keeps on record: whose word it is, and what sort of thing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adapters.sources import seraph
from adapters.sources.protocol import Damaged
from adapters.sources.seraph.records import KINDS, kind_of
from slowwave.format import Kind
from tests.adapters.sources.workspace import AT, clock, make, messages

# Every kind that Seraph's own enum has.
SERAPH_KINDS = {
    "fact", "preference", "pattern", "goal", "reflection", "project", "collaborator", "obligation", "routine", "timeline",
    "commitment", "communication_preference", "procedural",
}  # fmt: skip
SOUL = """# Guardian Record

## Identity
- Name: Ana

## Values
(Not yet discovered)

## Goals
- Fire the kiln

## Goals
- Sleep
"""


def test_every_kind_of_seraphs_is_one_of_ours() -> None:
    assert set(KINDS) == SERAPH_KINDS
    assert {kind: kind_of(kind) for kind in ("fact", "commitment", "obligation", "timeline", "procedural")} == {
        "fact": Kind.SEMANTIC_FACT,
        "commitment": Kind.GOAL_OR_COMMITMENT,
        "obligation": Kind.CONSTRAINT,
        "timeline": Kind.TIMELINE_MILESTONE,
        "procedural": Kind.TOOL_OR_WORKFLOW_LESSON,
    }
    assert kind_of("procedural", writer="guardian_feedback") is Kind.INTERVENTION_OUTCOME
    assert kind_of("something new", "preference") is Kind.PREFERENCE
    assert kind_of(None, None) is Kind.SEMANTIC_FACT


def test_memories_are_the_agents_and_what_was_let_go_or_is_ours_is_marked(tmp_path: Path) -> None:
    def memory(native: str, **given: Any) -> dict[str, Any]:
        return {
            "id": native,
            "content": f"belief {native}",
            "kind": "routine",
            "status": "active",
            "source_session_id": "s1",
            "created_at": AT,
            **given,
        }

    memories = [
        memory("a", project_entity_id="e1"),
        memory("b", status="superseded"),
        memory("c", source_session_id="gone"),
        memory("d", metadata_json='{"writer": "slowwave"}'),
        memory("e", source_session_id=None, kind="commitment"),
    ]
    entities = [{"id": "e1", "canonical_name": "Kiln"}]
    path = make(tmp_path / "seraph.db", memories=memories, sessions=[{"id": "s1"}], memory_entities=entities)
    found = [item for item in messages(path) if item.session_id == "memories"]
    assert [item.mark for item in found] == [None, "rewound", "rewound", "boot", None]
    assert {(item.role, item.trust) for item in found} == {("assistant", "imported")}
    assert (found[0].project, found[0].tool_name, found[0].message_id) == ("Kiln", None, "memories/a")
    assert [found[0].kind, found[4].kind] == [Kind.ROUTINE, Kind.GOAL_OR_COMMITMENT]
    # Where it isn't known which sessions there are, none counts as deleted.
    unknown = messages(make(tmp_path / "other.db", memories=[memory("c", source_session_id="gone")]))
    assert unknown[-1].mark is None


def test_goals_are_the_owners_and_their_due_day_is_the_owners_day(tmp_path: Path) -> None:
    goal = {
        "id": "g1",
        "title": "Permit",
        "level": "weekly",
        "status": "active",
        "due_date": "2026-04-16 12:30:00",
        "updated_at": AT,
    }
    path = make(tmp_path / "seraph.db", goals=[goal], audit_events=[clock("Pacific/Auckland")])
    made = messages(path)[-1]
    assert (made.message_id, made.role, made.trust) == ("goals/g1", "user", "owner")
    assert made.text == "Goal (weekly): Permit\nDue 2026-04-17\nStatus: active"
    todo = {"id": "t1", "content": "Fill the form", "completed": 1, "updated_at": AT}
    unzoned = messages(make(tmp_path / "other.db", goals=[goal], session_todos=[todo]))
    assert "Due 2026-04-16 12:30 UTC" in unzoned[-2].text
    assert (unzoned[-1].text, unzoned[-1].trust) == ("To do (done): Fill the form", "imported")


@pytest.mark.parametrize("name", ["soul.md", "seraph_soul.md", ""])
def test_the_soul_is_the_owners_word_section_by_section(tmp_path: Path, name: str) -> None:
    profile = [{"id": "singleton", "soul_text": SOUL if not name else "## Goals\n- stale"}]
    if name:
        (tmp_path / name).write_text(SOUL)
    path = make(tmp_path / "seraph.db", user_profiles=profile)
    found = [item for item in messages(path) if item.session_id == "soul.md"]
    assert [(item.message_id, item.text) for item in found] == [
        ("soul.md#Identity", "## Identity\n- Name: Ana"),
        ("soul.md#Goals", "## Goals\n- Fire the kiln"),
        ("soul.md#Goals-2", "## Goals\n- Sleep"),
    ]
    assert {(item.role, item.trust, item.time_source) for item in found} == {("user", "owner", "none")}


@pytest.mark.parametrize(
    ("content", "reason"), [(b"## Goals\n\xff", "invalid UTF-8"), (b"## Goals\n- a\0b", "NUL in text")]
)
def test_a_damaged_soul_is_named_and_the_rest_is_read(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "soul.md").write_bytes(content)
    found = list(seraph.read(make(tmp_path / "seraph.db")))
    assert found[-1] == Damaged("soul.md", 0, reason)
    assert len(found) == 3
