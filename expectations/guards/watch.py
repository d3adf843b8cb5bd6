"""The seven guards, gathered and asserted in one go, told in one report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from expectations import gx
from expectations.guards.budget import budget
from expectations.guards.delivery import delivery
from expectations.guards.drift import drift
from expectations.guards.enforcement import enforcement
from expectations.guards.lessons import lessons
from expectations.guards.repeats import repeats
from expectations.guards.seen import Finding, Seen, found
from expectations.guards.staleness import staleness
from expectations.promise import Fact, Report, Severity
from models.guarding import GuardName, GuardRules

Guard = Callable[[Seen, GuardRules], Iterator[Fact]]

GUARDS: dict[GuardName, Guard] = {
    "budget": budget,
    "staleness": staleness,
    "lessons": lessons,
    "enforcement": enforcement,
    "repeats": repeats,
    "drift": drift,
    "delivery": delivery,
}


def check(seen: Seen, rules: GuardRules, names: Sequence[GuardName] = tuple(GUARDS)) -> Report:
    """What these guards found. A guard never raises for what it finds, and never changes what it looks at."""
    return Report(tuple(gx.run_facts([*facts(seen, rules, names)])))


def facts(seen: Seen, rules: GuardRules, names: Sequence[GuardName] = tuple(GUARDS)) -> Iterator[Fact]:
    """What these guards work out. The facts of a guard bear its name, and block only where the rules say so of it."""
    yield _unread(seen)
    for name in names:
        for fact in GUARDS[name](seen, rules):
            yield fact if name in rules.blocking else replace(fact, severity=Severity.REPORTING)


def _unread(seen: Seen) -> Fact:
    """A file that can't be read is one finding, and the others are looked at all the same."""
    faults = (Finding(f"{file.name}: {file.fault}") for file in seen.files if file.fault)
    return found(
        "files.read", "every watched file and folder can be read", faults, "Mend it, or watch it no longer: [guards]."
    )
