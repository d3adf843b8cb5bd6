"""Which session each line belongs to, and which lines an edit or a rewind replaced, over all files of one project's folder.

Belongs here: identity of copies, branches, the project's name. Does not belong here: what lines say (`words`).

A line was replaced if the person wrote another one later under the same parent, in the same session: it and all that followed it do not
stand. Reaching a line from the last one is no test: compaction cuts the chain, parents go missing, and old lines are written again.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any

from adapters.sources.claude_code.words import is_prompt
from adapters.sources.lines import objects
from adapters.sources.protocol import BadLine, Damaged, word
from slowwave.errors import SourceError

_NO_LETTERS = re.compile(r"[^A-Za-z0-9]")
_AGENT = "agent-"
# A copy can be copied again; no chain of honest copies is longer.
_MAX_COPIES = 100

Identity = tuple[str, str]


class Index:
    """What the lines of one project's folder say about each other. Files that can't be read are left to the reading itself."""

    def __init__(self, path: Path, folder: Path, files: Iterable[Path]) -> None:
        self.folder = folder
        self.project: str | None = None
        self.stems = {file.stem for file in files}
        self.origins: dict[Identity, Identity] = {}
        self.homes: dict[str, str] = {}
        self.ranks: dict[str, tuple[bool, str, str]] = {}
        self.parents: dict[str, str] = {}
        self.prompts: dict[str, tuple[str, int, str]] = {}
        self.replaced: set[str] = set()
        for file in files:
            self._take(path, file)
        self._replace()

    def identity(self, line: dict[str, Any], file: Path) -> Identity:
        """The session and the id of a line: its original's, where it is a copy. The id is empty where the line has none."""
        own = (_session(line, file), word(line.get("uuid")) or "")
        found = self._original((file.stem, own[1]), _stated(line, file) or own)
        if found[0] == own[0] or found[0] in self.stems:
            return self.homes.get(found[1], found[0]), found[1]
        return found

    def mark(self, line: dict[str, Any], file: Path) -> str | None:
        """`branch` where a later edit replaced the line; a sub-agent's file holds nothing that a person said."""
        if file.stem.startswith(_AGENT):
            return "subagent"
        return "branch" if self.identity(line, file)[1] in self.replaced else None

    def _original(self, place: Identity, found: Identity) -> Identity:
        for _ in range(_MAX_COPIES):
            nearer = self.origins.get(found)
            if nearer is None or nearer == found or found == place:
                break
            found = nearer
        return found

    def _take(self, path: Path, file: Path) -> None:
        ids: list[str] = []
        is_copied, ended = False, ""
        try:
            for number, line in objects(path, file):
                if isinstance(line, Damaged) or not isinstance(line.get("uuid"), str):
                    continue
                is_copied = is_copied or line.get("sessionKind") == "bg"
                ended = max(ended, _timestamp(line))
                self._place(line, file, number)
                if not _is_stated(line, file):
                    ids.append(line["uuid"])
        except SourceError:
            return
        session = file.stem
        self.ranks.setdefault(session, (is_copied, ended, session))
        for name in ids:
            self._claim(name, session)

    def _claim(self, name: str, session: str) -> None:
        """A line in two files is at home in the one that is no background copy, and, of those, in the one that ended first."""
        other = self.homes.get(name, session)
        self.homes[name] = min(other, session, key=lambda s: self.ranks[s])

    def _place(self, line: dict[str, Any], file: Path, number: int) -> None:
        name, parent = line["uuid"], line.get("parentUuid")
        self.project = self.project or self._project(line.get("cwd"))
        try:
            stated = _stated(line, file)
        except BadLine:
            return
        if stated and stated != (file.stem, name):
            self.origins[file.stem, name] = stated
            # A fork may have given its copies ids of its own.
            name = stated[1]
        if isinstance(parent, str):
            self.parents.setdefault(name, self.origins.get((file.stem, parent), ("", parent))[1])
        if name not in self.prompts and is_prompt(line):
            self.prompts[name] = (_timestamp(line), number, file.stem)

    def project_of(self, line: dict[str, Any]) -> str | None:
        """The folder's project, or the last name of the folder that the line was written in. Raises BadLine."""
        cwd = None if self.project else word(line.get("cwd"))
        return _whole(cwd).name or None if cwd else self.project

    def _project(self, cwd: Any) -> str | None:
        """The last name of the folder that the agent was started in, which the project's folder is named after."""
        if not isinstance(cwd, str) or not cwd:
            return None
        whole = _whole(cwd)
        wanted = _NO_LETTERS.sub("-", self.folder.name)
        for place in (whole, *whole.parents):
            if _NO_LETTERS.sub("-", str(place)) == wanted:
                return place.name or None
        return None

    def _replace(self) -> None:
        known = {*self.parents, *self.prompts, *self.homes}
        siblings: dict[tuple[str, str], list[str]] = defaultdict(list)
        for name, (_, _, stem) in self.prompts.items():
            parent = self.parents.get(name)
            if parent in known and parent is not None:
                siblings[parent, self._home(name, stem)].append(name)
        lost = [n for group in siblings.values() for n in sorted(group, key=lambda n: self.prompts[n][:2])[:-1]]
        self._replace_below(lost)

    def _home(self, name: str, stem: str) -> str:
        return self.homes.get(name) or self.origins.get((stem, name), (stem, name))[0]

    def _replace_below(self, lost: list[str]) -> None:
        children: dict[str, list[str]] = defaultdict(list)
        for name, parent in self.parents.items() if lost else ():
            children[parent].append(name)
        while lost:
            name = lost.pop()
            if name not in self.replaced:
                self.replaced.add(name)
                lost += children[name]


def _whole(cwd: str) -> PurePath:
    return PureWindowsPath(cwd) if "\\" in cwd else PurePosixPath(cwd)


def _session(line: dict[str, Any], file: Path) -> str:
    """A session is its file; a sub-agent's file belongs to the session that its lines name."""
    return (word(line.get("sessionId")) if file.stem.startswith(_AGENT) else None) or file.stem


def _stated(line: dict[str, Any], file: Path) -> Identity | None:
    """The session and id that a copy names as its original's. Raises BadLine."""
    forked, name = line.get("forkedFrom"), word(line.get("uuid")) or ""
    if isinstance(forked, dict) and (session := word(forked.get("sessionId"))):
        return session, word(forked.get("messageUuid")) or name
    session = word(line.get("sessionId"))
    return (session, name) if session and session != file.stem else None


def _is_stated(line: dict[str, Any], file: Path) -> bool:
    try:
        return _stated(line, file) is not None
    except BadLine:
        return True


def _timestamp(line: dict[str, Any]) -> str:
    value = line.get("timestamp")
    return value if isinstance(value, str) else ""
