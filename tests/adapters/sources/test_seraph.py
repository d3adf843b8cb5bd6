"""Seraph: conversations under their own ids, the owner's word and the agent's told apart, outcomes read as they were meant."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from adapters.sources import seraph
from adapters.sources.database import copying
from adapters.sources.protocol import Damaged, RawMessage, RawSignal
from adapters.sources.seraph.signals import outcome_of
from slowwave.errors import SourceError
from tests.adapters.sources.workspace import AT, clock, intervention, make, message, messages, signals

SAMPLES = Path(os.environ.get("SLOWWAVE_SAMPLES", Path(__file__).parents[4] / "shared" / "samples"))


@pytest.fixture
def sample() -> Path:
    if not (SAMPLES / "seraph.db").exists():
        pytest.skip("no samples at SLOWWAVE_SAMPLES")
    return SAMPLES / "seraph.db"


@pytest.fixture
def expected(sample: Path) -> dict[str, Any]:
    return json.loads((sample.parent / "expected.json").read_text())


def test_the_sample_is_read_as_expected(sample: Path, expected: dict[str, Any]) -> None:
    counts = expected["samples"]["seraph"]
    found = list(seraph.read(sample))
    said = [item for item in found if isinstance(item, RawMessage)]
    live = [item for item in said if item.trust is None]
    assert not [item for item in found if isinstance(item, Damaged)]
    assert len(live) == counts["messages_live"]
    assert {item.mark for item in live} == {None}
    assert len({item.session_id for item in live}) == counts["sessions"]
    records = Counter(item.session_id for item in said if item.trust)
    notes = counts["notes"]
    assert records["memories"] == notes["existing_memories"]
    assert records["screen_observations"] == notes["screen_observations"] - notes["screen_observations_blocked"]
    assert sum(item.mark == "rewound" for item in said) == notes["memories_with_deleted_session"]
    assert len(signals(sample, "transition")) == notes["observer_episodes"]
    assert len(signals(sample, "observation")) == notes["screen_observations"]
    assert list(seraph.read(sample)) == found


def test_the_samples_interventions_have_the_expected_verdicts_at_the_persons_own_hour(
    sample: Path, expected: dict[str, Any]
) -> None:
    wanted = expected["samples"]["seraph"]["interventions"]
    found = signals(sample, "intervention")
    assert Counter(item.outcome for item in found) == wanted["verdicts"]
    by_hour: dict[str, Counter[str]] = {}
    for item in found:
        assert item.at and item.offset_minutes and item.outcome
        hour = (item.at.hour + item.at.minute / 60 + item.offset_minutes / 60) % 24
        part = (
            "morning"
            if 5 <= hour < 12
            else "afternoon"
            if 12 <= hour < 17
            else "evening"
            if 17 <= hour < 21
            else "night"
        )
        by_hour.setdefault(part, Counter())[item.outcome] += 1
    assert by_hour == wanted["by_local_bucket"]


def test_the_samples_evidence_is_found_by_its_own_ids(sample: Path, expected: dict[str, Any]) -> None:
    found = {item.message_id: item for item in messages(sample)}
    for item in expected["items"]:
        for evidence in item["evidence"].get("seraph", []):
            cited = found[evidence["ref"].removeprefix("messages/")]
            assert cited.mark is None
            if not evidence["ref"].startswith("goals/"):
                assert cited.said_at == datetime.fromisoformat(evidence["at"])


def test_no_secret_table_is_asked_for(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = set[str]()
    allowed: Callable[..., int] = copying._authorized

    def watched(action: int, first: str | None, *rest: str | None) -> int:
        if action == sqlite3.SQLITE_READ:
            asked.add(str(first).casefold())
        return allowed(action, first, *rest)

    monkeypatch.setattr(copying, "_authorized", watched)
    list(seraph.read(sample))
    assert {"messages", "memories", "audit_events"} <= asked
    assert not [table for table in asked if table.startswith("secret")]


@pytest.mark.parametrize(
    ("feedback", "latest", "outcome"),
    [
        ("helpful", "feedback_received", "accepted"),
        ("acknowledged", "notification_acked", "accepted"),
        (None, "notification_acked", "accepted"),
        ("not_helpful", "delivered", "rejected"),
        (None, "notification_dismissed", "dismissed"),
        (None, "delivered", "no_reaction"),
        (None, "bundle_delivered", "no_reaction"),
        (None, "queued", "not_shown"),
        (None, "silenced", "not_shown"),
        (None, "failed", "transport_failure"),
        (None, "created", None),
        ("so-so", "feedback_received", None),
    ],
)
def test_what_the_person_said_counts_before_how_it_was_delivered(
    feedback: Any, latest: str, outcome: str | None
) -> None:
    assert outcome_of(feedback, latest) == outcome


def test_times_are_utc_and_the_clock_tells_the_zone_of_each_day(tmp_path: Path) -> None:
    path = make(
        tmp_path / "seraph.db",
        messages=[
            message(id="a", created_at="2026-04-04 10:00:00"),
            message(id="b", created_at="2026-04-06 10:00:00"),
            message(id="c", created_at="2026-05-06 10:00:00"),
        ],
        audit_events=[
            clock("Pacific/Auckland", "2026-03-01 00:00:00"),
            clock("../../etc/passwd", "2026-04-05 00:00:00"),
            clock("Europe/Amsterdam", "2026-05-01 00:00:00"),
        ],
    )
    found = messages(path)
    assert [item.offset_minutes for item in found] == [780, 720, 120]
    assert found[0].said_at == datetime(2026, 4, 4, 10, tzinfo=UTC)
    (alone,) = messages(make(tmp_path / "other.db"))
    assert (alone.offset_minutes, alone.time_source) == (None, "message")


def test_a_delivery_that_only_the_audit_log_tells_of_is_joined(tmp_path: Path) -> None:
    details = {
        "intervention_id": "i1",
        "user_state": "deep_work",
        "interruption_mode": "focus",
        "transport": "websocket",
    }
    audit = {
        "id": "a1",
        "event_type": "observer_delivery_failed",
        "details_json": json.dumps(details),
        "created_at": AT,
    }
    bare = {"id": "i1", "content_excerpt": "Tide table is out.", "feedback_note": "not now", "created_at": AT}
    (made,) = signals(make(tmp_path / "seraph.db", guardian_interventions=[bare], audit_events=[audit]), "intervention")
    assert (made.outcome, made.user_state, made.mode, made.channel) == (
        "transport_failure",
        "deep_work",
        "focus",
        "websocket",
    )
    assert made.text == "Tide table is out.\nnot now"


def test_a_private_screen_says_nothing_and_another_is_a_tools_word(tmp_path: Path) -> None:
    screen = {
        "id": "o1",
        "timestamp": AT,
        "app_name": "Chat",
        "window_title": "Family",
        "activity_type": "coding",
        "summary": "Fits.",
        "details_json": '["page text", 7]',
        "blocked": 0,
    }
    path = make(tmp_path / "seraph.db", screen_observations=[screen, {**screen, "id": "o2", "blocked": 1}])
    (_, shown) = messages(path)
    assert (shown.text, shown.role, shown.trust) == ("Chat, Family: Fits.\npage text", "tool", "tool")
    first, second = signals(path, "observation")
    assert (first.text, first.user_state) == ("Chat, Family: Fits.", "coding")
    assert second.text == ""


def test_episodes_of_conversations_are_not_read_again_and_decisions_of_the_operator_are(tmp_path: Path) -> None:
    episodes = [
        {"id": "e1", "episode_type": "conversation", "summary": "The kiln stays locked.", "observed_at": AT},
        {
            "id": "e2",
            "episode_type": "observer",
            "summary": "To deep work",
            "observed_at": AT,
            "metadata_json": '{"current_user_state": "deep_work"}',
        },
    ]
    audit = [
        {
            "id": "a1",
            "event_type": "tool_failed",
            "summary": "mail failed",
            "details_json": '{"error": "refused"}',
            "created_at": AT,
        },
        {"id": "a2", "event_type": "memory_forgotten", "summary": "forgot one", "details_json": None, "created_at": AT},
        {"id": "a3", "event_type": "scheduler_job_done", "summary": "done", "details_json": None, "created_at": AT},
    ]
    path = make(tmp_path / "seraph.db", memory_episodes=episodes, audit_events=audit)
    found = [item for item in seraph.read(path) if isinstance(item, RawSignal) and item.kind != "intervention"]
    assert [(item.kind, item.text) for item in found] == [
        ("transition", "To deep work"),
        ("tool_outcome", "mail failed\nrefused"),
        ("memory_forgotten", "forgot one"),
    ]
    assert found[0].user_state == "deep_work"
    assert len(messages(path)) == 1


def test_a_bad_row_is_damaged_alone(tmp_path: Path) -> None:
    bad = [
        message(id=None),
        message(session_id=None),
        message(role="ghost"),
        message(content=None),
        message(content="a\0b"),
        message(created_at="yesterday"),
        message(content=sqlite3.Binary(b"\xff")),
        message(id="good", created_at=None),
    ]
    audit = [
        {
            "id": "a1",
            "event_type": "observer_delivery_failed",
            "details_json": '{"intervention_id": ["x"]}',
            "created_at": AT,
        },
        {"id": "a2", "event_type": "tool_failed", "summary": "x", "details_json": "{", "created_at": AT},
        clock("Pacific/Auckland", "not a time"),
    ]
    path = make(
        tmp_path / "seraph.db",
        messages=bad,
        audit_events=audit,
        guardian_interventions=[intervention(id=None), intervention()],
    )
    found = list(seraph.read(path))
    damaged = {(item.file, item.line): item.reason for item in found if isinstance(item, Damaged)}
    assert damaged == {
        ("seraph.db/messages", 1): "no id",
        ("seraph.db/messages", 2): "no session",
        ("seraph.db/messages", 3): "unknown role",
        ("seraph.db/messages", 4): "no content",
        ("seraph.db/messages", 5): "NUL in text",
        ("seraph.db/messages", 6): "bad time",
        ("seraph.db/messages", 7): "no content",
        ("seraph.db/guardian_interventions", 1): "no id",
        ("seraph.db/audit_events", 2): "broken JSON",
    }
    (good,) = [item for item in found if isinstance(item, RawMessage)]
    assert (good.message_id, good.said_at, good.time_source) == ("good", None, "none")


def test_a_folder_is_read_and_a_broken_database_in_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    make(tmp_path / "a" / "seraph.db")
    (tmp_path / "b" / "seraph.db").write_bytes(b"SQLite format 3\0" + b"\0" * 2000)
    (tmp_path / "b" / "other.db").write_bytes(b"no database")
    found = list(seraph.read(tmp_path))
    assert Damaged("b/seraph.db", 0, "damaged database") in found
    assert [item.place for item in found if isinstance(item, RawMessage)] == ["a/seraph.db/messages:1"]
    assert seraph.looks_like(tmp_path)
    assert not seraph.looks_like(tmp_path / "b")
    for place in (tmp_path / "b" / "seraph.db", tmp_path / "none.db"):
        with pytest.raises(SourceError):
            list(seraph.read(place))
    (tmp_path / "c").mkdir()
    with pytest.raises(SourceError, match="no Seraph database"):
        list(seraph.read(tmp_path / "c"))


def test_what_is_being_written_is_read_whole(tmp_path: Path) -> None:
    path = make(tmp_path / "seraph.db")
    with closing(sqlite3.connect(path)) as owner:
        owner.execute("PRAGMA journal_mode = wal")
        owner.execute(
            "INSERT INTO messages (id, session_id, role, content, created_at) VALUES ('m2', 's1', 'step', 'out', ?)",
            (AT,),
        )
        owner.commit()
        owner.execute("DELETE FROM messages")
        found = messages(path)
    assert [(item.message_id, item.role, item.seq) for item in found] == [("m1", "user", 0), ("m2", "tool", 1)]
