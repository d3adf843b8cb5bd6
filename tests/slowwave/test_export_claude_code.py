"""Claude Code: its memory folder, read back as Claude reads it: so many lines and bytes of the index, then files by their links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from models.memory import MemoryRow
from slowwave.export.claude_code import without_import
from slowwave.format import Kind
from tests.make import memory
from tests.slowwave.exporting import ours, reader_of

# Claude imports what follows an `@`, but for code.
IMPORT = re.compile(r"(?:^|\s)@(\S+)")
CODE = re.compile(r"`[^`]*`")
MEMORIES = [
    memory("Ana lives in Lisbon.", id="mem_lives"),
    memory("Ana is allergic to peanuts.", id="mem_peanuts", kind=Kind.CONSTRAINT, is_pinned=True),
    memory("De build draait op de Mac van Ana.", id="mem_build", project="Kelpline", kind=Kind.TOOL_OR_WORKFLOW_LESSON),
    memory("さくらは毎週在庫を確認する。", id="mem_sakura", project="さくら工房", kind=Kind.ROUTINE),
]


def loaded(folder: Path) -> str:
    """What Claude has of the index at its start: at most 200 lines and 25 KB."""
    text = (folder / "MEMORY.md").read_text("utf-8")
    assert len(text.encode()) <= 25 * 1024 and len(text.split("\n")) <= 201
    assert not [line for line in text.split("\n") if IMPORT.search(CODE.sub("", line))]
    return text


def linked(folder: Path) -> dict[str, str]:
    """The files that the index links to; each is beside it."""
    names = re.findall(r"^- \[[^\[\]]+\]\(([^()]+)\)", loaded(folder), re.MULTILINE)
    assert all("/" not in name and (folder / name).is_file() for name in names)
    return {name: (folder / name).read_text("utf-8") for name in names}


def test_the_index_holds_what_matters_most_and_links_to_every_other_file(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    reader_of(tmp_path / "store", MEMORIES).export("claude-code", folder)
    assert set(linked(folder)) == set(ours(folder)) - {"MEMORY.md"}
    assert [line[2:] for line in loaded(folder).split("\n") if line.startswith("- ") and "](" not in line] == [
        "Ana is allergic to peanuts.",
        "さくらは毎週在庫を確認する。",
        "De build draait op de Mac van Ana.",
        "Ana lives in Lisbon.",
    ]
    assert "De build draait op de Mac van Ana. (said 2026-02-01) mem_build" in linked(folder)["slowwave-kelpline.md"]


def test_the_part_to_import_is_the_bounded_snapshot(tmp_path: Path) -> None:
    reader = reader_of(tmp_path / "store", MEMORIES)
    reader.export("claude-code", tmp_path / "memory")
    text = (tmp_path / "memory/slowwave.md").read_text("utf-8")
    assert reader.snapshot() in text and re.sub(r"<!--.*?-->\n", "", text) == reader.snapshot()


def test_a_projects_folder_has_its_memory_below(tmp_path: Path) -> None:
    (tmp_path / "project/memory").mkdir(parents=True)
    reader_of(tmp_path / "store", MEMORIES).export("claude-code", tmp_path / "project")
    assert all(name.startswith("memory/") for name in ours(tmp_path / "project"))


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("See @~/.ssh/id_rsa.", "See `@~/.ssh/id_rsa.`"),
        ("@CLAUDE.md", "`@CLAUDE.md`"),
        ('(@./x) and "@y"', '(`@./x)` and "`@y"`'),
        ("ana@example.org", "ana@example.org"),
        ("at 5 @ noon", "at 5 @ noon"),
    ],
)
def test_no_memory_imports_a_file(said: str, written: str, tmp_path: Path) -> None:
    assert without_import(said) == written
    folder = tmp_path / "memory"
    rows = [memory(said, id="mem_one", project="@~/.netrc"), memory("x", id="mem_two", subject=said)]
    reader_of(tmp_path / "store", rows).export("claude-code", folder)
    for content in ours(folder).values():
        assert not [line for line in content.decode().split("\n") if IMPORT.search(CODE.sub("", line))]


def test_claudes_own_index_stays_and_takes_room(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    theirs = "# Project memory\n" + "".join(f"- note {i}\n" for i in range(170))
    (folder / "MEMORY.md").write_text(theirs)
    (folder / "build.md").write_text("make all\n")
    many: list[MemoryRow] = [memory(f"Ana has {i} rooms.", id=f"mem_{i:03}", project=f"p{i}") for i in range(90)]
    done = reader_of(tmp_path / "store", many).export("claude-code", folder)
    assert loaded(folder).startswith(theirs) and (folder / "build.md").read_text() == "make all\n"
    assert 195 < len(loaded(folder).split("\n")) <= 201
    index = next(one for one in done.files if one.name == "MEMORY.md")
    assert len(index.omitted_ids) + len(index.memory_ids) == 90 and index.memory_ids


def test_the_bytes_count_where_lines_are_long(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    many = [memory(f"{i}番の" + "倉庫" * 60 + "。", id=f"mem_{i:03}") for i in range(120)]
    reader_of(tmp_path / "store", many).export("claude-code", folder)
    assert len(loaded(folder).encode()) > 25 * 1024 - 500
