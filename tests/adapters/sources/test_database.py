"""Databases: a consistent copy under every kind of owner, and each row good or damaged alone."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.sources.database import columns, copying, decoded, has_tables, items, opened, rows, tables
from adapters.sources.protocol import BadLine, Damaged, RawMessage
from slowwave.errors import SourceError

PAGE = 4096


def make(path: Path, n: int = 3, journal: str = "wal") -> sqlite3.Connection:
    """A database with `n` said things, still open."""
    con = sqlite3.connect(path)
    con.execute(f"PRAGMA journal_mode = {journal}")
    con.execute("CREATE TABLE said (id TEXT PRIMARY KEY, text TEXT, at REAL)")
    con.executemany("INSERT INTO said VALUES (?, ?, ?)", [(f"m{n:04}", f"text {n} " + "x" * 400, -n) for n in range(n)])
    con.commit()
    return con


def read(path: Path, *wanted: str, order: tuple[str, ...] = ()) -> list[Any]:
    with opened(path) as con:
        return [row for _, row in rows(con, "said", wanted or ("id",), order)]


def beside(path: Path) -> set[str]:
    return {file.name for file in path.parent.iterdir()}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "logs.db"


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_a_database_at_rest_is_read_and_nothing_is_left_beside_it(place: Path, journal: str) -> None:
    make(place, journal=journal).close()
    before = place.read_bytes()
    assert read(place) == [{"id": "m0000"}, {"id": "m0001"}, {"id": "m0002"}]
    assert has_tables(place, "said")
    assert beside(place) == {"logs.db"}
    assert place.read_bytes() == before


def test_what_its_owner_has_committed_is_read_and_what_it_has_not_is_not(place: Path) -> None:
    with closing(make(place)) as owner:
        owner.execute("INSERT INTO said VALUES ('uncommitted', 'x', 1)")
        with opened(place) as con:
            owner.commit()
            owner.execute("INSERT INTO said VALUES ('later', 'x', 1)")
            owner.commit()
            assert [row["id"] for _, row in rows(con, "said", ("id",)) if isinstance(row, dict)] == [
                "m0000",
                "m0001",
                "m0002",
            ]
        assert len(read(place)) == 5
        assert has_tables(place, "said")


def test_a_log_without_its_owner_is_read_elsewhere(place: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copied"
    folder.mkdir()
    with closing(make(place)):
        for name in ("logs.db", "logs.db-wal"):
            (folder / name).write_bytes((tmp_path / name).read_bytes())
    assert len(read(folder / "logs.db")) == 3
    assert has_tables(folder / "logs.db", "said")
    assert beside(folder / "logs.db") == {"logs.db", "logs.db-wal"}


def test_a_locked_database_is_refused_by_name_in_time(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "TIMEOUT_SECONDS", 0.1)
    with closing(make(place, journal="delete")) as owner:
        owner.execute("BEGIN EXCLUSIVE")
        with pytest.raises(SourceError, match=r"logs\.db .*locked"):
            read(place)
        assert not has_tables(place, "said")


def test_a_transaction_that_its_owner_never_ended_is_refused(place: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.db"
    with closing(make(place, n=200, journal="delete")) as owner:
        owner.execute("PRAGMA cache_size = 1")
        owner.execute("UPDATE said SET text = 'half'")
        journal = tmp_path / "logs.db-journal"
        torn.write_bytes(place.read_bytes())
        (tmp_path / "torn.db-journal").write_bytes(journal.read_bytes())
        owner.rollback()
    hot = (tmp_path / "torn.db-journal").read_bytes()
    with pytest.raises(SourceError, match=r"torn\.db"):
        read(torn)
    assert (tmp_path / "torn.db-journal").read_bytes() == hot


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"{}" * 500, b"SQLite format 3\0" + b"\xff" * 5000])
def test_what_is_no_database_is_refused_by_name(place: Path, content: bytes) -> None:
    place.write_bytes(content)
    with pytest.raises(SourceError, match=r"logs\.db"):
        read(place)
    assert not has_tables(place, "said")


def test_a_folder_a_pipe_a_loop_and_nothing_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.db")
    (tmp_path / "loop.db").symlink_to(tmp_path / "loop.db")
    for name in (".", "pipe.db", "loop.db", "none.db"):
        with pytest.raises(SourceError):
            read(tmp_path / name)
        assert not has_tables(tmp_path / name)


def test_rows_come_in_order_and_a_column_that_is_not_there_is_none(place: Path) -> None:
    make(place).close()
    assert read(place, "id", "mood", order=("at", "mood"))[0] == {"id": "m0002", "mood": None}
    with opened(place) as con:
        assert columns(con, "said") == {"id", "text", "at"}
        assert columns(con, "unsaid") == frozenset()
        assert list(rows(con, "unsaid", ("id",))) == []


def test_secrets_views_and_writing_are_out_of_reach(place: Path) -> None:
    with closing(make(place)) as owner:
        owner.executescript(
            """CREATE TABLE Secrets (key TEXT); INSERT INTO Secrets VALUES ('hidden');
            CREATE VIEW heard AS SELECT * FROM Secrets; CREATE VIRTUAL TABLE words USING fts5(text);"""
        )
    with opened(place) as con:
        assert not tables(con) & {"Secrets", "heard", "words"}
        assert list(rows(con, "Secrets", ("key",))) == []
        for query in ("SELECT key FROM Secrets", "SELECT * FROM heard", "DELETE FROM said", "ATTACH '/tmp/x.db' AS x"):
            with pytest.raises(sqlite3.Error):
                con.execute(query)


def test_a_damaged_page_takes_only_its_own_rows(place: Path) -> None:
    make(place, n=300, journal="delete").close()
    raw = bytearray(place.read_bytes())
    # Pages in the middle of the table, far from its root and from the schema.
    leaf = next(at for at in range(10 * PAGE, len(raw), PAGE) if b"text 150 " in raw[at : at + PAGE])
    raw[leaf : leaf + PAGE] = b"\0" * PAGE
    place.write_bytes(raw)
    found = read(place, "id", "text", order=("at",))
    damaged = [row for row in found if isinstance(row, Damaged)]
    good = {row["id"] for row in found if isinstance(row, dict)}
    assert damaged
    assert all(row.file == "logs.db/said" for row in damaged)
    assert len(good) > 280
    assert {"m0000", "m0299"} <= good
    assert "m0150" not in good


def test_a_file_cut_short_is_refused_or_read_up_to_the_cut(place: Path) -> None:
    make(place, n=300, journal="delete").close()
    raw = place.read_bytes()
    outcomes = set[str]()
    for n_pages in (0, 1, 2, 5, 20, 30):
        place.write_bytes(raw[: n_pages * PAGE + 100])
        try:
            outcomes.add("damaged" if any(isinstance(row, Damaged) for row in read(place, "id", "text")) else "whole")
        except SourceError:
            outcomes.add("refused")
    assert outcomes <= {"damaged", "refused"}


@settings(max_examples=60, deadline=None)
@given(changes=st.lists(st.tuples(st.integers(16, 20 * PAGE), st.integers(0, 255)), min_size=1, max_size=40))
def test_whatever_bytes_are_changed_the_worst_is_a_refusal_by_name(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int]]
) -> None:
    place = tmp_path_factory.mktemp("mutated") / "logs.db"
    make(place, n=150, journal="delete").close()
    raw = bytearray(place.read_bytes())
    for at, value in changes:
        raw[at % len(raw)] = value
    place.write_bytes(raw)
    has_tables(place, "said")
    try:
        found = read(place, "id", "text", "at", order=("at",))
    except SourceError as error:
        told = str(error)
        assert told.isprintable()
        assert str(place) in told
    else:
        assert all(isinstance(row, (dict, Damaged)) for row in found)


def test_text_that_is_no_text_and_a_row_too_long_are_damaged_alone(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "MAX_LINE_BYTES", 10_000)
    with closing(make(place)) as owner:
        owner.execute("UPDATE said SET text = CAST(x'636166e9' AS TEXT) WHERE id = 'm0000'")
        owner.execute("UPDATE said SET text = ? WHERE id = 'm0001'", ("y" * 20_000,))
        owner.commit()
    first, second, third = read(place, "id", "text")
    assert first == Damaged("logs.db/said", 1, "invalid UTF-8")
    assert second == Damaged("logs.db/said", 2, "row too long")
    assert third["id"] == "m0002"


def test_tables_without_row_numbers_and_with_columns_called_so_are_read(place: Path) -> None:
    with closing(sqlite3.connect(place)) as owner:
        owner.executescript(
            """CREATE TABLE said (id TEXT PRIMARY KEY, at INT) WITHOUT ROWID; INSERT INTO said VALUES ('b', 1), ('a', 2);
            CREATE TABLE kept (rowid TEXT, OID TEXT); INSERT INTO kept VALUES ('x', 'y'), ('v', 'w');"""
        )
    assert [row["id"] for row in read(place, "id", order=("at",))] == ["b", "a"]
    with opened(place) as con:
        assert [row for _, row in rows(con, "kept", ("rowid",))] == [{"rowid": "x"}, {"rowid": "v"}]


def test_a_row_that_is_refused_is_damaged_alone(place: Path) -> None:
    make(place).close()

    def made(row: dict[str, Any], where: str) -> Iterator[RawMessage]:
        if row["id"] == "m0001":
            raise BadLine("no role")
        yield RawMessage(where, "p", "s", row["id"], 0, "user", "hi")

    with opened(place, "folder/logs.db") as con:
        first, second, third = items(con, "said", ("id",), made)
    assert isinstance(first, RawMessage) and first.place == "folder/logs.db/said:1"
    assert isinstance(second, Damaged) and (second.file, second.line, second.reason) == (
        "folder/logs.db/said",
        2,
        "no role",
    )
    assert second.digest
    assert isinstance(third, RawMessage)


@pytest.mark.parametrize("text", ["{", "[" * 100_000, b"\xff", 7, '"\\ud83d"'])
def test_json_that_cannot_be_kept_is_a_bad_line(text: Any) -> None:
    with pytest.raises(BadLine):
        decoded(text)


def test_json_in_a_column_is_read() -> None:
    assert decoded('{"a": ["\\u00e9"]}') == {"a": ["é"]}
    assert decoded(None) is None
    assert decoded("") is None
