"""Exports whatever the platform: the command, its caps, what it refuses, and what two exports at once may not do."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from adapters.exporting import ExportSettings
from slowwave.cli import main
from slowwave.errors import UsageError
from slowwave.export import files
from slowwave.export.caps import Caps, read_caps
from slowwave.export.write import PLATFORMS
from slowwave.format import Kind
from slowwave.reader import Reader
from tests.make import memory
from tests.slowwave.exporting import everything, ours, reader_of

MEMORIES = [
    memory("Ana lives in Lisbon.", id="mem_lives"),
    memory("Ana drinks tea.", id="mem_tea", kind=Kind.PREFERENCE),
    memory("The kiln log is in the shed.", id="mem_kiln", subject="kiln", kind=Kind.TOOL_OR_WORKFLOW_LESSON),
]


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    return reader_of(tmp_path / "store", MEMORIES)


def test_the_command_shows_a_diff_writes_and_says_what_it_wrote(
    reader: Reader, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["export", "hermes", "--store", str(reader.store), "--to", str(tmp_path / "home")]
    assert main([*command, "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert "+++ b/memories/USER.md" in shown and "+Ana drinks tea." in shown
    assert "memories/USER.md: would be written, 2 memories" in shown and not (tmp_path / "home").exists()
    assert main(command) == 0
    assert "memories/MEMORY.md: written, 1 memories" in capsys.readouterr().out
    assert main([*command, "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert done["version"] == reader.version and {one["action"] for one in done["files"]} == {"unchanged"}
    assert main(command) == 0
    assert "nothing to write" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["sieve"], "no platform"),
        (["hermes", "--profile", "sauna"], "no profile 'sauna'"),
        (["hermes", "--max-privacy", "rather"], "no level of privacy"),
    ],
)
def test_what_cannot_be_done_is_said(
    reader: Reader, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], said: str
) -> None:
    assert main(["export", *more, "--store", str(reader.store), "--to", str(tmp_path / "home")]) == 2
    told = capsys.readouterr().err
    assert said in told and "next: " in told and not (tmp_path / "home").exists()


def test_a_file_in_the_folders_place_is_refused(reader: Reader, tmp_path: Path) -> None:
    (tmp_path / "home").write_text("mine")
    with pytest.raises(UsageError, match="no folder"):
        reader.export("hermes", tmp_path / "home")


def test_a_record_that_is_none_of_ours_is_refused(reader: Reader, tmp_path: Path) -> None:
    (tmp_path / ".slowwave-export.json").write_text('{"format": 1, "owner": "u-ana", "platforms": [1]}')
    with pytest.raises(UsageError, match="no record of an export"):
        reader.export("hermes", tmp_path)


def test_caps_are_those_of_the_stores_own_settings(reader: Reader) -> None:
    assert read_caps(reader.store) == Caps()
    assert ExportSettings().model_dump() == asdict(Caps())
    (reader.store / "slowwave.toml").write_text("[export]\nhermes_user_chars = 15\n")
    assert read_caps(reader.store) == Caps(hermes_user_chars=15)
    (reader.store / "slowwave.toml").write_text("[export]\nhermes_user_chars = 'many'\n")
    with pytest.raises(UsageError, match="hermes_user_chars"):
        read_caps(reader.store)


def test_a_file_that_changes_meanwhile_is_merged_again(
    reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "memories/USER.md"
    really, changes = files.write, ["the agent was here"]

    def write(place: Path, content: bytes | None, before: bytes | None) -> bool:
        if place == file and changes:
            file.write_text(changes.pop())
        return really(place, content, before)

    monkeypatch.setattr(files, "write", write)
    reader.export("hermes", tmp_path)
    assert file.read_text() == "the agent was here\n§\nAna drinks tea.\n§\nAna lives in Lisbon."


@pytest.mark.parametrize("platform", sorted(PLATFORMS))
def test_the_same_version_makes_the_same_bytes_and_a_second_export_none(
    reader: Reader, tmp_path: Path, platform: str
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    assert reader.export(platform, one).written
    reader_of(tmp_path / "again", list(reversed(MEMORIES))).export(platform, two)
    assert everything(one) == everything(two) and ours(one)
    before = {path: path.stat().st_mtime_ns for path in one.rglob("*")}
    assert not reader.export(platform, one).written
    assert before == {path: path.stat().st_mtime_ns for path in one.rglob("*")}
    shown = reader.export(platform, tmp_path / "three", dry_run=True)
    assert shown.written and all(change.diff for change in shown.files) and not (tmp_path / "three").exists()


@pytest.mark.parametrize("platform", sorted(PLATFORMS))
def test_what_is_no_longer_remembered_leaves_every_file_that_only_we_wrote(
    reader: Reader, tmp_path: Path, platform: str
) -> None:
    home = tmp_path / "home"
    reader.export(platform, home)
    assert b"kiln" in b"".join(everything(home).values())
    reader_of(tmp_path / "after", MEMORIES[:2]).export(platform, home)
    assert b"kiln" not in b"".join(everything(home).values())


def test_the_best_go_out_where_there_are_more_than_an_export_reads(
    reader: Reader, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (reader.store / "slowwave.toml").write_text("[export]\nmax_memories = 2\n")
    assert main(["export", "json", "--store", str(reader.store), "--to", str(tmp_path / "out")]) == 0
    assert "1 more memories were not looked at" in capsys.readouterr().out
    found = json.loads((tmp_path / "out/memory.json").read_text())["memories"]
    assert [row["id"] for row in found] == ["mem_kiln", "mem_tea"]


@pytest.mark.parametrize("platform", sorted(PLATFORMS))
def test_once_all_is_forgotten_nothing_of_it_is_left(reader: Reader, tmp_path: Path, platform: str) -> None:
    home = tmp_path / "home"
    reader.export(platform, home)
    reader_of(tmp_path / "none", []).export(platform, home)
    whole = b"".join(everything(home).values())
    assert not [word for word in (b"lives in", b"drinks tea", b"kiln", b"mem_") if word in whole]


def test_a_record_cannot_lead_an_export_out_of_the_folder(reader: Reader, tmp_path: Path) -> None:
    outside = tmp_path / "notes.md"
    home = tmp_path / "home"
    reader.export("markdown", home)
    outside.write_bytes((home / "snapshot.md").read_bytes())
    record = home / ".slowwave-export.json"
    record.write_text(record.read_text().replace("snapshot.md", "../notes.md"))
    before = outside.read_bytes()
    done = reader.export("markdown", home)
    assert [one.action for one in done.files if one.name == "../notes.md"] == ["left alone"]
    assert outside.read_bytes() == before


@pytest.mark.parametrize("inside", ["", "exports"])
def test_the_store_itself_is_no_agents_folder(reader: Reader, inside: str) -> None:
    (reader.store / "exports").mkdir()
    with pytest.raises(UsageError, match="lies in the store itself"):
        reader.export("markdown", reader.store / inside)
