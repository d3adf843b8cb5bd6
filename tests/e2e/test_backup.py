"""A store as one file and back: equal, also where a night is at work, and without what was forgotten since."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest

import slowwave
from adapters import backup
from flows.begin import Plan
from flows.forget import proof
from flows.night import Taken
from flows.road import consolidated
from flows.step import here
from slowwave.cli import main
from slowwave.errors import SlowwaveError, UsageError
from slowwave.store import read_current
from slowwave.verify import verify
from tests.e2e.test_two_nights import hear, texts
from tests.make import at

Capture = pytest.CaptureFixture[str]


def night(store: Path, as_of: str, **more: object) -> None:
    consolidated(Plan(store, as_of=at(as_of), **more), here)  # type: ignore[arg-type]


def files(store: Path) -> dict[str, bytes]:
    passing = (".lock", ".lease", ".CURRENT.lock")
    return {
        str(path.relative_to(store)): path.read_bytes()
        for path in store.rglob("*")
        if path.is_file() and path.name not in passing
    }


@pytest.fixture
def store(tmp_path: Path) -> Path:
    made = tmp_path / "store"
    hear(made, 0, 1)
    night(made, "2026-03-02T03:00")
    return made


def test_a_restored_store_is_the_same_byte_for_byte_and_goes_on(store: Path, tmp_path: Path, capsys: Capture) -> None:
    archive, back = tmp_path / "b.tar.gz", tmp_path / "back"
    assert main(["backup", str(archive), "--store", str(store)]) == 0
    assert archive.stat().st_mode & 0o077 == 0
    assert main(["backup", str(archive), "--restore", "--store", str(back)]) == 0
    assert "each as it was" in capsys.readouterr().out
    assert files(back) == files(store)
    for one in (store, back):
        hear(one, 2)
        night(one, "2026-03-03T03:00")
    assert read_current(back) == read_current(store)


def test_a_backup_taken_while_a_night_is_at_work_is_of_the_version_that_serves(store: Path, tmp_path: Path) -> None:
    archive, back, serving = tmp_path / "b.tar.gz", tmp_path / "back", read_current(store)

    def copied(taken: Taken) -> None:
        if taken.stage == "merge":
            backup.write(store, archive)

    hear(store, 2)
    night(store, "2026-03-03T03:00", watch=copied)
    assert read_current(store) != serving
    assert main(["backup", str(archive), "--restore", "--store", str(back)]) == 0
    assert read_current(back) == serving and not verify(back).faults
    night(back, "2026-03-03T03:00")
    assert read_current(back) == read_current(store), "what the night had captured is there"


def test_what_was_forgotten_since_is_not_in_the_restored_store(store: Path, tmp_path: Path, capsys: Capture) -> None:
    archive, back = tmp_path / "b.tar.gz", tmp_path / "back"
    backup.write(store, archive)
    assert main(["forget", "--store", str(store), "--session", "s0", "--yes"]) == 0
    given = ["backup", str(archive), "--restore", "--store", str(back)]
    assert main([*given, "--forgotten", str(store), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["n_forgotten"] == 1
    assert texts(back) == ["I am allergic to walnuts."]
    assert not proof(back, {"porto"})
    hear(back, 0)
    night(back, "2026-12-31T03:00")
    assert texts(back) == ["I am allergic to walnuts."], "an old log does not bring it back"


def test_nothing_is_written_over_and_nothing_half_stays(store: Path, tmp_path: Path) -> None:
    archive = tmp_path / "b.tar.gz"
    backup.write(store, archive)
    with pytest.raises(UsageError, match="is there already"):
        backup.write(store, archive)
    with pytest.raises(UsageError, match="is there already"):
        backup.unpack(archive, store)
    whole = archive.read_bytes()
    (tmp_path / "cut.tar.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "none.tar.gz").write_bytes(b"not an archive")
    for name in ("cut", "none"):
        with pytest.raises(SlowwaveError, match="no whole backup"):
            backup.unpack(tmp_path / f"{name}.tar.gz", tmp_path / "half")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar.gz", "cut.tar.gz", "none.tar.gz", "store"]


@pytest.mark.parametrize("name", ["../out", "/tmp/out", "a/../../out"])
def test_no_name_in_an_archive_leads_out_of_the_store(tmp_path: Path, name: str) -> None:
    archive = tmp_path / "bad.tar.gz"
    with tarfile.open(archive, "w:gz") as made:
        member = tarfile.TarInfo(name)
        member.size = 1
        made.addfile(member, io.BytesIO(b"x"))
    with pytest.raises(SlowwaveError, match="is no file of a store"):
        backup.unpack(archive, tmp_path / "back")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.tar.gz"]


def test_a_changed_byte_is_found(store: Path, tmp_path: Path) -> None:
    archive, changed = tmp_path / "b.tar.gz", tmp_path / "c.tar.gz"
    backup.write(store, archive)
    with tarfile.open(archive) as old, tarfile.open(changed, "w:gz") as new:
        for member in old:
            content = (old.extractfile(member) or io.BytesIO()).read()
            content = content.replace(b"20260302", b"20260303") if member.name == "CURRENT" else content
            new.addfile(member, io.BytesIO(content))
    with pytest.raises(SlowwaveError, match="not what was put in"):
        backup.unpack(changed, tmp_path / "back")


def test_a_store_with_nothing_published_can_be_backed_up(tmp_path: Path) -> None:
    store, back = tmp_path / "store", tmp_path / "back"
    hear(store, 0)
    assert backup.write(store, tmp_path / "b.tar.gz").serving is None
    assert main(["backup", str(tmp_path / "b.tar.gz"), "--restore", "--store", str(back)]) == 0
    night(back, "2026-03-02T03:00")
    assert any("Porto" in found.text for found in slowwave.open(back).recall("Where do I live?"))
