"""Hermes: MEMORY.md, the agent's notes, and USER.md, who the user is; entries between delimiters, capped in characters.

Hermes writes these files itself, under a lock beside each, and shows no entry that looks like an attack. Belongs here: which memory
goes where, and what Hermes would refuse. Does not belong here: how entries are merged (`entries`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

from slowwave.export.caps import Caps
from slowwave.export.choice import Choice, records_of
from slowwave.export.entries import DELIMITER
from slowwave.export.target import Form, Line, Made, Room, Target
from slowwave.fit import NOTHING, Budget, Record, take
from slowwave.format import Kind
from slowwave.records import Row

_FOLDER = "memories"
_OF_THE_USER = (
    *(Kind.CONSTRAINT, Kind.COMMUNICATION_PREFERENCE, Kind.PREFERENCE),
    *(Kind.ROUTINE, Kind.SEMANTIC_FACT, Kind.INTERVENTION_OUTCOME),
)
# What its scan would take for an attack and show as blocked: an entry that nobody can read only fills the file.
_BLOCKED = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.]{0,40}\b(?:instructions?|rules?|guidelines?|prompts?)\b|\byou are now\b|\bact as\b"
    r"|\bsystem prompt\b|\bdo not tell the user\b|\b(?:curl|wget)\b|\.ssh\b|authorized_keys|\.env\b|\.netrc|\.pgpass|\.npmrc|\.pypirc",
    re.IGNORECASE,
)
_LIMIT = r"^[ \t]+{0}[ \t]*:[ \t]*(\d+)[ \t]*(?:#.*)?$"


def targets(choice: Choice, root: Path, caps: Caps) -> list[Target]:
    """Both files, in a Hermes home or in its memory folder; limits as its configuration states them, if it does."""
    is_folder = root.name == _FOLDER or ((root / "MEMORY.md").is_file() and not (root / _FOLDER).is_dir())
    home, below = (root.parent, "") if is_folder else (root, f"{_FOLDER}/")
    config = _config(home)
    user = [row for row in choice.rows if _is_of_user(row)]
    notes = [row for row in choice.rows if not _is_of_user(row)]
    return [
        _target(f"{below}MEMORY.md", notes, choice, _limit(config, "memory_char_limit", caps.hermes_memory_chars)),
        _target(f"{below}USER.md", user, choice, _limit(config, "user_char_limit", caps.hermes_user_chars)),
    ]


def _is_of_user(row: Row) -> bool:
    return row["subject"] == "user" and row["kind"] in _OF_THE_USER and row["project"] is None


def _target(name: str, rows: list[Row], choice: Choice, limit: int) -> Target:
    records = [_entry(one) for one in records_of(rows, lambda _: "", choice.zone) if not _BLOCKED.search(one.line)]
    return Target(name, partial(_make, records), Form.ENTRIES, Budget(max_chars=limit), is_locked=True)


def _entry(one: Record) -> Record:
    """The record without a list's mark, and with what parts it from the next entry, so that it is counted too."""
    text = one.line.removeprefix("- ")
    return replace(one, line=text + DELIMITER.removesuffix("\n"))


def _make(records: list[Record], room: Room) -> Made:
    plain = {one.memory_id: one.line.removesuffix(DELIMITER.removesuffix("\n")) for one in records}
    free = [one for one in records if plain[one.memory_id] != "§" and room.is_free(plain[one.memory_id])]
    taken = take(free, room.budget, used=room.used, opening=lambda _: NOTHING)
    shown = sorted((one for one in free if one.memory_id in taken), key=lambda one: (not one.is_pinned, one.place))
    lines = [Line(plain[one.memory_id], one.memory_id) for one in shown]
    return Made(lines, [one.memory_id for one in free if one.memory_id not in taken])


def _config(home: Path) -> str:
    try:
        return (home / "config.yaml").read_text(encoding="utf-8", errors="replace")[:1_000_000]
    except OSError:
        return ""


def _limit(config: str, name: str, default: int) -> int:
    found = re.search(_LIMIT.format(name), config, re.MULTILINE)
    return int(found[1][:9]) if found else default
