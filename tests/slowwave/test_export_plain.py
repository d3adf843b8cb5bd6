"""Plain Markdown and JSON: the profile's document as it was published, and every memory that may go out, whole."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from models.rules import Profile
from slowwave.format import Kind, Memory, Privacy, Trust
from slowwave.reader import Reader
from slowwave.tokens import count
from tests.make import memory
from tests.slowwave.exporting import ours, reader_of

OPEN = memory("Ana likes trains.", id="mem_open", privacy=Privacy.OPEN, kind=Kind.PREFERENCE)
LIVES = memory("Ana lives in Lisbon.", id="mem_lives")
MONEY = memory("Ana earns 7 a day.", id="mem_money", privacy=Privacy.SENSITIVE)
PAGE = memory("A page says so.", id="mem_page", trust=Trust.TOOL)
ALL = [OPEN, LIVES, MONEY, PAGE]
PROFILES = {
    "tiny": Profile(max_tokens=12),
    "private": Profile(max_privacy="sensitive"),
    "likes": Profile(kinds=(Kind.PREFERENCE,)),
}


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    return reader_of(tmp_path / "store", ALL, profiles=PROFILES)


def inside(path: Path) -> str:
    """What stands between our marks, which a strict Markdown reader takes for comments."""
    found = re.fullmatch(r"<!-- slowwave [^\n]*-->\n(.*)<!-- /slowwave -->\n", path.read_text("utf-8"), re.DOTALL)
    assert found
    return found[1]


@pytest.mark.parametrize("profile", ["snapshot", *PROFILES, "soul"])
def test_markdown_is_the_document_of_any_profile(reader: Reader, tmp_path: Path, profile: str) -> None:
    done = reader.export("markdown", tmp_path / "out", profile=profile)
    assert done.written == [f"{profile}.md"]
    text = inside(tmp_path / "out" / f"{profile}.md")
    lines = reader.snapshot(profile).replace("<!--", "< !--").replace("-->", "-- >")
    assert text == lines
    if profile in PROFILES:
        assert count(text) <= PROFILES[profile].max_tokens


def test_less_may_go_out_than_the_profile_lets_in(reader: Reader, tmp_path: Path) -> None:
    reader.export("markdown", tmp_path, profile="private", max_privacy="open")
    assert inside(tmp_path / "private.md") == "## Preferences\n- Ana likes trains.\n"
    reader.export("json", tmp_path, profile="likes", max_privacy="sensitive")
    assert [row["id"] for row in json.loads((tmp_path / "memory.json").read_text())["memories"]] == ["mem_open"]


def test_json_has_every_field_and_the_quotes(reader: Reader, tmp_path: Path) -> None:
    reader.export("json", tmp_path)
    found = json.loads((tmp_path / "memory.json").read_text("utf-8"))
    assert found["version"] == reader.version and [row["id"] for row in found["memories"]] == ["mem_lives", "mem_open"]
    assert set(found["memories"][0]) == {field.name for field in fields(Memory)}
    assert found["memories"][0]["evidence"][0]["quote"] == LIVES.text


def test_json_that_somebody_changed_is_left_alone_and_said(reader: Reader, tmp_path: Path) -> None:
    reader.export("json", tmp_path)
    (tmp_path / "memory.json").write_text('{"mine": 1}')
    before = ours(tmp_path)
    newer = reader_of(tmp_path.parent / f"{tmp_path.name}-newer", [OPEN])
    done = newer.export("json", tmp_path)
    assert done.files[0].action == "left alone" and "changed" in done.files[0].why and ours(tmp_path) == before
    (tmp_path / "memory.json").unlink()
    assert newer.export("json", tmp_path).written == ["memory.json"]
    assert reader.export("json", tmp_path).written == ["memory.json"]
