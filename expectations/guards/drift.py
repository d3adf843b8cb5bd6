"""Config drift: the owner's live configuration says what it must, and what memory says.

What stands in a file or in memory is compared and never told: a finding names the invariant, the file and the memories.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from expectations.guards.seen import Finding, Seen, found
from expectations.guards.values import MISSING, is_same, value_at
from expectations.promise import Fact, Severity
from models.guarding import GuardRules, Invariant, WatchedFile
from slowwave.format import Polarity
from slowwave.text import normalise

Expected = tuple[list[Any], tuple[str, ...]]


def drift(seen: Seen, rules: GuardRules) -> Iterator[Fact]:
    """A fact for invariants that do not hold, and one for those that memory knows nothing to hold against."""
    expected = {name: _expected(seen, one) for name, one in rules.invariants.items()}
    yield found(
        "drift.invariants",
        "every configuration file that is named says what it must, or what memory says",
        (
            finding
            for name, one in rules.invariants.items()
            if expected[name][0]
            for finding in _drifted(seen, name, one, expected[name])
        ),
        "Change the file; or, if it is right, let memory know: tell the agent, or slowwave correct ID; or change the invariant.",
    )
    yield found(
        "drift.memory",
        "memory knows what it is asked for by an invariant",
        (Finding(name) for name, (values, _) in expected.items() if not values),
        "Look for the slot's subject and attribute in slowwave show ID, or tell the agent what holds.",
        Severity.REPORTING,
    )


def _expected(seen: Seen, one: Invariant) -> Expected:
    """The values that are right, and the memories that say so: the fixed value, or each that memory holds to be true now."""
    if one.equals is not None:
        return [list(one.equals) if isinstance(one.equals, tuple) else one.equals], ()
    rows = [row for row in seen.current() if _is_of_slot(row, one) and _holds(row, seen)]
    return [row["value"] for row in rows], tuple(row["id"] for row in rows)


def _is_of_slot(row: dict[str, Any], one: Invariant) -> bool:
    is_subject = normalise(one.subject) in (normalise(row["subject"]), normalise(row["subject_key"]))
    is_said = row["value"] is not None and row["polarity"] == Polarity.ASSERT
    return is_subject and is_said and row["attribute"] == one.attribute


def _holds(row: dict[str, Any], seen: Seen) -> bool:
    has_begun = row["valid_from"] is None or row["valid_from"] <= seen.as_of
    return has_begun and (row["valid_to"] is None or row["valid_to"] > seen.as_of)


def _drifted(seen: Seen, name: str, one: Invariant, expected: Expected) -> Iterator[Finding]:
    files = [file for file in seen.files if file.is_of((one.file,))]
    if not files:
        yield Finding(f"{name}: no file {one.file}", expected[1])
    for file in files:
        if why := _wrong(file, one, expected[0]):
            way = one.path if isinstance(one.path, str) else ".".join(one.path)
            yield Finding(f"{name}: {way} in {file.name} {why}", expected[1])


def _wrong(file: WatchedFile, one: Invariant, values: list[Any]) -> str:
    """What is wrong with a file, in words; empty where nothing is. Several values in memory: a list has all of them, a value is one."""
    if file.fault:
        return "could not be read"
    stands = value_at(file.data, one.path)
    if stands is MISSING:
        return "is not set"
    is_right = any(is_same(stands, value) for value in values) or (one.equals is None and is_same(stands, values))
    return "" if is_right else "is another"
