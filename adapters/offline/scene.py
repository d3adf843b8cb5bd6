"""What the lines so far tell about the ones to come: who was spoken of, what was asked, what is a story, what was found wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from adapters.offline import assertion, people, play
from adapters.offline.kinds import Sort, sort_of
from models.ask import Line, Question

# The owner tells the agent what it did wrong; praise opens alike.
_FOUND_WRONG = re.compile(
    r"^(?:(?:no|wrong|sorry|hey|but)[,.:;]? )?(?:that (?:is|was) (?:wrong|not right|the mistake)|wrong\b|(?:and "
    r"|but )?(?:again,? )?you(?:[’']ve| have)?"
    r" (?:again |just |still )?(?:\w{2,}ed|put|took|told|sent|made|set|wrote|read|got|let|forgot|ran|cut|chose|left"
    r"|did|gave|shifted)\b)",
    re.IGNORECASE,
)
MENDED = 9.0  # a correction is always worth keeping
_PRAISE = re.compile(r"\b(?:great|nice|well done|thanks|thank you|perfect|helped|saved|right|good)\b", re.IGNORECASE)

# A slip put right a moment later: "Sorry, it's Thursdays at six". What is put right is a day or an hour of what was said before.
_SLIP = re.compile(
    r"^(?:sorry|oops|no|correction|wait|scratch that|i mixed|i meant|my mistake)\b[^:.?!]{0,40}?(?:: | i meant "
    r"| make (?:it|that) |, it[’']s )"
    r"(?:it[’']s |i meant |make (?:it|that) )?(?P<new>[^.?!;,]{3,60})",
    re.IGNORECASE,
)
_SPOT = re.compile(
    r"(?:(?:on|at) )?\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b(?:,? (?:at "
    r"|from )?(?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?|half past \w+"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|noon))?|\d{1,2}[:.]\d\d|\d{1,2} ?[ap]m)\b",
    re.IGNORECASE,
)


# What the owner asks about: "Summarise this page about pond filters for me". A later "mine is 900 litres" is of that.
_ASKED_ABOUT = re.compile(
    r"\b(?:about|on|of|regarding|concerning|over|über|sur|sobre) (?:(?:the|a|an|my|our|some|those|these) )?"
    r"(?P<topic>(?!me\b|it\b|this\b|that\b|them\b|you\b|how\b|what\b|whether\b)[^\W\d_][\w’'-]*(?: [^\W\d_][\w’'-]*){0,3}?)"
    r"(?= (?:for|to|in|on|at|by|with|and|or|that|which|from|today|tomorrow|please|before|so|because)\b|[,;:.!?]|$)",
    re.IGNORECASE,
)


class Topic(NamedTuple):
    """What the owner asked about, and in which line."""

    words: str
    line: int


class Weighed(NamedTuple):
    """A line that asserts something: its words without greeting, its sort, and its worth."""

    line: Line
    body: str
    sort: Sort
    score: float
    statement: str | None = None
    lines: tuple[int, ...] = ()


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
    last_spot: Line | None = None
    slips: set[int] = field(default_factory=set)
    topic: Topic | None = None

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
        if line.role == "user" and line.is_evidence and (asked := _ASKED_ABOUT.search(body)) and _asks(body):
            self.topic = Topic(asked["topic"], line.number)
        if line.role == "user" and _SPOT.search(body) and not assertion.is_question(body) and not _SLIP.match(body):
            self.last_spot = line

    def mended(self, line: Line, body: str) -> Weighed | None:
        """What was said before with the day or hour that this line puts right; none where it puts nothing right."""
        slip, said = _SLIP.match(body), self.last_spot
        new = _SPOT.search(slip["new"]) if slip else None
        if new is None or said is None:
            return None
        self.slips.add(said.number)
        text = _SPOT.sub(lambda _: new[0], assertion.without_order(said.text), count=1)
        sort = sort_of(text)
        return Weighed(line, text, sort, MENDED, text[:1].upper() + text[1:], (said.number, line.number))


def _asks(body: str) -> bool:
    return assertion.is_order(body) or assertion.is_question(body)
