"""Memory files that are damaged, one by one: each is named by why, and what lies beside it is read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pyarrow as pa
import pytest

from adapters.sources import Damaged, Item, RawMessage, Source, notes
from tests.adapters.sources.openclaw_logs import entry, header, write
from tests.adapters.sources.workspace import make, message

SECRET = "quince-marmalade"
GOOD = b"## Goals\n- The kiln stays locked.\n"
# Where each platform keeps such a file, and a file like it that is good.
PLACES = [
    ("openclaw", "workspace/MEMORY.md", "workspace/USER.md"),
    ("openclaw", "workspace/memory/2026-04-02.md", "workspace/memory/2026-04-03.md"),
    ("hermes", "memories/USER.md", "memories/MEMORY.md"),
    ("claude_code", "projects/-home-ana/memory/MEMORY.md", "projects/-home-ana/memory/more.md"),
    ("seraph", "a/soul.md", "b/soul.md"),
]
CONTENTS = {
    "bytes": (b"- caf\xe9 quince-marmalade\n", "invalid UTF-8"),
    "utf16": ("- quince-marmalade\n".encode("utf-16"), "invalid UTF-8"),
    "nul": (b"- quince\0-marmalade\n", "NUL in text"),
    "long": (b"- quince-marmalade\n" * 9000, "file too long"),
}
each_place = pytest.mark.parametrize(("kind", "place", "beside"), PLACES)


def read(kind: str, root: Path, place: str, beside: str) -> tuple[list[str], dict[str, str]]:
    """The words that were found beside, and what was named; nothing that stands in `place` may come out."""
    (root / place).parent.mkdir(parents=True, exist_ok=True)
    (root / beside).parent.mkdir(parents=True, exist_ok=True)
    (root / beside).write_bytes(GOOD)
    if kind == "seraph":
        for name in (place, beside):
            workspace = Path(name).parent.name
            database = (root / name).with_name("seraph.db")
            database.unlink(missing_ok=True)
            make(database, messages=[message(id=workspace, session_id=workspace)])
    found = list(Source(kind, root).read())
    assert SECRET not in repr(found)
    said = [item.text for item in found if isinstance(item, RawMessage) and item.place.startswith(beside)]
    return said, _named(found)


def _named(found: list[Item]) -> dict[str, str]:
    return {f"{item.file}:{item.line}": item.reason for item in found if isinstance(item, Damaged)}


@each_place
@pytest.mark.parametrize("name", CONTENTS)
def test_a_damaged_memory_file_is_named(
    kind: str, place: str, beside: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notes, "MAX_LINE_BYTES", 100_000)
    content, reason = CONTENTS[name]
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).write_bytes(content)
    said, named = read(kind, tmp_path, place, beside)
    assert said and named == {f"{place}:0": reason}


@each_place
def test_an_empty_memory_is_none(kind: str, place: str, beside: str, tmp_path: Path) -> None:
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).touch()
    said, named = read(kind, tmp_path, place, beside)
    assert said and not named


@each_place
def test_a_link_to_a_memory_file_outside_is_not_followed(kind: str, place: str, beside: str, tmp_path: Path) -> None:
    root, outside = tmp_path / "logs", tmp_path / "private.md"
    outside.write_text(f"## Goals\n- {SECRET}\n")
    (root / place).parent.mkdir(parents=True)
    (root / place).symlink_to(outside)
    said, named = read(kind, root, place, beside)
    assert said and named == {f"{place}:0": "a link out of the folder"}


@each_place
def test_a_pipe_in_place_of_a_memory_file_is_named(kind: str, place: str, beside: str, tmp_path: Path) -> None:
    (tmp_path / place).parent.mkdir(parents=True)
    os.mkfifo(tmp_path / place)
    said, named = read(kind, tmp_path, place, beside)
    assert said and named == {f"{place}:0": "unreadable file"}


def _packed(*lines: bytes) -> bytes:
    return pa.compress(b"\n".join(lines), codec="zstd", asbytes=True)


HEAD, SAID = (json.dumps(one).encode() for one in (header("s"), entry("a", None, "Packed.")))
BAD = json.dumps(entry("b", "a", SECRET)).encode()
ARCHIVES = {
    "bytes": (_packed(HEAD, SAID, BAD.replace(b"quince", b"\xff")), 3, "invalid UTF-8"),
    "nul": (_packed(HEAD, SAID, BAD.replace(b"quince", b"\0")), 3, "NUL in line"),
    "cut": (_packed(HEAD, SAID, BAD[:-9]), 3, "broken JSON"),
    "empty": (b"", 0, "empty file"),
    "text": (HEAD + b"\n" + BAD, 1, "broken compression"),
    "torn": (_packed(HEAD, SAID, *([BAD] * 9))[:-20], 1, "broken compression"),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_a_damaged_archive_is_named(name: str, tmp_path: Path) -> None:
    content, line, reason = ARCHIVES[name]
    sessions = tmp_path / "agents" / "main" / "sessions"
    write(sessions / "good.jsonl", header("good"), entry("g", None, "Beside."))
    archive = sessions / "s.jsonl.reset.2026-04-03T04-00-00.000Z.zst"
    archive.write_bytes(content)
    found = list(Source("openclaw", tmp_path).read())
    assert SECRET not in repr(found)
    assert "Beside." in [item.text for item in found if isinstance(item, RawMessage)]
    assert _named(found) == {f"{archive.relative_to(tmp_path)}:{line}": reason}


def test_a_link_to_an_archive_outside_is_not_followed(tmp_path: Path) -> None:
    root, outside = tmp_path / "sessions", tmp_path / "private.zst"
    outside.write_bytes(_packed(HEAD, BAD))
    write(root / "good.jsonl", header("good"), entry("g", None, "Beside."))
    (root / "s.jsonl.reset.2026-04-03T04-00-00.000Z.zst").symlink_to(outside)
    found = list(Source("openclaw", root).read())
    assert [item.text for item in found if isinstance(item, RawMessage)] == ["Beside."]
    assert set(_named(found).values()) == {"a link out of the folder"}
