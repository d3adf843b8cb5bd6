"""What lies at a path, as a person reads it: names that others chose can neither steer a terminal nor write a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from adapters.sources import Damaged, Source
from flows.cli import main
from flows.look import look, told
from slowwave.cli import main as command
from tests.adapters.test_sources import GOOD, write

HOSTILE = "\x1b]0;owned\x07\u202enoor\nhermes: 0 messages"


def put(path: Path, *lines: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return write(path, *lines)


API = {"id": "c", "messages": [{"role": "user", "content": "hi"}]}
CLAUDE = {
    "type": "user",
    "uuid": "u1",
    "parentUuid": None,
    "sessionId": "c",
    "message": {"role": "user", "content": "hi"},
}


def hostile(folder: Path) -> Path:
    lines = [{**GOOD, "user_id": user, "message_id": user, "mark": "odd\x1b[2J"} for user in (HOSTILE, "u-2")]
    return write(folder / "a\x1b[31m\n.jsonl", *lines)


def test_names_from_a_source_are_shown_escaped_on_their_own_line(tmp_path: Path) -> None:
    path = hostile(tmp_path)
    shown = told(path, look(path))
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)
    assert "\\x1b]0;owned\\x07\\u202enoor\\nhermes: 0 messages" in shown
    assert [line.split(":")[0] for line in shown.split("\n")] == [
        "jsonl",
        "  set aside by the platform",
        "  users",
        f"  read it with --source 'jsonl={tmp_path}/a\\x1b[31m\\n.jsonl'",
    ]


def test_json_of_hostile_names_means_the_same_and_steers_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["sources", str(hostile(tmp_path)), "--json"])
    shown = capsys.readouterr().out
    assert not {"\x1b", "\u202e"} & set(shown)
    assert json.loads(shown)[0]["users"] == sorted([HOSTILE, "u-2"])


def test_nothing_recognised_names_the_path_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a\x1b[31m\n.txt"
    path.write_text("?")
    assert command(["sources", str(path)]) == 4
    said = capsys.readouterr().err
    assert "\\x1b[31m\\n.txt is not recognised" in said
    assert "next: " in said


def _zips(folder: Path) -> Path:
    folder.mkdir()
    (folder / "cut.zip").write_bytes(b"PK\3\4 and no more")
    (folder / "empty.zip").touch()
    with ZipFile(folder / "out.zip", "w") as made:
        made.writestr("../conversations.json", "[]")
    with ZipFile(folder / "other.zip", "w") as made:
        made.writestr("readme.txt", "hello")
    return folder


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("cut", "a broken zip"),
        ("empty", "a broken zip"),
        ("out", "unsafe path in a zip"),
        ("other", "holds no conversations"),
    ],
)
def test_a_zip_that_cannot_be_read_is_named_with_why_and_the_next_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, why: str
) -> None:
    path = _zips(tmp_path / "zips") / f"{name}.zip"
    assert command(["sources", str(path)]) == 4
    said = capsys.readouterr().err
    assert f"{path} can't be read: {why}\n" in said
    assert "next: " in said


def test_a_folder_of_broken_zips_names_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["sources", str(_zips(tmp_path / "zips"))]) == 4
    said = capsys.readouterr().err
    assert "cut.zip (broken zip), empty.zip (broken zip), out.zip/../conversations.json (unsafe path in a zip)" in said


def test_a_broken_zip_beside_what_is_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(_zips(tmp_path / "logs") / "a.jsonl", GOOD)
    assert command(["sources", str(tmp_path / "logs")]) == 0
    shown = capsys.readouterr().out
    assert "jsonl: 1 live messages" in shown
    assert "read by no kind:" in shown
    assert "2 broken zip (first at cut.zip)" in shown


def test_a_file_that_another_platform_wrote_is_no_damage(tmp_path: Path) -> None:
    put(tmp_path / "a" / "claude.jsonl", CLAUDE)
    put(tmp_path / "b" / "api.jsonl", API)
    put(tmp_path / "c" / "mine.jsonl", GOOD)
    with (tmp_path / "c" / "mine.jsonl").open("a") as log:
        log.write('\n{"half": ')
    found = {one.kind: one for one in look(tmp_path)}
    assert set(found) == {"claude_code", "openai_jsonl", "jsonl"}
    assert {kind: one.first_damaged for kind, one in found.items() if one.damaged} == {
        "jsonl": {"broken JSON": "c/mine.jsonl:2"}
    }


def test_a_kind_that_finds_only_others_logs_names_whose_they_are(tmp_path: Path) -> None:
    put(tmp_path / "a" / "api.jsonl", API)
    (item,) = Source("claude_code", tmp_path).read()
    assert item == Damaged("a/api.jsonl", 0, "a log of openai_jsonl")


def test_no_folder_hides_the_logs_of_another(tmp_path: Path) -> None:
    for n in range(60):
        put(tmp_path / "a" / f"{n}.jsonl", API)
    put(tmp_path / "z" / "mine.jsonl", GOOD)
    assert {one.kind for one in look(tmp_path)} == {"openai_jsonl", "jsonl"}


def test_what_is_met_again_is_counted_apart(tmp_path: Path) -> None:
    rows = [{**GOOD, "message_id": name} for name in ("m1", "m2", "m3")]
    write(tmp_path / "a.jsonl", *rows, {**GOOD, "message_id": "m4", "mark": "branch"})
    write(tmp_path / "b.jsonl", *rows[:2])
    (found,) = look(tmp_path)
    assert (found.n_messages, found.n_live, found.n_copies, found.marked) == (4, 3, 2, {"branch": 1})
    assert "jsonl: 3 live messages" in told(tmp_path, [found])
    assert "copies, which add nothing: 2 messages" in told(tmp_path, [found])
