"""What is asked of a scripted life, each question with the messages that answer it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from random import Random

from evals.scripted.life import Fact, Life

SORTS = ("direct", "detail", "named", "reworded", "temporal", "several", "changed", "joined", "swapped")
_NAMED = ("What did {who} tell of {v}?", "When did {who} speak of {v}?", "What was it that {who} said about {v}?")


@dataclass(frozen=True)
class Asked:
    """One question: of what sort it is, and the messages that hold its answer."""

    text: str
    sort: str
    evidence: frozenset[str]


def questions(life: Life) -> list[Asked]:
    """Every question of a life: about each fact in its words and in others, its time, all values of a matter, and across two.

    `detail` asks for an answer that shares no word with it, `named` names the value itself; `changed` asks for what holds after a
    change, `swapped` takes what one told for the other's (its evidence is what was told).
    """
    draw = Random(f"questions {life.lines[0].text} {len(life.lines)}")
    told = [_of(list(same)) for same in _by_matter(life)]
    asked = [question for same in told for question in _about(same, draw)]
    return [*asked, *_joined(life, told, draw), *_swapped(life, told, draw)]


def _by_matter(life: Life) -> Iterator[Iterator[Fact]]:
    def key(fact: Fact) -> tuple[str, str]:
        return fact.who.name, fact.slot.name

    for _, same in groupby(sorted(life.facts, key=key), key=key):
        yield same


def _of(same: list[Fact]) -> list[Fact]:
    return [fact for fact in same if fact.is_last]


def _about(same: list[Fact], draw: Random) -> Iterator[Asked]:
    slot, who, evidence = same[0].slot, same[0].who.called, frozenset(fact.id for fact in same)
    is_whole = "several" if slot.many else "changed" if slot.changing else ""
    yield Asked(draw.choice(slot.asked).format(who=who), is_whole or "direct", evidence)
    yield Asked(draw.choice(slot.reworded).format(who=who), is_whole or "reworded", evidence)
    for text in slot.dated:
        yield Asked(text.format(who=who, v=_theirs(same[0])), "temporal", evidence)
    for fact in same:
        if fact.detail is not None:
            text = fact.detail.asked.format(who=who, v=_theirs(fact))
            yield Asked(text, "detail", frozenset([fact.detail_id]))
    for fact in same if slot.many else ():
        yield Asked(draw.choice(_NAMED).format(who=who, v=_theirs(fact)), "named", frozenset([fact.id]))


def _theirs(fact: Fact) -> str:
    return fact.value.replace("my ", f"{fact.who.called}'s ")


def _joined(life: Life, told: list[list[Fact]], draw: Random) -> Iterator[Asked]:
    """Questions that name a person by another thing they told."""
    single = [same[0] for same in told if len(same) == 1 and not same[0].slot.changing]
    for fact in single if life.form == "talk" else ():
        other = draw.choice([one for one in single if one.who == fact.who and one != fact])
        who = f"the one who told of {_theirs(other)}"
        yield Asked(draw.choice(fact.slot.asked).format(who=who), "joined", frozenset([fact.id, other.id]))


def _swapped(life: Life, told: list[list[Fact]], draw: Random) -> Iterator[Asked]:
    """Questions that name the wrong friend, where only one of them told of the matter."""
    for same in told if life.form == "talk" else ():
        slot, who = same[0].slot, same[0].who
        if not any(other[0].slot == slot and other[0].who != who for other in told):
            wrong = next(person for person in life.people if person != who)
            yield Asked(draw.choice(slot.asked).format(who=wrong.called), "swapped", frozenset(f.id for f in same))
