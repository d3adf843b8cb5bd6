"""What nobody but its owner may read, as somebody else runs the command: each closed place is named, and the rest is published."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.nights import AS_OF, GOOD, SECRET
from tests.e2e.platforms import LINES, TABLES, Lines, Tables

pytestmark = pytest.mark.slow
# Root reads everything, so it becomes nobody, once a first night has imported what lies where nobody may look.
RUN = """
import contextlib, io, json, os, sys
from slowwave.cli import main
for number, argv in enumerate(json.loads(sys.argv[1])):
    if number == 1 and os.getuid() == 0:
        os.setgroups([]), os.setgid(65534), os.setuid(65534)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(argv)
    print(json.dumps([status, out.getvalue(), err.getvalue()]))
"""


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """A folder that anybody may look into and write to; a test's own is its user's alone."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        yield Path(folder)
        for place in Path(folder).rglob("*"):
            os.chmod(place, 0o755)


def ran(*argvs: list[str]) -> list[tuple[int, str, str]]:
    """Each command's status, and what it printed."""
    done = subprocess.run([sys.executable, "-c", RUN, json.dumps(argvs)], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def night(store: Path, *sources: str) -> list[str]:
    flags = [part for source in sources for part in ("--source", source)]
    return ["night", "--store", str(store), *flags, "--as-of", AS_OF, "--plain", "--json"]


def _lines(platform: Lines, root: Path) -> dict[str, str]:
    platform.write(root, "good", platform.raw("good", GOOD))
    file = root / platform.write(root, "file", platform.raw("file", SECRET))
    file.chmod(0)
    for name, mode in (("listed", 0o444), ("shut", 0)):
        path = root / name / platform.write(root / name, name, platform.raw(name, SECRET))
        path.parent.chmod(mode)
    link = file.with_name("link.jsonl")
    link.symlink_to(root / "shut" / platform.place("shut"))
    names = {name: (Path(name) / platform.place(name)) for name in ("listed", "shut")}
    return {
        f"{platform.place('file')}:0": "unreadable file",
        f"{platform.place('link')}:0": "unreadable file",
        f"{names['listed']}:0": "unreadable file",
        f"{names['shut'].parent}:0": "unreadable folder",
    }


def _tables(platform: Tables, root: Path) -> dict[str, str]:
    platform.database(root, "good", GOOD)
    platform.database(root, "file", SECRET).chmod(0)
    platform.database(root, "listed", SECRET).parent.chmod(0o444)
    platform.database(root, "shut", SECRET).parent.chmod(0)
    other = platform.database(root, "other", SECRET)
    other.rename(other.with_name("other.db")).chmod(0)
    return {
        f"{platform.place('file')}:0": "unreadable file",
        f"{Path(platform.place('other')).with_name('other.db')}:0": "unreadable file",
        f"{platform.place('listed')}:0": "unreadable file",
        f"{Path(platform.place('shut')).parent}:0": "unreadable folder",
    }


@pytest.mark.parametrize("platform", [LINES[0], LINES[3], *TABLES], ids=lambda platform: platform.kind)
def test_closed_files_and_folders(platform: Any, open_to_all: Path) -> None:
    warm, root, store = (open_to_all / name for name in ("warm", "logs", "store"))
    damaged = _lines(platform, root) if isinstance(platform, Lines) else _tables(platform, root)
    LINES[0].write(warm, "warm", LINES[0].raw("warm", GOOD))
    named = [str(root / place.rpartition(":")[0]) for place in damaged]
    first, *each = ran(
        night(open_to_all / "first", f"jsonl={warm}"),
        night(store, f"{platform.kind}={root}"),
        night(store, f"{platform.kind}={root}"),
        *(night(open_to_all / "none", f"{platform.kind}={place}") for place in named),
        *(["sources", place] for place in [str(root), *named]),
    )
    assert first[0] == 0
    (status, out, _), (again, _, _), *alone = each
    told = json.loads(out)["facts"]["quarantined"]
    assert dict(told) == {place: reason for place, reason in damaged.items()}
    assert (status, again) == (5, 0)
    refused, (looked, shown, _), *looks = (*alone[: len(named)],), *alone[len(named) :]
    assert looked == 0 and all(reason in shown for reason in damaged.values())
    for status, _, err in [*refused, *looks]:
        assert status == 4 and "ermission denied" in err and "next:" in err
    assert SECRET not in repr(each)
