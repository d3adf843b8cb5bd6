"""Enforcement audit: a rule that only advises and was broken again needs more than advice.

A lesson and those that say they repeat it are one family. What counts is how the newest of them is enforced: a rule that began as advice
and has had a hook since its last repetition is mended.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from expectations.guards.lessons import Index, Lesson, lessons_in
from expectations.guards.seen import Finding, Seen, found
from expectations.promise import Fact
from models.guarding import GuardRules
from slowwave.text import normalise

Family = list[tuple[int, Lesson]]


def enforcement(seen: Seen, rules: GuardRules) -> Iterator[Fact]:
    """The fact of families of lessons that recurred and whose newest one still only advises."""
    advised = tuple(normalise(word) for word in rules.advisory)
    yield found(
        "enforcement.recurred",
        "no rule that only advises has been broken again",
        (
            Finding(
                f"{family[0][1].place} (again at {', '.join(one.place for _, one in family[1:4])}; {len(family) - 1} in all)"
            )
            for family in _families(lessons_in(seen, rules.lesson_files))
            if len(family) > 1 and _is_advisory(_newest(family), advised)
        ),
        "Enforce it by something that can't be overlooked: a hook, a test, a check before the act.",
    )


def _is_advisory(lesson: Lesson, advised: tuple[str, ...]) -> bool:
    """Whether a lesson is enforced by nothing, or by words alone."""
    words = normalise(lesson.enforcement).replace("-", " ").split()
    return not words or words[0].strip(".,;:(") in advised


def _newest(family: Family) -> Lesson:
    """By day; of one day, or without days, the one that is written down last."""
    return max(family, key=lambda one: (one[1].day or date.min, one[0]))[1]


def _families(written: list[Lesson]) -> list[Family]:
    """Lessons joined by what they say they repeat, each family in the order written."""
    home = list(range(len(written)))
    at = {id(lesson): place for place, lesson in enumerate(written)}
    known = Index(written)
    for place, lesson in enumerate(written):
        if (earlier := known.earlier(lesson)) is not None:
            one, other = _root(home, place), _root(home, at[id(earlier)])
            home[max(one, other)] = min(one, other)
    families: dict[int, Family] = {}
    for place, lesson in enumerate(written):
        families.setdefault(_root(home, place), []).append((place, lesson))
    return list(families.values())


def _root(home: list[int], place: int) -> int:
    while home[place] != place:
        # Each look halves the way of the next one.
        home[place] = home[home[place]]
        place = home[place]
    return place
