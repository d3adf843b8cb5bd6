"""Find date phrases in a text: runs the rules, keeps the longest of overlapping matches, and makes UTC intervals of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from slowwave.format import Precision
from slowwave.when import absolute, beside, feasts, foreign, foreign_days, relative, spans, weekdays
from slowwave.when.absolute import Rule
from slowwave.when.clock import clocks
from slowwave.when.found import Found, Ground, Stretch, ground
from slowwave.when.words import MONTH, ONCE, SEASON, TRIGGERS, UNIT, WEEKDAY

# Most sentences hold no date at all: a look at their words tells, at a tenth of what the rules would cost.
_TOKEN = re.compile(r"[^\W\d_]+|\d")
_HINTS = TRIGGERS | foreign.TRIGGERS | foreign_days.TRIGGERS | feasts.TRIGGERS | frozenset("0123456789")
_RELATION = re.compile(
    r"\b(?:(?P<since>since|from|starting|as of|beginning|depuis|seit|sinds|desde)"
    r"|(?P<until>by|until|till|til|before|no later than|through|due|due on|due by|up to|jusqu['’]?à?|bis|tot|hasta))"
    r"\s+(?:the\s+|about\s+|around\s+|on\s+)?$",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"(?<!\bbe )(?<!\bis )(?<!\bare )(?<!\bstay )(?<!\bstays )(?<!\bget )\b(?:was|were|wasn[’']t|had|did|didn[’']t|went"
    r"|got(?! to\b)|took|came|made|met|saw|been|found|left|bought"
    r"|began|told|said|gave"
    r"|won|ran|ate|sold|quit|lost|spent|held|wrote|read|flew|drove|grew|knew|thought|brought|caught"
    r"|taught|kept|felt|put|set"
    r"|heard|sent|broke|chose|became|rode|sang|swam|hung|had|hit|shot|paid|rang|froze|gone|seen|done|taken|given|written"
    r"|spoken|eaten|driven|last"
    r"|ago|(?<!\bthe )(?<!\ba )(?<!\ban )(?<!\bmy )(?<!\bour )(?<!\byour )(?<!\bhis )(?<!\bher )(?<!\btheir )"
    r"(?!need|speed|feed|breed)[a-z]{2,}ed)\b",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:will|won[’']t|gonna|going to|plans?|planning|shall|due|need|needs|must|want|wants|hope|hoping"
    r"|remind|promise"
    r"|let[’']?s|looking forward|can[’']t wait|upcoming|deadline|ends?|starts?|begins?|next|deliver"
    r"|submit|aim|should|endet|eindigt|verloopt|beginnt|begint|vence|ought to|(?:has|have|got) (?:yet )?to)\b|[’']ll\b"
    # What one has on Monday is still to come; what one has done is not.
    r"|\b(?:have|has|[’']ve got|[’']s got)(?= (?:an?|another|my|our|his|her"
    r"|their|no|two|three|until|till|tickets?|plans|guests|visitors)\b)"
    r"|\b(?:signed up|registered|applied)\b[^,:]{0,40}?\bfor\b"
    r"|\b(?:said|told|thought|knew|promised)\b[^,:]{0,40}?\bwould(?! have)\b"
    r"|\b(?:is|are|am|[’']m|[’']re) \w+ing\b"
    # What was promised or asked for lies ahead of the promise: "I promised Eva I'd bake it by Friday".
    r"|\b(?:promised|agreed|offered|decided|asked|told|arranged|signed up|invited)\b[^,:]{0,40}?"
    r"(?:\bto(?! (?:the|an?|my|our|your|his|her|their)\b)|\w[’']d)(?= [a-z])",
    re.IGNORECASE,
)
# "We booked it for Saturday", "the review was moved to Monday": the verb is past, the day is not.
_FOR = re.compile(
    r"\bfor (?:the )?$|\b(?:moved|postponed|rescheduled|shifted|pushed|delayed|put off|brought forward)\b[^.,;]{0,30}\bto (?:the )?$"
    # "I promised Eva the cake by Friday": what is promised is of the same week's end, not of the last.
    r"|\b(?:promised|agreed|offered)\b[^.;]{0,60}\b(?:by|before|no later than) (?:the )?$",
    re.IGNORECASE,
)
# What happens once is still to come where it "is on the 14th"; rent, market and choir come round.
_IS_ON = re.compile(
    rf"\b{ONCE}\b[^.,;]{{0,30}}\b(?:is|are) (?:now |booked |planned |scheduled |set )?(?:on|for) (?:the )?$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?;]\s")
_DONE_IN = re.compile(
    r"\b(?:i|we|he|she|they|my [\w’'-]+|our [\w’'-]+|(?-i:[A-Z])[\w’'-]+)\b[^,:]*\b(?:in|on|back in|during) (?:the )?$",
    re.IGNORECASE,
)
# What is settled, told or got ready in the past may well lie ahead: "we booked the trip in May".
_SETTLED = re.compile(
    r"\b(?:book|plann|schedul|announc|cancel|postpon|delay|push|invit|arrang|agree|reserv|regist|sign|decid|promis|confirm|offer|accept"
    r"|ask|extend|approv|mention|order|remind|mov(?:e|ed) (?:it|the|our|my|that)|shift|expect|want|need|notic|check|fix"
    r"|propos|suggest)\w*"
    r"|\b(?:called off|brought forward|put (?:off|in|down)|set|told|said|heard|read|wrote|thought|knew|found out|saw"
    r"|bought|got (?:tickets?"
    r"|an? |the )|made (?:plans|a)|chose|picked|had|left|gave|was|were|been|is|are)\b",
    re.IGNORECASE,
)
SIGNS = {
    "d": re.compile(r"\d"),
    "m": re.compile(MONTH),
    "w": re.compile(WEEKDAY),
    "s": re.compile(SEASON, re.IGNORECASE),
    "u": re.compile(UNIT + "|quarter", re.IGNORECASE),
    "n": re.compile(r"day|to(?:night|morrow)|last night|this (?:morning|afternoon|evening)", re.IGNORECASE),
}
_RELATIVE = (*relative.RULES, *weekdays.RULES)
_FOREIGN = frozenset((*foreign.DATED, *foreign.RULES, *foreign_days.RULES))
_DAY_GRAINS = (Precision.DAY, Precision.INSTANT)


def find(
    text: str, said_at: datetime | None = None, offset_minutes: int | None = None, zone: str | None = None
) -> list[Found]:
    """The date phrases of a text, in order, each with the interval it names.

    Relative phrases are resolved on the message's own day: in its offset, else the owner's zone, else UTC (then their
    precision is APPROXIMATE). Without a message time they are left out; dates that name a year are not.
    """
    return list(_find(text, said_at, offset_minutes, zone)) if _may_hold_dates(text) else []


# A line and what is said of it are asked about by one check after another.
@lru_cache(maxsize=4096)
def _may_hold_dates(text: str) -> bool:
    words = set(_TOKEN.findall(text.lower()))
    return not words.isdisjoint(_HINTS) or bool(not text.isascii() and foreign.SIGNS.search(text))


@lru_cache(maxsize=4096)
def _find(text: str, said_at: datetime | None, offset_minutes: int | None, zone: str | None) -> tuple[Found, ...]:
    base = ground(said_at, offset_minutes, zone)
    kept: list[Found] = []
    for found in sorted(_candidates(text, base), key=lambda f: (f.start - f.end, f.start)):
        if all(found.end <= other.start or found.start >= other.end for other in kept):
            kept.append(found)
    return tuple(sorted(_with_clocks(text, _side_by_side(text, kept, base), base), key=lambda f: f.start))


_BETWEEN = re.compile(r" *| (?:in|on) ")


def _side_by_side(text: str, found: list[Found], base: Ground) -> list[Found]:
    """Phrases with nothing between them are one; where they don't agree neither says anything sure."""
    made: list[Found] = []
    for one in sorted(found, key=lambda f: f.start):
        before = made[-1] if made else None
        if (
            before is None
            or not (before.is_relative or one.is_relative)
            or _BETWEEN.fullmatch(text, before.end, one.start) is None
        ):
            made.append(one)
            continue
        made.pop()
        if stretch := beside.together(before, one):
            whole = _found(text, (before.start, one.end), stretch, base, is_relative=True)
            made.append(replace(whole, relation=before.relation, is_foreign=before.is_foreign))
    return made


def _candidates(text: str, base: Ground) -> list[Found]:
    held = {sign for sign, pattern in SIGNS.items() if pattern.search(text)}
    found: list[Found] = []
    for rule, is_relative in _rules(text, is_timed=base.now is not None):
        for match in rule.pattern.finditer(text) if held.issuperset(rule.needs) else ():
            start, end = match.span("core") if "core" in rule.pattern.groupindex else match.span()
            hinted = _hinted(text, start, end, base)
            stretch = _made(rule.make, match, hinted)
            if stretch is not None:
                is_bare = is_relative or not re.search(r"\d{4}", match[0])
                made = _found(text, (start, end), stretch, hinted, is_bare)
                found.append(replace(made, is_foreign=True) if rule in _FOREIGN else made)
    return found


def _hinted(text: str, start: int, end: int, base: Ground) -> Ground:
    """The ground with the hints of the words around a phrase."""
    when = tense(text, start, end)
    return base._replace(tense=when, relation=_relation(text, start), is_done=when == "past" and _is_done(text[:start]))


def _is_done(before: str) -> bool:
    """Whether something was done in the time that follows: "I moved out in May", but not "they called off the trip in May"."""
    head = _SENTENCE_END.split(before)[-1]
    return bool(_PAST.search(head) and _DONE_IN.search(head)) and not _SETTLED.search(head)


def _rules(text: str, *, is_timed: bool) -> Iterator[tuple[Rule, bool]]:
    """The rules that are worth trying, in their order, and whether each means nothing without the message's time."""
    words = set(_TOKEN.findall(text.lower()))
    is_abroad = not foreign.WORDS.isdisjoint(words) or foreign.SIGNS.search(text) is not None
    yield from ((rule, False) for rule in (*absolute.RULES, *(foreign.DATED if is_abroad else ())))
    if is_timed:
        yield from ((rule, True) for rule in (*_RELATIVE, *(foreign.RULES if is_abroad else ())))
        yield from ((rule, True) for rule in (() if feasts.TRIGGERS.isdisjoint(words) else feasts.RULES))
        yield from ((rule, True) for rule in (() if foreign_days.WORDS.isdisjoint(words) else foreign_days.RULES))


def _made(make: absolute.Make, match: re.Match[str], hinted: Ground) -> Stretch | None:
    try:
        return make(match, hinted)
    except (OverflowError, ValueError):
        # "In 900 years" is past the end of the calendar: not a date that anyone will be reminded of.
        return None


def _relation(text: str, start: int) -> str:
    match = _RELATION.search(text, max(0, start - 24), start)
    return match.lastgroup or "at" if match else "at"


def tense(text: str, start: int, end: int) -> str | None:
    """Past or future, by the cue nearest before the phrase in its sentence, else the first one after it.

    A participle after an article is no verb: "the signed contract".
    """
    head = _SENTENCE_END.split(text[:start])[-1]
    tail = _SENTENCE_END.split(text[end:])[0]
    if _FOR.search(head) or _IS_ON.search(head):
        return "future"
    before = max(
        [(m.end(), "past") for m in _PAST.finditer(head)] + [(m.end(), "future") for m in _FUTURE.finditer(head)],
        default=None,
    )
    if before:
        return before[1]
    after = [(m.start(), "past") for m in _PAST.finditer(tail)] + [
        (m.start(), "future") for m in _FUTURE.finditer(tail)
    ]
    return min(after)[1] if after else None


def _found(text: str, where: tuple[int, int], stretch: Stretch, base: Ground, is_relative: bool) -> Found:
    starts_at, ends_at = _instant(stretch.first, base), _instant(stretch.until, base)
    is_unsure = stretch.is_vague or (is_relative and not base.is_sure)
    return Found(
        start=where[0],
        end=where[1],
        phrase=text[where[0] : where[1]],
        starts_at=starts_at,
        ends_at=ends_at,
        precision=Precision.APPROXIMATE if is_unsure else stretch.grain,
        grain=Precision.APPROXIMATE if stretch.is_vague else stretch.grain,
        first=stretch.first,
        last=stretch.until - timedelta(days=1),
        relation=stretch.relation or base.relation,
        is_relative=is_relative,
        is_future=base.now is not None and ends_at > _instant(base.today + timedelta(days=1), base),
    )


def _instant(day: date, base: Ground, at: time = time()) -> datetime:
    return datetime.combine(day, at, tzinfo=base.tz).astimezone(UTC)


def _with_clocks(text: str, found: list[Found], base: Ground) -> list[Found]:
    """Times of day join the day phrase beside them; one that stands alone is today's, unless it is a habit's."""
    for start, end, clock in clocks(text):
        beside = [f for f in found if f.grain in _DAY_GRAINS and f.clock is None and f.first == f.last]
        near = min(beside, key=lambda f: _gap(f, start, end), default=None)
        inside = any(f.start <= start < f.end and end <= f.end for f in found)
        if inside:
            continue
        if near is not None and _gap(near, start, end) <= 12:
            found[found.index(near)] = _at(near, clock, base)
        elif base.now is not None and text[start:end].lower().startswith("at ") and not _HABIT.search(text):
            day = _found(text, (start, end), spans.days(base.today), base, is_relative=True)
            found.append(_at(day, clock, base))
    return found


_HABIT = re.compile(r"\b(?:every|each|usually|always|daily|weekly|\w+days|mornings|evenings)\b", re.IGNORECASE)


def _gap(found: Found, start: int, end: int) -> int:
    return min(abs(start - found.end), abs(found.start - end))


def _at(found: Found, clock: time, base: Ground) -> Found:
    starts_at = _instant(found.first, base, clock)
    is_unsure = found.precision is Precision.APPROXIMATE
    return replace(
        found,
        starts_at=starts_at,
        ends_at=starts_at + timedelta(minutes=1),
        precision=Precision.APPROXIMATE if is_unsure else Precision.INSTANT,
        grain=Precision.INSTANT,
        clock=clock,
    )
