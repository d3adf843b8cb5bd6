"""The inbox: append-only, private, and safe from the ids it is given."""

from __future__ import annotations

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import slowwave
from adapters.capture.feedback import read_feedback
from slowwave.errors import StoreNotFound, StoreUnwritable, UsageError
from slowwave.inbox import file_stem
from tests.make import at, memory
from tests.stores import build


def said(text: str, session: str = "s1") -> dict[str, object]:
    return {"session_id": session, "role": "user", "content": text, "created_at": at("2026-02-01T10:00")}


def lines(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for path in sorted(folder.glob("*.jsonl")) for line in path.read_text().splitlines()]


def test_messages_are_appended_one_file_a_session(tmp_path: Path) -> None:
    assert slowwave.record(tmp_path, [said("one"), said("two", "s2"), said("three")]) == 3
    assert slowwave.record(tmp_path, [said("four")]) == 1
    kept = lines(tmp_path / "inbox/sessions")
    assert sorted(str(row["content"]) for row in kept) == ["four", "one", "three", "two"]
    assert len(list((tmp_path / "inbox/sessions").iterdir())) == 2
    assert kept[0]["created_at"] == "2026-02-01T10:00:00+00:00"


def test_files_are_private(tmp_path: Path) -> None:
    slowwave.record(tmp_path, [said("one")])
    file = next((tmp_path / "inbox/sessions").iterdir())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    session=st.one_of(
        st.text(min_size=1), st.sampled_from(["../../etc/passwd", "/abs", "..", "a/b\\c", "\x00", "x" * 9000])
    )
)
def test_no_session_id_leaves_the_inbox(tmp_path: Path, session: str) -> None:
    path = slowwave.flush(tmp_path, session, "near_compaction")
    assert path.parent == tmp_path / "inbox/flush" and path.is_file()
    assert json.loads(path.read_text().splitlines()[-1])["session_id"] == session


def test_ids_that_look_alike_on_disk_stay_apart() -> None:
    assert len({file_stem(name) for name in ("a/b", "a_b", "a:b", "A_b", "a_b ")}) == 5


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ({"role": "user", "content": "x"}, "lacks session_id"),
        ({"session_id": "", "role": "user", "content": "x"}, "lacks a session_id"),
        ({"session_id": "s", "role": "user", "content": None}, "lacks content"),
        ("hello", "is no mapping"),
        ({"session_id": "s", "role": "user", "content": "x", "score": float("nan")}, "cannot be written"),
        ({"session_id": "s", "role": "user", "content": "x", "blob": object()}, "cannot be written"),
    ],
)
def test_one_bad_message_and_nothing_is_written(tmp_path: Path, message: object, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        slowwave.record(tmp_path, [said("good"), message])  # type: ignore[list-item]
    assert not (tmp_path / "inbox").exists()


def test_feedback_names_memory_verdict_and_whose_it_is(tmp_path: Path) -> None:
    slowwave.feedback(tmp_path, "mem_1", "confirmed", "s1", trust="owner", at=at("2026-02-01T10:00"))
    slowwave.feedback(tmp_path, "mem_2", "ignored", at=at("2026-02-01T11:00"))
    kept = lines(tmp_path / "inbox/feedback")
    assert [(r["memory_id"], r["verdict"], r["session_id"], r["trust"]) for r in kept] == [
        ("mem_1", "confirmed", "s1", "owner"),
        ("mem_2", "ignored", None, "agent"),
    ]
    for memory_id, verdict, trust in (("m", "nice", "agent"), ("m", "reused", "system"), ("", "reused", "agent")):
        with pytest.raises(UsageError):
            slowwave.feedback(tmp_path, memory_id, verdict, trust=trust)


def test_many_agents_never_mix_their_lines(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: slowwave.record(tmp_path, [said(f"{i} " + "x" * 3000)]), range(64)))
    assert sorted(int(str(r["content"]).split()[0]) for r in lines(tmp_path / "inbox/sessions")) == list(range(64))


def test_a_torn_last_line_spoils_only_itself(tmp_path: Path) -> None:
    slowwave.record(tmp_path, [said("one")])
    file = next((tmp_path / "inbox/sessions").iterdir())
    file.write_text(file.read_text() + '{"torn": ')
    slowwave.record(tmp_path, [said("two")])
    assert file.read_text().splitlines()[1] == '{"torn": '
    assert json.loads(file.read_text().splitlines()[2])["content"] == "two"


def test_no_store_and_no_permission_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(StoreNotFound):
        slowwave.record(tmp_path / "nowhere", [said("one")])
    (tmp_path / "inbox").write_text("in the way")
    with pytest.raises(StoreUnwritable) as error:
        slowwave.record(tmp_path, [said("one")])
    assert "disk is not full" in error.value.hint


def test_what_was_shown_is_logged_on_request_without_the_question(tmp_path: Path) -> None:
    build(tmp_path / "store", memories=[memory("The kiln is old.")], embedder="none")
    slowwave.open(tmp_path / "store").recall("Is the kiln old?")
    assert not (tmp_path / "store" / "inbox").exists()
    reader = slowwave.open(tmp_path / "store", is_logged=True)
    found = reader.recall("Is the kiln old?")
    (file,) = (tmp_path / "store" / "inbox" / "shown").iterdir()
    line = json.loads(file.read_text())
    assert line["shown"] == [one.id for one in found] and line["version"] == reader.version and len(line["asked"]) == 64
    assert "kiln" not in file.read_text()
    verdicts, damaged = read_feedback(tmp_path / "store")
    assert verdicts.is_empty() and damaged == [], "a showing is no verdict"
