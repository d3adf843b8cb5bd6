"""Hermes: every state of a row, copies under their original's ids, any schema."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from adapters.sources import hermes
from tests.adapters.sources.hermes_database import SAMPLES, T, database, read_one, row, said, samples, session


def test_the_sample_has_its_expected_counts() -> None:
    expected = json.loads((samples() / "expected.json").read_text())["samples"]["hermes"]
    messages = said(list(hermes.read(SAMPLES / "hermes_state.db")))
    home = {m.place.split(":")[-1]: m for m in messages}
    seen: set[tuple[str, str]] = set()
    counts: Counter[str | None] = Counter()
    for message in messages:
        key = (message.session_id, message.message_id)
        is_copy = key in seen
        seen.add(key)
        counts["copy" if is_copy else message.mark] += 1
    dropped = expected["dropped"]
    assert len(messages) == expected["messages_raw"]
    assert counts == {
        None: expected["messages_live"],
        "copy": dropped["branch_copy"] + dropped["reinserted_duplicate"],
        "summary": dropped["summary_row"],
        "rewound": dropped["rewound"],
        "hidden": dropped["hidden"],
        "observed": dropped["observed_third_party"],
        "subagent": dropped["subagent"],
        "cron": dropped["cron"],
    }
    branch = [m for m in (home["15"], home["16"], home["17"])]
    assert [(m.session_id, m.message_id) for m in branch] == [("20260303_094000_d3f6c1", n) for n in "123"]
    assert len({m.session_id for m in messages}) == expected["sessions"]


def test_the_sample_reads_the_same_twice_and_holds_no_injected_or_hidden_thought() -> None:
    first, second = (list(hermes.read(samples() / "hermes_state.db")) for _ in range(2))
    assert first == second
    texts = " ".join(m.text for m in said(first))
    assert "injected notes" not in texts and "internal notes" not in texts
    assert "PDF job removed" in texts and "Add the serial numbers" in texts and "base64" not in texts


def test_the_samples_memories_are_imported_without_a_time() -> None:
    messages = said(list(hermes.read(samples() / "hermes_memories")))
    assert [m.text for m in messages if m.session_id == "memories/USER.md"] == [
        "Noor Valkenburg, Tidewrack Collective",
        "Answer first, no emoji",
        "Drinks flat white",
    ]
    assert {(m.trust, m.role, m.said_at, m.time_source) for m in messages} == {("imported", "assistant", None, "none")}


def test_every_evidence_message_of_the_sample_is_live() -> None:
    items = json.loads((samples() / "expected.json").read_text())["items"]
    wanted = {e["ref"].split("/")[1] for item in items for e in item["evidence"].get("hermes", [])}
    live = {m.message_id for m in said(list(hermes.read(SAMPLES / "hermes_state.db"))) if m.mark is None}
    assert wanted and wanted <= live


@pytest.mark.parametrize(
    ("source", "mark", "trust"),
    [
        ("cli", None, None),
        ("telegram", None, None),
        ("cron", "cron", "system"),
        ("batch", "cron", "system"),
        ("webhook", "cron", "third_party"),
        ("subagent", "subagent", "agent"),
        ("tool", "subagent", "agent"),
    ],
)
def test_sessions_that_no_person_held_are_marked(
    tmp_path: Path, source: str, mark: str | None, trust: str | None
) -> None:
    asked, answered = read_one(tmp_path, row(1), row(2, role="assistant"), source=source)
    assert (asked.mark, asked.trust) == (mark, trust)
    assert (answered.mark, answered.trust) == (mark, None)


def test_states_of_rows(tmp_path: Path) -> None:
    messages = read_one(
        tmp_path,
        row(1, text="archived", active=0, compacted=1),
        row(2, text="undone", active=0, compacted=0),
        row(3, text="live", active=1, compacted=0),
        row(4, text="in short", active=1, compacted=0, _compressed_summary=1),
        row(5, text="[CONTEXT COMPACTION] earlier turns", active=1, compacted=0),
        row(6, text="Kai: anyone awake?", active=1, compacted=0, observed=1),
        row(7, text="skill text", active=1, compacted=0, display_kind="hidden"),
        row(8, text="Review the conversation above and tell me what you think", active=1, compacted=0),
    )
    assert [m.mark for m in messages] == [None, "rewound", None, "summary", "summary", "observed", "hidden", None]
    assert [m.trust for m in messages[3:7]] == ["system", "system", "third_party", "system"]
    assert (messages[5].role, messages[5].speaker) == ("participant", "Kai")


def test_an_old_schema_has_no_states_and_its_reviews_are_known_by_their_words(tmp_path: Path) -> None:
    review = "Review the conversation above and decide whether something should be saved."
    messages = read_one(
        tmp_path, row(1), row(2, text=review), row(3, role="assistant", text="Nothing."), row(4, text="and?")
    )
    assert [m.mark for m in messages] == [None, "hidden", "hidden", None]


def test_before_rewinds_had_archives_an_inactive_row_is_undone(tmp_path: Path) -> None:
    assert [m.mark for m in read_one(tmp_path, row(1, active=0), row(2, active=1))] == ["rewound", None]


def test_a_kept_row_put_in_again_is_the_first_one_and_its_undoing_counts(tmp_path: Path) -> None:
    kept = {"text": "noted", "timestamp": T}
    messages = read_one(
        tmp_path,
        row(1, active=0, compacted=1, **kept),
        row(2, active=1, compacted=0, **kept),
        row(3, active=0, compacted=0, **kept),
        row(4, active=1, compacted=0, text="noted", timestamp=T + 1),
    )
    assert [(m.message_id, m.mark) for m in messages] == [("1", None), ("1", None), ("1", "rewound"), ("4", None)]


@pytest.mark.parametrize("relation", ["branch", "compression", "branched parent"])
def test_a_line_of_sessions_has_each_message_once(tmp_path: Path, relation: str) -> None:
    parent = {"end_reason": {"branch": None, "compression": "compression"}.get(relation, "branched")}
    config = '{"_branched_from": "a"}' if relation == "branch" else None
    path = database(
        tmp_path / "state.db",
        [
            session("a", **parent),
            session("b", parent_session_id="a", model_config=config),
            session("c", parent_session_id="b", model_config='{"_branched_from": "b"}'),
            session("other"),
        ],
        [
            row(1, "a", "undone", timestamp=T, active=0, compacted=0),
            row(2, "b", "undone", timestamp=T, active=1, compacted=0),
            row(3, "b", "new", timestamp=T + 9, active=1, compacted=0),
            row(4, "c", "new", timestamp=T + 9, active=1, compacted=0),
            row(5, "other", "new", timestamp=T + 9, active=1, compacted=0),
        ],
    )
    messages = said(list(hermes.read(path)))
    assert [(m.session_id, m.message_id) for m in messages] == [
        ("a", "1"),
        ("a", "1"),
        ("b", "3"),
        ("b", "3"),
        ("other", "5"),
    ]
    # What was undone where it was first said stays undone in its copies.
    assert [m.mark for m in messages] == ["rewound", "rewound", None, None, None]


def test_sessions_that_name_each_other_as_parents_end(tmp_path: Path) -> None:
    ring = [session(n, model_config=json.dumps({"_branched_from": o})) for n, o in (("a", "b"), ("b", "a"), ("c", "c"))]
    path = database(tmp_path / "state.db", ring, [row(1, "a"), row(2, "b"), row(3, "c")])
    assert [m.session_id for m in said(list(hermes.read(path)))] == ["a", "b", "c"]


def test_parallel_tool_results_of_one_moment_are_no_copies(tmp_path: Path) -> None:
    one = {"role": "tool", "text": "ok", "timestamp": T, "tool_name": "write"}
    messages = read_one(tmp_path, row(1, tool_call_id="x", **one), row(2, tool_call_id="y", **one))
    assert [(m.message_id, m.tool_name) for m in messages] == [("1", "write"), ("2", "write")]


def test_texts_of_every_shape(tmp_path: Path) -> None:
    parts = [
        {"type": "text", "text": "see photo"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}},
    ]
    answer = [{"type": "reasoning"}, {"type": "message", "content": [{"type": "output_text", "text": "Done."}]}]
    calls = [{"function": {"name": "terminal", "arguments": "{}"}}]
    messages = read_one(
        tmp_path,
        row(1, text="\0json:" + json.dumps(parts)),
        row(2, text="", role="assistant", codex_message_items=json.dumps(answer)),
        row(3, text=None, role="assistant", tool_calls=json.dumps(calls)),
    )
    assert [m.text for m in messages] == ["see photo", "Done.", ""]
    assert messages[2].tool_name == "terminal"


def test_times_are_instants_without_an_offset(tmp_path: Path) -> None:
    timed, untimed = read_one(tmp_path, row(1, timestamp=T), row(2, timestamp=None))
    assert timed.said_at is not None and timed.said_at.timestamp() == T
    assert (timed.offset_minutes, timed.time_source) == (None, "message")
    assert (untimed.said_at, untimed.time_source) == (timed.said_at, "session")


def test_a_strangers_words_in_a_group_are_not_the_owners(tmp_path: Path) -> None:
    path = database(
        tmp_path / "state.db",
        [
            session("dm", "telegram", user_id="7", chat_type="dm"),
            session("mine", "telegram", user_id="7", chat_type="group"),
            session("theirs", "telegram", user_id="8", chat_type="group"),
        ],
        [row(1, "dm"), row(2, "mine"), row(3, "theirs"), row(4, "theirs", role="assistant")],
    )
    found = [(m.role, m.mark, m.trust) for m in said(list(hermes.read(path)))]
    assert found[:2] == [("user", None, None)] * 2
    assert found[2:] == [("participant", "observed", "third_party"), ("assistant", None, None)]


def test_a_projects_name_needs_a_repository(tmp_path: Path) -> None:
    path = database(
        tmp_path / "state.db",
        [
            session("a", cwd="/home/noor"),
            session("b", cwd="/src/kelp", git_branch="main"),
            session("c", git_repo_root="/r/x"),
        ],
        [row(1, "a"), row(2, "b"), row(3, "c"), row(4, "gone")],
    )
    assert [m.project for m in said(list(hermes.read(path)))] == [None, "kelp", "x", None]


def test_recognition(tmp_path: Path) -> None:
    path = database(tmp_path / "state.db", [session()], [row(1)])
    assert hermes.looks_like(path) and hermes.looks_like(tmp_path)
    other = tmp_path / "other"
    (other / "memory").mkdir(parents=True)
    (other / "memory" / "MEMORY.md").write_text("- somebody else's")
    (other / "a.db").write_bytes(b"no")
    assert not hermes.looks_like(other) and not hermes.looks_like(other / "a.db")
    assert list(hermes.read(other)) == []
