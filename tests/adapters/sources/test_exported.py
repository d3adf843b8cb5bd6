"""An agent's files that we exported into, read as a source: ours is never evidence of itself, what somebody changed is read."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from adapters.sources import KINDS, kinds_of
from adapters.sources.protocol import RawMessage
from slowwave.export.known import STATE
from slowwave.format import Kind
from slowwave.reader import Reader
from tests.make import memory
from tests.slowwave.exporting import ours, reader_of

MEMORIES = [
    memory("Ana lives in Lisbon.", id="mem_lives"),
    memory("Ana is allergic to peanuts.", id="mem_peanuts", kind=Kind.CONSTRAINT, is_pinned=True),
    memory("Never fire above 980.", id="mem_kiln", kind=Kind.TOOL_OR_WORKFLOW_LESSON),
    memory("Ana walks at seven.", id="mem_walk", kind=Kind.ROUTINE),
]
# The folder that is exported to and the one that is read, by platform, and a file in which a person changes a line.
PLACES = {
    "hermes": ("home", "home", "memories/USER.md"),
    "openclaw": ("ws", "ws", "MEMORY.md"),
    "claude-code": ("projects/p/memory", "projects", "MEMORY.md"),
    "seraph": ("ws", "ws", "soul.md"),
}


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    return reader_of(tmp_path / "store", MEMORIES)


def prepared(tmp_path: Path, platform: str) -> Path:
    """The folder to export to, as its platform left it: with what lets its source know it."""
    folder = tmp_path / PLACES[platform][0]
    folder.mkdir(parents=True, exist_ok=True)
    if platform == "seraph":
        with sqlite3.connect(folder / "seraph.db") as con:
            con.execute("CREATE TABLE messages (id, session_id, role, content, created_at)")
            con.execute("CREATE TABLE guardian_interventions (id)")
    return folder


def read(tmp_path: Path, platform: str) -> list[RawMessage]:
    kind = KINDS[platform.replace("-", "_")]
    return [item for item in kind.read(tmp_path / PLACES[platform][1]) if isinstance(item, RawMessage)]


@pytest.mark.parametrize("platform", sorted(PLACES))
def test_what_we_wrote_is_not_read_back(reader: Reader, tmp_path: Path, platform: str) -> None:
    reader.export(platform, prepared(tmp_path, platform))
    assert read(tmp_path, platform) == []


@pytest.mark.parametrize("platform", sorted(PLACES))
def test_what_somebody_changed_or_added_is_read_and_nothing_else(reader: Reader, tmp_path: Path, platform: str) -> None:
    folder = prepared(tmp_path, platform)
    reader.export(platform, folder)
    file = folder / PLACES[platform][2]
    was = file.read_text("utf-8")
    changed = was.replace("Ana lives in Lisbon.", "Ana lives in Porto.")
    more = "\n§\nAna has a cat." if platform == "hermes" else "\n- Ana has a cat.\n"
    file.write_text(changed + more, encoding="utf-8")
    found = read(tmp_path, platform)
    said = " ".join(message.text for message in found)
    assert "Porto" in said and "cat" in said
    assert not [word for word in ("Lisbon", "peanuts", "980", "seven", "slowwave") if word in said]
    assert {message.trust for message in found} == ({"owner"} if platform == "seraph" else {"imported"})
    reader.export(platform, folder)
    assert [message.text for message in read(tmp_path, platform)] == [message.text for message in found]


@pytest.mark.parametrize("platform", ["openclaw", "claude-code"])
def test_our_lines_are_known_where_an_agent_took_the_marks_out(reader: Reader, tmp_path: Path, platform: str) -> None:
    folder = prepared(tmp_path, platform)
    reader.export(platform, folder)
    file = folder / "MEMORY.md"
    lines = file.read_text("utf-8").split("\n")
    file.write_text("\n".join(line for line in lines if "slowwave" not in line) + "\n- The agent's own note\n")
    assert [message.text for message in read(tmp_path, platform)] == ["- The agent's own note"]


@pytest.mark.parametrize("record", [None, b"{", b'{"platforms": []}', b'{"platforms": {"openclaw": {"MEMORY.md": 1}}}'])
def test_without_our_record_all_between_the_marks_is_ours(reader: Reader, tmp_path: Path, record: bytes | None) -> None:
    folder = prepared(tmp_path, "openclaw")
    reader.export("openclaw", folder)
    file = folder / "MEMORY.md"
    file.write_text(file.read_text("utf-8").replace("Lisbon", "Porto") + "- mine\n", encoding="utf-8")
    (folder / STATE).unlink() if record is None else (folder / STATE).write_bytes(record)
    assert [message.text for message in read(tmp_path, "openclaw")] == ["- mine"]


@pytest.mark.parametrize("platform", ["json", "markdown"])
def test_plain_exports_are_no_platforms_log(reader: Reader, tmp_path: Path, platform: str) -> None:
    reader.export(platform, tmp_path / "out")
    assert ours(tmp_path / "out") and kinds_of(tmp_path / "out") == []
