"""What is forgotten leaves every file of the store, and neither a rollback nor an old log brings it back."""

from __future__ import annotations

import gzip
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import lance
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import slowwave
from adapters.capture import load_messages, load_signals
from adapters.forget import stones
from adapters.forget.scan import Hit
from flows.begin import Plan
from flows.forget import foresee, forget, proof
from flows.road import consolidated
from flows.rollback import resume, roll_back
from flows.step import here
from slowwave.cli import main
from slowwave.errors import UsageError, VersionGone
from slowwave.store import read_current, read_manifest, read_rollback, read_whole, versions
from tasks.trace import Request
from tests.e2e.erasing import GONE, TALK, Store, line
from tests.make import at


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Store(tmp_path_factory.mktemp("walked"))
    assert made.night([line(*row) for row in TALK], "2026-02-02T03:00").status == "published"
    assert made.says(*GONE)
    return made.path


@pytest.fixture
def store(walked: Path, tmp_path: Path) -> Store:
    shutil.copytree(walked, tmp_path / "store")
    return Store(tmp_path)


@pytest.mark.parametrize(
    "request_of",
    [
        lambda _: Request(texts=("divorce", "Carlota")),
        lambda _: Request(entities=("Carlota",)),
        lambda store: Request(memories=(memory_of(store, "divorce"),)),
    ],
    ids=["text", "entity", "memory"],
)
def test_the_sentence_goes_with_what_rests_on_it_and_its_neighbours_stay(store: Store, request_of: Any) -> None:
    before = read_current(store.path)
    done = forget(store.path, request_of(store), as_of=at("2026-02-03T03:00"))
    assert (done.outcome.status, done.hits, done.is_pending, done.exit_status) == ("published", [], False, 0)
    assert done.purged == [before]
    assert store.says(*GONE) == []
    assert store.left()["m1"] == "Also I play the oboe."
    assert store.left()["m3"] == TALK[2][3]
    assert "oboe" in store.recalls("Which instrument do I play?")


def memory_of(store: Store, word: str) -> str:
    return next(found.id for found in slowwave.open(store.path).recall(word, 5) if found.id.startswith("mem_"))


@pytest.mark.parametrize(
    ("request_of", "gone", "stays"),
    [
        (Request(messages=("m4",)), ("porto", "zq7741x"), "oboe"),
        (Request(sessions=("s2",)), ("porto", "zq7741x"), "oboe"),
        (Request(since=at("2026-02-01T00:00")), ("porto", "zq7741x"), "oboe"),
        (Request(until=at("2026-01-31T00:00")), ("oboe", "carlota", "rye bread"), "porto"),
        (Request(texts=("zq7741x",)), ("zq7741x",), "porto"),
    ],
    ids=["message", "session", "since", "until", "words"],
)
def test_a_message_a_session_a_time_and_words(
    store: Store, request_of: Request, gone: tuple[str, ...], stays: str
) -> None:
    done = forget(store.path, request_of, as_of=at("2026-02-03T03:00"))
    assert done.exit_status == 0, done
    assert store.says(*gone) == []
    assert store.says(stays)


def test_an_old_log_and_a_copy_under_other_ids_bring_nothing_back(store: Store) -> None:
    forget(store.path, Request(texts=("Carlota",)), as_of=at("2026-02-03T03:00"))
    lines = [line(*row) for row in TALK]
    again = store.night(lines, "2026-02-04T03:00")
    assert (again.status, again.facts["n_new_messages"]) == ("nothing_to_do", 0)
    copies = [
        {**one, "session_id": f"copy-{one['session_id']}", "message_id": f"c-{one['message_id']}"} for one in lines
    ]
    copies += [
        line("old", "o1", "user", "My sister Carl\u043eta is going thr\u00adough a DIVORCE!", "2025-12-01T10:00")
    ]
    store.night([*lines, *copies], "2026-02-05T03:00")
    assert store.says(*GONE) == []
    assert store.left()["c-m1"] == "Also I play the oboe."
    assert store.left()["o1"] == ""


def test_a_new_statement_of_the_owners_is_a_new_statement(store: Store) -> None:
    forget(store.path, Request(texts=("Carlota",)), as_of=at("2026-02-03T03:00"))
    news = [line("s9", "n1", "user", "My sister Carlota lives in Aveiro now.", "2026-02-06T10:00")]
    store.night([*(line(*row) for row in TALK), *news], "2026-02-07T03:00")
    assert "Aveiro" in store.recalls("Where does Carlota live?")
    assert store.says("divorce") == []


def test_the_purged_version_leaves_a_stub_and_opens_no_more(store: Store) -> None:
    before = read_current(store.path) or ""
    forget(store.path, Request(entities=("Carlota",)), as_of=at("2026-02-03T03:00"))
    stub = read_manifest(store.path, before)
    assert stub.purged_at is not None and not (stub.tables or stub.state or stub.documents)
    with pytest.raises(VersionGone, match="purged"):
        read_whole(store.path, before)
    with pytest.raises(VersionGone):
        slowwave.open(store.path, before)


def test_a_version_from_before_it_was_said_stays(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.night([line(*TALK[3])], "2026-02-02T03:00")
    first = read_current(store.path) or ""
    store.night([line(*row) for row in TALK], "2026-02-03T03:00")
    forget(store.path, Request(texts=("Carlota",)), as_of=at("2026-02-04T03:00"))
    assert read_whole(store.path, first).version == first
    (store.path / "CURRENT").write_text(f"{first}\n")
    assert store.night([line(*row) for row in TALK], "2026-02-05T03:00").status == "published"
    assert store.says(*GONE) == []
    assert "oboe" in store.recalls("Which instrument do I play?")


def test_showing_changes_nothing_and_names_what_is_out_of_reach(store: Store) -> None:
    before = {path: path.stat().st_mtime_ns for path in store.path.rglob("*")}
    found = foresee(store.path, Request(texts=("Carlota",)), at("2026-02-03T03:00"))
    assert {one["message_id"] for one in found.messages} == {"m1", "m2"}
    assert any("divorce" in one["text"] for one in found.memories)
    assert any("log.jsonl" in one for one in found.unreached)
    assert {path: path.stat().st_mtime_ns for path in store.path.rglob("*")} == before


def test_the_inbox_is_written_over_in_place(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.path.mkdir()
    said = [line(*row) for row in TALK]
    nameless = {name: value for name, value in said[0].items() if name != "message_id"}
    slowwave.record(store.path, [*said, {**nameless, "session_id": "s3"}])
    consolidated(Plan(store.path, as_of=at("2026-02-02T03:00")), here)
    sizes = {path: path.stat().st_size for path in (store.path / "inbox").rglob("*.jsonl")}
    assert forget(store.path, Request(texts=("Carlota",)), as_of=at("2026-02-03T03:00")).exit_status == 0
    assert store.says(*GONE) == []
    assert {path: path.stat().st_size for path in (store.path / "inbox").rglob("*.jsonl")} == sizes
    again = consolidated(Plan(store.path, as_of=at("2026-02-04T03:00")), here)
    assert (again.status, again.facts["n_new_messages"]) == ("nothing_to_do", 0)


def test_a_line_too_short_for_an_id_is_left_blank(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.path.mkdir()
    slowwave.record(
        store.path, [{"session_id": "s", "role": "user", "content": text} for text in ("Carlota sings.", "I like tea.")]
    )
    consolidated(Plan(store.path, as_of=at("2026-02-02T03:00")), here)
    assert forget(store.path, Request(texts=("Carlota",)), as_of=at("2026-02-03T03:00")).exit_status == 0
    assert store.says(*GONE) == []
    again = consolidated(Plan(store.path, as_of=at("2026-02-04T03:00")), here)
    assert (again.status, again.facts["n_new_messages"]) == ("nothing_to_do", 0)
    assert store.says("i like tea")


def test_a_tool_that_prints_it_later_brings_nothing_back(store: Store) -> None:
    forget(store.path, Request(texts=("Carlota",)), as_of=at("2026-02-03T03:00"))
    printed = line(
        "s9", "t1", "tool", "would lose words: My sister Carlota ... done", "2026-02-03T04:00", tool_name="shell"
    )
    store.night([*(line(*row) for row in TALK), printed], "2026-02-04T03:00")
    assert store.says(*GONE) == []


def test_a_person_who_spoke_is_forgotten_with_what_they_said(tmp_path: Path) -> None:
    store = Store(tmp_path)
    said = [
        ("participant", "Ines", "I moved to Braga with my viola."),
        ("user", "Ana", "Ines plays the viola. I like rye bread."),
    ]
    lines = [
        line("s1", f"m{n}", role, text, f"2026-02-01T10:0{n}", speaker=who) for n, (role, who, text) in enumerate(said)
    ]
    store.night(lines, "2026-02-02T03:00")
    assert forget(store.path, Request(entities=("Ines",)), as_of=at("2026-02-03T03:00")).exit_status == 0
    assert store.says("braga", "viola", "ines plays") == []
    assert store.left() == {"m0": "", "m1": "I like rye bread."}


def test_the_command_shows_asks_and_does(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["forget", "--store", str(store.path), "--text", "Carlota", "--as-of", "2026-02-03T03:00Z"]
    assert main(command) == 0
    assert "nothing was changed" in capsys.readouterr().out
    assert store.says(*GONE)
    assert main([*command, "--yes", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], told["hits"]) == ("published", [])
    assert store.says(*GONE) == []
    assert main(["verify", "--store", str(store.path)]) == 0
    assert main(["forget", "--store", str(store.path), "--proof"]) == 0
    assert "not a byte" in capsys.readouterr().out
    (store.path / "notes.txt").write_text("Carlota called.")
    assert main(["forget", "--store", str(store.path), "--proof"]) == 3
    assert "notes.txt" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("request_of", "said"),
    [
        (Request(), "forget what"),
        (Request(memories=("mem_0",)), "no memory"),
        (Request(messages=("m99",)), "no message"),
        (Request(entities=("Nobody",)), "knows no"),
        (Request(texts=("?!",)), "no letters"),
    ],
)
def test_what_the_store_does_not_know_is_refused(store: Store, request_of: Request, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        foresee(store.path, request_of)
    assert not (store.path / stones.FOLDER).exists()
    assert len(versions(store.path)) == 1


def test_a_store_that_is_held_loses_it_and_stays_held(tmp_path: Path) -> None:
    store = Store(tmp_path)
    lines = [line(*row) for row in TALK]
    store.night(lines[:2], "2026-02-01T03:00")
    first = read_current(store.path) or ""
    store.night(lines, "2026-02-02T03:00")
    roll_back(store.path, first)
    done = forget(store.path, Request(texts=("Carlota",)), as_of=at("2026-02-03T03:00"))
    assert (done.outcome.status, done.hits, done.is_pending) == ("published", [], False)
    assert store.says(*GONE) == []
    rolled = read_rollback(store.path)
    assert rolled is not None and (rolled.is_held, rolled.to) == (True, read_current(store.path))
    assert "Porto" not in store.recalls("Where do I live?"), "what was rolled back is not read again yet"
    assert store.night(lines, "2026-02-04T03:00").status == "held"
    resume(store.path)
    assert store.night(lines, "2026-02-05T03:00").status == "published"
    assert "Porto" in store.recalls("Where do I live?")
    assert store.says(*GONE) == []


def test_all_that_there_is_can_be_forgotten(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.night([line(*row) for row in TALK[:2]], "2026-02-02T03:00")
    done = forget(store.path, Request(sessions=("s1",)), as_of=at("2026-02-03T03:00"))
    assert (done.outcome.status, done.exit_status) == ("published", 0)
    assert store.says(*GONE, "oboe") == []
    assert slowwave.open(store.path).recall("Which instrument do I play?") == []


def test_a_memory_that_lost_it_is_the_memory_that_never_heard_it(tmp_path: Path) -> None:
    one, other = Store(tmp_path / "one"), Store(tmp_path / "other")
    for each in (one, other):
        each.log.parent.mkdir()
    lines = [line(*row) for row in TALK]
    one.night(lines[:3], "2026-02-01T03:00")
    one.night(lines, "2026-02-02T03:00")
    forget(one.path, Request(texts=("Carlota",)), as_of=at("2026-02-03T03:00"))
    left = one.left()
    other.night([{**said, "content": left[said["message_id"]]} for said in lines], "2026-02-03T03:00")
    lost, never = (read_manifest(each.path, read_current(each.path) or "") for each in (one, other))
    assert {name: ref.sha256 for name, ref in lost.tables.items()} == {
        name: ref.sha256 for name, ref in never.tables.items()
    }
    assert lost.documents == never.documents


def test_answers_about_it_are_purged_and_others_stay(store: Store) -> None:
    folder = store.path / "cache" / "answers" / "aa"
    folder.mkdir(parents=True)
    keys = dict(load_messages(store.path).select("message_id", "msg_key").iter_rows())
    for name, message in (("a1", "m1"), ("a3", "m3")):
        row = {"state": "final", "text": "", "claims": None, "messages": [keys[message]]}
        (folder / f"{name}.json").write_text(json.dumps(row))
    forget(store.path, Request(texts=("Carlota",)), as_of=at("2026-02-03T03:00"))
    assert [path.name for path in folder.iterdir()] == ["a3.json"]


def test_signals_that_say_it_go_too(tmp_path: Path) -> None:
    store = Store(tmp_path)
    seen = [
        {
            "kind": "observation",
            "id": "g1",
            "session_id": "s1",
            "at": "2026-01-30T20:00:30Z",
            "text": "Carlota's divorce papers",
        },
        {
            "kind": "observation",
            "id": "g2",
            "session_id": "s1",
            "at": "2026-01-30T20:05:00Z",
            "text": "A recipe for rye bread",
        },
    ]
    lines = [*(line(*row) for row in TALK), *({"signal": one, "platform": "chat"} for one in seen)]
    store.night(lines, "2026-02-02T03:00")
    assert forget(store.path, Request(texts=("Carlota",)), as_of=at("2026-02-03T03:00")).exit_status == 0
    assert store.says(*GONE) == []
    assert sorted(load_signals(store.path)["text"]) == ["", "A recipe for rye bread"]
    assert store.night(lines, "2026-02-04T03:00").facts["n_new_signals"] == 0


def test_the_scan_sees_what_is_compressed_or_packed(store: Store) -> None:
    forget(store.path, Request(texts=("Carlota",)), as_of=at("2026-02-03T03:00"))
    assert proof(store.path) == []
    said = "I heard that Carlota left."
    (store.path / "notes.json").write_text(json.dumps({"a": [said.upper()]}))
    (store.path / "old.gz").write_bytes(gzip.compress(said.encode()))
    (store.path / "page.html").write_text("<p>I heard that Carl&#111;ta left.</p>")
    with zipfile.ZipFile(store.path / "old.zip", "w") as packed:
        packed.writestr("a.txt", said)
    pq.write_table(pa.table({"n": [1], "told": [[{"quote": said}]]}), store.path / "x.parquet", compression="zstd")
    lance.write_dataset(pa.table({"text": [said]}), str(store.path / "left.lance"))
    hits = {hit.path.split("/")[0] for hit in proof(store.path)}
    assert hits == {"notes.json", "old.gz", "page.html", "old.zip", "x.parquet", "left.lance"}


def test_words_that_name_the_owner_a_platform_or_a_part_of_every_store_are_no_trace_of_what_is_forgotten(
    tmp_path: Path,
) -> None:
    told = "My friend Ana writes the chat Hermes for Lance, with one Preference: Owner Zacharias."
    made = Store(tmp_path)
    made.night(
        [line("s1", "m1", "user", told, "2026-01-30T20:00", platform="hermes"), line(*TALK[3])], "2026-02-02T03:00"
    )
    made.night(
        [line("s2", "m9", "user", "I play the oboe.", "2026-02-02T20:00", platform="hermes")], "2026-02-03T03:00"
    )
    done = forget(made.path, Request(messages=("m1",)), as_of=at("2026-02-04T03:00"))
    assert (done.hits, done.exit_status) == ([], 0)
    (made.path / "inbox" / "notes.txt").parent.mkdir(exist_ok=True)
    (made.path / "inbox" / "notes.txt").write_text("zacharias again")
    assert [hit.path for hit in proof(made.path, {"ana", "hermes", "zacharias"})] == ["inbox/notes.txt"]


def test_a_person_called_as_a_part_of_every_store_can_be_forgotten(tmp_path: Path) -> None:
    made = Store(tmp_path)
    made.night(
        [line("s1", "m1", "user", "My brother Lance repairs old oboes.", "2026-01-30T20:00")], "2026-02-02T03:00"
    )
    done = forget(made.path, Request(entities=("Lance",)), as_of=at("2026-02-04T03:00"))
    assert (done.hits, done.exit_status, made.says("repairs old oboes")) == ([], 0, [])
    (made.path / "inbox").mkdir(exist_ok=True)
    (made.path / "inbox" / "notes.txt").write_text("My brother Lance repairs old oboes.")
    assert [hit.path for hit in proof(made.path)] == ["inbox/notes.txt"]


def test_a_long_list_of_places_is_cut_and_says_how_many_more(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("flows.forget.proof", lambda _: [Hit(f"file-{n:02}", "") for n in range(25)])
    assert main(["forget", "--store", str(store.path), "--proof"]) == 3
    said = capsys.readouterr().out
    assert "still there: file-19\n" in said and "file-20" not in said and "and 5 more: --json names all" in said
