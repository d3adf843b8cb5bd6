"""Where OpenClaw keeps a session's entries: JSON lines, their archives, and rows of the per-agent database; one session may lie in several.

Belongs here: getting at the entries of one copy, as often as they are needed. Does not belong here: what an entry means.
"""

from __future__ import annotations

import io
import os
import re
import sqlite3
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from adapters.sources.database import columns, rows
from adapters.sources.folder import opened_plain, printable
from adapters.sources.lines import MAX_LINE_BYTES, objects, parse
from adapters.sources.protocol import BadLine, Damaged, read_time
from models.ids import digest

Entries = Iterator[tuple[int, dict[str, Any] | Damaged]]

_NAME = re.compile(
    r"(?P<session>.+?)(?:\.checkpoint\.[0-9a-fA-F-]{36})?\.jsonl(?:\.(?P<why>reset|bak|deleted)\.(?P<at>[\w.:-]+?))?(?P<packed>\.zst)?",
    re.DOTALL,
)
_CHECKPOINT = re.compile(r"\.checkpoint\.[0-9a-fA-F-]{36}\.jsonl")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_NO_SESSION = (".trajectory.jsonl",)
_ZSTD = b"\x28\xb5\x2f\xfd"
_EVENTS = "transcript_events"
_ARCHIVES = ("session_transcript_archives", "session_transcript_cold_archives")
_ENTRY_TYPES = frozenset({"message", "compaction", "branch_summary", "custom_message", "model_change"})
_N_OPENING = 5


@dataclass
class Copy:
    """One copy of a session's entries. `rank` orders copies from the oldest to the one that is being written."""

    name: str
    session_id: str
    rank: int
    read: Callable[[], Entries]
    is_deleted: bool = False
    deleted_at: datetime | None = None
    leaf_id: str | None = None


def file_copy(root: Path, file: Path, name: str) -> Copy | None:
    """The copy in a file; None where the file is no transcript. Where one is expected, all damage is a transcript's."""
    found = _NAME.fullmatch(file.name)
    if found is None or file.name.endswith(_NO_SESSION):
        return None
    read = _reader(root, file, name)
    opening = list(islice(_only(read()), _N_OPENING))
    is_expected = file == root or file.parent.name == "sessions"
    is_damaged = is_expected and any(isinstance(entry, Damaged) for entry in opening)
    if not is_damaged and not _is_opened(opening):
        return None
    is_checkpoint = _CHECKPOINT.search(file.name) is not None
    own = next((session for e in opening if isinstance(e, dict) and (session := header_id(e))), None)
    session = printable(found["session"]) if is_checkpoint or own is None else own
    is_deleted = found["why"] == "deleted"
    deleted_at = _archived_at(found["at"]) if is_deleted else None
    return Copy(name, session, 1 if found["why"] or is_checkpoint else 2, read, is_deleted, deleted_at)


def is_transcript(root: Path, file: Path) -> bool:
    """Whether a file opens as a transcript does. Raises SourceError where `root` itself can't be read."""
    return _is_opened(list(islice(_only(_reader(root, file, file.name)()), _N_OPENING)))


def _reader(root: Path, file: Path, name: str) -> Callable[[], Entries]:
    return lambda: _packed(file, name) if file.name.endswith(".zst") else objects(root, file)


def _is_opened(opening: list[dict[str, Any] | Damaged]) -> bool:
    return any(isinstance(entry, dict) and is_entry(entry) for entry in opening)


def is_entry(entry: dict[str, Any]) -> bool:
    """Whether an object is a session's header or one of its entries."""
    kind = entry.get("type")
    return header_id(entry) is not None or (isinstance(kind, str) and kind in _ENTRY_TYPES and "timestamp" in entry)


def header_id(entry: dict[str, Any]) -> str | None:
    """The session that a header opens."""
    found = entry.get("id") if entry.get("type") == "session" else None
    return found if isinstance(found, str) and found and "\0" not in found else None


def session_of(parent: Any) -> str | None:
    """The session whose transcript lies at a path, as a header names the one it was copied from."""
    if not isinstance(parent, str) or "\0" in parent:
        return None
    name = parent.replace("\\", "/").rpartition("/")[2]
    found = _NAME.fullmatch(name)
    stem = found["session"] if found else name
    uuid = _UUID.search(stem)
    return (uuid[0] if uuid else stem) or None


def _only(entries: Entries) -> Iterator[dict[str, Any] | Damaged]:
    return (entry for _, entry in entries)


def _archived_at(text: str | None) -> datetime | None:
    """When a file was archived, as its name says: epoch, or ISO with hyphens for colons."""
    if not text:
        return None
    day, t, time = text.partition("T")
    try:
        return read_time(int(text) if text.isdecimal() else f"{day}{t}{time.replace('-', ':')}").at
    except BadLine:
        return None


def _packed(file: Path, name: str) -> Entries:
    try:
        with opened_plain(file) as opened:
            if not os.fstat(opened.fileno()).st_size:
                yield 0, Damaged(name, 0, "empty file")
                return
            yield from _unpacked(opened, name)
    except OSError:
        yield 0, Damaged(name, 0, "unreadable file")


def _unpacked(opened: Any, name: str) -> Entries:
    """Lines of a compressed stream, one at a time: a bomb is a line too long."""
    number = 0
    try:
        with io.BufferedReader(pa.CompressedInputStream(opened, "zstd")) as stream:  # pyright: ignore[reportArgumentType]
            for number, raw in enumerate(iter(lambda: stream.readline(MAX_LINE_BYTES + 1), b""), 1):
                if len(raw) > MAX_LINE_BYTES:
                    yield number, Damaged(name, number, "line too long")
                    return
                if raw.strip():
                    yield number, _parsed(raw, name, number)
    except (OSError, pa.ArrowException):
        yield number + 1, Damaged(name, number + 1, "broken compression")


def _parsed(raw: bytes, name: str, number: int) -> dict[str, Any] | Damaged:
    try:
        return parse(raw)
    except BadLine as error:
        return Damaged(name, number, str(error), digest(raw.hex())[:16])


class Events:
    """The transcripts of one agent's database: its rows by session, eight bytes a row."""

    def __init__(self, con: sqlite3.Connection) -> None:
        self.con, self.name = con, f"{getattr(con, 'name', '')}/{_EVENTS}"
        self.numbers: dict[str, array[int]] = {}
        self.damaged: list[Damaged] = []
        there = columns(con, _EVENTS)
        self.wanted = ", ".join(name if name in there else "NULL" for name in ("event_json", "event_zstd"))
        for number, row in rows(con, _EVENTS, ("session_id", "seq"), ("session_id", "seq")):
            if isinstance(row, Damaged):
                self.damaged.append(row)
            elif isinstance(row["session_id"], str):
                self.numbers.setdefault(row["session_id"], array("q")).append(number)

    def copies(self) -> Iterator[Copy]:
        """Every session's entries, and what has been archived inside the database."""
        leaves = self._leaves()
        for session in self.numbers:
            yield Copy(self.name, session, 3, lambda s=session: self._read(s), leaf_id=leaves.get(session))
        for table in _ARCHIVES:
            for number, row in rows(self.con, table, ("session_id", "reason", "created_at")):
                if isinstance(row, dict) and isinstance(row["session_id"], str):
                    yield self._archive(table, number, row)

    def _archive(self, table: str, number: int, row: dict[str, Any]) -> Copy:
        name = f"{getattr(self.con, 'name', '')}/{table}"
        is_deleted = row["reason"] == "deleted"
        at = _archived_at(str(row["created_at"])) if is_deleted else None
        return Copy(name, row["session_id"], 1, lambda: self._blob(table, number, name), is_deleted, at)

    def _leaves(self) -> dict[str, str]:
        """Where each session stands now, for those whose index is not behind."""
        wanted = ("session_id", "leaf_event_id", "needs_rebuild")
        found = (row for _, row in rows(self.con, "session_transcript_index_state", wanted) if isinstance(row, dict))
        return {r["session_id"]: r["leaf_event_id"] for r in found if r["leaf_event_id"] and not r["needs_rebuild"]}

    def _read(self, session: str) -> Entries:
        for number in self.numbers[session]:
            yield number, self._event(number)

    def _event(self, number: int) -> dict[str, Any] | Damaged:
        try:
            query = f"SELECT {self.wanted} FROM {_EVENTS} WHERE rowid = ?"
            text, packed = self.con.execute(query, (number,)).fetchone() or (None, None)
        except sqlite3.Error as error:
            return Damaged(self.name, number, "row too long" if isinstance(error, sqlite3.DataError) else "damaged row")
        if not text and isinstance(packed, bytes):
            found = next(_only(_unpacked(io.BytesIO(packed), self.name)), None)
            return found if isinstance(found, dict) else Damaged(self.name, number, "broken compression")
        if not isinstance(text, (str, bytes)):
            return Damaged(self.name, number, "no content")
        return _parsed(text if isinstance(text, bytes) else text.encode(), self.name, number)

    def _blob(self, table: str, number: int, name: str) -> Entries:
        try:
            found = self.con.execute(f"SELECT archive_blob FROM {table} WHERE rowid = ?", (number,)).fetchone()
        except sqlite3.Error:
            found = None
        if not found or not isinstance(found[0], bytes):
            yield number, Damaged(name, number, "damaged row")
        elif found[0].startswith(_ZSTD):
            yield from _unpacked(io.BytesIO(found[0]), f"{name}:{number}")
        else:
            for line, raw in enumerate(found[0].splitlines(), 1):
                if raw.strip():
                    yield line, _parsed(raw, f"{name}:{number}", line)
