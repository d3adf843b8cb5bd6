"""What platforms wrote, read one item at a time. A source is a kind and a path; a kind is one file here.

Belongs here: the list of kinds, and reading `KIND=PATH`. Does not belong here: redaction and storing (`capture`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from adapters.sources import jsonl, locomo, openai_jsonl
from adapters.sources.lines import find_files, objects
from adapters.sources.protocol import Damaged, Item, RawMessage, RawSignal, Read
from slowwave.errors import SourceError, UsageError

__all__ = ["KINDS", "Damaged", "Item", "RawMessage", "RawSignal", "Source", "guess_kind", "parse_source"]

KINDS: dict[str, Read] = {"jsonl": jsonl.read, "openai_jsonl": openai_jsonl.read, "locomo": locomo.read}
# How many lines of how many files are looked at to recognise a format.
_N_LINES, _N_FILES = 20, 5


@dataclass(frozen=True)
class Source:
    """One place to read from, and how."""

    kind: str
    path: Path

    def read(self) -> Iterator[Item]:
        """Its items, one at a time, in the order of the platform. Raises SourceError where nothing can be read."""
        return KINDS[self.kind](self.path)


def parse_source(text: str) -> Source:
    """The source that `KIND=PATH` names; `auto=PATH` recognises the kind. Raises UsageError, SourceError."""
    kind, equals, place = text.partition("=")
    path = Path(place).expanduser()
    if not equals or kind not in {*KINDS, "auto"}:
        raise UsageError(
            f"{kind or text!r} is not a kind of source",
            f"Write KIND=PATH with one of the kinds: auto, {', '.join(sorted(KINDS))}",
        )
    if not place or not path.exists():
        raise UsageError(f"there is nothing at {place or 'an empty path'}", f"Check the path: --source {kind}=PATH")
    return Source(guess_kind(path) if kind == "auto" else kind, path)


def guess_kind(path: Path) -> str:
    """The kind of a file or folder, from a few of its lines. Raises SourceError where none fits."""
    for file in find_files(path, locomo.SUFFIXES)[:_N_FILES]:
        if file.suffix == ".json" and _is_locomo(file):
            return "locomo"
    for file in find_files(path, jsonl.SUFFIXES)[:_N_FILES]:
        for _, line in islice(objects(path, file), _N_LINES):
            if isinstance(line, dict) and (kind := _kind_of(line)):
                return kind
    raise SourceError(
        f"what lies at {path} is not recognised", f"Name its kind: --source KIND=PATH with {', '.join(sorted(KINDS))}"
    )


def _is_locomo(file: Path) -> bool:
    try:
        return bool(locomo.load(file))
    except SourceError:
        return False


def _kind_of(line: dict[str, Any]) -> str | None:
    if isinstance(line.get("messages"), list) or isinstance(line.get("request"), dict):
        return "openai_jsonl"
    if "signal" in line or {"session_id", "created_at"} & set(line):
        return "jsonl"
    return "openai_jsonl" if "role" in line else None
