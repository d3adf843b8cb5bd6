"""Damaged databases, platform by platform, through the real command: good files and rows are published beside what is named."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from adapters.sources.database import copying
from tests.e2e.nights import GOOD, SECRET, Capture, Nights, several
from tests.e2e.platforms import TABLES, Row, Tables

PAGE = 4096
# Enough rows that a table has several pages.
MANY = 60


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks are waited for, and values are held, only so far."""
    monkeypatch.setattr(copying, "TIMEOUT_SECONDS", 0.1)
    monkeypatch.setattr(copying, "MAX_LINE_BYTES", 100_000)


def _texts(name: str) -> list[str]:
    return [f"Row {number} of {name}. {'x' * 400}" for number in range(MANY)]


def _page_of(path: Path, text: bytes) -> int:
    """The page that holds a text."""
    return path.read_bytes().index(text) // PAGE


def _written(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: -5 * PAGE])


def _headless(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\xff" * (PAGE - 100) + whole[PAGE:])


def _half_a_transaction(path: Path) -> None:
    """A copy of a database and its journal, taken while its owner had half written."""
    with closing(sqlite3.connect(path)) as owner:
        owner.execute("PRAGMA cache_size = 1")
        (table,) = (t for t in ("messages", "transcript_events", "raw_messages") if _has(owner, t))
        owner.execute(f"DELETE FROM {table}")
        torn, journal = path.read_bytes(), path.with_name(f"{path.name}-journal").read_bytes()
        owner.rollback()
    path.write_bytes(torn)
    path.with_name(f"{path.name}-journal").write_bytes(journal)


def _has(con: sqlite3.Connection, table: str) -> bool:
    return con.execute("SELECT count(*) FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0] == 1


# What is done to a whole database, and why it is then none.
BAD_FILES: dict[str, tuple[Callable[[Path], None], str]] = {
    "empty": (lambda path: path.open("wb").close(), "empty file"),
    "text": (lambda path: _written(path, b"quince-marmalade " * 99), "not a database"),
    "head": (lambda path: _written(path, b"SQLite format 3\0"), "not a database"),
    "cut": (_cut, "damaged database"),
    "headless": (_headless, "damaged database"),
    "transaction": (_half_a_transaction, "half a transaction"),
}


def _edited(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as con:
        for statement in statements:
            con.execute(statement)
        con.commit()


@pytest.mark.parametrize("platform", several(TABLES))
@pytest.mark.parametrize("name", BAD_FILES)
def test_a_database_that_cannot_be_read_alone(platform: Tables, name: str, tmp_path: Path, capsys: Capture) -> None:
    path = platform.database(tmp_path, name, *_texts(name))
    BAD_FILES[name][0](path)
    status, said = Nights(tmp_path, capsys, f"{platform.kind}={path}")()
    assert status == 4
    assert path.name in said and "next:" in said


@contextmanager
def databases(platform: Tables, root: Path) -> Iterator[dict[str, str]]:
    """A folder with all damage that whole databases and tables have, beside what is good and odd; each damaged place and why.

    One is locked, and one is being written, for as long as the context lasts.
    """
    platform.database(root, "good", GOOD)
    damaged = {f"{platform.place(name)}:0": reason for name, (_, reason) in BAD_FILES.items()}
    for name, (change, _) in BAD_FILES.items():
        change(platform.database(root, name, *_texts(name)))
    alone = root / platform.place("alone")
    alone.parent.mkdir(parents=True)
    alone.with_name(f"{alone.name}-wal").write_bytes(bytes(500))
    damaged[f"{platform.place('alone')}-wal:0"] = "a log without its database"
    damaged[f"{platform.place('locked')}:0"] = "locked by the program that writes it"
    locked = sqlite3.connect(platform.database(root, "locked", "Mended locked."))
    with closing(locked), closing(_odd(platform, root)) as owner:
        locked.execute("BEGIN EXCLUSIVE")
        yield damaged | _tables(platform, root)
        owner.rollback()


@pytest.mark.parametrize("platform", several(TABLES))
def test_databases(platform: Tables, tmp_path: Path, capsys: Capture) -> None:
    root = tmp_path / "logs"
    nights = Nights(tmp_path, capsys, f"{platform.kind}={root}")
    with databases(platform, root) as damaged:
        nights.expect(damaged)
    assert {"In the log.", "In the left log.", "Nobody fires it."} <= nights.texts()
    assert not {"Not committed.", "Fired."} & nights.texts()
    for name in BAD_FILES:
        (root / f"{platform.place(name)}-journal").unlink(missing_ok=True)
        platform.database(root, name, f"Mended {name}.")
    nights.expect_mended("Mended locked.", *(f"Mended {name}." for name in BAD_FILES))


def _tables(platform: Tables, root: Path) -> dict[str, str]:
    """Databases whose table of messages is gone, is a view, or lacks the column that holds the words."""
    table = platform.table
    for name, statements in {
        "gone": [f"DROP TABLE {table}"],
        "view": [f"ALTER TABLE {table} RENAME TO kept", f"CREATE VIEW {table} AS SELECT * FROM kept"],
        "column": [f"ALTER TABLE {table} DROP COLUMN {platform.text}"],
    }.items():
        _edited(platform.database(root, name, SECRET), *statements)
    return {
        f"{platform.place('gone')}/{table}:0": "no such table",
        f"{platform.place('view')}/{table}:0": "not a plain table",
        f"{platform.place('column')}/{table}:{platform.textless[0]}": platform.textless[1],
    }


def _odd(platform: Tables, root: Path) -> sqlite3.Connection:
    """What is odd and can be read all the same; the connection is that of an owner who is writing."""
    table = platform.table
    _edited(
        platform.database(root, "trigger", "Nobody fires it."),
        f"CREATE TRIGGER fired BEFORE DELETE ON {table} BEGIN UPDATE {table} SET {platform.text} = 'Fired.'; END",
        "CREATE TABLE more (a)",
        "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
    )
    owner = _logged(platform, root, "written", "In the log.")
    with closing(_logged(platform, root, "left", "In the left log.")):
        path = root / platform.place("left")
        left = {file.name: file.read_bytes() for file in path.parent.iterdir() if not file.name.endswith("-shm")}
    for name, content in left.items():
        (path.parent / name).write_bytes(content)
    owner.execute(f"UPDATE {table} SET {platform.text} = 'Not committed.'")
    return owner


def _logged(platform: Tables, root: Path, name: str, text: str) -> sqlite3.Connection:
    """A database whose message stands in its log alone, still open."""
    owner = sqlite3.connect(platform.database(root, name, f"First of {name}."))
    for pragma in ("journal_mode = WAL", "wal_autocheckpoint = 0"):
        owner.execute(f"PRAGMA {pragma}")
    _insert(owner, platform, platform.row(name, 2, text))
    return owner


def _insert(con: sqlite3.Connection, platform: Tables, row: Row) -> None:
    con.execute(
        f"INSERT INTO {platform.table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", [*row.values()]
    )
    con.commit()


@pytest.mark.parametrize("platform", several(TABLES))
def test_rows(platform: Tables, tmp_path: Path, capsys: Capture) -> None:
    path = platform.database(tmp_path, "rows", GOOD, SECRET, SECRET, "Last.")
    place, text = f"{path.name}/{platform.table}", platform.text
    _edited(
        path,
        f"UPDATE {platform.table} SET {text} = CAST(X'636166E9' AS TEXT) WHERE rowid = 2",
        f"UPDATE {platform.table} SET {text} = {text} || hex(zeroblob(100000)) WHERE rowid = 3",
    )
    damaged = {f"{place}:2": "invalid UTF-8", f"{place}:3": "row too long"}
    with closing(sqlite3.connect(path)) as con:
        for number, (row, reason) in enumerate(platform.odd.values(), 5):
            _insert(con, platform, {**platform.row("rows", number, SECRET), **row})
            damaged[f"{place}:{number}"] = reason
    nights = Nights(tmp_path, capsys, f"{platform.kind}={path}")
    nights.expect(damaged)
    assert nights.texts() == {GOOD, "Last."}
    platform.database(tmp_path, "rows", GOOD, *(f"Mended {n}." for n in range(len(damaged))))
    nights.expect_mended(*(f"Mended {n}." for n in range(len(damaged))))


@pytest.mark.parametrize("fill", [b"\0", b"\xff"])
@pytest.mark.parametrize("platform", several(TABLES))
def test_a_half_written_page(platform: Tables, fill: bytes, tmp_path: Path, capsys: Capture) -> None:
    path = platform.database(tmp_path, "page", GOOD, *_texts("page"))
    whole = path.read_bytes()
    page = _page_of(path, b"Row 30 of page")
    path.write_bytes(whole[: page * PAGE] + fill * PAGE + whole[(page + 1) * PAGE :])
    nights = Nights(tmp_path, capsys, f"{platform.kind}={path}")
    nights.expect({f"{path.name}/{platform.table}:0": "rows lost on a damaged page"})
    lost = [text for text in _texts("page") if text not in nights.texts()]
    assert all(text[:14].encode() in whole[page * PAGE : (page + 1) * PAGE] for text in lost)
    path.write_bytes(whole)
    nights.expect_mended(*lost)
