"""What is made is its owner's alone, whatever the process would let others do."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from slowwave import private


@pytest.fixture(params=[0o000, 0o022, 0o077, 0o277])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_every_folder_on_the_way_is_private(tmp_path: Path, umask: int) -> None:
    private.make_folder(tmp_path / "a" / "b" / "c")
    assert [mode(tmp_path / "a"), mode(tmp_path / "a/b"), mode(tmp_path / "a/b/c")] == [0o700] * 3
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        private.make_folder(tmp_path / "file")


def test_a_link_is_never_written_through(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match=r"symbolic link|Too many levels"):
        private.open_to_append(tmp_path / "link")
    assert not (tmp_path / "elsewhere").exists()


def test_masks_may_overlap_and_the_last_gives_back_what_there_was(tmp_path: Path, umask: int) -> None:
    one, other = private.masked(), private.masked()
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)
    (tmp_path / "made").touch(0o666)
    other.__exit__(None, None, None)
    assert mode(tmp_path / "made") == 0o600
    assert os.umask(umask) == umask


def test_a_store_that_lay_open_is_closed_and_no_link_is_followed(tmp_path: Path) -> None:
    store, outside = tmp_path / "store", tmp_path / "outside.toml"
    (store / "inbox" / "sessions").mkdir(parents=True)
    for path in (store / "slowwave.toml", outside):
        path.touch()
        path.chmod(0o644)
    (store / "linked.toml").symlink_to(outside)
    for path in (store, store / "inbox"):
        path.chmod(0o755)
    private.tighten(store)
    assert [mode(store), mode(store / "inbox"), mode(store / "slowwave.toml")] == [0o700, 0o700, 0o600]
    assert mode(outside) == 0o644
