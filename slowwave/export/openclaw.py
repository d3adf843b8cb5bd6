"""OpenClaw: a workspace's tiers. L0, what is open right now and where the rest is; L1, MEMORY.md; L2, a file a topic; then decisions
and errors.

OpenClaw may rewrite MEMORY.md itself at night ("dreaming"); where it does, L1 has a file of its own. Belongs here: what goes into
which file. Does not belong here: topics (`topics`), and how a file is merged (`region`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from slowwave.export.caps import Caps
from slowwave.export.choice import Choice, by_kind, records_of, sections
from slowwave.export.index import indexed
from slowwave.export.target import Made, Room, Target
from slowwave.export.topics import GROUPS, Topic, dates, topic_target, topics
from slowwave.fit import Budget, Record
from slowwave.format import CommitmentState, Kind
from slowwave.records import PINNED, Row
from slowwave.render import day
from slowwave.zones import zone_of

_NOW, _NOTHING_OPEN = "Right now", "Nothing is open right now."
_OPEN = (CommitmentState.OPEN, CommitmentState.OVERDUE)
_MOST_PROJECTS = 5
_CHARS = re.compile(r"[\"']?bootstrapMaxChars[\"']?\s*:\s*(\d{1,9})")
_MAX_CONFIG = 1_000_000


def targets(choice: Choice, root: Path, caps: Caps) -> list[Target]:
    """The files of a workspace; none where nothing may go out."""
    if not choice.rows:
        return []
    found = topics(choice.rows)
    cap = Budget(max_bytes=caps.topic_bytes)
    l1 = "memory/MEMORY-L1.md" if _is_dreaming(root) else "MEMORY.md"
    lists = {name: rows for name, rows in _lists(choice).items() if rows}
    pointers = [f"- {l1}: what is remembered, by kind"]
    pointers += [f"- {name}: {len(rows)}" for name, rows in lists.items()]
    pointers += [f"- {_topic_name(one)}: {one.title}, {len(one.rows)}, last {_last(one, choice)}" for one in found]
    l0 = partial(_l0, _right_now(choice), pointers)
    every = records_of(choice.rows, by_kind, choice.zone)
    most = Budget(max_bytes=caps.openclaw_l1_bytes, max_chars=_most_chars(root, caps))
    return [
        Target("memory/MEMORY-L0.md", l0, cap=Budget(max_bytes=caps.openclaw_l0_bytes), is_first=True),
        Target(l1, partial(_l1, every), cap=most),
        *(topic_target(one, _topic_name(one), choice.zone, cap) for one in found),
        *(Target(name, partial(_list, _entries(name, rows, choice, l1)), cap=cap) for name, rows in lists.items()),
    ]


def _topic_name(topic: Topic) -> str:
    return f"memory/topics/{topic.stem}.md"


def _last(topic: Topic, choice: Choice) -> str:
    return day(topic.last_at, zone_of(choice.zone))


def _l0(records: Sequence[Record], pointers: Sequence[str], room: Room) -> Made:
    is_open = any(one.group == _NOW and room.is_free(one.line) for one in records)
    opening = [] if is_open else [f"## {_NOW}", f"- {_NOTHING_OPEN}"]
    return indexed(records, [_NOW, PINNED], pointers, room, title="Index", opening=opening)


def _l1(records: Sequence[Record], room: Room) -> Made:
    return sections(records, GROUPS, room)


def _right_now(choice: Choice) -> list[Record]:
    """Open promises, what is late first and then by day; the projects last spoken of; and what is pinned."""
    promises = [row for row in choice.rows if row["commitment_state"] in _OPEN or _is_goal(row)]
    seen = [row for row in choice.rows if row["kind"] == Kind.PROJECT and row["last_seen_at"]]
    projects = sorted(seen, key=lambda row: (row["last_seen_at"], row["id"]), reverse=True)[:_MOST_PROJECTS]
    places = {row["id"]: (0, _due(row)) for row in promises} | {
        row["id"]: (1, f"{i}") for i, row in enumerate(projects)
    }
    rows = [row for row in choice.rows if row["id"] in places or row["is_pinned"]]
    made = records_of(rows, lambda row: _NOW if row["id"] in places else PINNED, choice.zone, share=1.0)
    return [replace(one, order=places[one.memory_id]) if one.memory_id in places else one for one in made]


def _is_goal(row: Row) -> bool:
    return row["kind"] == Kind.GOAL_OR_COMMITMENT and row["commitment_state"] is None


def _due(row: Row) -> str:
    return row["due_at"].isoformat() if row["due_at"] else "~"


def _lists(choice: Choice) -> dict[str, list[Row]]:
    decisions = [row for row in choice.rows if row["id"] in choice.decided]
    errors = [row for row in choice.rows if row["kind"] == Kind.TOOL_OR_WORKFLOW_LESSON]
    return {"DECISIONS.md": decisions, "ERRORS.md": errors}


def _entries(name: str, rows: Sequence[Row], choice: Choice, l1: str) -> list[Record]:
    """An entry a memory: its day and sentence as a heading, the newest first, with what belongs to it in lines under it."""
    zone = zone_of(choice.zone)
    made: list[Record] = []
    for one in records_of(rows, lambda _: "", choice.zone, share=1.0):
        row = choice.by_id[one.memory_id]
        more = _of_error(row, rows, choice, l1) if name == "ERRORS.md" else []
        text = one.line.removeprefix("- ")
        lines = [f"## {day(row['last_seen_at'], zone)}: {text}", *more, f"- Source: ({dates(row, zone)}) {row['id']}"]
        made.append(replace(one, line="\n".join(lines), order=(_newest(row),)))
    return made


def _newest(row: Row) -> float:
    return -row["last_seen_at"].timestamp() if row["last_seen_at"] else 0.0


def _of_error(row: Row, rows: Sequence[Row], choice: Choice, l1: str) -> list[str]:
    """How the lesson is brought to mind, and which earlier one it repeats."""
    related = [choice.by_id[key] for key in row["related_ids"] if key in choice.by_id]
    rules = sorted((other for other in related if other["kind"] == Kind.CONSTRAINT), key=lambda other: other["id"])
    enforced = f"rule: {rules[0]['line']}" if rules else f"read at every start ({l1}), as far as it has room"
    return [f"- Enforcement: {enforced}", f"- Repeat-of: {_repeats(row, rows, choice)}"]


def _repeats(row: Row, rows: Sequence[Row], choice: Choice) -> str:
    zone = zone_of(choice.zone)
    earlier = sorted(
        (other for other in rows if other["id"] in row["related_ids"] and _newest(other) > _newest(row)),
        key=lambda other: (_newest(other), other["id"]),
    )
    if earlier:
        return f"{day(earlier[0]['last_seen_at'], zone)}: {earlier[0]['line']}"
    days = {day(piece.said_at, zone) for piece in row["evidence"] if piece.said_at}
    return f"itself, first on {min(days)} and on {len(days)} days" if len(days) > 1 else "none"


def _list(records: Sequence[Record], room: Room) -> Made:
    """Entries, an empty line between them, without a heading over them all."""
    made = sections([replace(one, line=f"{one.line}\n") for one in records], [""], room, level="")
    lines = made.lines[next((i for i, line in enumerate(made.lines) if line.memory_id), 0) :]
    return Made(lines[:-1], made.omitted_ids)


def _is_dreaming(root: Path) -> bool:
    return any((root / name).exists() for name in ("DREAMS.md", "memory/.dreams", "memory/dreaming"))


def _most_chars(root: Path, caps: Caps) -> int:
    """How many characters of a file OpenClaw reads, by its configuration beside or above the workspace."""
    for text in _configs((root / "openclaw.json", root.parent / "openclaw.json")):
        if found := _CHARS.search(text):
            return int(found[1])
    return caps.openclaw_l1_chars


def _configs(places: Iterable[Path]) -> Iterable[str]:
    for place in places:
        try:
            yield place.read_text(encoding="utf-8", errors="replace")[:_MAX_CONFIG]
        except OSError:
            continue
