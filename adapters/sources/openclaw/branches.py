"""The tree of a session's entries: which ones the session still stands on, and which turns no person held.

Belongs here: parents, the active branch, turns. Does not belong here: texts and envelopes. Holds ids alone, never texts.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

_NO_PARENT = -1


class Branches:
    """The entries of one session, gathered from all of its copies, the oldest first; an id that comes again is a copy.

    An entry whose parent was lost with a damaged line goes on from the entry before it, so that a gap never cuts off what came before;
    so do entries that name no parent at all, as the oldest format has it.
    """

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.parents: array[int] = array("q")
        # Each entry's turn is the place of the words in user position that it answers.
        self.turns: array[int] = array("q")
        self.marks: dict[int, str] = {}
        self.senders: set[int] = set()

    def add(self, entry_id: str, parent_id: str | None, *, has_parent: bool, starts_turn: bool) -> bool:
        """Add an entry; False where it is a copy. `has_parent`: whether the entry says anything about its parent, null included."""
        if entry_id in self.places:
            return False
        place = len(self.parents)
        is_root = has_parent and parent_id is None
        parent = _NO_PARENT if is_root or not place else self.places.get(parent_id or "", place - 1)
        self.places[entry_id] = place
        self.parents.append(parent)
        self.turns.append(place if starts_turn or parent < 0 else self.turns[parent])
        return True

    def mark_turn(self, entry_id: str, mark: str) -> None:
        """Mark the turn that an entry belongs to."""
        self.marks.setdefault(self.turns[self.places[entry_id]], mark)

    def name_sender(self, entry_id: str) -> None:
        """Note that an entry's words were sent by somebody."""
        self.senders.add(self.places[entry_id])

    def is_sent(self, entry_id: str) -> bool:
        """Whether somebody sent the words that began an entry's turn."""
        return self.turns[self.places[entry_id]] in self.senders

    def turn_mark(self, entry_id: str) -> str | None:
        """The mark of the turn that an entry belongs to."""
        place = self.places.get(entry_id)
        return None if place is None else self.marks.get(self.turns[place])

    def active(self, leaf_id: str | None) -> bytearray:
        """Which places the way from the leaf up to its root goes through; without a leaf it starts at the last entry."""
        found = bytearray(len(self.parents))
        place = self.places.get(leaf_id or "", len(self.parents) - 1)
        while place >= 0:
            found[place] = 1
            place = self.parents[place]
        return found

    def outside(self, kept: Iterable[str]) -> bytearray:
        """Which places are none of these ids."""
        found = bytearray(b"\1") * len(self.parents)
        for entry_id in kept:
            if (place := self.places.get(entry_id)) is not None:
                found[place] = 0
        return found
