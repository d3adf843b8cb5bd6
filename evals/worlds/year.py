"""Draws a year: which matters there are, how often they change, what is promised and what becomes of it, when an agent speaks up.

Belongs here: draws. Does not belong here: words (`bank`), and sessions (`scenes`).
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from evals.worlds.bank import bank
from evals.worlds.life import DONE, LATE, OFF, Matter, Nudge, Occasion, Promise, Saying, Stand, Year

ZONE = "Europe/Lisbon"
START = datetime(2025, 1, 6, tzinfo=UTC)
CHAT, PHONE, CODE = "chat", "openclaw", "claude_code"
DAYS = 365
# Shares of a year: how often a slot changes, promises and events a week, how many promises are kept, called off, moved.
CHANGES, PROMISES_A_WEEK, EVENTS_A_WEEK, NUDGES_A_WEEK = 3, 1.4, 0.6, 6
KEPT, CALLED_OFF, MOVED = 0.6, 0.15, 0.15
_BACK, _ENDS, _AGAIN = 0.35, 0.25, 0.3


def draw_year(seed: int, *, days: int = DAYS) -> Year:
    """The life of a seed over so many days; the same seed, the same life."""
    return _Drawing(seed, days).year


class _Drawing:
    def __init__(self, seed: int, days: int) -> None:
        self.draw = Random(f"world {seed}")
        self.days = days
        self.bank = bank()
        self.people: list[str] = self.bank["people"]
        self.year = Year(self.draw.choice(self.bank["owners"]), START, START + timedelta(days=days))
        self._slots()
        self._kept()
        self._people()
        self._projects()
        self._lessons()
        self._promises()
        self._events()
        self._mistaken()
        self._nudges()
        self.year.sayings.sort(key=lambda saying: (saying.at, saying.text))

    # How a thing is said, and where.

    def _day(self, first: float = 0.0, last: float = 1.0) -> int:
        return self.draw.randrange(int(first * self.days), max(int(last * self.days), int(first * self.days) + 1))

    def _say(self, day: int, text: str, *rows: tuple[str, ...], where: str = "", project: str | None = None) -> Saying:
        where = where or self.draw.choice((CHAT, CHAT, PHONE))
        hour = {CHAT: 19, PHONE: 8, CODE: 14}[where]
        local = datetime.combine(
            START.date() + timedelta(days=day), time(hour, self.draw.randrange(60)), ZoneInfo(ZONE)
        )
        saying = Saying(local.astimezone(UTC), where, _capital(text), rows, project)
        self.year.sayings.append(saying)
        return saying

    def _choice(self, texts: list[str], **words: str) -> str:
        return self.draw.choice(texts).format(**words)

    # Matters that hold one value at a time.

    def _slots(self) -> None:
        for slot in self.bank["slot"]:
            values = self._values(slot["values"])
            self._single(slot, values, key=slot["name"], attribute=slot["name"], sort=slot["sort"])

    def _values(self, values: list[str]) -> list[str]:
        """A first value and its changes; now and then one that was there before comes back."""
        told = [self.draw.choice(values)]
        for _ in range(self.draw.randint(1, CHANGES)):
            old = [value for value in told[:-1] if value != told[-1]]
            fresh = [value for value in values if value not in told]
            is_back = old and (not fresh or self.draw.random() < _BACK)
            told.append(self.draw.choice(old) if is_back else self.draw.choice(fresh))
        return told

    def _single(
        self, told: dict[str, Any], values: list[str], *, key: str, attribute: str, sort: str, **more: Any
    ) -> Matter:
        days = _apart(self.draw, len(values), self.days, first=more.get("first", 0.0))
        words: dict[str, str] = more.get("words", {})
        subject, kind = more.get("subject", "user"), told.get("kind", more.get("kind", "fact"))
        asked = tuple(text.format(**words) for text in told["asked"])
        matter = Matter(key, sort, asked, [], is_single=True, reworded=tuple(told.get("reworded", ())))
        where = more.get("where") or ""
        for place, (day, value) in enumerate(zip(days, values, strict=True)):
            form = "first" if place == 0 else "back" if value in values[:place] and "back" in told else "change"
            row = (kind, subject, attribute, value, "", "single")
            saying = self._say(
                day, self._choice(told[form], v=value, **words), row, where=where, project=more.get("project")
            )
            if matter.stands:
                matter.stands[-1].ended, matter.stands[-1].fate = saying, "superseded"
            matter.stands.append(Stand(value, saying))
        self.year.matters.append(matter)
        return matter

    # Matters that hold many values, each for itself.

    def _kept(self) -> None:
        for many in self.bank["kept"]:
            for value, asked in many["values"]:
                row = (many["kind"], "user", many["attribute"], value, "")
                day = self._day(0, 0.8)
                stand = Stand(value, self._say(day, self._choice(many["told"], v=value), row))
                if many["ended"] and self.draw.random() < _ENDS:
                    later = self.draw.randrange(day + 3, self.days)
                    stand.ended = self._say(later, self._choice(many["ended"], v=value), (*row, "negate"))
                    stand.fate = "negated"
                elif self.draw.random() < _AGAIN:
                    self._say(self.draw.randrange(day + 3, self.days), self._choice(many["told"], v=value), row)
                self.year.matters.append(Matter(f"{many['attribute']}:{value}", many["sort"], (asked,), [stand]))

    def _people(self) -> None:
        roles = self.draw.sample(self.bank["role"]["values"], len(self.people) + 4)
        for person in self.people:
            values = [
                roles.pop() for _ in range(2 if len(roles) > len(self.people) and self.draw.random() < 0.4 else 1)
            ]
            told = {**self.bank["role"], "first": self.bank["role"]["told"]}
            more: dict[str, Any] = {"subject": person, "kind": "person", "words": {"p": person}}
            self._single(told, values, key=f"role:{person}", attribute="role", sort="collaborators", **more)

    def _projects(self) -> None:
        for place, name in enumerate(self.bank["projects"]):
            where, project = (CODE, name) if place % 2 == 0 else (CHAT, None)
            more: dict[str, Any] = {"subject": name, "kind": "project", "words": {"j": name}, "where": where}
            more |= {"project": project}
            stages = self.bank["stage"]["values"][: self.draw.randint(2, len(self.bank["stage"]["values"]))]
            self._single(self.bank["stage"], stages, key=f"stage:{name}", attribute="stage", sort="projects", **more)
            leads = self.draw.sample(self.people, self.draw.randint(1, 3))
            self._single(self.bank["lead"], leads, key=f"lead:{name}", attribute="lead", sort="leads", **more)
            steps = self.draw.sample(self.bank["step"]["values"], self.draw.randint(2, 4))
            step = {**self.bank["step"], "first": self.bank["step"]["told"], "change": self.bank["step"]["told"]}
            self._single(step, steps, key=f"step:{name}", attribute="next_step", sort="steps", **more)
            self._stack(name, where, project)

    def _stack(self, name: str, where: str, project: str | None) -> None:
        for value in self.draw.sample(self.bank["stack"]["values"], 2):
            row = ("project", name, "uses", value, "")
            text = self._choice(self.bank["stack"]["told"], j=name, v=value)
            stand = Stand(value, self._say(self._day(0, 0.5), text, row, where=where, project=project))
            asked = tuple(text.format(j=name) for text in self.bank["stack"]["asked"])
            self.year.matters.append(Matter(f"uses:{name}:{value}", "projects", asked, [stand]))

    def _lessons(self) -> None:
        for value, occasion in self.bank["lesson"]["values"]:
            day = self._day(0, 0.5)
            row = ("lesson", "user", "lesson", value, "")
            stand = Stand(value, self._say(day, self._choice(self.bank["lesson"]["told"], v=value), row))
            self.year.matters.append(Matter(f"lesson:{value}", "lessons", (occasion,), [stand]))
            for later in range(day + 14, self.days, 45):
                at = START + timedelta(days=later, hours=10)
                self.year.occasions.append(Occasion(at, occasion, stand))

    # What is owed.

    def _promises(self) -> None:
        told = self.bank["promise"]
        pairs = [(a, p) for a in told["artefacts"] for p in self.people]
        n = int(self.days / 7 * PROMISES_A_WEEK)
        for what, whom in self.draw.sample(pairs, min(n, len(pairs))):
            self._promise(told, what, whom, self.draw.randrange(self.days - 3))

    def _promise(self, told: dict[str, Any], what: str, whom: str, day: int) -> None:
        row = ("goal", "user", "owes", f"{what} for {whom}", "")
        words, due = self._by(day, self.draw.randint(2, 20))
        made = self._say(
            day, self._choice(told["made"], p=whom, a=what, w=words), (*row, f"due={words}", f"names={whom}")
        )
        promise = Promise(what, whom, f"What about the {what} for {whom}?", made, [(made, due)])
        last, fate = day, self.draw.random()
        if self.draw.random() < MOVED and day + 2 < self.days:
            last = day + 1
            words, due = self._by(last, self.draw.randint(21, 40))
            text = self._choice(told["moved"], p=whom, a=what, w=words)
            # "Until Friday is fine" stands for a promise only where the sentence before is known: a right reading words it.
            worded = (*row[:4], f"The user gets the {what} to {whom} by {words}.")
            moved = self._say(last, text, (*worded, f"due={words}", f"names={whom}"))
            promise.due.append((moved, due))
        closes = last + self.draw.randint(1, 25)
        if fate < KEPT + CALLED_OFF and closes < self.days:
            form, attribute, end = ("done", "done", DONE) if fate < KEPT else ("off", "called_off", OFF)
            text = self._choice(told[form], p=whom, a=what)
            promise.closed = self._say(
                closes, text, ("goal", "user", attribute, f"{what} for {whom}", "", f"names={whom}")
            )
            promise.end = end
        else:
            promise.end = LATE
        self.year.promises.append(promise)

    def _by(self, day: int, ahead: int) -> tuple[str, datetime]:
        """A day so far ahead as people say it, and its last second."""
        date = START.date() + timedelta(days=day + ahead)
        is_near = ahead < 7 - (START.date() + timedelta(days=day)).weekday()
        words = f"{date:%A}" if is_near else self.draw.choice((f"{date.day} {date:%B}", f"{date:%B} {date.day}"))
        end = datetime.combine(date, time(23, 59, 59), ZoneInfo(ZONE))
        return words, end.astimezone(UTC)

    # What happened once, what was said by mistake, and when an agent spoke up.

    def _events(self) -> None:
        values = self.draw.sample(self.bank["event"]["values"], min(15, int(self.days / 7 * EVENTS_A_WEEK) or 1))
        for value in values:
            day = self._day(0.02, 1)
            words, happened = self._past(day)
            text = self._choice(self.bank["event"]["told"], v=value, w=words)
            saying = self._say(day, text, ("event", "user", "", "", "", f"from={words}"))
            stand = Stand(value, saying, day=happened)
            self.year.matters.append(
                Matter(f"event:{value}", "events", (f"When was it that the user {value}?",), [stand])
            )

    def _past(self, day: int) -> tuple[str, str]:
        date = START.date() + timedelta(days=day)
        back, words = self.draw.choice(((1, "yesterday"), (0, "this morning"), (2, "two days ago"), (3, "")))
        date -= timedelta(days=back)
        return words or f"on {date.day} {date:%B}", f"{date}"

    def _mistaken(self) -> None:
        told = self.bank["mistaken"]
        for value, about in told["values"]:
            day = self._day(0, 0.7)
            row = ("fact", "user", about.replace(" ", "_"), value, "", "single")
            stand = Stand(value, self._say(day, self._choice(told["told"], v=value), row))
            text = self._choice(told["taken_back"], v=value)
            stand.ended = self._say(self.draw.randrange(day + 2, self.days), text, (*row, "retract"))
            stand.fate = "retracted"
            self.year.matters.append(
                Matter(f"mistaken:{about}", "mistaken", (f"What about the user's {about}?",), [stand])
            )

    def _nudges(self) -> None:
        for _ in range(int(self.days / 7 * NUDGES_A_WEEK)):
            hour = self.draw.choice((8, 10, 14, 16, 18, 20))
            local = datetime.combine(START.date() + timedelta(days=self._day()), time(hour, 5), ZoneInfo(ZONE))
            channel, urgency = (
                self.draw.choice(("native", "email", "popup")),
                self.draw.choice(("low", "normal", "urgent")),
            )
            is_welcome = welcome(hour, channel, urgency)
            outcome = "accepted" if is_welcome else self.draw.choice(("dismissed", "rejected"))
            self.year.nudges.append(Nudge(local.astimezone(UTC), channel, urgency, outcome))
        self.year.nudges.sort(key=lambda nudge: nudge.at)


def welcome(hour: int, channel: str, urgency: str) -> bool:
    """The fixed rule by which the made person takes it that an agent speaks up: urgent always; else in the morning, and not as a popup."""
    return urgency == "urgent" or (hour < 12 and channel != "popup")


def _apart(draw: Random, n: int, days: int, *, first: float = 0.0) -> list[int]:
    """So many days in order, the first of them early, at least a few days between them."""
    least = 4
    room = days - least * n
    places = sorted(draw.randrange(int(first * days), max(room, 1)) for _ in range(n))
    return [place + least * i for i, place in enumerate(places)]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
