"""Deletions that a platform recorded: what they name is no evidence, in whatever order both came; absence takes nothing back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import slowwave
from adapters import lake
from adapters.capture import capture, load_messages
from adapters.sources import Source
from flows.begin import Plan
from flows.road import consolidated
from flows.step import here
from models.memory import MemoryRow
from models.message import Signal
from models.rules import SiftRules
from models.table import empty
from models.turn import Turn
from slowwave.errors import UsageError
from slowwave.store import read_manifest
from tasks.sift import sift
from tests.adapters.sources.workspace import AT, make, messages, write_tables
from tests.adapters.test_sources import GOOD, write
from tests.make import at

LINE = {**GOOD, "platform": "openclaw", "session_id": "s-1", "message_id": "m1", "content": "I am allergic to walnuts."}


def memory(**given: Any) -> dict[str, Any]:
    return {
        "id": "a",
        "content": "Ana drinks tea.",
        "kind": "preference",
        "status": "active",
        "created_at": AT,
        **given,
    }


def event(kind: str, memory_id: str = "a", when: str = AT) -> dict[str, Any]:
    details = json.dumps({"memory_id": memory_id})
    return {"id": kind + when, "event_type": kind, "summary": "", "details_json": details, "created_at": when}


def tombstone(folder: Path) -> list[Source]:
    folder.mkdir(exist_ok=True)
    path = folder / "openclaw-agent.sqlite"
    if not path.exists():
        event = {"session_id": "other", "seq": 0, "event_json": json.dumps({"type": "session", "id": "other"})}
        stones = [{"session_id": "s-1", "created_at": 1775160000000}]
        write_tables(path, {"transcript_events": [event], "memory_session_tombstones": stones})
    return [Source("openclaw", folder)]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_tombstone_without_text_marks_what_was_captured_before_or_after_it(tmp_path: Path, is_first: bool) -> None:
    store, said = tmp_path / "store", [Source("jsonl", write(tmp_path / "a.jsonl", LINE))]
    both = [tombstone(tmp_path / "claw"), said]
    for sources in both if is_first else both[::-1]:
        assert capture(store, sources).is_new
    (row,) = load_messages(store).to_dicts()
    assert row["mark"] == "deleted"
    again = capture(store, [*both[0], *both[1]])
    assert (again.is_new, again.n_gone) == (False, 0)
    made = sift(load_messages(store), empty(Turn), empty(Signal), rules=SiftRules(), as_of=at("2026-05-01T03:00"))
    assert made.heard.height == 0
    assert made.decisions.select("action", "reason").rows() == [("drop", "deleted at its source")]


def night(store: Path, sources: list[Source], day: int) -> Any:
    named = tuple(f"{source.kind}={source.path}" for source in sources)
    return consolidated(Plan(store, named, at(f"2026-05-0{day}T03:00"), {"embed": {"embedder": "none"}}), here)


def published(store: Path, version: str) -> list[str]:
    return lake.read_table(store, read_manifest(store, version).state["memories"], MemoryRow)["text"].to_list()


def test_a_deletion_takes_back_what_rests_on_it_and_absence_does_not(tmp_path: Path) -> None:
    store, path = tmp_path / "store", write(tmp_path / "a.jsonl", LINE)
    first = night(store, [Source("jsonl", path)], 1)
    assert any("walnuts" in text for text in published(store, first.version))
    write(path, {**LINE, "session_id": "s-2", "content": "I live in Lisbon."})
    pruned = night(store, [Source("jsonl", path)], 2)
    assert any("walnuts" in text for text in published(store, pruned.version))
    deleted = night(store, tombstone(tmp_path / "claw"), 3)
    assert not any("walnuts" in text for text in published(store, deleted.version))
    write(path, LINE)
    back = night(store, [Source("jsonl", path)], 4)
    assert not any("walnuts" in text for text in published(store, back.version))


def test_a_memory_that_seraphs_operator_forgot_is_deleted(tmp_path: Path) -> None:
    store, folder = tmp_path / "store", tmp_path / "w"
    folder.mkdir()
    capture(store, [Source("seraph", make(folder / "seraph.db", memories=[memory()]))])
    (folder / "seraph.db").unlink()
    make(folder / "seraph.db", audit_events=[event("memory_forgotten")])
    assert capture(store, [Source("seraph", folder)]).n_gone == 1
    marks = dict(load_messages(store).select("message_id", "mark").iter_rows())
    assert marks == {"memories/a": "deleted", "m1": None}


def test_what_the_operator_corrected_is_the_owners_and_what_he_pinned_is_relied_on_as_his(tmp_path: Path) -> None:
    rows = [memory(), memory(id="b"), memory(id="c")]
    later = AT.replace("20:10", "21:10")
    events = [event("memory_corrected"), event("memory_forgotten", "b"), event("memory_pinned", "b", later)]
    found = messages(make(tmp_path / "seraph.db", memories=rows, audit_events=events))[1:]
    assert [(m.role, m.trust, m.origin) for m in found] == [
        ("user", "owner", None),
        ("assistant", "imported", "owner_curated"),
        ("assistant", "imported", None),
    ]


def deletion(**more: Any) -> dict[str, Any]:
    return {"deleted": True, "session_id": "s-1", "platform": "openclaw", "at": "2026-05-01T10:00:00Z", **more}


NAMELESS = {name: value for name, value in LINE.items() if name != "message_id"}


@pytest.mark.parametrize(
    ("said", "line", "n"),
    [
        (LINE, deletion(message_id="m1"), 1),
        (LINE, deletion(), 1),
        (NAMELESS, {**deletion(), **NAMELESS}, 1),
        (LINE, deletion(message_id="m2"), 0),
        (LINE, deletion(message_id="m1", platform="chat"), 0),
        (LINE, deletion(message_id="m1", deleted="true"), 0),
        (LINE, {"deleted": True, "platform": "openclaw"}, 0),
    ],
)
def test_a_line_of_jsonl_deletes_what_it_names(
    tmp_path: Path, said: dict[str, Any], line: dict[str, Any], n: int
) -> None:
    store, path = tmp_path / "store", tmp_path / "a.jsonl"
    other = {**LINE, "session_id": "s-2", "content": "I live in Lisbon."}
    capture(store, [Source("jsonl", write(path, said, other))])
    capture(store, [Source("jsonl", write(path, said, other, line))])
    marks = load_messages(store).filter(pl.col("mark") == "deleted")["session_id"].to_list()
    assert marks == ["s-1"] * n


@pytest.mark.parametrize(("more", "left"), [({}, 0), ({"index": 1}, 1), ({"index": "1"}, 2), ({"id": None}, 2)])
def test_a_line_of_an_openai_log_deletes_a_conversation_or_one_message(
    tmp_path: Path, more: dict[str, Any], left: int
) -> None:
    said = [{"role": "user", "content": "I like tea."}, {"role": "assistant", "content": "Noted."}]
    path = write(tmp_path / "a.jsonl", {"id": "c-1", "messages": said}, {"deleted": True, "id": "c-1", **more})
    capture(tmp_path / "store", [Source("openai_jsonl", path)])
    found = load_messages(tmp_path / "store")
    assert (found.height, found.filter(pl.col("mark").is_null()).height) == (2, left)


def test_an_agent_takes_back_what_it_recorded(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    said = {"session_id": "s-1", "role": "user", "content": "I drink tea.", "platform": "chat"}
    slowwave.record(store, [{**said, "message_id": f"m{n}"} for n in (1, 2)])
    slowwave.retract(store, "s-1", "m1", platform="chat", at=at("2026-05-01T10:00"))
    assert capture(store, []).n_gone == 1
    assert dict(load_messages(store).select("message_id", "mark").iter_rows()) == {"m1": "deleted", "m2": None}
    assert not capture(store, []).is_new
    with pytest.raises(UsageError, match="a session and a message"):
        slowwave.retract(store, "s-1", "")
