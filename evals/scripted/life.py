"""A scripted life: sessions of talk in which facts are told, and questions about them, all drawn from one seed.

Two friends talk (`talk`), or a person talks to an agent that says back what it heard (`agent`). Belongs here: who tells what when.
Does not belong here: the words (`bank`), and what is asked of it (`questions`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Literal

from evals.scripted.bank import Detail, Slot, bank

Form = Literal["talk", "agent"]
PEOPLE = ("Mara", "Jonas", "Adaeze", "Tomas", "Yuki", "Leonie", "Farid", "Signe", "Nuno", "Priya")
START = datetime(2025, 2, 3, 18, tzinfo=UTC)
N_SESSIONS, DAYS_BETWEEN, SECONDS_BETWEEN = 18, 11, 40
_WHEN = ("yesterday", "last week", "last Sunday", "on Tuesday", "two days ago", "last month", "a week ago")
_MANY, _TOLD_SHARE, _DETAIL_SHARE = 3, 0.8, 0.4


@dataclass(frozen=True)
class Person:
    """Somebody who talks: the role they have in the log, and how questions call them."""

    name: str
    role: str
    called: str


@dataclass(frozen=True)
class Fact:
    """One value of a matter as somebody told it: `id` is the message it stands in, `is_last` whether nothing changed it since."""

    id: str
    who: Person
    slot: Slot
    value: str
    is_last: bool
    detail: Detail | None = None
    detail_id: str = ""


@dataclass(frozen=True)
class Line:
    """One message."""

    id: str
    session: int
    at: datetime
    who: Person
    text: str


@dataclass(frozen=True)
class Life:
    """All that was said, and the facts in it."""

    form: Form
    people: tuple[Person, ...]
    lines: tuple[Line, ...]
    facts: tuple[Fact, ...]

    @property
    def as_of(self) -> datetime:
        """The day after the last word: when its night walks and its questions are asked."""
        return self.lines[-1].at + timedelta(days=1)


def live(seed: int, form: Form) -> Life:
    """The life of a seed; the same seed, the same life."""
    draw = Random(f"{form} {seed}")
    people = _people(draw, form)
    told = [fact for who in people if who.role != "assistant" for fact in _facts(draw, who, form)]
    script = _Script(draw, people)
    for number in range(N_SESSIONS):
        script.session(number, [fact for at, fact in told if at == number])
    return Life(form, people, tuple(script.lines), tuple(script.facts))


def _people(draw: Random, form: Form) -> tuple[Person, ...]:
    one, other = draw.sample(PEOPLE, 2)
    if form == "talk":
        return (Person(one, "user", one), Person(other, "participant", other))
    return (Person(one, "user", "the user"), Person("assistant", "assistant", "the assistant"))


def _facts(draw: Random, who: Person, form: Form) -> list[tuple[int, Fact]]:
    """What somebody will tell, each with the session it is told in."""
    slots = [slot for slot in bank().slots if draw.random() < _TOLD_SHARE]
    made: list[tuple[int, Fact]] = []
    for slot in [*slots, *(bank().owed if form == "agent" else ())]:
        values = draw.sample(slot.values, _MANY if slot.many else 2 if slot.changing else 1)
        sessions = sorted(draw.sample(range(N_SESSIONS), len(values)))
        for i, (number, value) in enumerate(zip(sessions, values, strict=True)):
            is_last = not slot.changing or i == len(values) - 1
            made.append((number, Fact("", who, slot, value, is_last)))
    return made


class _Script:
    """Writes the lines of a life, session after session."""

    def __init__(self, draw: Random, people: tuple[Person, ...]) -> None:
        self._draw, self._people = draw, people
        self.lines: list[Line] = []
        self.facts: list[Fact] = []

    def session(self, number: int, told: list[Fact]) -> None:
        chatter, (one, other) = bank().chatter, self._people
        self._say(number, one, self._draw.choice(chatter["openers"]))
        self._draw.shuffle(told)
        for fact in told:
            self._tell(number, fact)
            self._aside(number)
        self._say(number, other, self._draw.choice(chatter["ends"]))

    def _tell(self, number: int, fact: Fact) -> None:
        self._say(number, self._other(fact.who), self._draw.choice(fact.slot.opener))
        words = self._draw.choice(fact.slot.told).format(v=fact.value, when=self._draw.choice(_WHEN))
        words = " ".join([words, *self._draw.sample(bank().chatter["more"], self._draw.randrange(3))])
        told = replace(fact, id=self._say(number, fact.who, words))
        self._say(number, self._other(fact.who), self._reaction(words))
        self.facts.append(self._go_on(number, told) if self._draw.random() < _DETAIL_SHARE else told)

    def _go_on(self, number: int, fact: Fact) -> Fact:
        chatter, detail = bank().chatter, self._draw.choice(bank().details)
        self._say(number, self._other(fact.who), detail.further)
        drawn = {"name": self._draw.choice(chatter["names"]), "mood": self._draw.choice(chatter["moods"])}
        answer = detail.answer.format(n=self._draw.randrange(20, 900, 10), **drawn)
        return replace(fact, detail=detail, detail_id=self._say(number, fact.who, answer))

    def _reaction(self, words: str) -> str:
        chatter = bank().chatter
        if self._people[1].role != "assistant":
            return self._draw.choice(chatter["replies"])
        kind = self._draw.choice(["told_back", "told_back", "advice"])
        return self._draw.choice(chatter[kind]).format(said=words)

    def _aside(self, number: int) -> None:
        for _ in range(self._draw.randrange(3)):
            spoken = [slot.aside for slot in bank().slots]
            said = self._draw.choice([self._draw.choice(spoken), bank().chatter["small"]])
            who = self._people[0] if self._people[1].role == "assistant" else self._draw.choice(self._people)
            self._say(number, who, self._draw.choice(said))

    def _other(self, who: Person) -> Person:
        return self._people[1] if who == self._people[0] else self._people[0]

    def _say(self, number: int, who: Person, text: str) -> str:
        began = START + timedelta(days=DAYS_BETWEEN * number)
        n = len(self.lines)
        at = began + timedelta(seconds=SECONDS_BETWEEN * sum(line.session == number for line in self.lines))
        self.lines.append(Line(f"m{n}", number, at, who, text.format(other=self._other(who).name)))
        return f"m{n}"


def write(life: Life, path: Path) -> None:
    """The life as a log that a night reads."""
    rows = [
        {
            "session_id": f"s{line.session}",
            "message_id": line.id,
            "user_id": "owner",
            "role": line.who.role,
            "speaker": line.who.name,
            "content": line.text,
            "created_at": line.at.isoformat(),
            "platform": "scripted",
        }
        for line in life.lines
    ]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
