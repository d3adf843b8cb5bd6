"""Claude Code: copies keep their original's ids, edits take their subtree with them, and machine text is marked."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.sources import claude_code
from adapters.sources.claude_code.words import said
from adapters.sources.protocol import BadLine, Damaged, RawMessage

_SAMPLES = Path(os.environ.get("SLOWWAVE_SAMPLES", Path(__file__).parents[4] / "shared" / "samples"))
SAMPLE = _SAMPLES / "claude_code"
FOLDER = "-srv-ana-kiln-shed"


def line(
    name: str, parent: str | None, content: Any, kind: str = "user", minute: int = 0, **more: Any
) -> dict[str, Any]:
    return {
        "uuid": name,
        "parentUuid": parent,
        "type": kind,
        "cwd": "/srv/ana/kiln.shed/src",
        "timestamp": f"2026-03-02T10:{minute:02}:00.000Z",
        "message": {"role": kind, "content": content},
        **more,
    }


def write(root: Path, name: str, *lines: Any) -> Path:
    path = root / "projects" / FOLDER / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    written = [
        one if isinstance(one, str) else json.dumps({"sessionId": name.rpartition("/")[2], **one}) for one in lines
    ]
    path.write_text("\n".join(written) + "\n")
    return path


def read(path: Path) -> list[RawMessage]:
    return [item for item in claude_code.read(path) if isinstance(item, RawMessage)]


def keys(path: Path) -> list[tuple[str, str, str | None]]:
    return [(m.session_id, m.message_id, m.mark) for m in read(path)]


def test_the_sample_has_its_expected_counts() -> None:
    if not SAMPLE.is_dir():
        pytest.skip("no sample transcripts; set SLOWWAVE_SAMPLES to the folder that holds them")
    items = list(claude_code.read(SAMPLE))
    spoken = [i for i in items if isinstance(i, RawMessage) and i.trust is None]
    alone = {(i.session_id, i.message_id): i for i in spoken}
    assert (len(spoken), len(alone), len({session for session, _ in alone})) == (68, 62, 4)
    marks = Counter(i.mark for i in alone.values())
    # Two commands, one caveat and one interrupt are hidden; four re-written lines and two of a fork add nothing.
    assert marks == {None: 53, "hidden": 4, "branch": 2, "summary": 1, "sidechain": 2}
    copies = [
        i
        for n, i in enumerate(spoken)
        if (i.session_id, i.message_id) in {(j.session_id, j.message_id) for j in spoken[:n]}
    ]
    assert Counter(i.place.partition(".jsonl")[0][-36:-28] for i in copies) == {"6d877e10": 4, "af6f78d1": 2}
    assert [(i.line, i.reason) for i in items if isinstance(i, Damaged)] == [(20, "broken JSON")]
    assert {i.project for i in spoken} == {"kelpline"}
    assert {(i.trust, i.mark) for i in items if isinstance(i, RawMessage) and i.trust} == {("imported", None)}
    assert any("matplotlib" in i.text for i in items if isinstance(i, RawMessage) and i.trust)
    assert items == list(claude_code.read(SAMPLE))
    assert claude_code.looks_like(SAMPLE)


def test_the_evidence_of_the_sample_is_live_and_the_users() -> None:
    if not SAMPLE.is_dir():
        pytest.skip("no sample transcripts; set SLOWWAVE_SAMPLES to the folder that holds them")
    known = {i.message_id: i for i in reversed(read(SAMPLE))}
    expected = json.loads((_SAMPLES / "expected.json").read_text())
    refs = {e["ref"] for item in expected["items"] for e in item["evidence"].get("claude_code", [])}
    assert refs and all(known[ref].mark is None and known[ref].text and known[ref].role == "user" for ref in refs)


def test_a_line_becomes_a_message(tmp_path: Path) -> None:
    (item,) = read(write(tmp_path, "s1", line("a", None, "The kiln room stays locked.")))
    assert (item.platform, item.session_id, item.message_id, item.role) == ("claude_code", "s1", "a", "user")
    assert (item.text, item.project, item.time_source) == ("The kiln room stays locked.", "kiln.shed", "message")
    # The clock is the machine's: it says nothing of where the person is.
    assert item.said_at and item.said_at.isoformat() == "2026-03-02T10:00:00+00:00" and item.offset_minutes is None


def test_blocks_decide_who_speaks(tmp_path: Path) -> None:
    call = [{"type": "thinking", "thinking": "hm"}, {"type": "tool_use", "id": "t1", "name": "Bash", "input": {}}]
    answer = [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "ok"}]}]
    both = [
        {"type": "text", "text": "Wait, not that one."},
        {"type": "tool_result", "tool_use_id": "t9", "content": None},
    ]
    picture = [{"type": "text", "text": "Like this"}, {"type": "image", "source": {"type": "base64", "data": "AAAA"}}]
    path = write(
        tmp_path,
        "s1",
        line("a", None, call, "assistant"),
        line("b", "a", answer),
        line("c", "b", both),
        line("d", "c", [{"type": "text", "text": "Done."}, call[1]], "assistant"),
        line("e", "d", picture),
    )
    assert [(m.message_id, m.role, m.text, m.tool_name) for m in read(path)] == [
        ("a", "assistant", "", "Bash"),
        ("b", "tool", "ok", "Bash"),
        ("c", "tool", "", "tool"),
        ("c#text", "user", "Wait, not that one.", None),
        ("d", "assistant", "Done.", None),
        ("e", "user", "Like this", None),
    ]


@pytest.mark.parametrize(
    ("content", "more", "mark"),
    [
        ("<command-name>/cost</command-name>\n<command-message>cost</command-message>", {}, "hidden"),
        ("<local-command-stdout>0.31</local-command-stdout>", {}, "hidden"),
        ("[Request interrupted by user for tool use]", {}, "hidden"),
        ("<system-reminder>x</system-reminder>\nThe permit is due.", {}, None),
        ("<system-reminder>x</system-reminder>", {}, "hidden"),
        ("<command-name>never closed", {}, None),
        ("Caveat", {"isMeta": True}, "hidden"),
        ("So far", {"isCompactSummary": True, "isVisibleInTranscriptOnly": True}, "summary"),
        ("Check it", {"isSidechain": True, "agentId": "a1"}, "sidechain"),
        ("Check it", {"agentId": "a1"}, "subagent"),
        ("from a peer", {"origin": {"kind": "peer"}}, "hidden"),
        ("typed", {"origin": {"kind": "human"}}, None),
        ("API Error", {"type": "assistant", "isApiErrorMessage": True}, "hidden"),
    ],
)
def test_what_no_person_typed_is_marked(tmp_path: Path, content: str, more: dict[str, Any], mark: str | None) -> None:
    (item,) = read(write(tmp_path, "s1", line("a", None, content) | more))
    assert item.mark == mark


def test_what_was_typed_while_the_agent_worked_is_the_users(tmp_path: Path) -> None:
    def queued(name: str, **attachment: Any) -> dict[str, Any]:
        return line(name, None, None, "attachment", attachment={"type": "queued_command", **attachment})

    path = write(
        tmp_path,
        "s1",
        queued("a", commandMode="prompt", prompt="Use the north door.", origin={"kind": "human"}),
        queued("b", commandMode="prompt", prompt="x", origin={"kind": "peer"}),
        queued("c", commandMode="task-notification", prompt="x"),
        {"type": "queue-operation", "operation": "enqueue", "content": "Use the north door."},
    )
    assert [(m.message_id, m.role, m.text, m.mark) for m in read(path)] == [("a", "user", "Use the north door.", None)]


def test_an_edit_takes_what_followed_the_old_words(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "s1",
        line("a", None, "Hello", minute=1),
        line("b", "a", [{"type": "text", "text": "Hi"}], "assistant", 2),
        line("c", "b", "I moved to Brno.", minute=3),
        line("d", "c", [{"type": "text", "text": "Brno!"}], "assistant", 4),
        line("e", "b", "My sister moved to Brno.", minute=5),
        line("f", "gone", "After a gap", minute=6),
        line("g", "f", [{"type": "tool_result", "content": "1"}], minute=7),
        line("h", "f", [{"type": "tool_result", "content": "2"}], minute=8),
        line("c", "b", "I moved to Brno.", minute=3),
    )
    marks = {m.message_id: m.mark for m in read(path)}
    assert marks == {"a": None, "b": None, "c": "branch", "d": "branch", "e": None, "f": None, "g": None, "h": None}


def test_copies_have_the_ids_of_their_originals(tmp_path: Path) -> None:
    first, second = line("a", None, "One", minute=1), line("b", "a", "Two", minute=2)
    write(tmp_path, "m-original", first, second)
    named = [one | {"forkedFrom": {"sessionId": "m-original", "messageUuid": one["uuid"]}} for one in (first, second)]
    write(tmp_path, "a-fork", named[0] | {"uuid": "a2"}, line("x", "a2", "A way of its own", minute=9))
    again = {"forkedFrom": {"sessionId": "a-fork", "messageUuid": "a2"}}
    write(tmp_path, "a-fork-of-fork", first | {"uuid": "a3"} | again, line("y", "a3", "And another", minute=10))
    write(tmp_path, "b-old-fork", first | {"sessionId": "m-original"}, second | {"sessionId": "m-original"})
    write(tmp_path, "c-resumed", first, second, line("z", "b", "Three", minute=30))
    write(tmp_path, "d-background", *[one | {"sessionKind": "bg"} for one in (first, second)])
    found = {(session, name) for session, name, _ in keys(tmp_path)}
    assert found == {
        ("m-original", "a"),
        ("m-original", "b"),
        ("a-fork", "x"),
        ("a-fork-of-fork", "y"),
        ("c-resumed", "z"),
    }
    assert {mark for *_, mark in keys(tmp_path)} == {None}


def test_a_copy_whose_original_was_pruned_keeps_the_name_it_states(tmp_path: Path) -> None:
    copied = line("a", None, "One", forkedFrom={"sessionId": "pruned", "messageUuid": "a"})
    write(tmp_path, "fork", copied)
    assert keys(tmp_path) == [("pruned", "a", None)]


def test_copies_that_name_each_other_end(tmp_path: Path) -> None:
    write(tmp_path, "s1", line("a", None, "One", forkedFrom={"sessionId": "s2", "messageUuid": "a"}))
    write(tmp_path, "s2", line("a", None, "One", forkedFrom={"sessionId": "s1", "messageUuid": "a"}))
    assert len(keys(tmp_path)) == 2


def test_a_sub_agents_file_belongs_to_its_session(tmp_path: Path) -> None:
    write(tmp_path, "s1", line("a", None, "Go"))
    write(tmp_path, "s1/subagents/agent-7", line("b", None, "The user likes tabs.") | {"sessionId": "s1"})
    write(tmp_path, "agent-8", line("c", None, "The user likes tabs.") | {"sessionId": "s1"})
    assert sorted(keys(tmp_path)) == [("s1", "a", None), ("s1", "b", "subagent"), ("s1", "c", "subagent")]


def test_the_memory_folder_is_imported_and_what_we_wrote_there_is_not(tmp_path: Path) -> None:
    path = write(tmp_path, "s1", line("a", None, "Go"))
    memory = path.parent / "memory"
    memory.mkdir()
    (memory / "MEMORY.md").write_text("- Plots use Altair\n<!-- slowwave -->\n- Echo\n<!-- /slowwave -->\n")
    (memory / "bad.md").write_bytes(b"caf\xe9")
    elsewhere = tmp_path / "plugins" / "memory"
    elsewhere.mkdir(parents=True)
    (elsewhere / "other.md").write_text("- Not the project's")
    items = list(claude_code.read(tmp_path))
    notes = [i for i in items if isinstance(i, RawMessage) and i.trust]
    assert [(i.text, i.trust, i.role, i.project, i.time_source) for i in notes] == [
        ("- Plots use Altair", "imported", "assistant", "kiln.shed", "none")
    ]
    assert [i.reason for i in items if isinstance(i, Damaged)] == ["invalid UTF-8"]


def test_a_bad_line_leaves_the_rest(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "s1",
        line("a", None, "One"),
        line("b", "a", 5),
        line("c", "a", "Two", timestamp="yesterday"),
        line("d", "a", "x", sessionId={"a": 1}),
        line("e", "a", "x\0y"),
        {"uuid": "f"},
        {"type": "file-history-snapshot", "messageId": "x"},
        {"type": "summary", "summary": "A title", "leafUuid": "a"},
        line("", "a", "No id"),
        '{"type": "user", "mess',
    )
    items = list(claude_code.read(path))
    reasons = [i.reason for i in items if isinstance(i, Damaged)]
    assert reasons == ["no content", "bad time", "a field is nested", "NUL in text", "no type", "broken JSON"]
    texts = {i.text: i.message_id for i in items if isinstance(i, RawMessage)}
    assert set(texts) == {"One", "No id"} and len(texts["No id"]) == 16


def test_recognised_by_its_lines(tmp_path: Path) -> None:
    path = write(tmp_path, "s1", "{broken", line("a", None, "One"))
    assert claude_code.looks_like(path) and claude_code.looks_like(tmp_path)
    other = tmp_path / "other.jsonl"
    other.write_text('{"session_id": "s", "role": "user"}\n{"type": "message", "id": "a", "parentId": null}\n')
    assert not claude_code.looks_like(other) and not claude_code.looks_like(tmp_path / "nothing.jsonl")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.sampled_from(["", "a", "text", "tool_result", "user", "<bash-input>"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "content", "name", "id", "tool_use_id", "model"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)


@given(
    st.fixed_dictionaries(
        {
            "type": st.sampled_from(["user", "assistant", "attachment", 3]),
            "message": JSON,
            "origin": JSON,
            "attachment": JSON,
        }
    )
)
def test_any_line_says_something_or_is_refused(found: dict[str, Any]) -> None:
    try:
        parts = list(said(found, {}))
    except BadLine:
        return
    assert all(part.role in ("user", "assistant", "tool") for part in parts)
