"""Claude Code: a file of JSON lines a session under `projects/<folder>/`, sub-agents beside it, and the project's memory folder.

A line is a message, known by its uuid in the session whose file it was written to. Resumed, forked and backgrounded sessions begin with
copies of another session's lines: a copy has its original's ids, as far as it names the session it comes from or the original's file is
still there (`index`), so it adds nothing. Times are UTC by the machine's clock, so they state no offset.

Belongs here: which files there are, and the walk over them. Does not belong here: what a line says (`words`), which lines stand
(`index`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from adapters.sources.claude_code.index import Index
from adapters.sources.claude_code.words import Said, said
from adapters.sources.elements import sound
from adapters.sources.folder import file_name, find_files, printable, sampled
from adapters.sources.lines import objects
from adapters.sources.notes import Importer, markdown_entries, whole_text
from adapters.sources.ours import written_into
from adapters.sources.protocol import BadLine, Damaged, Item, RawMessage, read_time
from models.ids import digest
from slowwave.errors import SourceError

__all__ = ["looks_like", "read"]

SUFFIXES = (".jsonl",)
PLATFORM = "claude_code"
# What was typed at the prompt, over all projects, without the sessions: its lines are in the sessions too.
_HISTORY = "history.jsonl"
_MEMORY = "memory"
_N_LINES, _N_FILES = 20, 40


def looks_like(path: Path) -> bool:
    """Whether the first lines of a few files are Claude Code's."""
    try:
        for file in sampled(_transcripts(path), _N_FILES):
            for _, line in islice(objects(path, file), _N_LINES):
                if isinstance(line, dict) and ("parentUuid" in line or {"summary", "leafUuid"} <= line.keys()):
                    return True
    except SourceError:
        return False
    return False


def read(path: Path) -> Iterator[Item]:
    """Every message of every session, side chains, copies and undone branches included, then memories. Raises SourceError."""
    folders: dict[Path, list[Path]] = {}
    for file in _transcripts(path):
        folders.setdefault(_folder(file), []).append(file)
    notes = _notes(path, folders)
    for folder in sorted({*folders, *notes}):
        index = Index(path, folder, folders.get(folder, []))
        for file in folders.get(folder, []):
            yield from _session(path, file, index)
        for file in notes.get(folder, []):
            yield from _memory(path, file, folder, index.project)


def _transcripts(path: Path) -> list[Path]:
    return [file for file in find_files(path, SUFFIXES) if file == path or file.name != _HISTORY]


def _folder(file: Path) -> Path:
    """The project's folder: sub-agents lie two folders below it, in `<session>/subagents/`."""
    folder = file.absolute().parent
    return folder.parent.parent if folder.name == "subagents" else folder


def _notes(path: Path, folders: Iterable[Path]) -> dict[Path, list[Path]]:
    """The memory files of each project's folder."""
    root, known = path.absolute(), frozenset(folders)
    found: dict[Path, list[Path]] = {}
    for file in find_files(path, (".md",)) if path.is_dir() else []:
        for memory in file.absolute().parents:
            folder = memory.parent
            is_ours = memory == root or folder in known or folder.parent.name == "projects"
            if memory.name == _MEMORY and memory.is_relative_to(root) and is_ours:
                found.setdefault(folder, []).append(file)
                break
    return found


def _session(path: Path, file: Path, index: Index) -> Iterator[Item]:
    name, tools = file_name(path, file), dict[str, str]()
    for number, line in objects(path, file):
        if isinstance(line, Damaged):
            yield line
            continue
        try:
            for part in said(line, tools):
                yield _message(line, part, f"{name}:{number}", number, file, index)
        except BadLine as error:
            yield Damaged(name, number, str(error), digest(line)[:16])


def _message(line: dict[str, Any], part: Said, place: str, number: int, file: Path, index: Index) -> RawMessage:
    when = read_time(line.get("timestamp"))
    session, message = index.identity(line, file)
    # A line without an id is known by what was said and when: its place moves when a file is written again.
    message = message or digest(part.role, part.text, line.get("timestamp"))[:16]
    return sound(
        RawMessage(
            place=place,
            platform=PLATFORM,
            session_id=printable(session),
            message_id=f"{message}{part.suffix}",
            seq=number,
            role=part.role,
            text=part.text,
            speaker=part.role,
            said_at=when.at,
            offset_minutes=when.offset_minutes or None,
            time_source="message" if when.at else "none",
            project=index.project_of(line),
            tool_name=part.tool_name,
            mark=part.mark or index.mark(line, file),
        )
    )


def _memory(path: Path, file: Path, folder: Path, project: str | None) -> Iterator[Item]:
    name = file_name(path, file)
    text = whole_text(path, file, name)
    if isinstance(text, Damaged):
        yield text
        return
    importer = Importer(PLATFORM, f"{folder.name}/{file.absolute().relative_to(folder).as_posix()}", name)
    for entry in markdown_entries(text, written=written_into(file)):
        made = importer.message(entry)
        made.project = project
        yield made
