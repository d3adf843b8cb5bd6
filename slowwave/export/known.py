"""What was last written into a folder, by the hashes of its lines: so that what a person changed can be told from what is ours.

The file lies beside what was written. It holds no text, so that nothing forgotten stays in it. Belongs here: its form. Does not
belong here: what to do about a change (`region`, `entries`). Whoever reads such a folder as a source asks `line_hash` too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, cast

from slowwave.errors import UsageError

STATE = ".slowwave-export.json"
_FORMAT = 1
_HASH_CHARS = 16
Hashes = dict[str, str]


@dataclass(frozen=True)
class Known:
    """One file as it was last written: hash of each line (or entry) of ours to its memory's id, empty for a heading.

    `held` are lines of ours that somebody changed or took out: they stay out until their memory says something else. `maybe` are
    lines of an export that ended in the middle: ours where they stand, and missed by nobody where they don't.
    """

    lines: Hashes = field(default_factory=dict[str, str])
    held: Hashes = field(default_factory=dict[str, str])
    maybe: Hashes = field(default_factory=dict[str, str])

    @property
    def written(self) -> Hashes:
        """All lines that may be ours."""
        return {**self.maybe, **self.lines}

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to remember of the file."""
        return not (self.lines or self.held or self.maybe)


Files = dict[str, Known]


def line_hash(text: str) -> str:
    """The hash a line is known by: white space at its ends and how its line break is written make no difference."""
    return sha256(text.strip().encode("utf-8", "surrogateescape")).hexdigest()[:_HASH_CHARS]


def read_state(content: bytes | None, owner: str, place: str) -> dict[str, Files]:
    """The files of each platform, by name. Raises UsageError for the export of another memory, or what is no state of ours."""
    if content is None:
        return {}
    try:
        found = json.loads(content)
        whose = found["owner"] if found["format"] == _FORMAT else None
        state = {
            str(p): {str(n): _known(known) for n, known in files.items()} for p, files in found["platforms"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(
            f"{place} is no record of an export that this slowwave can read",
            "Move it away: the next export then takes every line that stands in those files for somebody else's.",
        ) from error
    if whose != owner:
        raise UsageError(
            f"{place} is of the memory of {whose!r}, and this one is of {owner!r}",
            "Export each memory into a folder of its own with --to DIR.",
        )
    return state


def written_lines(content: bytes, name: str) -> Hashes:
    """What any export last wrote into a file of that name; empty where the state can't be read. For those who read the folder."""
    try:
        platforms: dict[str, dict[str, Any]] = json.loads(content)["platforms"]
        found = [_known(files[name]).written for files in platforms.values() if name in files]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
    return {key: memory for lines in found for key, memory in lines.items()}


def state_json(owner: str, state: Mapping[str, Files]) -> bytes:
    """The state as readable JSON, the same bytes for the same state."""
    platforms = {
        platform: {name: _plain(known) for name, known in files.items() if not known.is_empty}
        for platform, files in state.items()
    }
    made = {"format": _FORMAT, "owner": owner, "platforms": {name: files for name, files in platforms.items() if files}}
    return (json.dumps(made, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode("utf-8", "surrogateescape")


def _plain(known: Known) -> dict[str, Hashes]:
    return {"lines": known.lines, "held": known.held, **({"maybe": known.maybe} if known.maybe else {})}


def _known(found: Any) -> Known:
    return Known(_hashes(found["lines"]), _hashes(found["held"]), _hashes(found.get("maybe", {})))


def _hashes(found: Any) -> Hashes:
    if not isinstance(found, dict):
        raise TypeError("no hashes")
    return {str(key): str(value) for key, value in cast("dict[Any, Any]", found).items()}
