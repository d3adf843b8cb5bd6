"""OpenLoomi: whose a message is, mixed time units, and nothing of the agent's own making as anybody's word."""

from __future__ import annotations

import json
import os
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from adapters.sources import openloomi
from adapters.sources.protocol import Damaged, Item, RawMessage, RawSignal
from slowwave.errors import SourceError
from tests.adapters.sources.workspace import write_tables

SAMPLES = Path(os.environ.get("SLOWWAVE_SAMPLES", Path(__file__).parents[4] / "shared" / "samples"))
AT = datetime(2026, 3, 4, 20, 10, tzinfo=UTC)


def seconds(at: datetime) -> int:
    return int(at.timestamp())


def raw(**given: Any) -> dict[str, Any]:
    return {
        "message_id": "slack_1",
        "platform": "slack",
        "user_id": "u1",
        "channel": "#kiln",
        "person": "Ana Ruiz",
        "timestamp": seconds(AT),
        "content": "The kiln room stays locked.",
        "metadata": '{"outgoing": true}',
        **given,
    }


def make(path: Path, **tables: list[dict[str, Any]]) -> Path:
    """A database with a raw message, unless other rows are given."""
    return write_tables(path, {"raw_messages": [raw()], **tables})


def read(path: Path) -> list[Item]:
    return list(openloomi.read(path))


def messages(path: Path) -> list[RawMessage]:
    return [item for item in read(path) if isinstance(item, RawMessage)]


def test_the_sample_is_read_as_expected() -> None:
    if not (SAMPLES / "openloomi.db").exists():
        pytest.skip("no samples at SLOWWAVE_SAMPLES")
    expected = json.loads((SAMPLES / "expected.json").read_text())["samples"]["openloomi"]
    found = read(SAMPLES / "openloomi.db")
    said = [item for item in found if isinstance(item, RawMessage)]
    assert not [item for item in found if isinstance(item, Damaged)]
    live = [item for item in said if item.mark is None]
    assert len(live) == len({item.message_id for item in live}) == expected["messages_live"]
    assert len({item.session_id for item in live}) == expected["sessions"]
    assert Counter(item.mark for item in said) == {None: 45, "summary": expected["notes"]["summary_rows_to_ignore"]}
    mails = [item for item in live if "/" in item.session_id]
    assert sum(item.role == "user" for item in mails) == expected["notes"]["own_raw_messages"]
    assert sum(item.trust == "third_party" for item in mails) == expected["notes"]["third_party_raw_messages"]
    assert all(
        item.said_at and datetime(2026, 2, 25, tzinfo=UTC) < item.said_at < datetime(2026, 5, 5, tzinfo=UTC)
        for item in said
    )
    assert read(SAMPLES / "openloomi.db") == found


def test_evidence_and_traps_of_the_sample_are_found_by_their_own_ids() -> None:
    if not (SAMPLES / "openloomi.db").exists():
        pytest.skip("no samples at SLOWWAVE_SAMPLES")
    expected = json.loads((SAMPLES / "expected.json").read_text())
    ids = {item.message_id: item for item in messages(SAMPLES / "openloomi.db")}
    for item in expected["items"]:
        for evidence in item["evidence"].get("openloomi", []):
            found = ids[evidence["ref"].removeprefix("Message_v2/")]
            assert found.mark is None
            assert found.said_at is not None
            assert abs((found.said_at - datetime.fromisoformat(evidence["at"])).total_seconds()) < 1
    assert ids[expected["samples"]["openloomi"]["must_not_contain"]["summary"][0]].mark == "summary"


@pytest.mark.parametrize(
    ("metadata", "is_own"),
    [
        ('{"outgoing": true}', True),
        ('{"fromMe": true}', True),
        ('{"outgoing": false}', False),
        ('{"outgoing": "true"}', False),
        ("{}", False),
        (None, False),
        ("[true]", False),
    ],
)
def test_only_the_connectors_flag_makes_a_message_the_owners(
    tmp_path: Path, metadata: str | None, is_own: bool
) -> None:
    (made,) = messages(make(tmp_path / "data.db", raw_messages=[raw(metadata=metadata)]))
    assert (made.role, made.trust) == (("user", None) if is_own else ("participant", "third_party"))
    assert made.speaker == "Ana Ruiz"
    assert (made.session_id, made.message_id, made.platform) == ("slack/#kiln", "slack_1", "openloomi")


@pytest.mark.parametrize("at", [seconds(AT), seconds(AT) * 1000, float(seconds(AT))])
def test_seconds_and_milliseconds_are_told_apart(tmp_path: Path, at: float) -> None:
    (made,) = messages(make(tmp_path / "data.db", raw_messages=[raw(timestamp=at)]))
    assert made.said_at == AT
    assert (made.offset_minutes, made.time_source) == (None, "message")


def test_several_users_are_told_apart_and_one_is_the_owner(tmp_path: Path) -> None:
    (alone,) = messages(make(tmp_path / "one.db"))
    assert alone.user_id is None
    rows = [raw(), raw(message_id="slack_2", user_id="u2")]
    chats = {"Chat": [{"id": "c1", "userId": "u2"}], "Message_v2": [chat("hello")]}
    shared = messages(make(tmp_path / "two.db", raw_messages=rows, **chats))
    assert [item.user_id for item in shared] == ["u1", "u2", "u2"]


def chat(text: str, *parts: dict[str, Any], **given: Any) -> dict[str, Any]:
    said = json.dumps([{"type": "text", "text": text}, *parts])
    return {"id": "m1", "chatId": "c1", "role": "user", "parts": said, "createdAt": seconds(AT), **given}


def test_a_chats_message_is_its_text_and_tools_are_outcomes(tmp_path: Path) -> None:
    reasoning = {"type": "reasoning", "text": "she may like fish"}
    tool = {
        "type": "tool-sendMail",
        "toolCallId": "t9",
        "state": "output-error",
        "errorText": "refused",
        "input": {"a": 1},
    }
    path = make(tmp_path / "data.db", Message_v2=[chat("Sent.", reasoning, tool, role="assistant")])
    _, made, outcome = read(path)
    assert isinstance(made, RawMessage)
    assert (made.text, made.role, made.session_id, made.message_id) == ("Sent.", "assistant", "c1", "m1")
    assert isinstance(outcome, RawSignal)
    assert (outcome.kind, outcome.native_id, outcome.text) == (
        "tool_outcome",
        "m1/t9",
        "sendMail: output-error: refused",
    )


def test_insights_are_imported_and_summaries_are_no_evidence(tmp_path: Path) -> None:
    insights = [
        {"id": "i1", "title": "Permit", "description": "file it", "dueDate": "next Friday", "createdAt": seconds(AT)},
        {"id": "i2", "title": "Old", "compactedIntoInsightId": "i1", "dueDate": seconds(AT)},
    ]
    summaries = [{"summary_id": "ms_1", "summary_text": "5 messages", "created_at": seconds(AT) * 1000}]
    notes = [{"id": "n1", "content": "ring him", "created_at": seconds(AT)}]
    path = make(tmp_path / "data.db", Insight=insights, memory_summaries=summaries, insight_notes=notes)
    _, first, second, note, summary = messages(path)
    assert (first.message_id, first.text, first.trust, first.mark) == (
        "Insight/i1",
        "Permit: file it\nDue next Friday",
        "imported",
        None,
    )
    assert (second.text, second.mark, second.time_source) == ("Old\nDue 2026-03-04 20:10 UTC", "rewound", "none")
    assert (note.message_id, note.trust) == ("insight_notes/n1", "imported")
    assert (summary.mark, summary.trust, summary.said_at) == ("summary", "imported", AT)


def test_what_was_published_here_does_not_come_back(tmp_path: Path) -> None:
    (made,) = messages(make(tmp_path / "data.db", raw_messages=[raw(platform="slowwave")]))
    assert made.mark == "boot"


def test_a_bad_row_is_damaged_alone(tmp_path: Path) -> None:
    rows = [
        raw(message_id=None),
        raw(content=None),
        raw(content="a\0b"),
        raw(timestamp="yesterday"),
        raw(metadata="{"),
        raw(content=b"\xff"),
        raw(message_id="good"),
    ]
    bad_chats = [chat("x", role="ghost"), chat("x", parts="{}"), chat("x", chatId=None), chat("fine")]
    found = read(make(tmp_path / "data.db", raw_messages=rows, Message_v2=bad_chats))
    damaged = [item for item in found if isinstance(item, Damaged)]
    assert [(item.file, item.line, item.reason) for item in damaged] == [
        ("data.db/raw_messages", 1, "no id"),
        ("data.db/raw_messages", 2, "no content"),
        ("data.db/raw_messages", 3, "NUL in text"),
        ("data.db/raw_messages", 4, "bad time"),
        ("data.db/raw_messages", 5, "broken JSON"),
        ("data.db/raw_messages", 6, "no content"),
        ("data.db/Message_v2", 1, "unknown role"),
        ("data.db/Message_v2", 2, "no content"),
        ("data.db/Message_v2", 3, "no id"),
    ]
    assert [item.message_id for item in found if isinstance(item, RawMessage)] == ["good", "m1"]


def test_a_folder_is_read_database_by_database(tmp_path: Path) -> None:
    make(tmp_path / "data.db")
    (tmp_path / "broken.db").write_bytes(b"SQLite format 3\0 and no more")
    damaged, made = read(tmp_path)
    assert isinstance(damaged, Damaged) and isinstance(made, RawMessage)
    assert (damaged.file, damaged.reason) == ("broken.db", "not a database")
    assert made.place == "data.db/raw_messages:1"
    assert openloomi.looks_like(tmp_path)
    (tmp_path / "data.db").unlink()
    assert not openloomi.looks_like(tmp_path)
    for place in (tmp_path / "broken.db", tmp_path / "none.db"):
        with pytest.raises(SourceError):
            read(place)
