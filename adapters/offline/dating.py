"""Which date phrase of a sentence says when it began, ends or falls due. Hands on the words; code resolves them."""

from __future__ import annotations

import re
from typing import NamedTuple

from models.ask import Line
from slowwave.format import Kind
from slowwave.when import Found, find

_ENDS = re.compile(r"\b(?:ends?|expires?|runs? out|closes?)\b", re.IGNORECASE)
_JOINT = re.compile(r",? (?:and|but|while) (?=(?:the|my|our|we|i|he|she|they|it|her|his)\b)", re.IGNORECASE)
_OWED = re.compile(
    r"\b(?:by|before|no later than|due|due on|due by|uiterlijk|vóór|voor|tegen|spätestens|vor|d[’']ici|avant"
    r"|antes d[aeo]l?|para el)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
# "Bis Freitag" is a deadline of what is done once, and the end of what lasts.
_OWED_OR_ENDING = re.compile(r"\b(?:bis(?: zum)?|até|hasta(?: el)?)\s+$", re.IGNORECASE)
_LASTS = re.compile(
    r"\b(?:bin|bist|ist|sind|war|bleib\w*|hab\w*|hat|hast|arbeit\w*|wohn\w*|leb\w*|wart\w*|gilt|dauert|läuft|geht|krank|frei|urlaub|verreist"
    r"|estou|está|fico|fica|moro|trabalho|tenho|estoy|estaré|quedo|vivo|trabajo|tengo|vale)\b",
    re.IGNORECASE,
)
# Another subject with its own verb after ", and": a second fact.
_SECOND_FACT = re.compile(
    r", (?:and|but) (?=(?:[\w’'-]+ ){1,4}(?:is|are|was|were|has|have|will|can|must|needs?)\b)", re.IGNORECASE
)
MAX_FACT_CHARS = 80
_TIMELESS = (Kind.ROUTINE, Kind.COMMUNICATION_PREFERENCE)


class Dates(NamedTuple):
    """The words for each role, and whether a plain date lies ahead."""

    valid_from: str | None = None
    valid_to: str | None = None
    due: str | None = None
    is_future: bool = False


def dates_of(text: str, line: Line, kind: Kind, zone: str | None) -> Dates:
    """Read the roles of the date phrases: since and until say so, a plain date ahead is due, one behind is when it happened."""
    found = [f for f in find(text, line.said_at, line.offset_minutes, zone) if not f.phrase.lower().startswith("at ")]
    since = next((f for f in found if f.relation == "since"), None)
    until = next((f for f in found if f.relation == "until"), None)
    plain = None if kind in _TIMELESS else next((f for f in found if f.relation == "at"), None)
    is_goal = kind is Kind.GOAL_OR_COMMITMENT or (until is not None and _is_deadline(text, until))
    is_ahead = plain is not None and plain.is_future
    starts = since or (plain if not is_ahead and not is_goal else None)
    due = (until if is_goal else None) or (plain if is_ahead else None)
    ends = until if until is not due else None
    return Dates(_words(starts), _words(ends), _words(due), is_ahead)


def _is_deadline(text: str, until: Found) -> bool:
    """Whether something is owed by then; "until June" only says how long."""
    head = text[: until.start]
    is_owed = _OWED.search(head) or (_OWED_OR_ENDING.search(head) and not _LASTS.search(text))
    # "までに" is by then, "まで" until then.
    is_owed = is_owed or text.startswith(("までに", "之前", "前"), until.end)
    return until.is_future and bool(is_owed)


def _words(found: Found | None) -> str | None:
    return found.phrase if found else None


def clauses(text: str, line: Line, zone: str | None) -> list[str]:
    """The two halves of "X on Monday, and Y on Friday", or of a long sentence that states two facts; else the whole."""
    for match in _JOINT.finditer(text):
        halves = [text[: match.start()], text[match.end() :]]
        if all(len(half.split()) >= 4 and find(half, line.said_at, line.offset_minutes, zone) for half in halves):
            return _sentences(halves)
    second = _SECOND_FACT.search(text) if line.role == "user" and len(text) > MAX_FACT_CHARS else None
    if second:
        halves = [text[: second.start()], text[second.end() :]]
        if all(len(half.split()) >= 4 for half in halves):
            return _sentences(halves)
    return [text]


def _sentences(halves: list[str]) -> list[str]:
    first, rest = halves
    return [first.rstrip(" ,") + ".", rest[0].upper() + rest[1:]]
