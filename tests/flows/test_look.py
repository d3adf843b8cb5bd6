"""What lies at a path, as a person reads it: names that others chose can neither steer a terminal nor write a line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.cli import main
from flows.look import look, told
from tests.adapters.test_sources import GOOD, write

HOSTILE = "\x1b]0;owned\x07\u202enoor\nhermes: 0 messages"


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
        f"  read it with --source jsonl={tmp_path}/a\\x1b[31m\\n.jsonl",
    ]


def test_json_of_hostile_names_means_the_same_and_steers_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["sources", str(hostile(tmp_path)), "--json"])
    shown = capsys.readouterr().out
    assert not {"\x1b", "\u202e"} & set(shown)
    assert json.loads(shown)[0]["users"] == sorted([HOSTILE, "u-2"])


def test_nothing_recognised_names_the_path_escaped(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31m\n.txt"
    path.write_text("?")
    assert told(path, look(path)).count("\\x1b[31m\\n.txt") == 2
