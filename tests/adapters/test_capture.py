"""Capture: rows with the right trust, redacted before the first write, of one owner, in private files under tame names."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from adapters.capture import capture, load_feedback, load_messages, load_signals
from adapters.capture.rows import TRUST
from adapters.capture.snapshots import safe_name
from adapters.sources import Source
from models.message import Message, Signal
from models.table import conform
from slowwave import inbox
from slowwave.errors import SourceError, UsageError
from slowwave.format import Trust
from tests.adapters.test_redact import SECRETS
from tests.adapters.test_sources import GOOD, write


def source(path: Path, *lines: Any) -> list[Source]:
    return [Source("jsonl", write(path, *lines))]


def said(text: str, n: int = 1, **more: Any) -> dict[str, Any]:
    return {**GOOD, "content": text, "message_id": f"m{n}", **more}


def files(store: Path) -> list[Path]:
    return sorted(p for p in store.rglob("*") if p.is_file())


def said_files(store: Path) -> list[Path]:
    """The files of what was said, beside those of which place holds it."""
    return [path for path in files(store) if path.parent.name != "places"]


def test_rows_have_the_trust_of_the_place_they_were_said(tmp_path: Path) -> None:
    lines = [said(role, i, role=role) for i, role in enumerate(TRUST)]
    brief = said("You are a sub-agent.", 99, tool_name="subagent_brief")
    capture(tmp_path / "store", source(tmp_path / "a.jsonl", *lines, brief))
    found = load_messages(tmp_path / "store")
    trust = dict(found.select("text", "trust").iter_rows())
    assert trust == {**{role: value.value for role, value in TRUST.items()}, "You are a sub-agent.": Trust.SYSTEM.value}
    assert conform(found, Message).equals(found)


def test_the_same_history_twice_adds_nothing(tmp_path: Path) -> None:
    store = tmp_path / "store"
    lines = [said("one", 1), said("two", 2), "{broken", {"signal": {"kind": "transition", "id": "7"}}]
    first = capture(store, source(tmp_path / "a.jsonl", *lines))
    before = {path: path.read_bytes() for path in files(store)}
    again = capture(store, source(tmp_path / "a.jsonl", *lines))
    assert (first.n_new, first.n_new_signals, first.n_damaged, first.n_new_damaged) == (2, 1, 1, 1)
    assert (again.n_new, again.n_known, again.n_known_signals) == (0, 2, 1)
    assert (again.n_damaged, again.n_new_damaged, again.is_new) == (1, 0, False)
    assert {path: path.read_bytes() for path in files(store)} == before


def test_a_growing_log_adds_what_grew(tmp_path: Path) -> None:
    store = tmp_path / "store"
    capture(store, source(tmp_path / "a.jsonl", said("one", 1)))
    assert capture(store, source(tmp_path / "a.jsonl", said("one", 1), said("two", 2))).n_new == 1
    assert load_messages(store)["text"].sort().to_list() == ["one", "two"]


def test_an_edited_message_replaces_its_text_and_keeps_its_key(tmp_path: Path) -> None:
    store = tmp_path / "store"
    capture(store, source(tmp_path / "a.jsonl", said("400 square metres")))
    capture(store, source(tmp_path / "a.jsonl", said("40 square metres")))
    assert load_messages(store)["text"].to_list() == ["40 square metres"]
    both = source(tmp_path / "a.jsonl", said("400 square metres"), said("40 square metres"))
    assert capture(store, both).n_new == 0
    assert load_messages(store)["text"].to_list() == ["40 square metres"]


def test_an_edit_that_is_taken_back_is_a_new_edition_once(tmp_path: Path) -> None:
    store = tmp_path / "store"
    for text in ("400 square metres", "40 square metres", "400 square metres"):
        assert capture(store, source(tmp_path / "a.jsonl", said(text))).n_new == 1
        assert load_messages(store)["text"].to_list() == [text]
        assert capture(store, source(tmp_path / "a.jsonl", said(text))).is_new is False
    grown = source(tmp_path / "b.jsonl", *map(said, ("400 square metres", "40 square metres", "400 square metres")))
    assert capture(store, grown).is_new is False
    once = capture(tmp_path / "once", grown)
    assert (once.n_new, once.n_known) == (3, 0)
    assert load_messages(tmp_path / "once")["text"].to_list() == ["400 square metres"]


def test_an_older_export_does_not_undo_an_edit_that_has_a_later_time(tmp_path: Path) -> None:
    store = tmp_path / "store"
    old, new = said("400"), said("40", created_at="2026-04-03T09:00:00+02:00")
    for lines in ([old], [new], [old], [new, old]):
        done = capture(store, source(tmp_path / "a.jsonl", *lines))
    assert done.is_new is False
    assert load_messages(store)["text"].to_list() == ["40"]


@pytest.mark.parametrize("is_turned", [False, True])
def test_sources_that_disagree_leave_the_same_in_any_order(tmp_path: Path, is_turned: bool) -> None:
    store = tmp_path / "store"
    two = [*source(tmp_path / "a.jsonl", said("400"), said("40")), *source(tmp_path / "b.jsonl", said("400"))]
    capture(store, two[::-1] if is_turned else two)
    assert load_messages(store)["text"].to_list() == ["400"]
    assert capture(store, two).is_new is capture(store, two[::-1]).is_new is False


def test_an_outcome_that_comes_in_later_replaces_the_signal(tmp_path: Path) -> None:
    store = tmp_path / "store"
    asked = {"kind": "intervention", "id": "i1", "at": "2026-03-02T09:00:00Z"}
    for outcome in ("no_reaction", "accepted"):
        capture(store, source(tmp_path / "a.jsonl", {"signal": {**asked, "outcome": outcome}}))
    found = load_signals(store)
    assert found["outcome"].to_list() == ["accepted"]
    assert conform(found, Signal).equals(found)


def test_no_secret_reaches_a_file(tmp_path: Path) -> None:
    store = tmp_path / "store"
    lines: list[Any] = [said(f"the key is {secret}", i) for i, secret in enumerate(SECRETS.values())]
    lines += [
        said("the admin password is Plum-Kettle-4471", 100),
        said("I typed Plum-Kettle-4471 as you said", 101, role="assistant"),
        said("x", 102, caption="a note that says password: Plum-Kettle-4471", project="token=" + SECRETS["github"]),
        {"signal": {"kind": "observation", "text": "Plum-Kettle-4471 on screen", "session_id": "s1"}},
        '{"content": "password: Plum-Kettle-4471',
    ]
    done = capture(store, source(tmp_path / "a.jsonl", *lines))
    kept = "\n".join(_decoded(store))
    for secret in (*SECRETS.values(), "Plum-Kettle-4471"):
        assert secret not in kept
    assert "[secret:" in kept
    assert done.n_redactions >= len(SECRETS) + 2
    assert "Plum-Kettle" not in str(done.decisions.to_dicts())


def _decoded(store: Path) -> Iterable[str]:
    for path in files(store):
        yield path.read_bytes().decode("latin-1")
        yield json.dumps(pl.read_parquet(path).to_dicts(), default=str, ensure_ascii=False)


def test_another_users_messages_are_set_aside_counted_and_named(tmp_path: Path) -> None:
    lines = [said("mine", 1), said("not mine", 2, user_id="u-ana2"), said("nobody's", 3, user_id=None)]
    done = capture(tmp_path / "store", source(tmp_path / "a.jsonl", *lines), owner="u-ana")
    assert done.other_owners == {"u-ana2": 1}
    found = load_messages(tmp_path / "store")
    assert sorted(found["text"]) == ["mine", "nobody's"]
    assert found["owner"].unique().to_list() == ["u-ana"]
    assert done.decisions.select("item_id", "reason", "other_id").row(0) == ("a.jsonl:2", "another user", "u-ana2")


def test_several_users_and_no_owner_named_is_an_error_that_names_them_and_writes_nothing(tmp_path: Path) -> None:
    lines = [said("a", 1), said("b", 2, user_id="u-bo"), said("c", 3, user_id="u-cy")]
    with pytest.raises(UsageError, match="u-ana, u-bo, u-cy"):
        capture(tmp_path / "store", source(tmp_path / "a.jsonl", *lines))
    assert files(tmp_path / "store") == []


def test_the_owner_of_a_store_stays_its_owner(tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert capture(store, source(tmp_path / "a.jsonl", said("a"))).owner == "u-ana"
    with pytest.raises(UsageError, match="u-bo"):
        capture(store, source(tmp_path / "b.jsonl", said("b", user_id="u-bo")))
    assert load_messages(store)["text"].to_list() == ["a"]


def test_a_store_is_never_another_owners(tmp_path: Path) -> None:
    store = tmp_path / "store"
    two = source(tmp_path / "two.jsonl", said("hers", 1, user_id="u2"), said("his", 2, user_id="u1"))
    capture(store, two, owner="u2")
    before = files(store)
    with pytest.raises(UsageError, match=r"u2's, and u1 was named") as error:
        capture(store, two, owner="u1")
    assert "another --store" in error.value.hint
    assert files(store) == before
    assert load_messages(store)["text"].to_list() == ["hers"]
    assert capture(store, two, owner="u2").n_known == 1


def test_what_a_killed_capture_staged_is_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "store"
    with monkeypatch.context() as patch:
        patch.setattr("adapters.capture.Staged.commit", _killed)
        patch.setattr("adapters.capture.Staged.drop", lambda _: None)
        with pytest.raises(KeyboardInterrupt):
            capture(store, source(tmp_path / "a.jsonl", said("one", 1), said("two", 2, created_at=None)))
    left = said_files(store)
    assert len(left) == 2
    (left[0].parent / f".{left[0].name}.1.tmp").write_bytes(b"half")
    assert load_messages(store).height == 0
    assert capture(store, source(tmp_path / "a.jsonl", said("one", 1))).n_new == 1
    assert [path.name.startswith(".") for path in said_files(store)] == [False]
    assert not list(store.rglob("*.staged"))


def _killed(_: object) -> None:
    raise KeyboardInterrupt


def test_without_any_user_there_is_still_one_owner(tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert capture(store, source(tmp_path / "a.jsonl", said("a", 1, user_id=None))).owner == "user"
    assert load_messages(store)["owner"].to_list() == ["user"]
    assert capture(store, source(tmp_path / "a.jsonl", said("b", 2))).owner == "u-ana"
    assert load_messages(store)["owner"].unique().to_list() == ["u-ana"]


def test_files_are_private_and_named_by_platform_and_day(tmp_path: Path) -> None:
    store = tmp_path / "store"
    lines = [
        said("a", 1, platform="../../etc", session_id="../x"),
        said("b", 2, platform="chat"),
        said("c", 3, created_at=None),
    ]
    capture(store, source(tmp_path / "a.jsonl", *lines))
    folders = {path.parent.relative_to(store / "snapshots").as_posix() for path in files(store)}
    assert folders == {f"{safe_name('../../etc')}/2026-04-02", "chat/2026-04-02", "generic/undated", "places"}
    assert ".." not in str(folders)
    for path in [store, *store.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def test_tame_names_never_meet() -> None:
    names = ["chat", "Chat", "chat ", "c/hat", "", "..", "日本", "a" * 90, "a" * 91]
    assert len({safe_name(name) for name in names}) == len(names)
    assert not {"", ".", ".."} & {safe_name(name) for name in names}


def test_a_source_that_fails_halfway_leaves_no_trace(tmp_path: Path) -> None:
    store = tmp_path / "store"
    binary = tmp_path / "b.jsonl"
    binary.write_bytes(b"PK\3\4" + bytes(100))
    with pytest.raises(SourceError):
        capture(store, [Source("jsonl", binary)])
    assert files(store) == []


def test_a_source_that_cannot_be_read_takes_no_other_with_it(tmp_path: Path) -> None:
    store, binary = tmp_path / "store", tmp_path / "b.jsonl"
    binary.write_bytes(b"PK\3\4" + bytes(100))
    sources = [*source(tmp_path / "a.jsonl", said("a")), Source("jsonl", binary)]
    done = capture(store, sources)
    assert (done.n_new, done.n_damaged, done.n_new_damaged) == (1, 1, 1)
    (row,) = done.decisions.iter_rows(named=True)
    assert (row["item_id"], row["reason"]) == (f"{binary}:0", "unreadable source")
    assert row["detail"] == f"{binary} is not text"
    assert capture(store, sources).n_new_damaged == 0


def test_batches_make_the_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [said(f"line {i}", i) for i in range(25)]
    capture(tmp_path / "one", source(tmp_path / "a.jsonl", *lines))
    monkeypatch.setattr("adapters.capture._BATCH_ROWS", 4)
    capture(tmp_path / "many", source(tmp_path / "a.jsonl", *lines))
    assert load_messages(tmp_path / "one").equals(load_messages(tmp_path / "many"))
    assert len(said_files(tmp_path / "many")) == 7


def test_the_inbox_is_read_without_being_named(tmp_path: Path) -> None:
    inbox.record(tmp_path, [{"session_id": "s 1", "role": "user", "content": "The kiln room stays locked. 🔥"}])
    inbox.feedback(tmp_path, "mem_1", "confirmed", "s 1", trust="owner")
    with (tmp_path / "inbox" / "feedback" / "2026-01-01.jsonl").open("w") as file:
        file.write('{"memory_id": "mem_1", "verdict": "loved"}\n{cut')
    done = capture(tmp_path, [])
    assert (done.n_new, done.n_damaged) == (1, 2)
    assert load_messages(tmp_path)["text"].to_list() == ["The kiln room stays locked. 🔥"]
    assert load_feedback(tmp_path).select("memory_id", "verdict", "trust").rows() == [("mem_1", "confirmed", "owner")]
    assert capture(tmp_path, []).is_new is False


def test_nothing_to_read_is_nothing_captured(tmp_path: Path) -> None:
    done = capture(tmp_path / "store", [])
    assert (done.n_new, done.is_new, done.decisions.height) == (0, False, 0)
    assert load_messages(tmp_path / "store").height == load_signals(tmp_path / "store").height == 0
    assert load_feedback(tmp_path / "store").height == 0


def test_a_snapshot_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    store = tmp_path / "store"
    capture(store, source(tmp_path / "a.jsonl", said("a")))
    os.truncate(files(store)[0], 10)
    with pytest.raises(SourceError, match=files(store)[0].name):
        load_messages(store)


def test_a_message_of_five_megabytes_goes_through(tmp_path: Path) -> None:
    text = "drift 0.37 mm at gauge E1\n" * 200_000
    capture(tmp_path / "store", source(tmp_path / "a.jsonl", said(text)))
    assert load_messages(tmp_path / "store")["text"].to_list() == [text]


def test_an_id_that_holds_a_secret_becomes_a_hash_and_other_ids_stay(tmp_path: Path) -> None:
    store, token = tmp_path / "store", SECRETS["github"]
    hostile = [{**said(f"Line {n}.", n), "session_id": f"chat-{token}", "message_id": f"{token}-{n}"} for n in (1, 2)]
    plain = {
        **said("Line 3.", 3),
        "session_id": "sess_0123456789abcdef0123456789abcdef",
        "message_id": "4111111111111111",
    }
    capture(store, source(tmp_path / "log.jsonl", *hostile, plain))
    rows = load_messages(store).sort("text").select("session_id", "message_id").rows()
    assert rows[0][0] == rows[1][0] and rows[0][1] != rows[1][1]
    assert rows[2] == (plain["session_id"], plain["message_id"])
    assert not any(token.encode() in path.read_bytes() for path in files(store))
    assert capture(store, source(tmp_path / "log.jsonl", *hostile, plain)).n_new == 0


def test_snapshots_of_several_times_are_read_together_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    store = tmp_path / "a [store]*"
    days = [f"2026-04-0{day}T09:00:00Z" for day in (1, 2, 3)]
    said_then = [said(f"day {n}", n, created_at=day, caption="a picture") for n, day in enumerate(days)]
    capture(store, source(tmp_path / "log.jsonl", *said_then))
    whole = load_messages(store)
    assert whole["caption"].to_list() == ["a picture"] * 3
    older, damaged = (next((store / "snapshots").glob(f"*/2026-04-0{day}/*.parquet")) for day in (2, 3))
    pl.read_parquet(older, glob=False).drop("caption").write_parquet(older)
    loaded = load_messages(store)
    assert loaded.drop("caption").equals(whole.drop("caption"))
    assert loaded.sort("said_at")["caption"].to_list() == ["a picture", None, "a picture"]
    damaged.write_bytes(damaged.read_bytes()[:100])
    with pytest.raises(SourceError, match=damaged.name):
        load_messages(store)
