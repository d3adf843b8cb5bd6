"""Claude Code: a project's memory folder. MEMORY.md, of which it reads so many lines and bytes, a file a topic beside it, and
`slowwave.md`, which a CLAUDE.md may import.

Claude writes MEMORY.md itself. A word that begins with `@` imports a file there, so that one in a memory is written as code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from slowwave.export.caps import Caps
from slowwave.export.choice import Choice, by_kind, records_of, safe
from slowwave.export.index import indexed
from slowwave.export.plain import document_target
from slowwave.export.target import Made, Room, Target
from slowwave.export.topics import GROUPS, Topic, topic_target, topics
from slowwave.fit import Budget, Record
from slowwave.render import day
from slowwave.zones import zone_of

_IMPORTED = "slowwave.md"
_IMPORT = re.compile(r"(?<![\w`])@(?=[^\s`@])([^\s`]*)")
_MARKUP = re.compile(r"[\[\]()\\]")


def targets(choice: Choice, root: Path, caps: Caps) -> list[Target]:
    """The files of a memory folder; `root` is the folder itself, or the project's folder that has it. None where nothing may go out."""
    if not choice.rows:
        return []
    below = "" if root.name == "memory" or not (root / "memory").is_dir() else "memory/"
    found = topics(_without_imports(choice).rows)
    pointers = [f"- [Snapshot]({_IMPORTED}): what to have in mind"]
    pointers += [_pointer(one, choice) for one in found]
    records = records_of(_without_imports(choice).rows, by_kind, choice.zone)
    cap = Budget(max_lines=caps.claude_lines, max_bytes=caps.claude_bytes)
    topic_cap = Budget(max_bytes=caps.topic_bytes)
    return [
        Target(f"{below}MEMORY.md", partial(_index, records, pointers), cap=cap),
        document_target(choice, f"{below}{_IMPORTED}", without_import),
        *(topic_target(one, f"{below}{_name(one)}", choice.zone, topic_cap) for one in found),
    ]


def without_import(line: str) -> str:
    """The line with what Claude would import as code."""
    return _IMPORT.sub(lambda found: f"`{found[0]}`", safe(line))


def _without_imports(choice: Choice) -> Choice:
    rows = [{**row, "line": without_import(row["line"]), "project": _plain(row["project"])} for row in choice.rows]
    return replace(choice, rows=[{**row, "subject": _plain(row["subject"])} for row in rows])


def _plain(name: str | None) -> str | None:
    return None if name is None else name.replace("@", "(at)")


def _name(topic: Topic) -> str:
    return f"slowwave-{topic.stem}.md"


def _pointer(topic: Topic, choice: Choice) -> str:
    title = _MARKUP.sub(" ", topic.title).strip() or "Topic"
    return f"- [{title}]({_name(topic)}): {len(topic.rows)}, last {day(topic.last_at, zone_of(choice.zone))}"


def _index(records: Sequence[Record], pointers: Sequence[str], room: Room) -> Made:
    return indexed(records, GROUPS, pointers, room, title="More in")
