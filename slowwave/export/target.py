"""What an export writes, before anything is read or written: files by name, what goes into each, and how much of it may.

Belongs here: the nouns of an export. Does not belong here: any platform's layout, and what already stands in a file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from slowwave.export.known import Known
from slowwave.fit import NOTHING, Budget, Cost


class Line(NamedTuple):
    """A line of ours (or an entry, which may have several), and the memory it says; no id for headings."""

    text: str
    memory_id: str = ""


class Made(NamedTuple):
    """The lines for a file, and the memories that had a claim to be in it and did not fit."""

    lines: list[Line]
    omitted_ids: Sequence[str] = ()


@dataclass(frozen=True)
class Room:
    """What is left in a file: its cap, what is spent of it, and whether a line may be written (nobody took it out or has it)."""

    budget: Budget
    used: Cost = NOTHING
    is_free: Callable[[str], bool] = lambda _: True


class Form(StrEnum):
    """How what is ours is told from the rest of a file."""

    REGION = "region"
    ENTRIES = "entries"
    WHOLE = "whole"


@dataclass(frozen=True)
class Target:
    """A file to write: its name below the folder, with slashes; its cap holds for the whole file, others' text included."""

    name: str
    make: Callable[[Room], Made]
    form: Form = Form.REGION
    cap: Budget = field(default_factory=Budget)
    is_first: bool = False
    is_locked: bool = False


@dataclass(frozen=True)
class Merged:
    """A file as it should be: its text (None: it should not be there), what is ours in it, and what was left as it was found.

    `kept` are lines that others wrote among ours; `held_ids` the memories whose lines they took out or changed.
    """

    text: str | None
    known: Known = field(default_factory=Known)
    memory_ids: list[str] = field(default_factory=list[str])
    omitted_ids: Sequence[str] = ()
    kept: Sequence[str] = ()
    held_ids: Sequence[str] = ()
    why: str = ""
