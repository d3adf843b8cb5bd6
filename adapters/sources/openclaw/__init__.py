"""OpenClaw: sessions as JSON lines with their index, the per-agent database that came after, and the agent's memory files.

Belongs here: which files there are. Does not belong here: what they mean (`sessions`, `memory`). Both generations may lie side by side.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from adapters.sources.database import has_tables, may_have_tables, missing, opened, refused, tables
from adapters.sources.folder import file_name, find_files, sampled
from adapters.sources.lines import source_error
from adapters.sources.openclaw.facts import Book, Facts, learn_index, learn_tables
from adapters.sources.openclaw.memory import Origins, is_memory, learn_origins, read_memory
from adapters.sources.openclaw.messages import PLATFORM
from adapters.sources.openclaw.sessions import read_sessions
from adapters.sources.openclaw.transcripts import Copy, Events, file_copy, is_transcript
from adapters.sources.protocol import Item
from slowwave.errors import SourceError

__all__ = ["PLATFORM", "looks_like", "read"]

_INDEX = "sessions.json"
_AGENT_DATABASE = "openclaw-agent.sqlite"
_DATABASES = (".sqlite", ".db")
_TABLE, _SESSIONS = "transcript_events", "session_nodes"
# Archives end in their time: digits, or the Z of UTC.
_TRANSCRIPTS = (".jsonl", ".zst", "z", *"0123456789")
_SUFFIXES = (_INDEX, *_DATABASES, ".md", *_TRANSCRIPTS)
# Folders of programs and of version control hold nobody's memory, and are large.
_SKIPPED = frozenset({"node_modules", "skills", "extensions", ".git", ".dreams", "dreaming"})
_N_FILES = 50
# What only this platform lays into a workspace; never read, since it instructs the agent.
_BOOT_FILES = ("HEARTBEAT.md", "IDENTITY.md")


def looks_like(path: Path) -> bool:
    """Whether a file is a session of OpenClaw's or its database, or a folder holds one, or is a workspace with memories."""
    files = _files(path)
    candidates = sampled([file for file in files if file.name.endswith((*_DATABASES, ".jsonl"))], _N_FILES)
    if any(_is_database(file) or (file.suffix == ".jsonl" and _is_transcript(path, file)) for file in candidates):
        return True
    return any(os.path.isfile(path / name) for name in _BOOT_FILES) and any(is_memory(path, file) for file in files)


def read(path: Path) -> Iterator[Item]:
    """Every message and memory below a state folder, a workspace, or in one file. Raises SourceError where `path` is unreadable."""
    files = _files(path)
    with ExitStack() as stack:
        reading = _Reading(path, stack)
        for file in files:
            yield from reading.gather(file)
        yield from read_sessions(reading.copies, reading.book)
        for file in files:
            if is_memory(path, file):
                yield from read_memory(path, file, file_name(path, file), reading.origins)


class _Reading:
    """What one reading has found so far; databases stay open until their sessions have been read."""

    def __init__(self, root: Path, stack: ExitStack) -> None:
        self.root, self.stack = root, stack
        self.book: Book = Book(Facts)
        self.copies: list[Copy] = []
        self.origins: Origins = Origins(list)

    def gather(self, file: Path) -> Iterator[Item]:
        """Find out what a file is, and learn what it says about sessions."""
        name = file_name(self.root, file)
        if file.name == _INDEX:
            yield from learn_index(self.root, file, name, self.book)
        elif file.name == _AGENT_DATABASE or (file.name.endswith(_DATABASES) and may_have_tables(file, _TABLE)):
            yield from self._database(file, name)
        elif copy := self._copy(file, name):
            self.copies.append(copy)
        elif file == self.root and not is_memory(file, file) and file.stat().st_size:
            raise source_error(file, "is no session, no database and no memory of OpenClaw's")
        if file == self.root and os.path.isfile(index := file.parent / _INDEX):
            yield from learn_index(self.root, index, _INDEX, self.book)

    def _copy(self, file: Path, name: str) -> Copy | None:
        return file_copy(self.root, file, name) if ".jsonl" in file.name else None

    def _database(self, file: Path, name: str) -> Iterator[Item]:
        try:
            con = self.stack.enter_context(opened(file, name))
        except SourceError as error:
            if file == self.root:
                raise
            yield refused(name, error)
            return
        # A database may be of memory files alone.
        yield from missing(con, _TABLE) if _SESSIONS in tables(con) else ()
        yield from learn_tables(con, self.book)
        yield from learn_origins(con, self.origins)
        events = Events(con)
        yield from events.damaged
        self.copies += events.copies()


def _files(path: Path) -> list[Path]:
    found = find_files(path, _SUFFIXES)
    return [file for file in found if file == path or not _SKIPPED & set(file.relative_to(path).parts[:-1])]


def _is_database(file: Path) -> bool:
    return file.name.endswith(_DATABASES) and has_tables(file, _TABLE)


def _is_transcript(root: Path, file: Path) -> bool:
    try:
        return is_transcript(root, file)
    except SourceError:
        return False
