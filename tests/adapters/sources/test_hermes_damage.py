"""Hermes: memories beside the database; what is damaged is named and the rest is read."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.sources import hermes
from adapters.sources.protocol import Damaged, RawMessage
from slowwave.errors import SourceError
from tests.adapters.sources.hermes_database import database, read_one, row, said, session


def test_a_delegated_session_is_a_sub_agents_whatever_its_source(tmp_path: Path) -> None:
    (message,) = read_one(tmp_path, row(1), model_config='{"_delegate_from": "other"}')
    assert (message.mark, message.trust) == ("subagent", "agent")


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
        ({"text": "", "codex_message_items": "[" * 10_000}, "nested too deeply"),
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
        ("state.db", "not a database"),
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
