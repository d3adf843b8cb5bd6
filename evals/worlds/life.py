"""What is said in a made year, and what is true: matters with the values they held, promises with their ends, what must never be kept.

A `Saying` is one sentence; it gets its message's ids when it is placed (`scenes`). Belongs here: the shapes of the truth. Does not belong
here: who says what when (`year`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

# The state of a promise by what became of it.
OPEN, DONE, OFF, LATE = "open", "fulfilled", "cancelled", "overdue"


@dataclass
class Saying:
    """One sentence of the owner's, with the rows that a right reading makes of it: kind, subject, attribute, value, statement, extras."""

    at: datetime
    where: str
    text: str
    rows: tuple[tuple[str, ...], ...] = ()
    project: str | None = None
    session_id: str = ""
    message_id: str = ""


@dataclass
class Stand:
    """One value of a matter while it held. `fate` is what ended it: superseded, negated, retracted, or nothing yet."""

    value: str
    saying: Saying
    ended: Saying | None = None
    fate: str = ""
    day: str = ""

    def holds(self, at: datetime) -> bool:
        """Whether it was told by then, and nothing had ended it."""
        return self.saying.at <= at and (self.ended is None or at < self.ended.at)


@dataclass
class Matter:
    """Something that is so: `is_single` where a new value ends the old one. `asked` names the matter, `reworded` asks in other words."""

    key: str
    sort: str
    asked: tuple[str, ...]
    stands: list[Stand]
    is_single: bool = False
    reworded: tuple[str, ...] = ()


@dataclass
class Promise:
    """Something owed: `due` is the last day of each date it had, with the saying that set it."""

    what: str
    whom: str
    asked: str
    made: Saying
    due: list[tuple[Saying, datetime]]
    closed: Saying | None = None
    end: str = OPEN

    def state(self, at: datetime) -> str:
        """What is true of it then."""
        if self.closed is not None and self.closed.at <= at:
            return self.end
        return LATE if self.due_at(at) < at else OPEN

    def due_at(self, at: datetime) -> datetime:
        """The last moment of the day it was due on, as far as was said by then."""
        return [due for saying, due in self.due if saying.at <= at][-1]


@dataclass
class Occasion:
    """A moment at which a lesson would spare a mistake."""

    at: datetime
    text: str
    lesson: Stand


@dataclass(frozen=True)
class Nudge:
    """One intervention, and how it was taken."""

    at: datetime
    channel: str
    urgency: str
    outcome: str


@dataclass
class Year:
    """A whole life: what is said, and what is true of it."""

    owner: str
    start: datetime
    end: datetime
    matters: list[Matter] = field(default_factory=list[Matter])
    promises: list[Promise] = field(default_factory=list[Promise])
    occasions: list[Occasion] = field(default_factory=list[Occasion])
    nudges: list[Nudge] = field(default_factory=list[Nudge])
    sayings: list[Saying] = field(default_factory=list[Saying])
    secrets: list[str] = field(default_factory=list[str])
    planted: list[str] = field(default_factory=list[str])

    def of(self, *sorts: str) -> list[Matter]:
        """The matters of these sorts."""
        return [matter for matter in self.matters if matter.sort in sorts]
