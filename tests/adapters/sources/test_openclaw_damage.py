"""OpenClaw: texts of every shape, packed or not; what is damaged is named and the rest is read."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.sources.openclaw import transcripts
from slowwave.errors import SourceError
from tests.adapters.sources.openclaw_logs import (
    clock,
    damaged,
    database,
    entry,
    header,
    index,
    marks,
    read,
    said,
    write,
)


def test_a_broken_index_is_named_and_its_sessions_are_read(tmp_path: Path) -> None:
    write(tmp_path / "s.jsonl", header("s"), entry("a", None, "go"))
    (tmp_path / "sessions.json").write_text('{"agent:main:main": {"sess')
    items = read(tmp_path)
    assert marks(items) == {"a": None}
    assert [(d.file, d.reason) for d in damaged(items)] == [("sessions.json", "broken JSON")]


def test_compressed_archives_are_read_line_by_line_and_their_damage_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "\n".join(json.dumps(e) for e in (header("s"), entry("a", None, "one"), entry("b", "a", "two")))
    packed = pa.compress(text.encode(), codec="zstd", asbytes=True)
    path = tmp_path / "sessions" / "s.jsonl.reset.2026-04-03T04-00-00.000Z.zst"
    path.parent.mkdir()
    path.write_bytes(packed)
    assert marks(read(tmp_path)) == {"a": None, "b": None}
    path.write_bytes(packed[: len(packed) // 2])
    assert [d.reason for d in damaged(read(tmp_path))] == ["broken compression"]
    path.write_bytes(pa.compress(json.dumps(header("s")).encode() + b"\n" + b"x" * 5000, codec="zstd", asbytes=True))
    monkeypatch.setattr(transcripts, "MAX_LINE_BYTES", 1000)
    assert [d.reason for d in damaged(read(tmp_path))] == ["line too long"]


def test_rows_and_archives_of_a_database_may_be_compressed(tmp_path: Path) -> None:
    path = tmp_path / "openclaw-agent.sqlite"
    con = sqlite3.connect(path)
    con.execute("CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB)")
    con.execute(
        "CREATE TABLE session_transcript_archives (session_id TEXT, reason TEXT, archive_blob BLOB, created_at INTEGER)"
    )
    for seq, event in enumerate((header("s"), entry("a", None, "one"))):
        packed = pa.compress(json.dumps(event).encode(), codec="zstd", asbytes=True)
        con.execute("INSERT INTO transcript_events VALUES ('s', ?, '', ?)", (seq, packed))
    con.execute("INSERT INTO transcript_events VALUES ('s', 2, '', X'28B52FFD00'), ('s', 3, '', NULL)")
    lines = "\n".join(json.dumps(e) for e in (header("old"), entry("b", None, "two"))).encode()
    for reason, blob in (("reset", lines), ("reset", None)):
        con.execute("INSERT INTO session_transcript_archives VALUES ('old', ?, ?, 1775188800000)", (reason, blob))
    con.commit()
    con.close()
    items = read(path)
    assert marks(items) == {"a": None, "b": None}
    assert [d.reason for d in damaged(items)] == ["damaged row", "broken compression", "broken JSON"]


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ({"message": 5}, "no message"),
        ({"message": {"role": "ghost", "content": "x"}}, "unknown role"),
        ({"message": {"content": "x"}}, "no role"),
        ({"message": {"role": "user", "content": None}}, "no content"),
        ({"message": {"role": "user", "content": "a\0b"}}, "NUL in text"),
        ({"timestamp": "yesterday"}, "bad time"),
        ({"id": "a\0b"}, "NUL in a field"),
        ({"message": {"role": "toolResult", "content": "x", "toolName": []}}, "a field is nested"),
    ],
)
def test_a_damaged_entry_is_named_and_the_rest_is_read(tmp_path: Path, broken: dict[str, Any], reason: str) -> None:
    bad = {**entry("b", "a", "two"), **broken}
    lines = [header("s"), entry("a", None, "one"), bad, entry("c", bad["id"], "three")]
    in_file = read(write(tmp_path / "s.jsonl", *lines))
    in_table = read(database(tmp_path / "openclaw-agent.sqlite", {"s": lines}))
    for items, line in ((in_file, 3), (in_table, 3)):
        assert marks(items) == {"a": None, "c": None}
        assert [(d.line, d.reason) for d in damaged(items)] == [(line, reason)]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5) | st.just("user"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "id"]), inner, max_size=3)
    ),
    max_leaves=5,
)


FIELDS = st.sampled_from(["type", "id", "parentId", "timestamp", "message", "summary", "content", "parentSession"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    at_entry=st.dictionaries(FIELDS, ANYTHING, max_size=3),
    at_header=st.dictionaries(FIELDS, ANYTHING, max_size=2),
    at_message=st.dictionaries(st.sampled_from(["role", "content", "provenance", "toolName"]), ANYTHING, max_size=3),
    key=st.dictionaries(st.sampled_from(["sessionId", "chatType", "spawnedBy", "usageFamilySessionIds"]), ANYTHING),
)
def test_whatever_stands_in_a_field_the_rest_is_read(
    tmp_path: Path, at_entry: dict[str, Any], at_header: dict[str, Any], at_message: dict[str, Any], key: dict[str, Any]
) -> None:
    bad = entry("b", "a", "two")
    bad["message"] |= at_message
    lines = [header("s"), {**header("s"), **at_header}, entry("a", None, "one"), {**bad, **at_entry}]
    write(tmp_path / "s.jsonl", *lines, entry("zz", "a", "last", 9))
    index(tmp_path, keys={"k": key})
    found = [m.text for m in said(read(tmp_path))]
    assert found[0] == "one" and found[-1] == "last"


def test_texts_and_tools(tmp_path: Path) -> None:
    parts = [
        {"type": "thinking", "thinking": "secretly"},
        {"type": "text", "text": "Looking."},
        {"type": "toolCall", "id": "t", "name": "web_search", "arguments": {"query": "x"}},
    ]
    image = [{"type": "text", "text": "see"}, {"type": "image", "data": "QUJD", "mimeType": "image/png"}]
    bash = entry("d", "c", "", role="bashExecution")
    bash["message"] = {"role": "bashExecution", "command": "ls", "output": "a\nb"}
    custom = {"type": "custom_message", "id": "e", "parentId": "d", "timestamp": clock(2), "content": "recalled: x"}
    lines = [header("s"), entry("a", None, image), entry("b", "a", parts, role="assistant")]
    lines += [entry("c", "b", "found", role="toolResult", toolName="web_search"), bash, custom]
    found = said(read(write(tmp_path / "s.jsonl", *lines)))
    assert [(m.role, m.text, m.tool_name) for m in found] == [
        ("user", "see", None),
        ("assistant", "Looking.", "web_search"),
        ("tool", "found", "web_search"),
        ("tool", "ls\na\nb", "bash"),
        ("system", "recalled: x", None),
    ]
    assert found[-1].mark == "hidden"


def test_files_that_cannot_be_read_are_refused_by_name_or_named(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    write(folder / "good.jsonl", header("s"), entry("a", None, "one"))
    (folder / "bad.jsonl").write_bytes(b"PK\3\4" + bytes(500))
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "loop.jsonl").symlink_to(folder / "loop.jsonl")
    (folder / "folder").symlink_to(tmp_path)
    (tmp_path / "openclaw-agent.sqlite").write_bytes(b"SQLite format 3\0" + b"\1" * 9)
    items = read(tmp_path)
    assert marks(items) == {"a": None}
    assert {(d.file, d.reason) for d in damaged(items)} == {
        ("sessions/bad.jsonl", "not text"),
        ("sessions/empty.jsonl", "empty file"),
        ("sessions/loop.jsonl", "unreadable file"),
        ("openclaw-agent.sqlite", "not a database"),
    }
    for name in ("sessions/bad.jsonl", "openclaw-agent.sqlite"):
        with pytest.raises(SourceError, match=Path(name).name):
            read(tmp_path / name)
    other = write(tmp_path / "other.jsonl", {"role": "user", "content": "x"})
    with pytest.raises(SourceError, match=r"other\.jsonl"):
        read(other)
    assert read(folder / "empty.jsonl") == []
