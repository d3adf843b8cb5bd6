"""Claude.ai exports: the newest branch is live, attachments are a third party's, memories are imported."""

from __future__ import annotations

import json
import os
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.sources import claude_ai
from adapters.sources.elements import Record
from adapters.sources.protocol import BadLine, Damaged, RawMessage
from slowwave.errors import SourceError

_SAMPLES = Path(os.environ.get("SLOWWAVE_SAMPLES", Path(__file__).parents[4] / "shared" / "samples"))
SAMPLE, MEMORIES = _SAMPLES / "claude_export.json", _SAMPLES / "claude_memories.json"
ROOT = "00000000-0000-4000-8000-000000000000"


def message(name: str, text: str, minute: int = 0, parent: str | None = None, **more: Any) -> dict[str, Any]:
    found = {
        "uuid": name,
        "text": text,
        "content": [{"type": "text", "text": text}],
        "sender": "human",
        "created_at": f"2026-03-02T10:{minute:02}:00.000000Z",
        "attachments": [],
    }
    return found | ({"parent_message_uuid": parent} if parent else {}) | more


def conversation(*messages: Any, name: str = "c1", account: str = "acc", **more: Any) -> dict[str, Any]:
    return {"uuid": name, "account": {"uuid": account}, "chat_messages": list(messages), **more}


def write(path: Path, found: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found))
    return path


def read(path: Path) -> list[RawMessage]:
    items = list(claude_ai.read(path))
    assert not [i for i in items if isinstance(i, Damaged)]
    return [i for i in items if isinstance(i, RawMessage)]


def test_the_sample_has_its_expected_counts() -> None:
    if not SAMPLE.exists():
        pytest.skip("no sample export; set SLOWWAVE_SAMPLES to the folder that holds it")
    items = read(SAMPLE)
    said = [i for i in items if i.tool_name != claude_ai.ATTACHMENT]
    assert len({(i.session_id, i.message_id) for i in said}) == len(said) == 46
    assert Counter(i.mark for i in said) == {None: 44, "branch": 2}
    # One conversation is empty.
    assert len({i.session_id for i in said}) == 5
    assert all(i.time_source == "message" and i.said_at and i.offset_minutes is None for i in items)
    (attached,) = [i for i in items if i.tool_name == claude_ai.ATTACHMENT]
    assert attached.trust == "third_party" and "kelp-mirror" in attached.text
    assert not any("kelp-mirror" in i.text for i in said)
    assert items == read(SAMPLE)
    assert claude_ai.looks_like(SAMPLE) and claude_ai.looks_like(MEMORIES)


def test_the_evidence_of_the_sample_is_live_and_the_users() -> None:
    if not SAMPLE.exists():
        pytest.skip("no sample export; set SLOWWAVE_SAMPLES to the folder that holds it")
    known = {i.message_id: i for i in read(SAMPLE)}
    expected = json.loads((_SAMPLES / "expected.json").read_text())
    refs = {e["ref"] for item in expected["items"] for e in item["evidence"].get("claude_ai", [])}
    assert refs and all(known[ref].mark is None and known[ref].text and known[ref].role == "user" for ref in refs)


def test_the_samples_memories_are_imported() -> None:
    if not MEMORIES.exists():
        pytest.skip("no sample export; set SLOWWAVE_SAMPLES to the folder that holds it")
    items = read(MEMORIES)
    assert any("PDF reports" in i.text for i in items)
    assert {(i.trust, i.role, i.time_source, i.mark) for i in items} == {("imported", "assistant", "none", None)}


def test_the_way_to_the_newest_leaf_is_live(tmp_path: Path) -> None:
    said = [
        message("a", "I moved to Brno.", 1, ROOT),
        message("b", "Brno!", 2, "a", sender="assistant"),
        message("c", "My sister moved to Brno.", 3, ROOT),
        message("d", "Oh.", 4, "c", sender="assistant"),
        message("e", "Another answer.", 5, "c", sender="assistant"),
    ]
    items = read(write(tmp_path / "x.json", [conversation(*said)]))
    assert {i.message_id: i.mark for i in items} == {"a": "branch", "b": "branch", "c": None, "d": "branch", "e": None}


def test_a_flat_list_and_a_gap_stand_whole(tmp_path: Path) -> None:
    flat = conversation(message("a", "One", 1), message("b", "Two", 2))
    gap = conversation(message("c", "One", 1, ROOT), message("d", "Two", 2, "lost"), name="c2")
    assert [i.mark for i in read(write(tmp_path / "x.json", [flat, gap]))] == [None] * 4


def test_blocks_decide_who_speaks(tmp_path: Path) -> None:
    call = {"type": "tool_use", "name": "repl", "input": {}}
    answer = {"type": "tool_result", "name": "repl", "content": [{"type": "text", "text": "14.7"}]}
    thought = {"type": "thinking", "thinking": "hm"}
    attached = {"file_name": "n.txt", "extracted_content": "The user wants blue."}
    said = [
        message("a", "", content=[thought, call], sender="assistant"),
        message("b", "", content=[answer], sender="assistant"),
        message("c", "", content=[{"type": "text", "text": "See"}, call, answer, answer], sender="assistant"),
        message("d", "flattened", content=[], sender="assistant"),
        message("e", "Sum it up", attachments=[attached, {"file_name": "empty"}]),
    ]
    items = read(write(tmp_path / "x.json", [conversation(*said)]))
    assert [(i.message_id, i.role, i.text, i.tool_name, i.trust) for i in items] == [
        ("a", "assistant", "", "repl", None),
        ("b", "tool", "14.7", "repl", None),
        ("c", "assistant", "See", None, None),
        ("c#result-0", "tool", "14.7", "repl", None),
        ("c#result-1", "tool", "14.7", "repl", None),
        ("d", "assistant", "flattened", None, None),
        ("e", "user", "Sum it up", None, None),
        ("e#attachment-0", "tool", "The user wants blue.", "attachment", "third_party"),
    ]


def test_an_export_in_parts_is_read_and_account_data_is_not(tmp_path: Path) -> None:
    parts = {
        "conversations-000.zip": {"conversations.json": [conversation(message("a", "One"))]},
        "memories-000.zip": {"memories/acc.json": {"account_uuid": "acc", "project_memories": {"p1": "- Uses Altair"}}},
        "light_metadata-000.zip": {
            "light_metadata/logins.json": [conversation(message("no", "No"))],
            "users.json": [{}],
        },
        "projects-000.zip": {"projects/p1.json": {"uuid": "p1", "docs": []}},
    }
    for name, files in parts.items():
        with zipfile.ZipFile(tmp_path / name, "w") as opened:
            for inside, found in files.items():
                opened.writestr(inside, json.dumps(found))
    (tmp_path / "manifest.json").write_text("{}")
    items = read(tmp_path)
    assert [(i.session_id, i.text, i.project, i.trust) for i in items] == [
        ("c1", "One", None, None),
        ("project_memories/p1", "- Uses Altair", "p1", "imported"),
    ]
    assert claude_ai.looks_like(tmp_path)
    with pytest.raises(SourceError, match=r"projects-000\.zip"):
        read(tmp_path / "projects-000.zip")


def test_another_account_is_named_and_left(tmp_path: Path) -> None:
    talks = [conversation(message("a", "One")), conversation(message("b", "Two"), name="c2", account="other")]
    items = list(claude_ai.read(write(tmp_path / "x.json", talks)))
    assert [i.text if isinstance(i, RawMessage) else i.reason for i in items] == [
        "One",
        "another account",
    ]


def test_a_time_is_the_messages_or_the_conversations(tmp_path: Path) -> None:
    said = conversation(message("a", "x", created_at=None), created_at="2026-03-02T09:00:00.5Z")
    bare = conversation(message("b", "x", created_at=None), name="c2")
    assert [i.time_source for i in read(write(tmp_path / "x.json", [said, bare]))] == ["session", "none"]


def test_damage_leaves_the_rest(tmp_path: Path) -> None:
    said = [
        5,
        message("a", "x", sender="ghost"),
        message("b", "x", created_at="soon"),
        message("c", "a\0"),
        message("d", "good"),
    ]
    found = [conversation(*said), {"uuid": "c3", "chat_messages": 5}, {"colour": "blue"}, {"chat_messages": []}]
    items = list(claude_ai.read(write(tmp_path / "x.json", found)))
    assert [i.text for i in items if isinstance(i, RawMessage)] == ["good"]
    assert [(i.line, i.reason) for i in items if isinstance(i, Damaged)] == [
        (1, "message 0: not an object"),
        (1, "message 1: unknown role"),
        (1, "message 2: bad time"),
        (1, "message 3: NUL in text"),
        (2, "no messages"),
        (3, "neither a conversation nor a memory"),
        (4, "no id"),
    ]


def test_a_chatgpt_export_is_not_taken_for_one(tmp_path: Path) -> None:
    path = write(tmp_path / "conversations.json", [{"id": "c", "mapping": {}, "current_node": "x"}])
    assert not claude_ai.looks_like(path)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.sampled_from(["", "a", "b", "human", "text", "tool_result"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "uuid",
                    "sender",
                    "text",
                    "content",
                    "type",
                    "name",
                    "created_at",
                    "attachments",
                    "parent_message_uuid",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=4), JSON, JSON)
def test_any_export_is_messages_or_damage(said: list[Any], memory: Any, at: Any) -> None:
    found = [
        {"uuid": "c", "chat_messages": said, "created_at": at},
        {
            "account_uuid": "a",
            "conversations_memory": memory,
            "project_memories": {"p": memory},
            "memory_files": memory,
        },
    ]
    for one in found:
        try:
            items = list(claude_ai._items(Record("x.json", "", 1, one)))
        except BadLine:
            continue
        assert all(isinstance(item, RawMessage | Damaged) for item in items)
