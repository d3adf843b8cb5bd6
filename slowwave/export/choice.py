"""Which memories may be exported: those that the version's own document of a profile has or had no room for.

The night decided who may enter a prompt (in whose words, of what standing, how private), and its document lists every memory with
such a claim; an export never judges anew. Belongs here: reading that choice. Does not belong here: any platform's layout.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from slowwave.errors import UsageError
from slowwave.export.target import Line, Made, Room
from slowwave.fit import Cost, Record, cost, heading_cost, take
from slowwave.format import Document, Episode, Manifest, Memory, Privacy
from slowwave.records import HEADINGS, PINNED, Row, rank_of, reading_time, record
from slowwave.text import legible

if TYPE_CHECKING:
    from slowwave.reader.tables import Tables

# Of a file's room, what one kind may fill while others wait: the default of the setting `group_share`.
SHARE = 0.15
_PRIVACY = [str(level) for level in Privacy]
_BATCH = 1000


@dataclass(frozen=True)
class Choice:
    """The memories that may be exported, as rows with `line` and `band`, and the document of the profile."""

    version: str
    as_of: datetime
    read_at: datetime
    zone: str
    profile: str
    rows: list[Row]
    document: Document
    decided: frozenset[str] = frozenset()
    is_narrowed: bool = False
    n_beyond: int = 0

    @cached_property
    def by_id(self) -> dict[str, Row]:
        """The rows by their memory's id."""
        return {row["id"]: row for row in self.rows}


def choose(tables: Tables, manifest: Manifest, profile: str, max_privacy: str | None, most: int) -> Choice:
    """Read what may be exported, the best `most` of it. Raises UsageError for a profile that was not published, or an unknown level."""
    if max_privacy is not None and max_privacy not in _PRIVACY:
        raise UsageError(f"{max_privacy!r} is no level of privacy", f"Use one of: {', '.join(_PRIVACY)}.")
    document = _document(tables, profile)
    ids = [*document.memory_ids, *document.omitted_ids]
    memories = _memories(tables, ids[:most])
    now = reading_time((m.last_seen_at for m in memories if m.last_seen_at), manifest.as_of)
    rows = [{**vars(memory), "line": safe(legible(memory.text))} for memory in memories]
    highest = len(_PRIVACY) if max_privacy is None else _PRIVACY.index(max_privacy)
    kept = [{**row, "rank": rank_of(row)} for row in rows if row["line"] and _PRIVACY.index(row["privacy"]) <= highest]
    decided = {part for one in tables.where("episodes", Episode, "kind = 'decision'") for part in one.part_ids}
    return Choice(
        version=manifest.version,
        as_of=manifest.as_of,
        read_at=now,
        zone=manifest.zone,
        profile=profile,
        rows=kept,
        document=document,
        decided=frozenset(decided),
        is_narrowed=len(kept) < len(rows),
        n_beyond=max(0, len(ids) - most),
    )


def safe(line: str) -> str:
    """A line that neither opens nor closes a comment: what a memory says must not write a mark of ours."""
    return line.replace("<!--", "< !--").replace("-->", "-- >")


def _document(tables: Tables, profile: str) -> Document:
    from slowwave.reader.tables import quoted

    found = tables.where("documents", Document, f"profile = {quoted(profile.removesuffix('.md'))}")
    if not found:
        names = sorted({document.profile for document in tables.where("documents", Document)})
        raise UsageError(
            f"the version has no profile {profile!r}",
            f"It has: {', '.join(names) or 'none'}. Name one with --profile, or set one under [rules.project.profiles] and run a night.",
        )
    return found[0]


def _memories(tables: Tables, ids: Sequence[str]) -> list[Memory]:
    wanted = sorted(set(ids))
    parts = (wanted[start : start + _BATCH] for start in range(0, len(wanted), _BATCH))
    return [memory for part in parts for memory in tables.by_ids("memories", Memory, part).values()]


def by_kind(row: Row) -> str:
    """The usual heading of a memory: pinned ones first, then by kind."""
    return PINNED if row["is_pinned"] else HEADINGS[row["kind"]]


def records_of(rows: Iterable[Row], group_of: Callable[[Row], str], zone: str, *, share: float = SHARE) -> list[Record]:
    """Rows as list items under headings, no two that read alike."""
    made = [record(row, group_of(row), share=share, zone=zone, is_exact=False) for row in rows]
    first: dict[str, Record] = {}
    for one in sorted(made, key=lambda one: (not one.is_pinned, one.is_spare, one.worth)):
        first.setdefault(one.line, one)
    return list(first.values())


def sections(
    records: Collection[Record], groups: Sequence[str], room: Room, *, head: Sequence[str] = (), level: str = "##"
) -> Made:
    """As many records as there is room for, under their headings in the order given; `head` stands before them."""
    free = [one for one in records if room.is_free(one.line.split("\n")[0])]
    used = room.used + (cost("\n".join(head)) if head else Cost())
    taken = take(free, room.budget, used=used, opening=lambda group: heading_cost(f"{level} {group}"))
    lines = [Line(text) for text in head] if used.is_within(room.budget) else []
    for group in dict.fromkeys(groups):
        shown = sorted(
            (one for one in free if one.group == group and one.memory_id in taken), key=lambda one: one.place
        )
        if shown:
            lines += [*([Line("")] if lines else []), Line(f"{level} {group}")]
            lines += [Line(part, one.memory_id) for one in shown for part in one.line.split("\n") if room.is_free(part)]
    return Made(lines, [one.memory_id for one in free if one.memory_id not in taken])
