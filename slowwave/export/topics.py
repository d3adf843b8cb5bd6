"""Topics: what is remembered of one project, person or thing, or else of one kind, each in a file of its own.

Belongs here: which memory belongs to which topic, what the topic's file is called, and its lines. A name is somebody's words, so the
file's name is made of its letters and digits alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import partial
from hashlib import sha256

from slowwave.export.choice import by_kind, records_of, safe, sections
from slowwave.export.target import Made, Room, Target
from slowwave.fit import Budget, Record
from slowwave.records import HEADINGS, PINNED, Row
from slowwave.render import day
from slowwave.text import legible
from slowwave.zones import zone_of

_NOBODY = ("user", "assistant")
# A subject with fewer memories has no file of its own: a folder of files with a line each helps nobody.
_MIN_ROWS = 3
_MAX_CHARS, _MAX_BYTES = 60, 120
_RESERVED = re.compile(r"con|prn|aux|nul|com\d|lpt\d|slowwave|memory|memory-l\d", re.IGNORECASE)
GROUPS = (PINNED, *HEADINGS.values())


@dataclass(frozen=True)
class Topic:
    """A topic: the stem of its file, its title, and its memories."""

    stem: str
    title: str
    rows: list[Row]

    @property
    def last_at(self) -> datetime | None:
        """When something of it was last said."""
        return max((row["last_seen_at"] for row in self.rows if row["last_seen_at"]), default=None)


def topics(rows: Iterable[Row]) -> list[Topic]:
    """Every memory in one topic: its project's, else its subject's where that has several, else its kind's; by name of file."""
    every = list(rows)
    counted = Counter(row["subject"] for row in every if row["project"] is None)
    found: defaultdict[str, list[tuple[str, Row]]] = defaultdict(list)
    for row in every:
        title = _title(row, counted)
        found[stem_of(title)].append((title, row))
    # Two titles of one file name are one topic, under the first of them.
    return [
        Topic(stem, min(title for title, _ in held), [row for _, row in held]) for stem, held in sorted(found.items())
    ]


def _title(row: Row, counted: Counter[str]) -> str:
    is_own = row["subject"] not in _NOBODY and counted[row["subject"]] >= _MIN_ROWS
    name = row["project"] or (row["subject"] if is_own else None)
    return safe(legible(name or ""))[:_MAX_CHARS].strip() or HEADINGS[row["kind"]]


def stem_of(title: str) -> str:
    """A file's name for a title: letters and digits of any script, and a hash where that alone may be another title's too."""
    plain = "-".join(unicodedata.normalize("NFKC", title).casefold().split())
    tame = re.sub(r"[^\w]+", "-", plain)[:_MAX_CHARS].strip("-_")
    while len(tame.encode("utf-8", "replace")) > _MAX_BYTES:
        tame = tame[:-1]
    if tame == plain and not _RESERVED.fullmatch(tame):
        return tame
    return f"{tame or 'topic'}-{sha256(title.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def topic_target(topic: Topic, name: str, zone: str, cap: Budget) -> Target:
    """The file of a topic, each memory with its dates and id, so that `slowwave why` tells the rest."""
    by_id = {row["id"]: row for row in topic.rows}
    records = [_traced(one, by_id[one.memory_id], zone_of(zone)) for one in records_of(topic.rows, by_kind, zone)]
    return Target(name, partial(_make, records, f"# {topic.title}"), cap=cap)


def _make(records: Sequence[Record], title: str, room: Room) -> Made:
    return sections(records, GROUPS, room, head=[title])


def _traced(one: Record, row: Row, zone: tzinfo) -> Record:
    return replace(one, line=f"{one.line} ({dates(row, zone)}) {one.memory_id}")


def dates(row: Row, zone: tzinfo) -> str:
    """Since when it holds, where that is known, and when it was last said."""
    since = [f"since {day(row['valid_from'], zone)}"] if row["valid_from"] else []
    return ", ".join([*since, f"said {day(row['last_seen_at'], zone)}"])
