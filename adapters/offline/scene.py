"""What the lines so far tell about the ones to come: who was spoken of, what was asked, what is a story, what was found wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from adapters.offline import assertion, people, play
from adapters.offline.kinds import Sort
from models.ask import Line, Question

# The owner tells the agent what it did wrong; praise opens alike.
_FOUND_WRONG = re.compile(
    r"^(?:(?:no|wrong|sorry|hey|but)[,.:;]? )?(?:that (?:is|was) (?:wrong|not right|the mistake)|wrong\b|(?:and "
    r"|but )?(?:again,? )?you(?:[’']ve| have)?"
    r" (?:again |just |still )?(?:\w{2,}ed|put|took|told|sent|made|set|wrote|read|got|let|forgot|ran|cut|chose|left"
    r"|did|gave|shifted)\b)",
    re.IGNORECASE,
)
_PRAISE = re.compile(r"\b(?:great|nice|well done|thanks|thank you|perfect|helped|saved|right|good)\b", re.IGNORECASE)


class Weighed(NamedTuple):
    """A line that asserts something: its words without greeting, its sort, and its worth."""

    line: Line
    body: str
    sort: Sort
    score: float


@dataclass
class Scene:
    """What the lines so far tell about the ones to come."""

    question: Question
    hearers: frozenset[str]
    known: frozenset[str]
    quote: assertion.Quote = field(default_factory=assertion.Quote)
    fiction: play.Fiction = field(default_factory=play.Fiction)
    cast: people.Cast = field(default_factory=people.Cast)
    ironic: object = None
    previous: Line | None = None
    before: Line | None = None
    asker: str | None = None
    is_answer: bool = False
    is_corrected: bool = False

    def begin_turn(self) -> None:
        """Forget what only the lines of one turn share."""
        self.is_corrected = False

    def hear(self, line: Line) -> None:
        """Note whether this line stands in a turn that answers another speaker's question."""
        if self.previous is None or self.previous.speaker != line.speaker:
            self.is_answer, self.asker = self.asker is not None, None
        if assertion.is_question(line.text):
            self.asker = line.speaker
        self.previous = line

    def listen(self, line: Line, body: str) -> None:
        """Note whom the line introduces, and whether it finds fault with the agent."""
        if kin := people.kin_of(body):
            self.cast.note(line, kin[0], kin[1])
        elif line.role == "user" and (name := people.person_of(body, self.known)):
            self.cast.note(line, name, None)
        if line.role == "user" and _FOUND_WRONG.match(body) and not _PRAISE.search(body):
            self.is_corrected = True
