"""What the owner wants kept out of memory, read off the words of one message: "forget what I said about X", "off the record".

Belongs here: which wishes a message holds, and how far each goes. Does not belong here: how one is worded (`wordings`), what it takes
away (`forget`), and who may wish (the owner alone).
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from slowwave.text import holds_any, normalise, squash
from tasks.sift.hints import ODD_I, SIGNS
from tasks.sift.sentences import QUOTED, Span
from tasks.sift.wordings import STRUCK_IN_PLACE, WISHES


class Scope(StrEnum):
    """What a wish is about."""

    TOPIC = "topic"
    BEFORE = "before"
    OWN = "own"
    AFTER = "after"
    SENTENCE = "sentence"
    STRUCK = "struck"
    SESSION = "session"


class Wish(NamedTuple):
    """One wish: its sentences, its scope, for a topic the words that name it, and whether it reaches into other sessions."""

    span: Span
    scope: Scope
    terms: tuple[str, ...] = ()
    is_everywhere: bool = False


# What follows a wish in its message and still belongs to it.
_GOES_ON = re.compile(
    r"^(?:all|any|none|nothing|no|not|every\w*|both|he|she|they|it|his|her|their|that|this|don[’']t|do not|never|please|thanks?)\b",
    re.IGNORECASE,
)
_PRONOUN_TOPIC = re.compile(r"(?:it|that|this|them|him|her|these|those|all (?:of )?(?:this|that|it))\b", re.IGNORECASE)
_LITTLE = frozenset(
    """a an the my your his her our their its this that these those and or of to in on at for with from about by me us you i we
    gesagt sagte erzählt erzählte erwähnt geschrieben habe hab hatte gezegd zei verteld vertelde noemde schreef heb had
    dit ai raconté dicho dije disse falei contei back zurück terug wieder
    please now again ever all any everything anything some here today yesterday earlier before just again too de het een mijn
    der die das ein eine mein meine le la les un une mon ma mes el los las mi mis o os meu minha being having going""".split()  # noqa: SIM905
)
_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_MIN_SAID_WORDS = 3
_ODD_I = re.compile(ODD_I)
# "My boss said: never mind what I said about Tom" is the boss's wish.
_REPORTED = re.compile(
    r"(?<!\bi )\b(?:said|says|told (?:me|us|him|her|them)|wrote|writes|asked|replied|texted|zei|schreef|sagte|schrieb|dit|disse|dijo)"
    r"(?: to (?:me|us))?[:,]?\s*$",
    re.IGNORECASE,
)
_TAKEN = ("topic", "before", "struck", "session")


def wishes(text: str, spans: list[Span]) -> list[Wish]:
    """The wishes in a message, in order; `spans` are its sentences. What stands in quotation marks is somebody else's."""
    found: list[Wish] = []
    end = 0
    for place, span in enumerate(spans):
        form, match = _form(squash(text[slice(*span)]))
        if match is None and (wrapped := _wrapped(text, spans, place)):
            form, match = _form(squash(text[slice(*wrapped)]))
            place, span, match = (place + 1, wrapped, match) if form == "topic" else (place, span, None)
        if match is None or form == "back" or span[1] <= end:
            continue
        terms = _terms(match.groupdict().get("topic"))
        if form == "struck":
            found += _struck(span, spans[place - 1] if place and spans[place - 1][0] >= end else None, match)
            end = span[1]
            continue
        end = _ending(text, spans, place, terms)
        found.append(_wish(text, spans, place, (span[0], end), form, match, terms))
    return found


def is_back(text: str) -> bool:
    """Whether the message says that what follows is on the record again."""
    return dict(WISHES)["back"].search(text) is not None


def mentions(sentence: str, terms: tuple[str, ...]) -> bool:
    """Whether a sentence speaks of the topic: of one of its names, or with all of its other words."""
    # No invisible letter and no look-alike may carry a name past the wish to forget it.
    words = set(_WORD.findall(normalise(sentence)))
    names = [term for term in terms if term[:1].isupper()]
    if names:
        return any(_has(words, normalise(name)) for name in names)
    return bool(terms) and all(_has(words, normalise(term)) for term in terms)


def _has(words: set[str], term: str) -> bool:
    """Whether a word is among the words, in whatever ending."""
    return any(word == term or (len(term) > 3 and word.startswith(term)) or word == f"{term}'s" for word in words)


def _wrapped(text: str, spans: list[Span], place: int) -> Span | None:
    """A line with the next one, where a sentence may go on in it: "forget what I", "said about Tom"."""
    if place + 1 == len(spans):
        return None
    (start, end), (following, stop) = spans[place : place + 2]
    goes_on = text[end - 1] not in ".!?…:;" and text[following].islower() and text[end:following].strip(" \t\r") == "\n"
    return (start, stop) if goes_on else None


def _form(sentence: str) -> tuple[str, re.Match[str] | None]:
    # Of a long text with one wish, most sentences need no closer look.
    if not holds_any(_ODD_I.sub("i", sentence).casefold(), SIGNS):
        return "", None
    quoted = [m.span() for m in QUOTED.finditer(sentence)]
    for form, pattern in WISHES:
        match = pattern.search(sentence)
        # A wish that begins in a quotation is somebody else's, however far its topic seems to reach behind it.
        if match and not any(start <= match.start() < end for start, end in quoted):
            is_reported = form in _TAKEN and _REPORTED.search(sentence[: match.start()].rstrip(" :,"))
            return ("", None) if is_reported else (form, match)
    return "", None


def _terms(topic: str | None) -> tuple[str, ...]:
    """The words that name a topic, its names alone where it has some; none for a pronoun, which points."""
    if not topic or _PRONOUN_TOPIC.match(topic.strip()):
        return ()
    words = [word.removesuffix("'s").removesuffix("’s") for word in _WORD.findall(topic)]
    telling = [word for word in words if word.casefold() not in _LITTLE]
    names = [word for word in telling if word[0].isupper()]
    return tuple(names or [word.casefold() for word in telling])


def _ending(text: str, spans: list[Span], place: int, terms: tuple[str, ...]) -> int:
    """Where a wish ends: with the last sentence after it that still belongs to it."""
    end = spans[place][1]
    for start, stop in spans[place + 1 :]:
        sentence = text[start:stop]
        if not (_GOES_ON.match(sentence) or mentions(sentence, terms)):
            break
        end = stop
    return end


def _wish(
    text: str, spans: list[Span], place: int, span: Span, form: str, match: re.Match[str], terms: tuple[str, ...]
) -> Wish:
    groups = match.groupdict()
    if form == "topic" and terms:
        return Wish(span, Scope.TOPIC, terms, not (groups.get("just") or groups.get("just2")))
    if form in ("session", "sentence"):
        return Wish(span, Scope(form))
    if form in ("topic", "before"):
        return Wish(span, Scope.BEFORE)
    return Wish(span, _pointed(text, spans, place, match, span[1]))


def _struck(span: Span, before: Span | None, match: re.Match[str]) -> list[Wish]:
    """The wish to strike the sentence before it, or where it stands alone what the owner said last."""
    if before is not None:
        return [Wish((before[0], span[1]), Scope.STRUCK)]
    return [] if STRUCK_IN_PLACE.search(match[0]) else [Wish(span, Scope.BEFORE)]


def _pointed(text: str, spans: list[Span], place: int, match: re.Match[str], end: int) -> Scope:
    """What "this" or "off the record" points at: the words around it, or where there are none, what was said before or comes next."""
    this = (match.groupdict().get("this") or "").casefold()
    around = spans[:place]
    if not this or this.endswith("this"):
        around = [*around, *(span for span in spans if span[0] >= end)]
    is_announced = match.string[match.end() :].lstrip().startswith(":")
    if is_announced or is_said(text, around) or _says_more(match):
        return Scope.OWN
    return Scope.BEFORE if this else Scope.AFTER


def is_said(text: str, spans: list[Span]) -> bool:
    """Whether these sentences say something together."""
    return sum(len(_WORD.findall(text[start:end])) for start, end in spans) >= _MIN_SAID_WORDS


def _says_more(match: re.Match[str]) -> bool:
    """Whether the wish's own sentence says something besides the wish."""
    rest = match.string[: match.start()] + " " + match.string[match.end() :]
    return len([word for word in _WORD.findall(rest) if word.casefold() not in _LITTLE]) >= _MIN_SAID_WORDS
