"""Plain Markdown, the profile's own document, and JSON, every memory that may go out, whole.

Belongs here: both, and the document's text as lines. Does not belong here: any platform's layout.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, is_dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from slowwave.export.caps import Caps
from slowwave.export.choice import Choice, safe
from slowwave.export.target import Form, Line, Made, Room, Target

_FORMAT = 1
# What a row has beside its memory's own fields.
_MADE = ("line", "rank")


def markdown(choice: Choice, root: Path, caps: Caps) -> list[Target]:
    """One file, called as the profile."""
    return [document_target(choice, f"{choice.profile.removesuffix('.md')}.md")]


def document_target(choice: Choice, name: str, write: Callable[[str], str] = safe) -> Target:
    """The published document as a file; the night has kept it within the profile's budget."""
    return Target(name, partial(_make, choice, write))


def _make(choice: Choice, write: Callable[[str], str], room: Room) -> Made:
    lines = [line._replace(text=write(line.text)) for line in _lines(choice)]
    free = [line for line in lines if not line.memory_id or room.is_free(line.text)]
    shown = [line for i, line in enumerate(free) if not _is_bare(free, i)]
    while shown and not shown[0].text.strip():
        shown.pop(0)
    return Made(shown, choice.document.omitted_ids)


def _lines(choice: Choice) -> list[Line]:
    """The document line by line; where less may go out than the night let in, without what else stands in it."""
    ids = iter(choice.document.memory_ids)
    known = choice.by_id
    made: list[Line] = []
    for text in choice.document.text.rstrip("\n").split("\n"):
        memory_id = next(ids, "") if text.startswith("- ") else ""
        is_more = text.startswith("- ") and not memory_id
        if choice.is_narrowed and (is_more or (memory_id and memory_id not in known)):
            continue
        made.append(Line(text, memory_id))
    return made


def _is_bare(lines: list[Line], at: int) -> bool:
    """Whether a line is a heading, or the empty line before it, with nothing left under it."""
    here = at + 1 if not lines[at].text.strip() and at + 1 < len(lines) else at
    if not lines[here].text.startswith("## "):
        return False
    below = next((line.text for line in lines[here + 1 :] if line.text.strip()), "## ")
    return below.startswith("## ")


def as_json(choice: Choice, root: Path, caps: Caps) -> list[Target]:
    """One file, `memory.json`."""
    return [json_target("memory.json", partial(_content, choice))]


def json_target(name: str, content: Callable[[], tuple[dict[str, Any], list[str]]]) -> Target:
    """A JSON file that is ours as a whole; `content` gives it, and the ids of the memories in it."""

    def make(_: Room) -> Made:
        found, ids = content()
        text = json.dumps(found, ensure_ascii=False, indent=1, default=_plain) + "\n"
        return Made([Line(text), *(Line("", one) for one in ids)])

    return Target(name, make, Form.WHOLE)


def _content(choice: Choice) -> tuple[dict[str, Any], list[str]]:
    rows = sorted(choice.rows, key=lambda row: row["id"])
    found = {
        "format": _FORMAT,
        "made_by": "slowwave",
        "version": choice.version,
        "as_of": choice.as_of,
        "zone": choice.zone,
        "profile": choice.profile,
        "memories": [{name: value for name, value in row.items() if name not in _MADE} for row in rows],
    }
    return found, [row["id"] for row in rows]


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return value.isoformat() if isinstance(value, datetime) else str(value)
