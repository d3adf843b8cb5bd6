"""What came between two versions: learned, changed, disputed, archived, forgotten. Nothing here writes or prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from slowwave.format import Manifest, Status
from slowwave.reader.tables import Tables
from slowwave.text import normalise

GROUPS = ("learned", "changed", "disputed", "archived", "forgotten")
# What is compared of a memory.
COLUMNS = ["id", "text", "kind", "status", "commitment_state", "superseded_by", "valid_from", "valid_to", "due_at"]
_DATES = {"valid_from": "true from", "valid_to": "true until", "due_at": "due"}
_ENDED = {Status.ARCHIVED: "archived", Status.EXPIRED: "archived", Status.DISPUTED: "disputed"}
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Change:
    """One memory that stands otherwise: its group, its words, and in `how` what became of it."""

    group: str
    id: str
    kind: str
    text: str
    how: str = ""
    before: str | None = None


@dataclass(frozen=True)
class Difference:
    """What a later version has otherwise than an earlier one; `rows` counts each table before and after."""

    before: str
    after: str
    changes: tuple[Change, ...]
    rows: dict[str, tuple[int, int]]
    documents: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many changes each group has."""
        return {group: sum(change.group == group for change in self.changes) for group in GROUPS}


def difference(store: Path, before: Manifest, after: Manifest) -> Difference:
    """What came between two versions of a store. Raises VersionGone where a table is not there."""
    names = sorted({*before.tables, *after.tables})
    rows = {name: (_rows(before, name), _rows(after, name)) for name in names}
    documents = sorted({*before.documents, *after.documents})
    changed = tuple(name for name in documents if before.documents.get(name) != after.documents.get(name))
    is_same = before.tables.get("memories") == after.tables.get("memories")
    found = () if is_same else changes(_memories(store, before), _memories(store, after))
    return Difference(before.version, after.version, found, rows, changed)


def changes(old: Mapping[str, Row], new: Mapping[str, Row]) -> tuple[Change, ...]:
    """Every memory that stands otherwise, in groups; the rows are by id, with at least `COLUMNS`."""
    found = _changes(old, new)
    return tuple(sorted(found, key=lambda change: (GROUPS.index(change.group), change.kind, change.text, change.id)))


def _rows(manifest: Manifest, name: str) -> int:
    return manifest.tables[name].rows if name in manifest.tables else 0


def _memories(store: Path, manifest: Manifest) -> dict[str, Row]:
    return {row["id"]: row for row in Tables(store, manifest).rows("memories", COLUMNS)}


def _changes(old: Mapping[str, Row], new: Mapping[str, Row]) -> Iterator[Change]:
    """Every change, each told once: what took another's place is told with it."""
    came, gone = new.keys() - old.keys(), old.keys() - new.keys()
    # A memory that got another id, as when two of the same words become one, is no news.
    same = {_words(new[key]) for key in came} & {_words(old[key]) for key in gone}
    renamed = {key for key in came if _words(new[key]) in same}
    told_with: set[str] = set()
    for key in sorted(old.keys() & new.keys()):
        for change in _stands_otherwise(old[key], new[key], new):
            told_with.add(new[key]["superseded_by"] or "")
            yield change
    yield from (_arrived(new[key]) for key in sorted(came - renamed - told_with))
    yield from (
        _change("forgotten", old[key], "no longer there") for key in sorted(gone) if _words(old[key]) not in same
    )


def _words(row: Row) -> tuple[str, str]:
    return normalise(row["text"]), row["kind"]


def _change(group: str, row: Row, how: str = "", before: str | None = None) -> Change:
    return Change(group, row["id"], row["kind"], row["text"], how, before)


def _arrived(row: Row) -> Change:
    if row["status"] == Status.DISPUTED:
        return _change("disputed", row, "said, and contradicted")
    return _change("learned", row, "" if row["status"] == Status.ACTIVE else f"{row['status']} already")


def _stands_otherwise(old: Row, new: Row, known: Mapping[str, Row]) -> Iterator[Change]:
    """What became of one memory; most of them stand as they did."""
    if new["status"] != old["status"]:
        yield _fate(old, new, known)
    elif new["text"] != old["text"]:
        yield _change("changed", new, "in other words", old["text"])
    elif new["commitment_state"] != old["commitment_state"]:
        yield _change("changed", new, f"{new['commitment_state']}, was {old['commitment_state']}")
    elif moved := [
        f"{about} {_day(new[name])}, was {_day(old[name])}" for name, about in _DATES.items() if new[name] != old[name]
    ]:
        yield _change("changed", new, "; ".join(moved))


def _fate(old: Row, new: Row, known: Mapping[str, Row]) -> Change:
    successor = known.get(new["superseded_by"] or "")
    if new["status"] == Status.SUPERSEDED and successor is not None:
        return _change("changed", successor, "took the place of another", old["text"])
    how = "taken back" if new["status"] == Status.RETRACTED else f"{new['status']}, was {old['status']}"
    return _change(_ENDED.get(new["status"], "changed"), new, how)


def _day(at: datetime | None) -> str:
    return "nobody knows when" if at is None else at.date().isoformat()
