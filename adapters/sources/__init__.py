"""What platforms wrote, read one item at a time. A source is a kind and a path; a kind is one file or package here.

Belongs here: the list of kinds, and reading `KIND=PATH`. Does not belong here: redaction and storing (`capture`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Never

from adapters.sources import (
    chatgpt,
    claude_ai,
    claude_code,
    hermes,
    jsonl,
    locomo,
    openai_jsonl,
    openclaw,
    openloomi,
    seraph,
)
from adapters.sources.folder import opened_plain, printable, unread
from adapters.sources.lines import source_error
from adapters.sources.mixed import own
from adapters.sources.protocol import Damaged, Gone, Item, RawMessage, RawSignal, Read
from adapters.sources.unrecognised import reasons
from slowwave.errors import SourceError, UsageError

__all__ = [
    "KINDS",
    "Damaged",
    "Gone",
    "Item",
    "Kind",
    "RawMessage",
    "RawSignal",
    "Source",
    "is_there",
    "kinds_of",
    "parse_source",
    "refuse_unknown",
]


class Kind(NamedTuple):
    """How a platform's log is read, and how it is told from others by a look at a few of its lines or tables."""

    read: Read
    looks_like: Callable[[Path], bool]


# In the order in which they are tried: what only one platform writes before what many write.
KINDS: dict[str, Kind] = {
    name: Kind(module.read, module.looks_like)
    for name, module in {
        "seraph": seraph,
        "hermes": hermes,
        "openloomi": openloomi,
        "openclaw": openclaw,
        "claude_code": claude_code,
        "chatgpt": chatgpt,
        "claude_ai": claude_ai,
        "locomo": locomo,
        "openai_jsonl": openai_jsonl,
        "jsonl": jsonl,
    }.items()
}


_LOOKS = {name: kind.looks_like for name, kind in KINDS.items()}
# The kind of what nobody has recognised yet.
UNKNOWN = "auto"
_HINT = f"Mend or replace the file, or name its kind: --source KIND=PATH with {', '.join(sorted(KINDS))}"
_MOST_TOLD = 5


@dataclass(frozen=True)
class Source:
    """One place to read from, and how."""

    kind: str
    path: Path

    def read(self) -> Iterator[Item]:
        """Its items, one at a time, in the order of the platform, then what of a folder no platform reads.

        Raises SourceError where nothing can be read.
        """
        _require_open(self.path)
        if self.kind == UNKNOWN:
            refuse_unknown(self.path)
        try:
            read = KINDS[self.kind].read(self.path)
            yield from own(read, self.kind, self.path, _LOOKS) if os.path.isdir(self.path) else read
            yield from unread(self.path)
        except OSError as error:
            # What was there when it was listed may be gone when it is looked at.
            raise source_error(self.path, f"cannot be read: {error.strerror or error}") from error


def parse_source(text: str) -> Source:
    """The source that `KIND=PATH` names; `auto=PATH` recognises the kind, or says why not when it is read.

    Raises UsageError, and SourceError where it lies among those of other platforms.
    """
    kind, equals, place = text.partition("=")
    path = Path(place).expanduser()
    if not equals or kind not in {*KINDS, UNKNOWN}:
        raise UsageError(
            f"{kind or text!r} is not a kind of source",
            f"Write KIND=PATH with one of the kinds: auto, {', '.join(sorted(KINDS))}",
        )
    if not place or not is_there(path):
        raise UsageError(f"there is nothing at {place or 'an empty path'}", f"Check the path: --source {kind}=PATH")
    if kind == UNKNOWN and (found := kinds_of(path)):
        kind = _only(path, found)
    return Source(kind, path)


def is_there(path: Path) -> bool:
    """Whether anything lies at a path, closed or broken as it may be; what lies under a closed folder is said when it is read."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True
    return True


def kinds_of(path: Path) -> list[str]:
    """The kinds that a file or folder looks like, the surest first; a folder may hold the logs of several."""
    return [name for name, kind in KINDS.items() if kind.looks_like(path)] if _is_open(path) else []


def refuse_unknown(path: Path) -> Never:
    """Raises SourceError for a path where nothing is recognised: each file that can't be read, with why."""
    _require_open(path)
    found, shown = reasons(path), printable(str(path))
    if not found:
        raise SourceError(f"what lies at {shown} is not recognised", _HINT)
    if not path.is_dir():
        raise SourceError(f"{shown} can't be read: {_joined(found.values())}", _HINT)
    raise SourceError(
        f"nothing at {shown} can be read: {_joined(f'{file} ({why})' for file, why in sorted(found.items()))}", _HINT
    )


def _joined(parts: Iterable[str]) -> str:
    every = list(parts)
    return ", ".join(every[:_MOST_TOLD]) + (f" and {len(every) - _MOST_TOLD} more" if len(every) > _MOST_TOLD else "")


def _require_open(path: Path) -> None:
    try:
        if os.path.isdir(path):
            os.scandir(path).close()
        else:
            opened_plain(path).close()
    except OSError as error:
        raise source_error(path, f"cannot be read: {error.strerror or error}") from error


def _is_open(path: Path) -> bool:
    try:
        _require_open(path)
    except SourceError:
        return False
    return True


def _only(path: Path, found: list[str]) -> str:
    if len(found) == 1:
        return found[0]
    raise SourceError(
        f"{path} holds the logs of several platforms: {', '.join(found)}",
        f"Name each: {' '.join(f'--source {kind}={path}' for kind in found)}",
    )
