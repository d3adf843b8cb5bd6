"""What a reader answers: what holds, what held then, who leads now, where work was left, and whether a lesson comes in time.

Belongs here: asking, as an agent would. Does not belong here: reading a version's memories whole (`truth`).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from evals.worlds.life import Matter, Occasion, Stand, Year
from evals.worlds.truth import Memories
from slowwave.reader import Reader
from slowwave.reader.bundles import Bundle
from slowwave.reader.results import TURN, Recalled

PLACES, BUDGET_TOKENS = 10, 2000


def recalls(year: Year, reader: Reader, memories: Memories, at: datetime, *sorts: str) -> list[bool]:
    """For every value of these sorts that holds: whether each question that names it has an active memory of it among ten results."""
    asked = ((stand, text) for matter, stand in _holding(year, at, sorts) for text in matter.asked)
    return [_is_among(reader.recall(text, PLACES, at=at), stand, memories) for stand, text in asked]


def reworded(year: Year, reader: Reader, memories: Memories, at: datetime) -> list[bool]:
    """The same of questions that ask in other words than it is called by."""
    sorts = {matter.sort for matter in year.matters}
    asked = ((stand, text) for matter, stand in _holding(year, at, sorts) for text in matter.reworded)
    return [_is_among(reader.recall(text, PLACES, at=at), stand, memories) for stand, text in asked]


def _holding(year: Year, at: datetime, sorts: Iterable[str]) -> list[tuple[Matter, Stand]]:
    return [(matter, stand) for matter in year.of(*sorts) for stand in matter.stands if stand.holds(at)]


def _is_among(results: Iterable[Recalled], stand: Stand, memories: Memories) -> bool:
    known = {m.id for m in memories.citing(stand.saying, stand.value) if m.polarity == "assert"}
    return any(one.id in known and one.status == "active" for one in results)


def heard(year: Year, reader: Reader, at: datetime, *sorts: str) -> list[bool]:
    """The same, but the words themselves among the results are enough: a turn that says it counts."""
    asked = ((stand, text) for matter, stand in _holding(year, at, sorts) for text in matter.asked)
    return [
        any(
            stand.saying.message_id in {e.message_id for e in one.evidence}
            for one in reader.recall(text, PLACES, at=at)
        )
        for stand, text in asked
    ]


def as_of(year: Year, reader: Reader, memories: Memories, at: datetime) -> list[bool]:
    """For every value of a matter that changes, half way through its time: what held then is told, and before any other value."""
    return [
        _was(matter, stand, reader, memories, at)
        for matter in year.matters
        if matter.is_single and len(matter.stands) > 1
        for stand in matter.stands
    ]


def _was(matter: Matter, stand: Stand, reader: Reader, memories: Memories, at: datetime) -> bool:
    ended = stand.ended.at if stand.ended else at
    results = reader.recall(matter.asked[0], PLACES, at=at, as_of=stand.saying.at + (ended - stand.saying.at) / 2)
    return _first(matter, results, memories) is stand


def _first(matter: Matter, results: Iterable[Recalled], memories: Memories) -> Stand | None:
    """The value of the first memory among the results that is of this matter."""
    of: dict[str, Stand] = {m.id: s for s in matter.stands for m in memories.citing(s.saying, s.value)}
    return next((of[one.id] for one in results if one.id in of and one.kind != TURN), None)


def leads(year: Year, reader: Reader, memories: Memories, at: datetime) -> list[bool]:
    """For every project that was handed over by then: whether the first answer to who leads it is who leads it now."""
    handed = [m for m in year.of("leads") if len([s for s in m.stands if s.saying.at <= at]) > 1]
    return [
        _first(matter, reader.recall(text, PLACES, at=at), memories) is next(s for s in matter.stands if s.holds(at))
        for matter in handed
        for text in matter.asked
    ]


def left_off(year: Year, reader: Reader, since: datetime, at: datetime) -> list[bool]:
    """For every piece of work interrupted in this time and not gone on with: whether a bundle tells where it was left."""
    fresh = [(m, s) for m in year.of("steps") for s in m.stands if since <= s.saying.at < at and s.holds(at)]
    return [_is_told(reader.bundle(m.asked[0], BUDGET_TOKENS, at=at), stand) for m, stand in fresh]


def spared(occasions: Iterable[Occasion], reader: Reader) -> list[tuple[Occasion, bool]]:
    """For each moment: whether what an agent is given there holds the lesson, so that the mistake is not made again."""
    return [(one, _is_told(reader.bundle(one.text, BUDGET_TOKENS, at=one.at), one.lesson)) for one in occasions]


def _is_told(bundle: Bundle, stand: Stand) -> bool:
    told = [*bundle.results, *(one for section in bundle.sections.values() for one in section)]
    words = " ".join(stand.value.casefold().split())
    return words in bundle.snapshot.casefold() or any(words in one.text.casefold() for one in told)


def tokens(year: Year, reader: Reader, at: datetime) -> list[int]:
    """What a bundle takes of a prompt, for one question of every matter."""
    return [reader.bundle(matter.asked[0], BUDGET_TOKENS, at=at).n_tokens for matter in year.matters]
