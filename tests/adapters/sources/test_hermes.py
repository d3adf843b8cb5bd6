"""Hermes: every state of a row, copies under their original's ids, memories as imported, any schema, nothing taken down."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.sources import hermes
from adapters.sources.protocol import Damaged, Item, RawMessage
from slowwave.errors import SourceError

SAMPLES = Path(os.environ.get("SLOWWAVE_SAMPLES", Path(__file__).parents[4] / "shared" / "samples"))
T = 1_775_000_000.25


def samples() -> Path:
    if not (SAMPLES / "hermes_state.db").exists():
        pytest.skip("no sample databases; set SLOWWAVE_SAMPLES to the folder that holds them")
    return SAMPLES


def said(items: list[Item]) -> list[RawMessage]:
    return [item for item in items if isinstance(item, RawMessage)]


def database(path: Path, sessions: list[dict[str, Any]], messages: list[dict[str, Any]]) -> Path:
    """A state.db with just the columns that are used."""
    con = sqlite3.connect(path)
    con.execute("CREATE TABLE schema_version (version INTEGER)")
    for table, rows, first in (
        ("sessions", sessions, "id TEXT PRIMARY KEY"),
        ("messages", messages, "id INTEGER PRIMARY KEY"),
    ):
        names = sorted({name for row in rows for name in row} - {"id"})
        con.execute(f"CREATE TABLE {table} ({', '.join([first, *names])})")
        for row in rows:
            con.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", [*row.values()])
    con.commit()
    con.close()
    return path


def row(number: int, session: str = "s", text: Any = "hello", **more: Any) -> dict[str, Any]:
    made = {"id": number, "session_id": session, "role": "user", "content": text, "timestamp": T + number}
    return {**made, **more}


def session(name: str = "s", source: str = "cli", **more: Any) -> dict[str, Any]:
    return {"id": name, "source": source, "started_at": T, **more}


def read_one(tmp_path: Path, *messages: dict[str, Any], **of_session: Any) -> list[RawMessage]:
    items = list(hermes.read(database(tmp_path / "state.db", [session(**of_session)], list(messages))))
    assert not [item for item in items if isinstance(item, Damaged)]
    return said(items)


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


def test_a_delegated_session_is_a_sub_agents_whatever_its_source(tmp_path: Path) -> None:
    (message,) = read_one(tmp_path, row(1), model_config='{"_delegate_from": "other"}')
    assert (message.mark, message.trust) == ("subagent", "agent")


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


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ({"role": "ghost"}, "unknown role"),
        ({"role": None}, "no role"),
        ({"text": b"\xff\xfe"}, "no content"),
        ({"text": 5}, "no content"),
        ({"text": "a\0b"}, "NUL in text"),
        ({"text": "\0json:[{"}, "broken JSON"),
        ({"text": '\0json:[{"text": "\\ud83d"}]'}, "half a character"),
        ({"timestamp": "yesterday"}, "bad time"),
        ({"timestamp": 1e300}, "bad time"),
        ({"session": None}, "no session"),
        ({"role": "assistant", "tool_calls": "{"}, "broken JSON"),
        ({"text": "", "codex_message_items": "[" * 10_000}, "broken JSON"),
    ],
)
def test_a_damaged_row_is_named_and_the_rest_is_read(tmp_path: Path, broken: dict[str, Any], reason: str) -> None:
    path = database(tmp_path / "state.db", [session()], [row(1), row(2, **broken), row(3)])
    first, damaged, last = hermes.read(path)
    assert isinstance(first, RawMessage) and isinstance(last, RawMessage)
    assert isinstance(damaged, Damaged)
    assert (damaged.file, damaged.line, damaged.reason) == ("state.db/messages", 2, reason)


VALUES = (
    st.none()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.binary(max_size=4)
    | st.text(max_size=6)
)
VALUES |= st.sampled_from(["[]", "{}", '[{"function": 1}]', '{"_branched_from": 1}', "\0json:5", "user", "assistant"])
OF_MESSAGES = st.sampled_from(
    ["role", "content", "tool_calls", "timestamp", "codex_message_items", "active", "session_id"]
)
OF_SESSIONS = st.sampled_from(
    ["source", "user_id", "chat_type", "cwd", "git_repo_root", "parent_session_id", "model_config"]
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(OF_MESSAGES, VALUES), st.dictionaries(OF_SESSIONS, VALUES))
def test_whatever_stands_in_a_column_the_rest_is_read(
    tmp_path: Path, bad: dict[str, Any], about: dict[str, Any]
) -> None:
    path = tmp_path / "state.db"
    path.unlink(missing_ok=True)
    rows = [
        {k: v for k, v in row(n).items() if n == 1 or k == "id" or k not in bad} | (bad if n == 2 else {})
        for n in (1, 2)
    ]
    sessions = [{**session("t"), **about}, session()]
    found = said(list(hermes.read(database(path, sessions, [*rows, row(3, "t"), row(4)]))))
    assert [m.text for m in (found[0], found[-1])] == ["hello", "hello"]
    assert {m.message_id for m in found} >= {"1", "3", "4"}


def test_text_that_is_no_utf_8_takes_only_its_row(tmp_path: Path) -> None:
    path = database(tmp_path / "state.db", [session()], [row(1), row(2)])
    con = sqlite3.connect(path)
    con.execute("UPDATE messages SET content = CAST(X'636166E9' AS TEXT) WHERE id = 1")
    con.commit()
    con.close()
    damaged, message = hermes.read(path)
    assert isinstance(damaged, Damaged) and damaged.reason == "invalid UTF-8"
    assert isinstance(message, RawMessage)


def test_bookkeeping_rows_and_secrets_are_not_read(tmp_path: Path) -> None:
    path = database(tmp_path / "state.db", [session()], [row(1, role="session_meta", text=None), row(2)])
    con = sqlite3.connect(path)
    con.execute("CREATE TABLE secrets (name TEXT, content TEXT)")
    con.execute("INSERT INTO secrets VALUES ('k', 'hunter2')")
    con.commit()
    con.close()
    assert [m.message_id for m in said(list(hermes.read(path)))] == ["2"]


def test_a_database_is_read_while_its_owner_writes(tmp_path: Path) -> None:
    path = database(tmp_path / "state.db", [session()], [row(1)])
    con = sqlite3.connect(path)
    con.execute("PRAGMA journal_mode = WAL")
    con.execute("INSERT INTO messages (id, session_id, role, content, timestamp) VALUES (2, 's', 'user', 'late', 5.0)")
    con.commit()
    con.execute("INSERT INTO messages (id, session_id, role, content, timestamp) VALUES (3, 's', 'user', 'open', 6.0)")
    assert [m.text for m in said(list(hermes.read(path)))] == ["hello", "late"]
    con.close()


def test_what_is_no_database_is_refused_by_name_and_named_inside_a_folder(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "memories").mkdir(parents=True)
    broken = home / "state.db"
    broken.write_bytes(b"SQLite format 3\0" + b"\1" * 50)
    (home / "memories" / "MEMORY.md").write_text("One\n§\nTwo")
    (home / "memories" / "USER.md").write_bytes(b"caf\xe9")
    (home / "notes.db").write_bytes(b"")
    with pytest.raises(SourceError, match=r"state\.db"):
        list(hermes.read(broken))
    items = list(hermes.read(home))
    assert [m.text for m in said(items)] == ["One", "Two"]
    assert {(i.file, i.reason) for i in items if isinstance(i, Damaged)} == {
        ("state.db", "unreadable database"),
        ("memories/USER.md", "invalid UTF-8"),
    }


def test_memory_entries_are_known_by_their_words(tmp_path: Path) -> None:
    folder = tmp_path / "memories"
    folder.mkdir()
    (folder / "MEMORY.md").write_text(
        "\ufeffFirst\n§\nUses §5 of the law\nwith a second line\n§\n\n§\nFirst", encoding="utf-8"
    )
    before = said(list(hermes.read(tmp_path)))
    assert [(m.text, m.place) for m in before] == [
        ("First", "memories/MEMORY.md:1"),
        ("Uses §5 of the law\nwith a second line", "memories/MEMORY.md:3"),
        ("First", "memories/MEMORY.md:8"),
    ]
    assert len({m.message_id for m in before}) == 3
    (folder / "MEMORY.md").write_text("Uses §5 of the law\nwith a second line\n§\nNew", encoding="utf-8")
    after = said(list(hermes.read(folder / "MEMORY.md")))
    assert (after[0].session_id, after[0].message_id) == (before[1].session_id, before[1].message_id)


def test_the_archive_and_the_fact_store_are_imported(tmp_path: Path) -> None:
    folder = tmp_path / "memories"
    folder.mkdir()
    (folder / "ARCHIVE.jsonl").write_text('{"content": "Old note"}\n{"when": 1}\n{"entry": "Older"}\n{"co')
    con = sqlite3.connect(tmp_path / "memory_store.db")
    con.execute("CREATE TABLE facts (fact_id INTEGER PRIMARY KEY, content TEXT, created_at TIMESTAMP)")
    con.execute("INSERT INTO facts VALUES (4, 'Loggers write UTC', '2026-03-01 10:00:00'), (5, 'No date', NULL)")
    con.commit()
    con.close()
    items = list(hermes.read(tmp_path))
    found = said(items)
    assert [m.text for m in found] == ["Old note", "Older", "Loggers write UTC", "No date"]
    assert {m.trust for m in found} == {"imported"}
    assert [m.said_at and m.said_at.isoformat() for m in found[2:]] == ["2026-03-01T10:00:00+00:00", None]
    assert [m.message_id for m in found[2:]] == ["4", "5"]
    assert [i.reason for i in items if isinstance(i, Damaged)] == ["no content", "broken JSON"]


def test_recognition(tmp_path: Path) -> None:
    path = database(tmp_path / "state.db", [session()], [row(1)])
    assert hermes.looks_like(path) and hermes.looks_like(tmp_path)
    other = tmp_path / "other"
    (other / "memory").mkdir(parents=True)
    (other / "memory" / "MEMORY.md").write_text("- somebody else's")
    (other / "a.db").write_bytes(b"no")
    assert not hermes.looks_like(other) and not hermes.looks_like(other / "a.db")
    assert list(hermes.read(other)) == []
