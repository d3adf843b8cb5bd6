"""The lake: a table is read as it was written, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters import lake
from adapters.kept import Kept
from models.decision import Decision
from models.message import Consumed, Message
from models.table import rows_to_frame
from slowwave.errors import VersionGone
from slowwave.format import TableRef
from tests.make import message


def test_what_was_written_is_read(tmp_path: Path) -> None:
    frame = rows_to_frame(Message, [message("one", seq=1), message("two", seq=2)])
    ref = lake.write_table(tmp_path, "runs/r/begin.messages.parquet", frame, Message)
    assert lake.read_table(tmp_path, ref, Message).equals(frame)


def test_a_table_that_is_kept_in_memory_is_missed_all_the_same_when_its_file_is_damaged_or_gone(tmp_path: Path) -> None:
    ref = lake.write_table(tmp_path, "one.parquet", rows_to_frame(Message, [message("one")]), Message)
    assert lake.read_table(tmp_path, ref, Message)["text"].to_list() == ["one"]
    content = (tmp_path / "one.parquet").read_bytes()
    (tmp_path / "one.parquet").write_bytes(content[:-1] + b"x")
    with pytest.raises(VersionGone, match="not what was written"):
        lake.read_table(tmp_path, ref, Message)
    (tmp_path / "one.parquet").unlink()
    with pytest.raises(VersionGone):
        lake.read_table(tmp_path, ref, Message)


@pytest.mark.parametrize("most_bytes_read_whole", [0, 2**30])
def test_a_scan_gives_what_reading_gives_and_refuses_what_reading_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_bytes_read_whole: int
) -> None:
    monkeypatch.setattr(lake, "_LARGE_BYTES", most_bytes_read_whole)
    frame = rows_to_frame(Message, [message("one", seq=1), message("two", seq=2)])
    old = tmp_path / "old.parquet"
    frame.drop("project").write_parquet(old)
    ref = lake.write_table(tmp_path, "new.parquet", frame, Message)
    for known in (ref, TableRef(path="old.parquet", sha256="", rows=2)):
        assert lake.scan_table(tmp_path, known, Message).collect().equals(lake.read_table(tmp_path, known, Message))
    (tmp_path / "new.parquet").write_bytes(old.read_bytes())
    with pytest.raises(VersionGone, match="not what was written"):
        lake.scan_table(tmp_path, ref, Message)
    old.write_bytes(b"PAR1 and no more")
    for path in ("old.parquet", "gone.parquet"):
        with pytest.raises(VersionGone):
            lake.scan_table(tmp_path, TableRef(path=path, sha256="", rows=2), Message)


def test_what_a_reader_does_to_a_frame_is_nothing_to_the_next(tmp_path: Path) -> None:
    ref = lake.write_table(tmp_path, "one.parquet", rows_to_frame(Message, [message("one")]), Message)
    lake.read_table(tmp_path, ref, Message).drop_in_place("text")
    assert lake.read_table(tmp_path, ref, Message)["text"].to_list() == ["one"]


def test_no_more_is_kept_than_there_is_room_for() -> None:
    frames = {f"{n}": rows_to_frame(Message, [message("a word " * 40, seq=n)]) for n in range(9)}
    room = 5 * int(frames["0"].estimated_size())
    kept = Kept(room)
    for name, frame in frames.items():
        kept.keep(name, Message, frame)
    assert [name for name in frames if kept.find(name, Message) is not None] == ["4", "5", "6", "7", "8"]
    kept.keep("large", Message, rows_to_frame(Message, [message("a word " * 400)]))
    assert kept.find("large", Message) is None
    assert kept.find("8", Consumed) is None, "the same bytes as another table are another frame"


def test_a_table_that_was_swapped_for_another_valid_one_is_refused(tmp_path: Path) -> None:
    mine = lake.write_table(tmp_path, "mine.parquet", rows_to_frame(Message, [message("one")]), Message)
    lake.write_table(tmp_path, "mine.parquet", rows_to_frame(Message, [message("planted")]), Message)
    with pytest.raises(VersionGone, match=r"mine\.parquet .* not what was written"):
        lake.read_table(tmp_path, mine, Message)
    # A reference that states no hash promises none.
    assert lake.read_table(tmp_path, TableRef(path="mine.parquet", sha256="", rows=1), Message)["text"].to_list() == [
        "planted"
    ]


@pytest.mark.parametrize("content", [b"", b"half", None])
def test_a_table_that_is_damaged_or_gone_is_named(content: bytes | None, tmp_path: Path) -> None:
    ref = TableRef(path="gone.parquet", sha256="", rows=0)
    if content is not None:
        (tmp_path / "gone.parquet").write_bytes(content)
    with pytest.raises(VersionGone, match=r"gone\.parquet"):
        lake.read_table(tmp_path, ref, Decision)


def test_an_older_table_gains_the_columns_it_lacks(tmp_path: Path) -> None:
    rows = rows_to_frame(Message, [message("one")])
    rows.drop("caption").write_parquet(tmp_path / "old.parquet")
    found = lake.read_table(tmp_path, TableRef(path="old.parquet", sha256="", rows=1), Message)
    assert found["caption"].to_list() == [None]
    assert lake.read_table(tmp_path, TableRef(path="old.parquet", sha256="", rows=1), Consumed).columns == [
        "msg_key",
        "content_hash",
    ]


def test_a_part_of_a_frame_makes_the_bytes_of_its_rows_alone() -> None:
    frame = rows_to_frame(
        Message, [message(f"text {n}" * n, seq=n, tool_name=None if n % 3 else "shell") for n in range(40)]
    )
    whole = lake.to_arrow(frame, Message)
    for at, n in ((0, 40), (0, 1), (7, 9), (8, 16), (39, 1)):
        assert lake.to_parquet(whole.slice(at, n), Message) == lake.to_parquet(frame.slice(at, n), Message)
