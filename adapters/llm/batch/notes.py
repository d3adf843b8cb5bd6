"""What is known of each batch, in a file of its own: written before it is sent, when it was sent, and as each answer is settled.

A night that is killed at any moment finds its batches again by these notes, and pays for nothing twice. Ids and amounts, no words.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from adapters.llm.budget import Amount
from slowwave import private

_log = logging.getLogger(__name__)
LAYOUT = 1


@dataclass(frozen=True)
class Slot:
    """One request of a batch: its cache key, its entry in the books, and what was set aside for it."""

    key: str
    about: dict[str, Any]
    most: Amount


@dataclass
class Note:
    """One batch. `name` is a content hash of what it asks; `noted_at` is in seconds UTC; `settled` are the slots that are paid up."""

    name: str
    to: str
    run: str
    month: str
    noted_at: float
    slots: dict[str, Slot]
    batch_id: str = ""
    settled: set[str] = field(default_factory=set)

    @property
    def keys(self) -> set[str]:
        """Cache keys of what it asks."""
        return {slot.key for slot in self.slots.values()}


class Notes:
    """The notes in a folder; without one they are lost with the process."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def of(self, to: str) -> list[Note]:
        """Notes of batches that were sent to this model and host, the oldest first."""
        paths = sorted(self._folder.glob("*.jsonl")) if self._folder and self._folder.is_dir() else []
        found = [note for path in paths if (note := _read(path)) is not None and note.to == to]
        return sorted(found, key=lambda note: (note.noted_at, note.name))

    def begin(self, note: Note) -> None:
        """Write down what is about to be sent."""
        slots = {name: asdict(slot) for name, slot in note.slots.items()}
        told = {"name": note.name, "to": note.to, "run": note.run, "month": note.month, "noted_at": note.noted_at}
        self._write(note, {"layout": LAYOUT, **told, "slots": slots})

    def sent(self, note: Note, batch_id: str) -> None:
        """Write down by which id the provider knows it."""
        note.batch_id = batch_id
        self._add(note, {"sent": batch_id})

    def settle(self, note: Note, slot: str) -> None:
        """Write down that a slot is about to be settled: done twice, it would give back money that was spent."""
        note.settled.add(slot)
        self._add(note, {"settled": slot})

    def end(self, note: Note) -> None:
        """Forget a batch: its answers are in the cache."""
        if self._folder is not None:
            self._path(self._folder, note).unlink(missing_ok=True)

    def _add(self, note: Note, row: dict[str, Any]) -> None:
        try:
            self._write(note, row)
        except OSError as error:
            # The process knows it all the same; only a crash would have to find it out again.
            _log.warning("a note on a batch could not be written: %s", error.strerror)

    def _write(self, note: Note, row: dict[str, Any]) -> None:
        if self._folder is None:
            return
        private.make_folder(self._folder)
        handle = os.open(self._path(self._folder, note), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "wb") as file:
            # It begins with a line break of its own, so that a half line of a power cut spoils no other.
            file.write(("\n" + json.dumps(row, ensure_ascii=False) + "\n").encode("utf-8", "replace"))
            file.flush()
            os.fsync(file.fileno())

    @staticmethod
    def _path(folder: Path, note: Note) -> Path:
        return folder / f"{note.name}.jsonl"


def _read(path: Path) -> Note | None:
    """The note as it stands; None where its first line was never written whole, since then nothing was sent."""
    note: Note | None = None
    for row in _rows(path):
        try:
            if "slots" in row:
                note = _note(row)
            elif note is not None:
                note.batch_id = str(row.get("sent", note.batch_id))
                note.settled |= {str(row["settled"])} if "settled" in row else set()
        except (KeyError, TypeError, ValueError):
            continue
    return note


def _note(row: dict[str, Any]) -> Note:
    slots = {
        str(name): Slot(str(slot["key"]), dict(slot["about"]), Amount(**slot["most"]))
        for name, slot in row["slots"].items()
    }
    name, to, run, month = (str(row[part]) for part in ("name", "to", "run", "month"))
    return Note(name, to, run, month, float(row["noted_at"]), slots)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return
    for line in lines:
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            yield row
