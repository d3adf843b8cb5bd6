"""Logs that change under their reader, and a line larger than any memory should hold."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from adapters.sources import Damaged, Item, RawMessage, Source
from slowwave.errors import SourceError
from tests.e2e.nights import GOOD, SECRET
from tests.e2e.platforms import EXPORTS, LINES, TABLES, Exported, Lines, Tables

every = pytest.mark.parametrize("platform", [*LINES, *EXPORTS, *TABLES], ids=lambda platform: platform.kind)


def write(platform: Any, root: Path, name: str, text: str) -> Path:
    """A part of a platform's log that holds one message."""
    if isinstance(platform, Tables):
        return platform.database(root, name, text)
    if isinstance(platform, Lines):
        return root / platform.write(root, name, platform.raw(name, text))
    assert isinstance(platform, Exported)
    root.mkdir(exist_ok=True)
    path = root / f"conversations-{name}.json"
    path.write_bytes(b"[" + platform.raw(name, text) + b"]")
    return path


def read(platform: Any, root: Path, meanwhile: Callable[[], object]) -> Iterator[Item]:
    """What is read where something happens after the first item."""
    items = Source(platform.kind, root).read()
    yield next(items)
    meanwhile()
    yield from items


@every
def test_a_file_that_vanishes_is_named(platform: Any, tmp_path: Path) -> None:
    root = tmp_path / "logs"
    write(platform, root, "1", GOOD)
    file = write(platform, root, "2", "Gone.")
    found = list(read(platform, root, file.unlink))
    texts = {item.text for item in found if isinstance(item, RawMessage)}
    named = [(item.file, item.reason) for item in found if isinstance(item, Damaged)]
    assert GOOD in texts
    # What was copied before it went is read.
    assert named == ([] if "Gone." in texts else [(file.relative_to(root).as_posix(), "unreadable file")])


@every
def test_a_folder_that_vanishes_ends_in_an_error_of_ours_or_none(platform: Any, tmp_path: Path) -> None:
    root = tmp_path / "logs"
    for name in "123":
        write(platform, root, name, GOOD)
    with suppress(SourceError):
        assert [item for item in read(platform, root, lambda: shutil.rmtree(root)) if isinstance(item, RawMessage)]


@every
def test_a_file_that_grows_is_read_as_far_as_it_reaches(platform: Any, tmp_path: Path) -> None:
    root = tmp_path / "logs"
    write(platform, root, "1", GOOD)
    write(platform, root, "2", "Before.")
    found = list(read(platform, root, lambda: _grown(platform, root)))
    texts = {item.text for item in found if isinstance(item, RawMessage)}
    assert {GOOD, "Before."} <= texts <= {GOOD, "Before.", "After.", SECRET}
    # A line that is being written is cut short tonight and whole tomorrow.
    assert {item.reason for item in found if isinstance(item, Damaged)} <= {"broken JSON"}


def _grown(platform: Any, root: Path) -> None:
    if isinstance(platform, Lines):
        with (root / platform.place("2")).open("ab") as file:
            file.write(b"\n" + platform.raw("2-more", "After.") + b"\n" + platform.raw("2-half", SECRET)[:-9])
    else:
        write(platform, root, "3", "After.")


# The mark of the kernel for this process alone: what `getrusage` tells starts at the parent's.
MEASURED = """
import json, pathlib, re, sys
from slowwave.cli import main
status = main(["night", "--store", sys.argv[2], "--source", sys.argv[1], "--as-of", "2026-06-01T03:00Z", "--plain", "--json"])
peak = re.search(r"VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())
print(json.dumps([status, int(peak[1]) // 1024]))
"""


def _measured(source: str, store: Path) -> tuple[dict[str, str], int, int]:
    """The damaged places, the status, and the most memory in MiB of a night of its own process."""
    done = subprocess.run([sys.executable, "-c", MEASURED, source, store], capture_output=True, text=True, check=True)
    outcome, _, last = done.stdout.strip().rpartition("\n")
    status, peak = json.loads(last)
    return dict(json.loads(outcome)["facts"]["quarantined"]), status, peak


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc to read a process's peak from")
@pytest.mark.parametrize("platform", [LINES[0], EXPORTS[0], TABLES[0]], ids=lambda platform: platform.kind)
def test_a_value_of_200_mb_is_set_aside_in_bounded_memory(platform: Any, tmp_path: Path) -> None:
    root = tmp_path / "logs"
    write(platform, root, "1", GOOD)
    usual, _, least = _measured(f"{platform.kind}={root}", tmp_path / "usual")
    place = _huge(platform, root)
    damaged, status, peak = _measured(f"{platform.kind}={root}", tmp_path / "huge")
    assert not usual
    assert list(damaged) == [place] and damaged[place].endswith("too long")
    assert status == 5
    # The largest line that is read, its copy as text, and what an allocator keeps.
    assert peak - least < 150, (least, peak)


def _huge(platform: Any, root: Path) -> str:
    """Writes a message of 200 MB, a part at a time; says where."""
    if isinstance(platform, Tables):
        with closing(sqlite3.connect(platform.database(root, "2", SECRET, "After."))) as con:
            con.execute(f"UPDATE {platform.table} SET {platform.text} = hex(zeroblob(100000000)) WHERE rowid = 1")
            con.commit()
        return f"{platform.place('2')}/{platform.table}:1"
    file = write(platform, root, "2", SECRET)
    before, after = file.read_bytes().split(SECRET.encode())
    with file.open("wb") as opened:
        opened.write(before)
        for _ in range(200):
            opened.write(b"x" * 1_000_000)
        opened.write(after)
    return f"{file.relative_to(root)}:1"
