"""Staleness: dates by which something was to be reviewed or done and that lie behind, and countdowns that count wrong.

A file that is named after a day (a daily note) speaks of that day; any other of today. Memory's own promises are stale once they are
overdue for longer than the rules allow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from expectations.guards.seen import Finding, Seen, day_of, days, found, lines
from expectations.promise import Fact, Severity
from models.guarding import GuardRules, WatchedFile
from slowwave.format import CommitmentState, Kind

_BOX = re.compile(r"\s*(?:[-*+]|\d+[.)])?\s*\[(?P<mark>[ xX])\]")
_BULLET = re.compile(r"^[\s>*+#\-\d.)]*(?:\*\*|__)?")
_ENDED = re.compile(r"~~.+~~|✓|✔|✅|\((?:done|cancelled|dropped)\b[^)]*\)", re.IGNORECASE)
_AHEAD = re.compile(r"\bin (\d{1,4}) (day|week)s?\b", re.IGNORECASE)
_LEFT = re.compile(r"\b(\d{1,4}) (day|week)s? (?:left|to go|until|till|remaining|from now)\b", re.IGNORECASE)
_OPEN = frozenset({CommitmentState.OPEN.value, CommitmentState.OVERDUE.value})


def staleness(seen: Seen, rules: GuardRules) -> Iterator[Fact]:
    """A fact each for reviews, things to do, countdowns, and promises of memory."""
    yield found(
        "staleness.reviews",
        "no line or memory is past the date by which it was to be reviewed, and each such date is one",
        _reviews(seen, rules),
        "Look whether it still holds: give it a new date, or correct it.",
    )
    yield found(
        "staleness.actions",
        "no line of something to be done names a day that is over",
        _actions(seen, rules),
        "Tick it off, take it out, or give it a new day.",
    )
    yield found(
        "staleness.countdowns",
        "what is said to be so many days away is that many days away",
        _countdowns(seen),
        "Write the date instead of the number of days.",
    )
    yield found(
        "staleness.unanchored",
        "every countdown in a file without a date of its own names the day it counts to",
        _unanchored(seen),
        "Write the date instead of the number of days, which was true on one day only.",
        Severity.REPORTING,
    )
    yield found(
        "staleness.promises",
        f"no promise in memory has been overdue for more than {rules.overdue_days} days",
        _promises(seen, rules),
        "Tell the agent that it is done or called off, or say a new date.",
    )


def _reviews(seen: Seen, rules: GuardRules) -> Iterator[Finding]:
    label = _labelled(rules.review_labels)
    if label is None:
        return
    for file in seen.texts:
        for number, line in lines(file):
            if (said := label.search(line)) and _is_due(line[said.end() :], seen.today):
                yield Finding(f"{file.name}:{number}")
    for row in seen.current():
        if (said := label.search(row["text"])) and _is_due(row["text"][said.end() :], seen.today):
            yield Finding(row["id"], (row["id"],))


def _labelled(labels: tuple[str, ...]) -> re.Pattern[str] | None:
    """A label with a colon after it, however it is set in Markdown; None without labels."""
    one_of = "|".join(re.escape(label) for label in labels if label)
    return re.compile(rf"\b(?:{one_of})\b(?:\*\*|__)?\s?:", re.IGNORECASE) if one_of else None


def _is_due(rest: str, today: date) -> bool:
    """Whether the first word after the label is a day that is over, or none at all."""
    words = rest.strip(" *_`").split()
    day = day_of(words[0].rstrip("*_`.,;)")) if words else None
    return day is None or day < today


def _actions(seen: Seen, rules: GuardRules) -> Iterator[Finding]:
    label = _labelled(rules.action_labels)
    for file in seen.texts:
        for number, line in lines(file):
            named = days(line)
            if named and max(named) < seen.today and _is_open_action(line, label):
                yield Finding(f"{file.name}:{number}")


def _is_open_action(line: str, label: re.Pattern[str] | None) -> bool:
    """Whether a line is something to be done and not done: an open box, or one of the labels at its beginning."""
    box = _BOX.match(line)
    if _ENDED.search(line) or (box and box["mark"] != " "):
        return False
    return bool(box) or (label is not None and label.match(_BULLET.sub("", line, count=1)) is not None)


def _countdowns(seen: Seen) -> Iterator[Finding]:
    for file in seen.texts:
        home = _day_of_file(file)
        for number, line in lines(file):
            if (named := days(line)) and _counts_wrong(line, named, home or seen.today):
                yield Finding(f"{file.name}:{number}")
    for row in seen.current():
        named = [row["due_at"].astimezone(seen.zone).date()] if row["due_at"] else []
        if named and _counts_wrong(row["text"], named, seen.today):
            yield Finding(row["id"], (row["id"],))


def _counts_wrong(text: str, named: list[date], home: date) -> bool:
    """Whether a number of days or weeks fits no pair of the days at hand: from the day it was written, or one named, to one named."""
    gaps = {(to - since).days for to in named for since in (home, *named)}
    return any(not any(0 <= gap - n_days < width for gap in gaps) for n_days, width in _counts(text))


def _counts(text: str) -> Iterator[tuple[int, int]]:
    """The countdowns of a text: days, and how many days the unit leaves open."""
    for said in (*_AHEAD.finditer(text), *_LEFT.finditer(text)):
        width = 7 if said[2].lower() == "week" else 1
        yield int(said[1]) * width, width


def _unanchored(seen: Seen) -> Iterator[Finding]:
    for file in seen.texts:
        if _day_of_file(file) is None:
            yield from (
                Finding(f"{file.name}:{number}")
                for number, line in lines(file)
                if not days(line) and (_AHEAD.search(line) or _LEFT.search(line))
            )


def _day_of_file(file: WatchedFile) -> date | None:
    """The day that a file is named after."""
    return next(iter(days(file.path.rpartition("/")[2])), None)


def _promises(seen: Seen, rules: GuardRules) -> Iterator[Finding]:
    latest = seen.as_of - timedelta(days=rules.overdue_days)
    for row in seen.current():
        is_open = row["kind"] == Kind.GOAL_OR_COMMITMENT and row["commitment_state"] in _OPEN
        if is_open and row["due_at"] is not None and row["due_at"] < latest:
            yield Finding(row["id"], (row["id"],))
