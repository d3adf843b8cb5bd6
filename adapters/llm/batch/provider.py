"""What a provider of batches is asked, one request at a time; whoever polls and insists is `wait`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from adapters.llm.batch.between import Written
from adapters.llm.batch.notes import Note

# Providers' clocks and ours differ by less.
SKEW_SECONDS = 300.0
# How far back a batch is looked for.
PAGE, MOST_PAGES = 100, 50
_ID = re.compile(r"[\w.:-]{1,200}")


class NotSent(Exception):
    """It is certain that no batch was created."""


class NotOurs(ValueError):
    """The server gave what is no id."""


@dataclass(frozen=True)
class Look:
    """How a batch stands: whether the provider is done with it, in its own word, and the files that hold what came of it."""

    is_ended: bool
    word: str
    files: tuple[str, ...] = ()
    input_file: str = ""


@dataclass(frozen=True)
class Result:
    """What came of one request: its answer's body, or why there is none."""

    body: Any = None
    reason: str = ""


class Provider(Protocol):
    """Batches of one provider. Every method may raise what its client raises."""

    def create(self, note: Note, requests: Mapping[str, Written]) -> str:
        """Submit the requests, by slot, and return the batch's id. Raises NotSent."""
        ...

    def find(self, note: Note) -> str | None:
        """The id of the batch that was submitted under this note; None if the provider knows none."""
        ...

    def look(self, batch_id: str) -> Look:
        """How it stands."""
        ...

    def lines(self, batch_id: str, look: Look) -> list[str]:
        """What came of it, a line a request, in any order."""
        ...

    def result(self, row: dict[str, Any]) -> Result:
        """What a line says."""
        ...

    def cancel(self, batch_id: str) -> None:
        """Ask for no more answers."""
        ...

    def clear(self, batch_id: str, look: Look) -> None:
        """Take the texts away from the provider, as far as it lets one."""
        ...


def rows(lines: Sequence[str]) -> Iterator[dict[str, Any] | None]:
    """The lines' objects; None for half a line, or for one that is none."""
    for line in filter(None, map(str.strip, lines)):
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        yield row if isinstance(row, dict) else None


def plain_id(text: Any) -> str:
    """An id as a part of an address. Raises NotOurs where it could be more than that."""
    if not isinstance(text, str) or not _ID.fullmatch(text) or ".." in text:
        raise NotOurs("the server gave an id that is none")
    return text
