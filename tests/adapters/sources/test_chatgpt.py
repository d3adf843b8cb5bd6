"""ChatGPT exports: the current branch is live, custom instructions are the owner's, and everything hostile is survived."""

from __future__ import annotations

import json
import os
import zipfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.sources import chatgpt
from adapters.sources.elements import Record
from adapters.sources.protocol import BadLine, Damaged, RawMessage
from slowwave.errors import SourceError

_SHARED = Path(__file__).parents[4] / "shared"
_SAMPLES = Path(os.environ.get("SLOWWAVE_SAMPLES", _SHARED / "samples"))
SAMPLE = _SAMPLES / "chatgpt_export.json"
CASE = Path(os.environ.get("SLOWWAVE_CASES", _SHARED / "cases")) / "t-030-export-tree.json"
START = 1773342900.0


def node(name: str, parent: str | None, text: Any = "", role: str = "user", **more: Any) -> dict[str, Any]:
    content = text if isinstance(text, dict) else {"content_type": "text", "parts": [text]}
    message = {
        "id": name,
        "author": {"role": role, "name": more.pop("author", None)},
        "create_time": START,
        "content": content,
    }
    return {"id": name, "parent": parent, "children": [], "message": {**message, **more}}


def conversation(*nodes: dict[str, Any], name: str = "c1", **more: Any) -> dict[str, Any]:
    mapping = {one["id"]: one for one in nodes}
    return {
        "conversation_id": name,
        "create_time": START - 60,
        "current_node": nodes[-1]["id"],
        "mapping": mapping,
        **more,
    }


def write(path: Path, *conversations: Any) -> Path:
    path.write_text(json.dumps(list(conversations)))
    return path


def read(path: Path) -> list[RawMessage]:
    items = list(chatgpt.read(path))
    assert not [i for i in items if isinstance(i, Damaged)]
    return [i for i in items if isinstance(i, RawMessage)]


def one(tmp_path: Path, found: dict[str, Any]) -> RawMessage:
    (item,) = read(write(tmp_path / "x.json", conversation(found)))
    return item


def test_the_sample_has_its_expected_counts() -> None:
    if not SAMPLE.exists():
        pytest.skip("no sample export; set SLOWWAVE_SAMPLES to the folder that holds it")
    items = read(SAMPLE)
    assert len({(i.session_id, i.message_id) for i in items}) == len(items) == 52
    assert len({i.session_id for i in items}) == 6
    live = [i for i in items if not i.mark]
    owners = [i for i in live if i.trust == "owner"]
    traffic = [i for i in live if i.tool_name]
    assert (len(owners), len(traffic), len(live) - len(owners) - len(traffic)) == (2, 6, 38)
    marked = Counter((i.mark, i.role) for i in items if i.mark)
    assert marked == {
        ("branch", "user"): 1,
        ("branch", "assistant"): 2,
        ("hidden", "system"): 2,
        ("hidden", "assistant"): 1,
    }
    assert Counter(i.time_source for i in items) == {"message": 48, "session": 4}
    assert items == read(SAMPLE)
    assert chatgpt.looks_like(SAMPLE)


def test_the_evidence_of_the_sample_is_live_and_the_users() -> None:
    if not SAMPLE.exists():
        pytest.skip("no sample export; set SLOWWAVE_SAMPLES to the folder that holds it")
    known = {i.message_id: i for i in read(SAMPLE)}
    expected = json.loads((_SAMPLES / "expected.json").read_text())
    refs = {e["ref"] for item in expected["items"] for e in item["evidence"].get("chatgpt", [])}
    assert refs and all(known[ref].mark is None and known[ref].text and known[ref].role == "user" for ref in refs)
    traps = expected["samples"]["chatgpt"]["must_not_contain"]["branch"]
    assert all(known[ref].mark == "branch" for ref in traps)


def test_the_case_of_the_edited_garden(tmp_path: Path) -> None:
    if not CASE.exists():
        pytest.skip("no cases; set SLOWWAVE_CASES to the folder that holds them")
    case = json.loads(CASE.read_text())
    items = read(write(tmp_path / "x.json", *case["input"]["chatgpt_export"]))
    report = case["expect"]["report"]
    counts = Counter(i.mark for i in items)
    assert (counts[None], counts["branch"]) == (report["messages_read"], report["messages_on_other_branches"])
    assert [i.message_id for i in items if not i.mark] == ["n4", "n6"]


def test_a_zip_a_folder_of_shards_and_a_file_are_the_same(tmp_path: Path) -> None:
    talks = [conversation(node("a", None, "One"), name="c1"), conversation(node("b", None, "Two"), name="c2")]
    whole = write(tmp_path / "conversations.json", *talks)
    shards = tmp_path / "shards"
    shards.mkdir()
    for number, talk in enumerate(talks):
        write(shards / f"conversations-{number:03}.json", talk)
    (shards / "user.json").write_text('{"id": "u"}')
    (shards / "notes.json").write_text('{"colour": "blue"}')
    packed = tmp_path / "x.zip"
    with zipfile.ZipFile(packed, "w") as opened:
        for file in sorted(shards.iterdir()):
            opened.write(file, f"export/{file.name}")
        opened.writestr("../conversations.json", whole.read_text())
    found = [
        [(i.session_id, i.message_id, i.text) for i in chatgpt.read(p) if isinstance(i, RawMessage)]
        for p in (whole, shards, packed)
    ]
    assert found == [[("c1", "a", "One"), ("c2", "b", "Two")]] * 3
    assert [i.reason for i in chatgpt.read(packed) if isinstance(i, Damaged)] == ["unsafe path in a zip"]
    assert all(chatgpt.looks_like(p) for p in (whole, shards, packed))


def test_a_zip_or_file_without_conversations_is_refused_by_name(tmp_path: Path) -> None:
    packed = tmp_path / "x.zip"
    with zipfile.ZipFile(packed, "w") as opened:
        opened.writestr("user.json", '{"id": "u"}')
    empty, text = tmp_path / "conversations.json", tmp_path / "x.json"
    empty.write_text("")
    text.write_text("hello")
    for path in (packed, empty, text, tmp_path / "nothing.zip"):
        with pytest.raises(SourceError, match=path.name):
            list(chatgpt.read(path))
        assert not chatgpt.looks_like(path)
    assert {i.reason for i in chatgpt.read(tmp_path) if isinstance(i, Damaged)} == {"empty file"}


def test_times_are_inherited_and_never_made_up(tmp_path: Path) -> None:
    nodes = [
        node("a", None, "One", create_time=None),
        node("b", "a", "Two", create_time=START + 5),
        node("c", "b", "Three", create_time=None),
    ]
    items = read(
        write(
            tmp_path / "x.json",
            conversation(*nodes),
            conversation(node("d", None, create_time=None), name="c2", create_time=None),
        )
    )
    times = [(i.said_at and i.said_at.timestamp() - START, i.time_source) for i in items]
    assert times == [(-60, "session"), (5, "message"), (5, "session"), (None, "none")]
    assert items[1].offset_minutes is None


def test_the_zone_that_the_platform_states_gives_the_offset(tmp_path: Path) -> None:
    profile = "Very important: The user's timezone is Pacific/Auckland. The current date is 8th May.\n```I dive.```"
    context = {"content_type": "user_editable_context", "user_profile": profile, "user_instructions": None}
    said = node("b", "a", "Tomorrow", create_time=datetime(2026, 4, 4, 20, tzinfo=UTC).timestamp())
    told, item = read(write(tmp_path / "x.json", conversation(node("a", None, context, create_time=None), said)))
    assert (told.text, told.trust, told.mark) == ("I dive.", "owner", None)
    # The clocks went back on the morning of 5 April there.
    assert item.offset_minutes == 720 and told.offset_minutes == 780


@pytest.mark.parametrize(
    ("content", "metadata", "text"),
    [
        ({"user_profile": "I dive.", "user_instructions": "Be short."}, {}, "I dive.\nBe short."),
        ({"user_profile": "The user provided this:\n```I dive.```", "user_instructions": ""}, {}, "I dive."),
        ({"user_profile": "x"}, {"user_context_message_data": {"about_user_message": "I dive."}}, "I dive."),
        ({"user_profile": "The user provided nothing"}, {}, ""),
        ({}, {}, ""),
    ],
)
def test_custom_instructions_are_the_owners_words(tmp_path: Path, content: Any, metadata: Any, text: str) -> None:
    told = {"content_type": "user_editable_context", **content}
    hidden = {"is_user_system_message": True, "is_visually_hidden_from_conversation": True, **metadata}
    item = one(tmp_path, node("a", None, told, metadata=hidden))
    expected = ("user", "owner", None) if text else ("system", None, "hidden")
    assert (item.text, item.role, item.trust, item.mark) == (text, *expected)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (node("a", None, "x", "system"), ("system", "x", None, "hidden", None)),
        (node("a", None, "x", weight=0), ("user", "x", None, "hidden", None)),
        (node("a", None, "x", metadata={"is_visually_hidden_from_conversation": True}), ("user", "x", None, "hidden", None)),
        (node("a", None, {"content_type": "thoughts", "thoughts": []}, "assistant"), ("assistant", "", None, "hidden", None)),
        (
            node("a", None, {"content_type": "code", "text": "1+1"}, "assistant", recipient="python"),
            ("assistant", "", "python", None, None),
        ),
        (node("a", None, {"content_type": "execution_output", "text": "2"}, "tool", author="python"), ("tool", "2", "python", None, None)),
        (node("a", None, "User dives.", "assistant", recipient="bio"), ("assistant", "User dives.", "bio", None, "imported")),
        (
            node("a", None, {"content_type": "model_editable_context", "model_set_context": "1. Dives"}, "assistant"),
            ("system", "1. Dives", None, "boot", "imported"),
        ),
        (
            node("a", None, {"content_type": "multimodal_text", "parts": [{"asset_pointer": "f"}, "Look", {"text": "heard"}]}),
            ("user", "Look\nheard", None, None, None),
        ),
        (node("a", None, "x", "assistant", recipient="all"), ("assistant", "x", None, None, None)),
    ],
)  # fmt: skip
def test_what_is_no_speech_is_marked(tmp_path: Path, found: dict[str, Any], expected: tuple[Any, ...]) -> None:
    item = one(tmp_path, found)
    assert (item.role, item.text, item.tool_name, item.mark, item.trust) == expected


@pytest.mark.parametrize("on_last_copy", [True, False])
def test_a_chat_branched_from_another_repeats_its_messages_under_their_ids(tmp_path: Path, on_last_copy: bool) -> None:
    mark = {"metadata": {"branching_from_conversation_id": "c1"}}
    first = [node("a", None, "One"), node("b", "a", "Answer", "assistant")]
    copied = [first[0], node("b", "a", "Answer", "assistant", **(mark if on_last_copy else {}))]
    own = [node("c", "b", "Two", **({} if on_last_copy else mark)), node("d", "c", "Answer", "assistant")]
    items = read(write(tmp_path / "x.json", conversation(*first), conversation(*copied, *own, name="c2")))
    assert [(i.session_id, i.message_id) for i in items[2:]] == [("c1", "a"), ("c1", "b"), ("c2", "c"), ("c2", "d")]


def test_a_project_is_kept_and_other_assistants_are_none(tmp_path: Path) -> None:
    talks = [conversation(node("a", None, "x"), name=g, gizmo_id=g) for g in ("g-p-1", "g-2")]
    assert [i.project for i in read(write(tmp_path / "x.json", *talks))] == ["g-p-1", None]


def test_damage_leaves_the_rest(tmp_path: Path) -> None:
    broken = [
        {"id": "a", "parent": None, "message": 5},
        node("b", "a", "x", create_time="yesterday"),
        node("c", "b", "x", "ghost"),
        node("d", "c", "a\0b"),
        node("e", "d", "half \ud83d"),
        node("f", "e", "good"),
    ]
    found = conversation(*broken)
    found["mapping"]["g"] = 7
    path = write(
        tmp_path / "x.json", {"title": "none"}, {"mapping": {}}, found, conversation(node("z", None, "last"), name="c2")
    )
    items = list(chatgpt.read(path))
    assert [i.text for i in items if isinstance(i, RawMessage)] == ["good", "last"]
    assert [(i.line, i.reason) for i in items if isinstance(i, Damaged)] == [
        (1, "no mapping"),
        (2, "no id"),
        (3, "message 0: not an object"),
        (3, "message 1: bad time"),
        (3, "message 2: unknown role"),
        (3, "message 3: NUL in text"),
        (3, "message 4: half a character"),
        (3, "message 6: not an object"),
    ]


def test_a_loop_and_a_lost_leaf_are_survived(tmp_path: Path) -> None:
    loop = [node("a", "b", "x"), node("b", "a", "x"), node("c", None, "One"), node("d", "c", "Two")]
    items = read(write(tmp_path / "x.json", conversation(*loop, current_node="gone")))
    assert {i.message_id: i.mark for i in items} == {"a": "branch", "b": "branch", "c": None, "d": None}


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.sampled_from(["", "a", "b", "user", "text", "thoughts", 10**400]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["message", "parent", "author", "role", "content", "parts", "content_type", "create_time", "metadata"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), JSON, max_size=3), JSON, JSON)
def test_any_conversation_is_messages_or_damage(mapping: dict[str, Any], leaf: Any, at: Any) -> None:
    record = Record("x.json", "", 1, {"id": "c", "mapping": mapping, "current_node": leaf, "create_time": at})
    try:
        items = list(chatgpt._Conversation(record).messages())
    except BadLine:
        return
    assert all(isinstance(item, RawMessage | Damaged) for item in items)
