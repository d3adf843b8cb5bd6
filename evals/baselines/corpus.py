"""What every system is given: turns in order, and questions with the turns that answer them.

Belongs here: LoCoMo's conversations and worlds in one form. Does not belong here: any system.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from evals.dataset import conversations, said
from evals.worlds.scenes import World, as_of, world
from evals.worlds.year import DAYS, draw_year

LOCOMO, WORLD = "locomo", "world"


@dataclass(frozen=True)
class Turn:
    """One message as it was said."""

    id: str
    session: str
    speaker: str
    at: datetime
    text: str
    caption: str = ""

    @property
    def shown(self) -> str:
        """As an agent would be shown it: with its speaker and its day, and what a picture sent with it shows."""
        picture = f" (a picture: {self.caption})" if self.caption else ""
        return f"{self.speaker}, {self.at.day} {self.at:%B %Y}: {self.text}{picture}"


@dataclass(frozen=True)
class Asked:
    """A question, the turns that answer it, and those that answer it as it once was; `is_swapped` takes one person for another."""

    text: str
    evidence: frozenset[str]
    stale: frozenset[str] = frozenset()
    is_swapped: bool = False


@dataclass(frozen=True)
class Corpus:
    """One conversation or one life."""

    name: str
    turns: tuple[Turn, ...]
    asked: tuple[Asked, ...]
    as_of: datetime
    path: Path | None = None
    world: World | None = None


def locomo(data: Path) -> list[Corpus]:
    """Every conversation of a data folder. Raises UsageError where there is none."""
    found: list[Corpus] = []
    for talk in conversations(data):
        turns = tuple(Turn(t.id, str(t.session), t.speaker, t.began_at, t.text, t.caption) for t in said(talk.path))
        asked = tuple(Asked(q.text, q.evidence, is_swapped=q.category == 5) for q in talk.questions if q.evidence)
        found.append(Corpus(talk.path.stem, turns, asked, talk.as_of, path=talk.path))
    return found


def a_world(seed: int, days: int = DAYS) -> Corpus:
    """A made year: asked is what holds at its end, and stale is what held before."""
    made = world(draw_year(seed, days=days), seed)
    turns = [
        Turn(message.id, session.id, message.role, message.at, message.text)
        for session in made.sessions
        for message in session.messages
    ]
    return Corpus(
        f"world-{seed}", tuple(sorted(turns, key=lambda t: t.at)), tuple(_asked(made)), as_of(days + 1), world=made
    )


def _asked(made: World) -> list[Asked]:
    found: list[Asked] = []
    for matter in made.year.matters:
        holding = {stand.saying.message_id for stand in matter.stands if stand.holds(made.year.end)}
        once = frozenset(stand.saying.message_id for stand in matter.stands) - holding
        found += [Asked(text, frozenset(holding), once) for text in matter.asked if holding]
    return found


def corpora(of: str, data: Path | None, *, seed: int = 1, days: int = DAYS) -> list[Corpus]:
    """LoCoMo's conversations, or one world."""
    return [a_world(seed, days)] if of == WORLD or data is None else locomo(data)
