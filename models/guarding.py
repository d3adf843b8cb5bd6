"""What guards watch and by which rules: files as they were read, the invariants of the owner's configuration, budgets, jobs.

Belongs here: nouns. Does not belong here: reading files (`adapters.watched`) and judging them (`expectations.guards`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from models.rules import Rules

GuardName = Literal["budget", "staleness", "lessons", "enforcement", "repeats", "drift", "delivery"]
Scalar = bool | int | float | str
# The memory of an agent that keeps its tiers in files: the first tier is read in every session, the second at a session's start.
_KILOBYTE = 1024
_GLOB = re.compile(r"(\*\*/|\*\*|\*|\?)")
_AS_REGEX = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


class FileBudget(Rules):
    """How large the files of a tier may be, each by itself; 0: no bound."""

    files: tuple[str, ...] = Field(
        description="Which files: a name at any depth, or with a slash the path from the folder; `*`, `**`, `?`."
    )
    max_bytes: int = Field(default=0, ge=0, description="Most bytes of one file; 0: no bound.")
    max_tokens: int = Field(default=0, ge=0, description="Most tokens of one file; 0: no bound.")


class Invariant(Rules):
    """What a live configuration file must say: a fixed value, or what memory says."""

    file: str = Field(description="The TOML, JSON or YAML file, named as in a budget.")
    path: str | tuple[str, ...] = Field(
        description="The way to the value in it: keys with dots between, or a list where a key has a dot; a number counts into a list."
    )
    equals: Scalar | tuple[Scalar, ...] | None = Field(default=None, description="The value that it must have.")
    subject: str = Field(default="user", description="Of whom memory's slot speaks: `user`, `assistant` or a name.")
    attribute: str = Field(
        default="", description="The slot's attribute in memory, whose value it must have instead of a fixed one."
    )

    @model_validator(mode="after")
    def _has_one_source(self) -> Self:
        if (self.equals is None) == (not self.attribute):
            raise ValueError("an invariant has either equals or attribute")
        return self


class JobFile(Rules):
    """Where scheduled jobs are kept, and where each says to whom it delivers."""

    file: str = Field(description="The TOML, JSON or YAML file, named as in a budget.")
    jobs: str = Field(default="jobs", description="The way to the list or table of jobs in it; empty: the whole file.")
    handles: tuple[str, ...] = Field(
        default=("delivery.to",), description="The ways, in a job, to the handle it delivers to; one must be there."
    )
    exempt: tuple[str, ...] = Field(
        default=("enabled=false", "delivery.mode=none"),
        description="A job of which one of these holds needs no handle, because it delivers nothing.",
    )


class GuardRules(Rules):
    """What guards watch beside the published memory, and within what bounds. They change nothing of it."""

    folders: tuple[str, ...] = Field(
        default=(),
        description="Folders whose files are watched; a relative one counts from the store. None: memory alone.",
    )
    files: tuple[str, ...] = Field(
        default=("*.md",), description="Which of their files are looked through, beside those named below."
    )
    max_file_bytes: int = Field(default=1_048_576, ge=1, description="A larger file is not read, and reported.")
    max_files: int = Field(default=2000, ge=1, description="Most files that are read; more are reported.")
    daily: tuple[GuardName, ...] = Field(
        default=("budget", "staleness", "drift", "delivery"), description="The guards of `slowwave guard --daily`."
    )
    weekly: tuple[GuardName, ...] = Field(
        default=("budget", "staleness", "lessons", "enforcement", "repeats", "drift", "delivery"),
        description="The guards of `slowwave guard --weekly`.",
    )
    blocking: tuple[GuardName, ...] = Field(
        default=("budget", "drift", "delivery"),
        description="The guards whose findings end the command with status 3 and fail the deployment; others only report.",
    )
    keep_reports: int = Field(default=60, ge=1, description="How many reports are kept in the store, the newest.")
    max_prompt_tokens: int = Field(
        default=0, ge=0, description="Most tokens of all memories of the tier `prompt`; 0: no bound."
    )
    max_searchable_tokens: int = Field(
        default=0, ge=0, description="Most tokens of all memories of the tier `searchable`; 0: no bound."
    )
    max_archived_tokens: int = Field(
        default=0, ge=0, description="Most tokens of all memories of the tier `archived`; 0: no bound."
    )
    review_labels: tuple[str, ...] = Field(
        default=("Review-by", "Review by"), description="What stands before the date by which a line is to be reviewed."
    )
    action_labels: tuple[str, ...] = Field(
        default=("Todo", "Action", "Next step", "Due"),
        description="What a line of something to be done begins with; an open box `- [ ]` is one too.",
    )
    overdue_days: int = Field(
        default=7, ge=0, description="A promise in memory may be overdue for so many days before it counts as stale."
    )
    lesson_files: tuple[str, ...] = Field(
        default=("ERRORS.md", "DECISIONS.md"),
        description="Files of lessons: each needs `Enforcement:` and `Repeat-of:`.",
    )
    error_files: tuple[str, ...] = Field(
        default=("ERRORS.md",), description="Those of them whose lessons are errors, for the rate of repeated ones."
    )
    advisory: tuple[str, ...] = Field(
        default=("advisory", "none", "prompt", "reminder", "instruction", "note", "memory", "tbd"),
        description="An `Enforcement:` that begins with one of these words enforces nothing.",
    )
    max_repeat_rate: float = Field(
        default=0.3, ge=0, le=1, description="Most of a month's errors that may repeat an earlier one."
    )
    min_errors: int = Field(
        default=3, ge=1, description="A month with fewer errors is shown and not judged; nor is one before the last."
    )
    implicit_handles: tuple[str, ...] = Field(
        default=("last", "default", "auto", "current", "main"),
        description="What is no explicit handle: it means whoever spoke last, or some default.",
    )
    invariants: dict[str, Invariant] = Field(
        default={},
        description="What configuration files must say, each under a name of yours; docs/guards.md shows one.",
    )
    budgets: dict[str, FileBudget] = Field(
        default_factory=lambda: {
            "l0": FileBudget(files=("MEMORY-L0.md",), max_bytes=8 * _KILOBYTE),
            "l1": FileBudget(files=("MEMORY.md",), max_bytes=14 * _KILOBYTE),
        },
        description="Budgets of files, each under a name of yours.",
    )
    jobs: dict[str, JobFile] = Field(
        default_factory=lambda: {"openclaw": JobFile(file="cron/jobs.json", handles=("delivery.to", "payload.to"))},
        description="Files of scheduled jobs, each under a name of yours.",
    )

    @property
    def parsed(self) -> tuple[str, ...]:
        """The files of which values are looked up, by pattern."""
        return tuple({one.file: None for one in (*self.invariants.values(), *self.jobs.values())})

    @property
    def watched(self) -> tuple[str, ...]:
        """All files that are read, by pattern."""
        tiers = (pattern for budget in self.budgets.values() for pattern in budget.files)
        return tuple(dict.fromkeys((*self.files, *self.lesson_files, *self.error_files, *tiers, *self.parsed)))


@dataclass(frozen=True)
class WatchedFile:
    """A file as it was read: its text and, of one that values are looked up in, what it holds. `fault`: why it could not be."""

    name: str
    path: str
    text: str = ""
    n_bytes: int = 0
    data: Any = None
    fault: str = ""

    def is_of(self, patterns: tuple[str, ...]) -> bool:
        """Whether one of these patterns names it."""
        return any(is_named(self.path, pattern) for pattern in patterns)


def is_named(path: str, pattern: str) -> bool:
    """Whether a pattern names a path: without a slash by the file's name, at any depth; with one by the whole path."""
    subject = path if "/" in pattern else path.rpartition("/")[2]
    return _regex(pattern).fullmatch(subject) is not None


@lru_cache(maxsize=256)
def _regex(pattern: str) -> re.Pattern[str]:
    return re.compile("".join(_AS_REGEX.get(part) or re.escape(part) for part in _GLOB.split(pattern)), re.DOTALL)
