"""Choices of which one holds at a time: the format of a report, the tool for a plot, the way reminders come, what one no longer drinks.

Each is a slot with one value, so that a later choice supersedes the earlier one. Belongs here: how a user words a choice. Does not
belong here: slots that hold many values (`slots`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from adapters.offline.slots import Slot
from slowwave.format import Cardinality, Kind


class Choice(NamedTuple):
    """A slot with one value, and the kind that such a choice is."""

    slot: Slot
    kind: Kind


_THINGS = (
    r"(?:reports?|summar(?:y|ies)|lists?|sheets?|minutes|newsletters?|invoices?|notes|plots?|charts?|graphs?|figures?"
    r"|maps?|diagrams?"
    r"|drawings?|slides?|exports?|letters?|schedules?|rosters?|menus?|programmes?|posters?|backups?|statements?)"
)
_THING = rf"(?P<k>{_THINGS})"
_FORMAT = (
    r"(?P<v>pdfs?|markdown|excel(?: sheet| file)?|csvs?|word (?:file|document|doc)|word|html|plain text(?: file)?"
    r"|latex|json|docx|xlsx|odt"
    r"|google (?:docs?|sheets?)|spreadsheets?|epub|svg)"
)
_NO = r"\b(?:no|not|never|drop|stop|without|instead of|rather than|than|from|geen|kein\w*|pas de|plus de|sem)\b"
_IN_FORMAT = re.compile(
    rf"\b{_THING}\b(?:(?!{_NO}|\b{_THINGS}\b)[^.;!?]){{1,60}}?\b{_FORMAT}\b(?! (?:is|are|days|target|was))",
    re.IGNORECASE,
)
# A tool's name has a capital, or stands where only a tool can: "plot it with matplotlib".
_NAME = r"(?P<v>(?-i:[A-Z])[\w+#.-]*\w|[a-z]+(?:lib|plot|py|js|base|draw|cad))"
_WITH_TOOL = (
    re.compile(
        rf"\b{_THING}\b(?:(?!{_NO}|\b{_THINGS}\b)[^.;:!?,]){{0,30}}? (?:with|using|in|are(?: done in"
        rf"| made in)?) {_NAME}\b",
        re.IGNORECASE,
    ),
    re.compile(rf"\b{_THING}\b[^.;:!?]{{1,40}}, {_NAME} (?:like|as) (?:everything|always|every)\b", re.IGNORECASE),
    re.compile(rf"\b{_NAME}(?: from \w+)? for (?:(?:all|every|each|the|my|our) )+{_THING}\b", re.IGNORECASE),
)
_NO_TOOL = frozenset(
    re.findall(
        r"\w+",
        "english dutch german french portuguese spanish monday tuesday wednesday thursday friday saturday sunday january february march"
        " april may june july august september october november december i the a an my our it",
    )
)
_CHANNEL = (
    r"(?P<v>e-?mail|mail|sms|text(?: message)?s?|whatsapp|signal|telegram|slack|discord|teams|matrix|phone"
    r"|messenger|push notifications?)"
)
_REMINDED = (
    re.compile(
        rf"\breminders?\b[^.;!?,]{{0,25}}? (?:by|over|via|on|through|to|as) (?:the )?{_CHANNEL}\b", re.IGNORECASE
    ),
    re.compile(rf"\b(?:use|take|switch to|try) {_CHANNEL}\b[^.;!?]{{0,20}}\breminders?\b", re.IGNORECASE),
    re.compile(rf"\b(?:remind|ping|notify) me (?:by|over|via|on|through) {_CHANNEL}\b", re.IGNORECASE),
)
# What people give up, by the words for it: the abstinence is one value of the same slot as the habit that it ends.
_FAMILIES = {
    "coffee": r"coffees?|koffie|kaffee|caf[ée]|espress[oi]s?|flat whites?|cappuccin[oi]s?|lattes?|americanos?"
    r"|macchiatos?|caffeine|cafeïne"
    r"|koffein|caféine|cafeína",
    "alcohol": r"alcohol|alkohol|alcool|álcool|beers?|bier|bière|cerveja|wines?|wijn|wein|vin|vinho|whisk(?:e)?y|gin",
    "meat": r"meat|vlees|fleisch|viande|carne|beef|pork|steaks?",
    "smoking": r"cigarettes?|sigaret(?:ten)?|zigaretten?|smoking|smoke|roken|rauchen|fumer|fumar",
    "sugar": r"sugar|suiker|zucker|sucre|açúcar",
}
_NEVERMORE = r"(?:no|geen|keine?n?|plus de|pas de|nenhum\w?|without|zonder|ohne|sans|sem)"
_STOPPED = (
    r"(?:stopp?(?:ed)?|quit|gave up|given up|giving up|cut out|gestopt|stop|aufgehört|arrêté|arrête|deixei de|parei de)"
    r"(?: (?:with|drinking|eating|met|mit|de|comer|beber|boire|manger|vandaag|heute|vanaf \w+)){0,3}"
)
_LASTING = re.compile(
    r"\b(?:any ?more|no more|no longer|meer|mehr|plus|since|sinds|seit|depuis|desde|today|vandaag|heute|from now on"
    r"|for me|voor mij|für mich"
    r"|for good|at all|stop\w*|quit|gestopt|deixei|parei|mais)\b",
    re.IGNORECASE,
)
_HABIT = re.compile(
    r"\b(?:every|each|first|mornings?|begins?|starts?|daily|a day|before my|without my|after my|eerst|elke|jeden"
    r"|chaque|todos os|todas as)\b",
    re.IGNORECASE,
)
_GIVEN_UP = {
    name: re.compile(rf"\b(?P<v>(?:{_NEVERMORE}|{_STOPPED}) (?:\w+ )?(?:{words}))\b", re.IGNORECASE)
    for name, words in _FAMILIES.items()
}
_TAKEN = {name: re.compile(rf"\b(?P<v>{words})\b", re.IGNORECASE) for name, words in _FAMILIES.items()}
_ANY_TAKEN = re.compile(rf"\b(?:{'|'.join(_FAMILIES.values())})\b", re.IGNORECASE)


def choices_of(text: str) -> list[Choice]:
    """The choices that a user's sentence makes; each attribute at most once."""
    return list({choice.slot.attribute: choice for choice in _found(text)}.values())


def _found(text: str) -> Iterator[Choice]:
    for pattern in _WITH_TOOL:
        if (
            (match := pattern.search(text))
            and match["v"].casefold() not in _NO_TOOL
            and not _IN_FORMAT.search(match[0])
        ):
            yield _choice(f"{_singular(match['k'])}_tool", match["v"], Kind.PREFERENCE)
    if match := _IN_FORMAT.search(text):
        yield _choice(f"{_singular(match['k'])}_format", match["v"], Kind.PREFERENCE)
    for pattern in _REMINDED:
        if match := pattern.search(text):
            yield _choice("reminder_channel", match["v"], Kind.COMMUNICATION_PREFERENCE)
    if _ANY_TAKEN.search(text):
        yield from _habits(text)


def _habits(text: str) -> Iterator[Choice]:
    for name, given_up in _GIVEN_UP.items():
        if match := given_up.search(text):
            if _LASTING.search(text):
                yield _choice(name, match["v"], Kind.PREFERENCE)
        elif (match := _TAKEN[name].search(text)) and _HABIT.search(text):
            yield _choice(name, match["v"], Kind.PREFERENCE)


def _choice(attribute: str, value: str, kind: Kind) -> Choice:
    return Choice(Slot(attribute, value, Cardinality.SINGLE), kind)


def _singular(thing: str) -> str:
    word = thing.casefold()
    return f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")
