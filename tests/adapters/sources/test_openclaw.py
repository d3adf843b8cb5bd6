"""OpenClaw: both generations as one history, what of it stands, and which copies are one message."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from adapters.sources import openclaw
from adapters.sources.openclaw.branches import Branches
from tests.adapters.sources.openclaw_logs import (
    SAMPLES,
    clock,
    damaged,
    database,
    entry,
    header,
    marks,
    read,
    said,
    samples,
    sent,
    write,
)


def test_the_sample_has_its_expected_counts() -> None:
    folder = samples()
    expected = json.loads((SAMPLES / "expected.json").read_text())["samples"]["openclaw"]
    items = read(folder)
    messages = {(m.session_id, m.message_id): m for m in said(items)}
    counts = Counter(m.mark for m in messages.values())
    dropped, notes = expected["dropped"], expected["notes"]
    assert counts["heartbeat"] + counts["hidden"] == dropped["scaffolding"]
    assert (counts["branch"], counts["cron"]) == (dropped["abandoned_branch"], dropped["cron"])
    assert (counts["observed"], counts["rewound"]) == (dropped["third_party"], dropped["tombstoned"])
    assert counts["summary"] == notes["compaction_entries"]
    assert counts[None] == expected["messages_live"]
    assert len(messages) - counts["summary"] == expected["messages_raw"]
    # One line was written twice, and one session of ten messages lies in both generations.
    assert len(said(items)) - len(messages) == notes["duplicate_lines"] + 10
    assert len({session for session, _ in messages}) == expected["sessions"]
    assert [d.reason for d in damaged(items)] == ["broken JSON"]
    assert read(folder) == items


def test_every_evidence_message_of_the_sample_is_live_and_every_trap_of_a_place_is_not() -> None:
    folder = samples()
    expected = json.loads((SAMPLES / "expected.json").read_text())
    found = {f"{m.session_id}#{m.message_id}": m for m in said(read(folder))}
    for item in expected["items"]:
        for evidence in item["evidence"].get("openclaw", []):
            message = found[evidence["ref"]]
            assert (message.mark, message.role) == (None, "user"), evidence
            assert message.said_at is not None
            assert message.said_at.isoformat()[:19] == evidence["at"][:19]
    for trap in ("branch", "scaffold", "summary", "forget", "third_party"):
        assert all(found[ref].mark for ref in expected["samples"]["openclaw"]["must_not_contain"][trap])


def test_the_host_s_clock_is_nobodys_offset(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", header("s"), entry("a", None, "hello", 61))
    (message,) = said(read(path))
    assert message.said_at is not None and message.said_at.isoformat() == "2026-04-02T01:01:00+00:00"
    assert (message.offset_minutes, message.time_source) == (None, "message")


def test_entries_off_the_active_branch_are_abandoned_and_compaction_ends_nothing(tmp_path: Path) -> None:
    items = read(
        write(
            tmp_path / "s.jsonl",
            header("s"),
            entry("a", None, "one"),
            entry("b", "a", "edited away"),
            entry("c", "b", "answer to it", role="assistant"),
            entry("d", "a", "two"),
            {"type": "compaction", "id": "e", "parentId": "d", "timestamp": clock(3), "summary": "a claim"},
            {"type": "label", "id": "f", "parentId": "e", "timestamp": clock(3), "targetId": "a", "label": "x"},
            entry("g", "f", "three", 4),
        )
    )
    assert marks(items) == {"a": None, "b": "branch", "c": "branch", "d": None, "e": "summary", "g": None}
    summary = next(m for m in said(items) if m.message_id == "e")
    assert (summary.text, summary.trust) == ("a claim", "system")


def test_a_damaged_line_does_not_cut_off_what_came_before_it(tmp_path: Path) -> None:
    lines = [header("s"), entry("a", None, "one"), '{"type":"message","id":"b","par', entry("c", "b", "three"), "[1]"]
    items = read(write(tmp_path / "s.jsonl", *lines))
    assert marks(items) == {"a": None, "c": None}
    assert [(d.line, d.reason) for d in damaged(items)] == [(3, "broken JSON"), (5, "not an object")]


def test_the_oldest_format_has_neither_ids_nor_parents(tmp_path: Path) -> None:
    old = [
        {k: v for k, v in entry("", None, text, i).items() if k not in ("id", "parentId")}
        for i, text in enumerate("abc")
    ]
    first = said(read(write(tmp_path / "s.jsonl", header("s"), *old)))
    again = said(read(write(tmp_path / "s.jsonl", header("s"), {"type": "label"}, *old)))
    assert [m.mark for m in first] == [None] * 3 and len({m.message_id for m in first}) == 3
    assert [m.message_id for m in first] == [m.message_id for m in again]


def test_a_tree_never_loops_and_a_copy_is_no_second_entry() -> None:
    tree = Branches()
    assert tree.add("a", "a", has_parent=True, starts_turn=True)
    assert tree.add("b", "zzz", has_parent=True, starts_turn=False)
    assert not tree.add("a", "b", has_parent=True, starts_turn=True)
    assert list(tree.active(None)) == [1, 1]
    assert list(tree.active("a")) == [1, 0]


def test_both_generations_are_one_history(tmp_path: Path) -> None:
    early = [header("s"), entry("a", None, "one"), entry("b", "a", "edited later")]
    late = [*early, entry("c", "a", "two", 5)]
    write(tmp_path / "sessions" / "s.jsonl", *early)
    database(tmp_path / "agent" / "openclaw-agent.sqlite", {"s": late, "t": [header("t"), entry("d", None, "new")]})
    items = read(tmp_path)
    copies = [(m.session_id, m.message_id, m.text, m.mark) for m in said(items)]
    # Both copies say the same, the older one too, so that a second copy adds nothing.
    assert Counter(copies) == {
        ("s", "a", "one", None): 2,
        ("s", "b", "edited later", "branch"): 2,
        ("s", "c", "two", None): 1,
        ("t", "d", "new", None): 1,
    }


def test_the_databases_leaf_decides_unless_its_index_is_behind(tmp_path: Path) -> None:
    entries = [header("s"), entry("a", None, "one"), entry("b", "a", "two"), entry("c", "a", "three")]
    for needs_rebuild, expected in (
        (0, {"a": None, "b": None, "c": "branch"}),
        (1, {"a": None, "b": "branch", "c": None}),
    ):
        path = tmp_path / f"{needs_rebuild}.sqlite"
        database(path, {"s": entries}, session_transcript_index_state=[("s", "b", needs_rebuild)])
        assert marks(read(path)) == expected


def test_what_the_owner_asked_to_forget_is_undone_in_every_copy(tmp_path: Path) -> None:
    entries = [header("s"), entry("a", None, sent("My sister is ill."))]
    write(tmp_path / "sessions" / "s.jsonl", *entries)
    database(tmp_path / "agent" / "openclaw-agent.sqlite", {"s": entries}, memory_session_tombstones=[("s",)])
    assert [m.mark for m in said(read(tmp_path))] == ["rewound", "rewound"]


@pytest.mark.parametrize("is_parent_there", [True, False])
def test_a_fork_repeats_its_parents_entries_under_the_parents_ids(tmp_path: Path, is_parent_there: bool) -> None:
    if is_parent_there:
        write(
            tmp_path / "z.jsonl",
            header("z"),
            entry("a", None, "one"),
            entry("b", "a", "left"),
            entry("c", "a", "two", 2),
        )
    fork = [entry("a", None, "one"), entry("b", "a", "left"), entry("d", "b", "on from here", 11)]
    write(tmp_path / "f.jsonl", header("f", 10, parentSession="/srv/x/sessions/z.jsonl"), *fork)
    found = [(m.session_id, m.message_id, m.mark) for m in said(read(tmp_path)) if m.place.startswith("f")]
    standing = "branch" if is_parent_there else None
    assert found == [("z", "a", None), ("z", "b", standing), ("f", "d", None)]


def test_a_rewound_window_undoes_what_it_did_not_keep(tmp_path: Path) -> None:
    before = [header("s"), entry("a", None, "keep"), entry("b", "a", "undo", 2)]
    after = [header("t", 10), entry("a", None, "keep"), entry("c", "a", "instead", 11)]
    path = database(
        tmp_path / "openclaw-agent.sqlite",
        {"s": before, "t": after},
        session_windows=[("s", "k", None, None, "initial"), ("t", "k", None, "s", "rewind")],
    )
    found = {(m.session_id, m.message_id): m.mark for m in said(read(path))}
    assert found == {("s", "a"): None, ("s", "b"): "rewound", ("t", "c"): None}


def test_sessions_that_were_copied_from_each_other_end(tmp_path: Path) -> None:
    for name, parent in (("a", "b"), ("b", "a"), ("c", "c")):
        write(
            tmp_path / f"{name}.jsonl",
            header(name, 10, parentSession=f"{parent}.jsonl"),
            entry(name + "1", None, "x", 5),
        )
    assert len(said(read(tmp_path))) == 3


@pytest.mark.parametrize(
    ("suffix", "mark"),
    [
        (".jsonl", None),
        (".jsonl.reset.2026-04-03T04-00-00.000Z", None),
        (".jsonl.bak.1775188800000", None),
        (".jsonl.deleted.2026-04-03T04-00-00.000Z", "rewound"),
        (".jsonl.deleted.1775188800000", "rewound"),
        (".jsonl.deleted.2026-06-03T04-00-00.000Z", None),
        (".checkpoint.01234567-89ab-4cde-8f01-23456789abcd.jsonl", None),
    ],
)
def test_archives_are_history_and_a_deletion_that_upkeep_does_not_explain_is_a_wish(
    tmp_path: Path, suffix: str, mark: str | None
) -> None:
    write(tmp_path / f"s{suffix}", header("s"), entry("a", None, "one"))
    assert [(m.session_id, m.mark) for m in said(read(tmp_path))] == [("s", mark)]


def test_a_deleted_copy_of_a_session_that_lives_on_deletes_nothing(tmp_path: Path) -> None:
    write(tmp_path / "s.jsonl.deleted.2026-04-03T04-00-00.000Z", header("s"), entry("a", None, "one"))
    write(tmp_path / "s.jsonl", header("s"), entry("a", None, "one"), entry("b", "a", "two"))
    assert marks(read(tmp_path)) == {"a": None, "b": None}


def test_a_runtimes_own_log_is_no_transcript(tmp_path: Path) -> None:
    write(tmp_path / "s.trajectory.jsonl", header("s"), entry("a", None, "one"))
    assert read(tmp_path) == []


def test_recognition(tmp_path: Path) -> None:
    path = write(tmp_path / "a" / "s.jsonl", header("s"), entry("x", None, "hi"))
    store = database(tmp_path / "b" / "openclaw-agent.sqlite", {})
    other = write(
        tmp_path / "c" / "log.jsonl", {"type": "user", "uuid": "1", "message": {"role": "user", "content": "x"}}
    )
    assert all(openclaw.looks_like(place) for place in (path, path.parent, store, store.parent, tmp_path))
    broken = write(tmp_path / "d" / "log.jsonl", "{broken", {"role": "user", "content": "x"})
    assert not any(openclaw.looks_like(place) for place in (other, other.parent, broken))
    assert read(other.parent) == []
    space = tmp_path / "e"
    write(space / "MEMORY.md", "- a note")
    assert not openclaw.looks_like(space)
    write(space / "HEARTBEAT.md", "- check the buoys")
    assert openclaw.looks_like(space)
