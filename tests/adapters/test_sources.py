"""Sources: each item good or damaged on its own, by file and line; nothing takes the rest down."""

from __future__ import annotations

import json
import os
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.sources import Damaged, RawMessage, RawSignal, Source, parse_source
from adapters.sources import lines as lines_module
from adapters.sources.lines import parse
from adapters.sources.protocol import BadLine, read_time
from slowwave.errors import SourceError, UsageError

_SHARED = Path(__file__).parents[3] / "shared"
_DATA = Path(os.environ.get("SLOWWAVE_DATA", _SHARED / "data"))
GOOD: dict[str, Any] = {
    "session_id": "s1",
    "message_id": "m1",
    "user_id": "u-ana",
    "role": "user",
    "content": "The kiln room stays locked.",
    "created_at": "2026-04-02T10:00:00+02:00",
    "platform": "generic",
}


def read(kind: str, path: Path) -> list[Any]:
    return list(Source(kind, path).read())


def write(path: Path, *lines: dict[str, Any] | str | bytes) -> Path:
    raw = [
        line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line)).encode()
        for line in lines
    ]
    path.write_bytes(b"\n".join(raw))
    return path


def test_a_line_becomes_a_message(tmp_path: Path) -> None:
    line = {**GOOD, "project": "shed", "tool_name": "compact_summary"}
    (item,) = read("jsonl", write(tmp_path / "a.jsonl", line))
    assert item.text == GOOD["content"]
    assert (item.session_id, item.message_id, item.seq) == ("s1", "m1", 0)
    assert item.said_at == datetime(2026, 4, 2, 8, tzinfo=UTC)
    assert item.offset_minutes == 120
    assert (item.project, item.tool_name, item.time_source) == ("shed", "compact_summary", "message")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"session_id": "s1", "role": "user", "conte', "broken JSON"),
        ("not json at all", "broken JSON"),
        ("[1, 2]", "not an object"),
        ({**GOOD, "content": None}, "no content"),
        ({k: v for k, v in GOOD.items() if k != "content"}, "no content"),
        ({**GOOD, "role": "ghost"}, "unknown role"),
        ({k: v for k, v in GOOD.items() if k != "role"}, "no role"),
        ({**GOOD, "created_at": "yesterday"}, "bad time"),
        ({**GOOD, "created_at": "0001-01-01T00:00:00+14:00"}, "bad time"),
        ({**GOOD, "created_at": 1e300}, "bad time"),
        ({**GOOD, "content": "a\0b"}, "NUL in text"),
        ({**GOOD, "session_id": {"a": 1}}, "a field is nested"),
        (b'{"session_id": "s1", "role": "user", "content": "caf\xe9"}', "invalid UTF-8"),
        (b'{"content": "\0"}', "NUL in line"),
        ('{"session_id": "s1", "role": "user", "content": "\\ud83d"}', "half a character"),
        ("[" * 100_000, "nested too deeply"),
        ({"signal": {"at": "2026-01-01T00:00:00Z"}}, "signal without a kind"),
        ({"signal": []}, "not an object"),
    ],
)
def test_a_damaged_line_is_named_and_the_rest_is_read(tmp_path: Path, line: Any, reason: str) -> None:
    first, damaged, last = read("jsonl", write(tmp_path / "a.jsonl", GOOD, line, {**GOOD, "message_id": "m3"}))
    assert (first.message_id, last.message_id) == ("m1", "m3")
    assert isinstance(damaged, Damaged)
    assert (damaged.file, damaged.line, damaged.reason) == ("a.jsonl", 2, reason)


def test_marks_of_careless_editors_are_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r\n\r\n  \n" + json.dumps(GOOD).encode() + b"\r")
    assert [type(item) for item in read("jsonl", path)] == [RawMessage, RawMessage]


def test_a_line_beyond_the_limit_is_skipped_without_being_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "MAX_LINE_BYTES", 1000)
    huge = {**GOOD, "content": "x" * 5000}
    items = read("jsonl", write(tmp_path / "a.jsonl", huge, GOOD))
    assert [getattr(items[0], "reason", ""), items[1].message_id] == ["line too long", "m1"]


def test_a_naive_time_is_no_time(tmp_path: Path) -> None:
    (item,) = read("jsonl", write(tmp_path / "a.jsonl", {**GOOD, "created_at": "2026-04-02T10:00:00"}))
    assert (item.said_at, item.offset_minutes, item.time_source) == (None, None, "none")


def test_epochs_are_instants_in_seconds_or_milliseconds() -> None:
    assert read_time(1773342900).at == read_time(1773342900000).at == datetime(2026, 3, 12, 19, 15, tzinfo=UTC)
    with pytest.raises(BadLine):
        read_time(True)


def test_a_signal_line(tmp_path: Path) -> None:
    body = {
        "kind": "intervention",
        "at": "2026-03-02T09:00:00+01:00",
        "outcome": "accepted",
        "channel": "text",
        "id": "7",
    }
    (item,) = read("jsonl", write(tmp_path / "a.jsonl", {"signal": body, "platform": "seraph"}))
    assert isinstance(item, RawSignal)
    assert (item.platform, item.native_id, item.outcome, item.offset_minutes) == ("seraph", "7", "accepted", 60)


def test_messages_without_an_id_are_known_by_what_was_said(tmp_path: Path) -> None:
    bare = {k: v for k, v in GOOD.items() if k != "message_id"}
    other = {**bare, "content": "Invoices go out on the 25th."}
    whole = read("jsonl", write(tmp_path / "a.jsonl", bare, bare, other))
    tail = read("jsonl", write(tmp_path / "b.jsonl", other))
    assert len({item.message_id for item in whole}) == 3
    assert tail[0].message_id == whole[2].message_id


def test_a_folder_is_read_in_order_and_a_bad_file_in_it_is_named(tmp_path: Path) -> None:
    write(tmp_path / "b.jsonl", {**GOOD, "message_id": "second"})
    write(tmp_path / "a.jsonl", {**GOOD, "message_id": "first"})
    (tmp_path / "c.jsonl").write_bytes(b"SQLite format 3\0" + bytes(500))
    (tmp_path / "d.jsonl").write_bytes(b"")
    (tmp_path / "notes.txt").write_text("no")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "self.jsonl").symlink_to(tmp_path / "self.jsonl")
    items = read("jsonl", tmp_path)
    assert [i.message_id for i in items if isinstance(i, RawMessage)] == ["first", "second"]
    assert {i.file: i.reason for i in items if isinstance(i, Damaged)} == {
        "c.jsonl": "not text",
        "d.jsonl": "empty file",
        "loop": "a link in a circle",
        "self.jsonl": "unreadable file",
    }


def test_a_file_that_is_no_text_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"PK\3\4" + bytes(500))
    with pytest.raises(SourceError, match=r"a\.jsonl") as error:
        read("jsonl", path)
    assert "--source" in error.value.hint


def test_an_empty_file_has_no_items(tmp_path: Path) -> None:
    assert read("jsonl", write(tmp_path / "a.jsonl")) == []
    assert read("openai_jsonl", write(tmp_path / "b.jsonl")) == []


@pytest.mark.parametrize("text", ["nosuch=/tmp", "jsonl", "jsonl=", "jsonl=/no/such/path", "=x", ""])
def test_a_source_that_is_none_says_what_would_be(text: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_source(text)
    assert "PATH" in error.value.hint


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.jsonl", GOOD, "jsonl"),
        ("a.jsonl", {"signal": {"kind": "x"}}, "jsonl"),
        ("a.jsonl", {"id": "c", "messages": []}, "openai_jsonl"),
        ("a.jsonl", {"role": "user", "content": "hi"}, "openai_jsonl"),
        ("a.json", {"sample_id": "x", "conversation": {}}, "locomo"),
    ],
)
def test_auto_recognises(tmp_path: Path, name: str, content: dict[str, Any], kind: str) -> None:
    path = write(tmp_path / name, "{broken" if name.endswith("l") else content, content)
    if name == "a.json":
        path.write_text(json.dumps(content))
    assert parse_source(f"auto={path}").kind == kind
    assert parse_source(f"auto={tmp_path}").kind == kind


def test_auto_says_what_it_does_not_know(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", {"colour": "blue"})
    with pytest.raises(SourceError):
        list(parse_source(f"auto={tmp_path}").read())


def talk(*texts: str) -> list[dict[str, Any]]:
    return [{"role": "assistant" if i % 2 else "user", "content": text} for i, text in enumerate(texts)]


def test_openai_conversations_messages_and_requests(tmp_path: Path) -> None:
    request = {"request": {"messages": talk("hi")}, "response": {"choices": [{"message": talk("", "hello")[1]}]}}
    longer = {"request": {"messages": talk("hi", "hello", "and now?")}}
    conversation = {"id": "c1", "created": 1773342900, "messages": talk("one", "two")}
    loose = [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url"}, "b"]}] * 2
    path = write(tmp_path / "log.jsonl", request, longer, conversation, *loose)
    items = read("openai_jsonl", path)
    ids = Counter(item.message_id for item in items)
    assert items[0].message_id == items[2].message_id and items[1].message_id == items[3].message_id
    assert ids["c1#0"] == ids["c1#1"] == ids["log#0"] == ids["log#1"] == 1
    assert items[-1].text == "a\nb"
    dated = next(item for item in items if item.message_id == "c1#0")
    assert (dated.said_at, dated.time_source) == (datetime(2026, 3, 12, 19, 15, tzinfo=UTC), "session")
    assert items[0].time_source == "none"


def test_openai_a_bad_message_leaves_its_conversation_standing(tmp_path: Path) -> None:
    said = [*talk("one"), "what", {"role": "user", "content": 5}, *talk("four")]
    items = read("openai_jsonl", write(tmp_path / "a.jsonl", {"id": "c", "messages": said}))
    assert [i.text for i in items if isinstance(i, RawMessage)] == ["one", "four"]
    assert [i.reason for i in items if isinstance(i, Damaged)] == [
        "message 1: not an object",
        "message 2: no content",
    ]


def test_openai_calls_of_tools_have_their_name_and_no_text(tmp_path: Path) -> None:
    call = {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "query", "arguments": "{}"}}]}
    (item,) = read("openai_jsonl", write(tmp_path / "a.jsonl", {"id": "c", "messages": [call]}))
    assert (item.text, item.tool_name) == ("", "query")


def test_locomo_turns_stand_in_order(tmp_path: Path) -> None:
    turn = {"speaker": "Ana", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a photo of a red kite"}
    sample = {
        "sample_id": "conv-0",
        "conversation": {
            "speaker_a": "Ana",
            "session_2_date_time": "1:56 pm on 8 May, 2023",
            "session_2": [turn, {**turn, "dia_id": "D2:2"}, {"text": "who?"}],
            "session_10": [turn],
            "session_10_date_time": "some day",
        },
    }
    path = tmp_path / "c.json"
    path.write_text(json.dumps([sample]))
    first, second, damaged, undated = read("locomo", path)
    assert (first.session_id, first.message_id, first.role, first.user_id) == (
        "conv-0:session_2",
        "D2:1",
        "participant",
        "conv-0",
    )
    assert first.said_at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC) < second.said_at
    assert (first.offset_minutes, first.caption) == (None, "a photo of a red kite")
    assert (damaged.reason, undated.said_at) == ("turn 2: no speaker", None)


def test_locomo_itself_is_read_whole() -> None:
    files = sorted((_DATA / "locomo").glob("*.json"))
    if not files:
        pytest.skip("no LoCoMo conversations; set SLOWWAVE_DATA to the folder that holds them")
    items = read("locomo", _DATA / "locomo")
    assert not [i for i in items if isinstance(i, Damaged)]
    assert all(i.said_at and i.time_source == "session" for i in items)
    assert len({i.user_id for i in items}) == len(files)


def test_the_sample_log_has_its_expected_counts() -> None:
    path = Path(os.environ.get("SLOWWAVE_SAMPLES", _SHARED / "samples")) / "openai_messages.jsonl"
    if not path.exists():
        pytest.skip("no sample logs; set SLOWWAVE_SAMPLES to the folder that holds them")
    items = read("openai_jsonl", path)
    said = [i for i in items if isinstance(i, RawMessage)]
    alone = {i.message_id: i.role for i in said}
    assert (len(said), len(said) - len(alone)) == (47, 5)
    assert Counter(role == "system" for role in alone.values()) == {False: 40, True: 2}
    assert [(i.line, i.reason) for i in items if isinstance(i, Damaged)] == [(7, "broken JSON")]


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_an_object_or_a_reason(raw: bytes) -> None:
    try:
        found = parse(raw)
    except BadLine:
        return
    assert isinstance(found, dict)


@pytest.mark.parametrize(
    ("written", "offset"),
    [("2026-03-02T09:05:00Z", None), ("2026-03-02T09:05:00+00:00", None), ("2026-03-02T10:05:00+01:00", 60)],
)
def test_utc_is_an_instant_and_no_place(written: str, offset: int | None) -> None:
    assert read_time(written) == (datetime(2026, 3, 2, 9, 5, tzinfo=UTC), offset)
