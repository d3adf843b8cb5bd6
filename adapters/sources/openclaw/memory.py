"""OpenClaw's memory files: MEMORY.md and its tiers, daily notes, topics, DECISIONS.md, ERRORS.md, and the vault of its wiki.

Belongs here: which files are memory, and how each is cut into entries. Does not belong here: Markdown as such (`notes`).
The session of an entry is its file's name from the workspace on, so that it is the same wherever reading began and says what kind
of note it is: `memory/2026-04-02.md` is raw, `DECISIONS.md` is kept with care. Boot files that instruct the agent are no memory.
Pages under `sources` of the wiki are other people's text.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from adapters.sources.database import rows
from adapters.sources.notes import Entry, Importer, markdown_entries, whole_text
from adapters.sources.openclaw.messages import PLATFORM
from adapters.sources.ours import written_into
from adapters.sources.protocol import Damaged, Item, Origin

_FILES = frozenset({"MEMORY.md", "MEMORY-L0.md", "USER.md", "DECISIONS.md", "ERRORS.md"})
_BY_SECTION = frozenset({"DECISIONS.md", "ERRORS.md"})
_FOLDER = "memory"
_VAULT = frozenset({"entities", "concepts", "syntheses", "sources"})
_N_VAULT_FOLDERS = 2
_FRONT = re.compile(r"\A---[ \t]*\n(.*?\n)---[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"([ \t]*)(- +)?([A-Za-z]\w*):[ \t]*(.*)")
# Claims that the wiki itself no longer holds.
_FALLEN = frozenset({"refuted", "superseded", "contradicted", "retracted", "rejected"})


# What was written down as it happened, and where the owner's decisions are kept.
_RAW = re.compile(r"memory/(?:[^/]+/)*\d{4}-\d{2}-\d{2}[^/]*\.md|(?:.*/)?ERRORS\.md")
_DECIDED = "DECISIONS.md"
# What the index says about where a stretch of memory came from, where that is the owner, or nobody to rely on.
_OWNERS = "owner"
_DOUBTFUL = {"untrusted": "third_party", "system": "system"}
Origins = defaultdict[str, list[tuple[str, str]]]


class Claim(NamedTuple):
    """One claim of a page's front matter, and the line it starts on."""

    line: int
    text: str
    status: str


def is_memory(root: Path, file: Path) -> bool:
    """Whether a file holds memories of the agent's."""
    return file.suffix == ".md" and _session(root, file) is not None


def learn_origins(con: sqlite3.Connection, origins: Origins) -> Iterator[Item]:
    """Learn which stretches of which memory files an agent's index holds to be the owner's, or of doubtful origin."""
    known: dict[Any, str] = {}
    for _, row in rows(con, "memory_index_chunk_provenance", ("chunk_id", "origin_class")):
        if isinstance(row, Damaged):
            yield row
        elif row["origin_class"] in (_OWNERS, *_DOUBTFUL):
            known[row["chunk_id"]] = row["origin_class"]
    for _, row in rows(con, "memory_index_chunks", ("id", "path", "text")) if known else ():
        if isinstance(row, Damaged):
            yield row
        elif row["id"] in known and isinstance(row["path"], str) and isinstance(row["text"], str):
            origins[row["path"]].append((row["text"], known[row["id"]]))


def read_memory(root: Path, file: Path, name: str, origins: Origins) -> Iterator[Item]:
    """A memory file's entries, imported or less. Raises SourceError where `root` itself can't be read."""
    text = whole_text(root, file, name)
    if isinstance(text, Damaged):
        yield text
        return
    session = _session(root, file) or file.name
    importer = Importer(PLATFORM, session, name, _origin(session))
    usual = "third_party" if session.startswith("wiki/sources/") else "imported"
    front = _FRONT.match(text)
    body, n_lines = (text[front.end() :], front.group().count("\n")) if front else (text, 0)
    for claim in _claims(front[1]) if front else ():
        mark = "rewound" if claim.status in _FALLEN else None
        yield importer.message(Entry(claim.line + 1, None, claim.text), trust=usual, mark=mark)
    for entry in markdown_entries(body, by_section=file.name in _BY_SECTION, written=written_into(file)):
        found = next((origin for chunk, origin in origins.get(session, ()) if entry.text in chunk), None)
        made = importer.message(entry._replace(line=entry.line + n_lines), trust=_DOUBTFUL.get(found or "", usual))
        made.origin = Origin.OWNER_CURATED if found == _OWNERS else made.origin
        yield made


def _origin(session: str) -> Origin:
    """Who vouches for a file, where no index says so of a stretch of it."""
    if _RAW.fullmatch(session):
        return Origin.RAW_NOTES
    return Origin.OWNER_CURATED if session.endswith(_DECIDED) else Origin.AGENT_CURATED


def _session(root: Path, file: Path) -> str | None:
    """A memory file's name from its workspace on; None where it is none."""
    parts = (*_below_memory(root if root.is_dir() else root.parent), *_below(root, file))
    if _FOLDER in parts[:-1]:
        return "/".join(parts[parts.index(_FOLDER) :])
    if file.parent.name in _VAULT and _is_vault(file.parent.parent):
        return f"wiki/{file.parent.name}/{file.name}"
    return file.name if file.name in _FILES else None


def _below(root: Path, file: Path) -> tuple[str, ...]:
    return file.relative_to(root).parts if file != root else (file.name,)


def _below_memory(folder: Path) -> tuple[str, ...]:
    """How reading began inside a memory folder, if it did."""
    parts = folder.absolute().parts
    return parts[-2:] if parts[-2:] == (_FOLDER, "topics") else (parts[-1:] if parts[-1:] == (_FOLDER,) else ())


def _is_vault(folder: Path) -> bool:
    return sum(os.path.isdir(folder / name) for name in _VAULT) >= _N_VAULT_FOLDERS


def _claims(front: str) -> Iterator[Claim]:
    """The claims in a page's front matter: each the first fields of an item of the list `claims`, whatever lies deeper left alone."""
    depth: int | None = None
    is_inside = False
    fields: dict[str, str] = {}
    start = 0
    for number, line in enumerate(front.split("\n"), 1):
        found = _FIELD.match(line)
        if found is None:
            continue
        indent = len(found[1]) + len(found[2] or "")
        if not found[1] and not found[2]:
            yield from _claim(start, fields)
            is_inside, depth, fields = found[3] == "claims", None, {}
        elif is_inside and found[2] and (depth is None or indent == depth):
            yield from _claim(start, fields)
            depth, fields, start = indent, {}, number
        if is_inside and indent == depth:
            fields.setdefault(found[3], _scalar(found[4]))
    yield from _claim(start, fields)


def _claim(start: int, fields: dict[str, str]) -> Iterator[Claim]:
    if text := fields.get("text", "").strip():
        yield Claim(start, text, fields.get("status", "").casefold())


def _scalar(text: str) -> str:
    """A plain or quoted scalar of one line."""
    text = text.strip()
    if text.startswith('"'):
        try:
            return str(json.loads(text))
        except ValueError:
            return text.strip('"')
    return text[1:-1].replace("''", "'") if len(text) > 1 and text[0] == text[-1] == "'" else text
