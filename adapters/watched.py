"""Reads the files that guards watch: whole, as text, within bounds, and nothing outside the folders that were named.

What can't be read is a file with a fault, and the others are read. Nothing here writes. Belongs here: files and their formats. Does not
belong here: what they should say (`expectations.guards`).
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from adapters.sources.folder import file_name, leads_out, opened_plain, printable
from models.guarding import GuardRules, WatchedFile, is_named

# Programs and version control hold files by the thousand, and nothing that an agent remembers.
_PROGRAMS = frozenset({"node_modules", "site-packages", ".git", ".venv", "venv"})
_LINK = "a link out of the folder, which is not followed"
_MAX_YAML_NODES = 100_000
# A string, or what is no part of JSON proper: a comment, a comma before the end, a tab. What is never closed goes on to the end, so that
# no text is looked through twice.
_JSON5 = re.compile(r'"(?:\\.|[^"\\])*+(?:"|\\?\Z)|//[^\n]*|/\*.*?(?:\*/|\Z)|,(?=\s*[\]}])|\t', re.DOTALL)


def read_watched(rules: GuardRules, home: Path) -> list[WatchedFile]:
    """Every file that the rules name, by folder and path; `home` is where relative folders count from. Raises nothing."""
    found: list[WatchedFile] = []
    for folder, label in _labelled(rules.folders, home):
        for file in _files(folder, label, rules):
            if len(found) >= rules.max_files:
                found.append(_faulty(label, ".", f"more than {rules.max_files} files; the rest is not looked at"))
                return found
            found.append(file)
    return found


def _labelled(folders: tuple[str, ...], home: Path) -> Iterator[tuple[Path, str]]:
    """The folders, each with a name to call it by: its own, numbered where another is called so too."""
    n_of: Counter[str] = Counter()
    for folder in folders:
        path = home / Path(folder).expanduser()
        name = printable(path.resolve().name) or "root"
        n_of[name] += 1
        yield path, name if n_of[name] == 1 else f"{name}#{n_of[name]}"


def _files(root: Path, label: str, rules: GuardRules) -> Iterator[WatchedFile]:
    if not os.path.isdir(root):
        yield _faulty(label, ".", "the folder is not there")
        return
    closed: list[OSError] = []
    for folder, folders, names in os.walk(root, onerror=closed.append):
        folders[:] = sorted(name for name in folders if name not in _PROGRAMS)
        for name in folders:
            if leads_out(link := Path(folder) / name, root):
                yield _faulty(label, file_name(root, link), _LINK)
        for name in sorted(names):
            file = Path(folder) / name
            path = file.relative_to(root).as_posix()
            if any(is_named(path, pattern) for pattern in rules.watched):
                yield _read(root, label, file, rules)
    for error in closed:
        yield _faulty(label, file_name(root, Path(str(error.filename))), "the folder can't be opened")


def _faulty(label: str, path: str, fault: str) -> WatchedFile:
    return WatchedFile(f"{label}/{path}", path, fault=fault)


def _read(root: Path, label: str, file: Path, rules: GuardRules) -> WatchedFile:
    path = file_name(root, file)
    if leads_out(file, root):
        return _faulty(label, path, _LINK)
    try:
        with opened_plain(file) as opened:
            content = opened.read(rules.max_file_bytes + 1)
    except OSError as error:
        return _faulty(label, path, (error.strerror or "unreadable").lower())
    if len(content) > rules.max_file_bytes:
        return _faulty(label, path, f"larger than {rules.max_file_bytes} bytes")
    return _decoded(f"{label}/{path}", printable(file.relative_to(root).as_posix()), content, rules)


def _decoded(name: str, path: str, content: bytes, rules: GuardRules) -> WatchedFile:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return WatchedFile(name, path, n_bytes=len(content), fault="no UTF-8 text")
    if "\0" in text:
        return WatchedFile(name, path, n_bytes=len(content), fault="not a text")
    if not any(is_named(path, pattern) for pattern in rules.parsed):
        return WatchedFile(name, path, text, len(content))
    data, fault = parsed(path, text)
    return WatchedFile(name, path, text, len(content), data, fault)


def parsed(path: str, text: str) -> tuple[Any, str]:
    """What a TOML, JSON or YAML file holds, by the end of its name, and why it holds nothing, if so."""
    parse = _PARSERS.get(path.rpartition(".")[2].lower())
    if parse is None:
        return None, "neither TOML, JSON nor YAML by its name"
    try:
        return parse(text), ""
    except (ValueError, RecursionError, OverflowError, TypeError, AttributeError, LookupError) as error:
        # Where it is broken helps; what stands there may be a secret.
        line = getattr(error, "lineno", None)
        return None, "broken" + (f" at line {line}" if line else "")


def _toml(text: str) -> Any:
    return tomllib.loads(text)


def _json(text: str) -> Any:
    """JSON; or what agents' own settings are written in: JSON with comments, final commas and bare keys, which YAML reads."""
    try:
        return json.loads(text)
    except ValueError:
        plain = _JSON5.sub(lambda found: found[0] if found[0].startswith('"') else " ", text).strip()
        # Any words are YAML: only what is meant as an object or a list is read so.
        if plain[:1] in ("{", "["):
            with suppress(ValueError):
                return _yaml(plain)
        raise


def _yaml(text: str) -> Any:
    """A safe subset: no objects, and no more nodes than a bound, aliases counted as what they stand for. Raises ValueError."""
    import yaml

    class Bounded(yaml.SafeLoader):
        n_nodes = 0

        def compose_node(self, parent: Any, index: Any) -> Any:
            event, before = self.peek_event(), self.n_nodes
            is_alias = isinstance(event, yaml.AliasEvent)
            self.n_nodes += sizes.get(event.anchor, 1) if is_alias else 1
            if self.n_nodes > _MAX_YAML_NODES:
                raise ValueError("too many nodes")
            node = super().compose_node(parent, index)
            if not is_alias and event.anchor:
                sizes[event.anchor] = self.n_nodes - before
            return node

    sizes: dict[str, int] = {}
    try:
        return yaml.load(text, Bounded)
    except yaml.YAMLError as error:
        raise ValueError("no YAML") from error


_PARSERS: dict[str, Callable[[str], Any]] = {
    "toml": _toml,
    **dict.fromkeys(("json", "json5", "jsonc"), _json),
    **dict.fromkeys(("yaml", "yml"), _yaml),
}
