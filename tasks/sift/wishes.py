"""What the owner wants kept out of memory, read off the words of one message: "forget what I said about X", "off the record".

Belongs here: how such a wish is worded. Does not belong here: what it takes away (`forget`), and who may wish (the owner alone).
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from slowwave.text import normalise, squash
from tasks.sift.hints import ODD_I, SIGNS
from tasks.sift.sentences import QUOTED, Span, holds_any


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


_LEAD = (
    r"(?:^|[.!?;:,)–—-]\s+|\b(?:please|pls|plz|just|but|and|then|so|now|okay|ok|yes|no|actually|also|sorry|wait|well|better|kindly"
    r"|you (?:can|should|must|may|need to|have to)|(?:can|could|would|will) you|(?:want|like|need|ask|asking|tell|telling) you to"
    r"|maar|en|aber|und|bitte|mais|et|pero|y|por favor)[, ]+)"
)
_SAID = (
    r"(?:that |which )?(?:i|we)(?:[’']ve| have|[’']d| had)? (?P<just>just |only just )?(?:ever )?"
    r"(?:said|told|wrote|mentioned|shared|asked|typed|sent|brought up|confided|(?:was|were) (?:just )?(?:saying|telling))"
    r"(?: anything| something)?(?: to)?(?: you)?"
    r"(?P<just2> just now| here)?(?: earlier| before| today| tonight| yesterday| last \w+| the other day)?"
)
_RAISED = (
    r"(?:that )?(?:i|we)(?:[’']ve| have)? (?:ever |just )?"
    r"(?:mentioned|brought up|(?:said|told you) (?:anything|something)? ?(?:about|on)|(?:talked|spoke) (?:to you )?about)"
)
_TOPIC = r" (?P<topic>[^.!?;,:\n]{1,80})"
_ABOUT = rf" (?:about|of|on|regarding|concerning){_TOPIC}"
_THING = r"(?:everything|anything|all|whatever|what|(?:all )?the (?:things?|part|bit|stuff|message|story))"
_KNOWN = r"(?:everything|anything|all)(?: (?:that )?you (?:know|have|stored|saved|remember))?"
_TALK = r"(?:this|the|our) (?:whole |entire )?(?:conversation|chat|session|talk)\b"
_WORDS = r"(?:messages?|sentences?|remarks?|comments?|statements?|words?|stor(?:y|ies)|mentions?|claims?)"
_LAST = rf"(?:my|the|that|this) (?:last|previous|prior|earlier) (?:{_WORDS}|thing|part|bit|one)\b"
_MINE = (
    rf"(?:all |any )?(?:of )?my (?:(?:last|first|earlier|previous|prior|other|own|whole|silly|stupid) ){{0,2}}{_WORDS}"
)
_THIS = r"(?P<this>this|that|it|these|those|any of (?:this|that)|all (?:of )?(?:this|that))"
_THAT = (
    r"(?P<this>this|that|any of (?:this|that)|it (?:in|to) (?:your )?memory)(?: (?:in|to) (?:your )?memory| on file)?"
)
_TOLD = (
    r"(?P<this>(?:that )?(?:i|we)(?:[’']ve| have)? (?:ever |even |just )?(?:told you|said|mentioned|wrote|shared|asked)"
    r"(?: (?:that|this|it|so|anything))?(?: to you)?)"
)
_END = r"(?= *(?:[.!?,;:)–—-]|$| (?:please|now|again|anywhere|at all|ok|okay|will you|would you|right)\b))"
_RECORD = r"(?:off the record|off-the-record(?! \w))"
_OFF = rf"(?:{_RECORD}|between (?:us|you and me|ourselves)|out of (?:your|the) (?:memory|notes|records))"
_STAYS = r"(?:[’']s| is| was| stays?| (?:must|should|has to|needs to) stay| remains?)(?: all| strictly| just)?"
_FORGET = rf"{_LEAD}(?:forget|unlearn)"
_ERASE = rf"{_LEAD}(?:forget|unlearn|delete|erase|wipe)"
_NO = rf"(?:{_LEAD}(?:don[’']t|do not|never|you (?:must|should|may) not|you mustn[’']t|not to)|\byou not to)"
_KEEP = rf"{_NO} (?:remember|store|save|record|keep|memori[sz]e|log|note)"
# The same in Dutch, German, French, Spanish and Portuguese.
_KINDLY = r",?(?: (?:alsjeblieft|bitte|por favor|maar|doch|einfach|mal|gewoon|s[’']il te plaît),?)* (?:alles,? |das,? |tout |todo |tudo )?"
_ABROAD = rf"{_LEAD}(?:vergeet|vergiss|vergesst|oublie\w*|olvid\w+|esque[cç]\w+){_KINDLY}"
_WHAT_I = r"(?:wat|was|ce que?|lo que|o que)\b"
_ABOUT_IT = (
    r"[^.!?\n]{0,40}? (?:over|über|sobre|sur|à propos de|au sujet de|acerca de|bezüglich|zum|zur|zu|van|von|de)"
    rf"{_TOPIC}"
)
# A wish that what was said shall count for nothing: no word of it is to stand, so it goes as what is to be forgotten does.
_IGNORE = (
    rf"(?:{_LEAD}(?:never ?mind|ignore|disregard|discard|scratch|strike|pay no (?:attention|mind|heed) to)"
    r"|\b(?:take|taking)(?: back|(?=[^.!?\n]*\bback\b)))"
)
_IGNORE_ABROAD = (
    rf"(?:{_LEAD}|\b(?:ik|ich) )(?:negeer|schrap|streep|laat|let niet op|trek je niets aan van"
    r"|neem(?: terug|(?=[^.!?\n]* terug\b))|ignorier\w*|streiche?|beachte? nicht|achte? nicht auf"
    r"|nehme?(?: zurück|(?=[^.!?\n]* zurück\b))|ignore[zs]?|laisse tomber|ne tiens pas compte de|ignora\w*"
    rf"|no hagas caso (?:a|de)|desconsider\w+|vergeet|vergiss|vergesst|oublie\w*|olvid\w+|esque[cç]\w+){_KINDLY}"
    r"(?:(?:wat ik|was ich|ce que (?:je|j[’'’])|lo que|o que eu|o que)\b|(?:mijn|meine?n?|mon|ma|mes|mis?|a minha|o meu) (?:\w+ )?"
    r"(?:opmerking(?:en)?|bericht(?:en)?|verhaal|woorden|bemerkung(?:en)?|nachricht(?:en)?|aussagen?|kommentare?|geschichte|worte|remarques?"
    r"|messages?|commentaires?|histoire|comentarios?|mensajes?|comentários?|mensage(?:m|ns)))"
)
_STRUCK = (
    r"^(?:(?:no|sorry|wait|actually|oh|hm+|ok(?:ay)?|please|and|but|so|well|nee|nein|bitte)[,.]? )*"
    r"(?:(?:scratch|strike|disregard|ignore) (?:all )?(?:of )?(?:that|this)(?: last (?:bit|part|one))?"
    r"|i (?:take|am taking) (?:all )?(?:that|this|it) back|(?:streiche?|ignorier\w*) das|(?:schrap|negeer) dat|streep dat(?: maar)? door"
    r"|ik neem dat terug|ich nehme? das zurück|ignore (?:ça|cela)|ignora (?:eso|esto|isso)|desconsidere? isso)"
    r"(?: from the record)?(?:,? (?:please|bitte|alsjeblieft|maar|wieder|por favor))?[\s.!…]*$"
)
# Said alone, these point at what somebody else just said as often as at one's own words.
_STRUCK_IN_PLACE = re.compile(r"\b(?:ignor|negeer)\w*", re.IGNORECASE)
_US = r"(?:between (?:us|you and me|ourselves)|onder ons(?: gezegd)?|unter uns(?: gesagt)?|entre nous)\b"

# In this order: what names its topic before what only points.
_FORMS: tuple[tuple[str, str], ...] = (
    ("topic", rf"{_ERASE} (?:about )?{_THING} {_SAID}{_ABOUT}"),
    ("topic", rf"{_FORGET} {_RAISED}{_TOPIC}"),
    ("topic", rf"{_ERASE} {_KNOWN}{_ABOUT}"),
    ("topic", rf"\bplease forget about{_TOPIC}"),
    ("topic", rf"{_KEEP} (?:anything|{_THING} {_SAID}){_ABOUT}"),
    ("topic", rf"{_IGNORE} (?:about )?{_THING} {_SAID}{_ABOUT}"),
    ("topic", rf"(?:{_IGNORE}|{_FORGET}) {_MINE}{_ABOUT}"),
    ("topic", rf"(?:{_ABROAD}{_WHAT_I}|{_IGNORE_ABROAD}){_ABOUT_IT}"),
    ("session", rf"{_ERASE} {_TALK}|{_KEEP} {_TALK}"),
    ("session", rf"{_FORGET} (?:everything|all|anything) {_SAID}"),
    ("before", rf"{_ERASE} {_THING} {_SAID}|{_FORGET} {_LAST}|{_ABROAD}{_WHAT_I}"),
    ("before", rf"{_IGNORE} (?:{_THING} {_SAID}|{_LAST}){_END}"),
    ("struck", _STRUCK),
    ("back", r"\b(?:back on the record|on the record again)\b"),
    ("this", rf"{_FORGET} (?!it\b){_THIS}{_END}"),
    ("this", rf"{_FORGET} {_TOLD}{_END}"),
    ("this", rf"\bplease forget it{_END}"),
    ("this", rf"{_NO} (?:remember|memori[sz]e) {_THIS}{_END}"),
    ("this", rf"{_NO} (?:store|save|record|keep|log|note) {_THAT}{_END}"),
    ("this", rf"{_ABROAD}(?:dit|dat|das|dies|ça|cela|ceci|eso|esto|isso)\b"),
    ("this", rf"\b(?:keep|leave|treat|consider|put|hold) {_THIS}(?: all| strictly)? (?:as )?{_OFF}"),
    ("this", rf"\b{_THIS}(?: all)?{_STAYS} {_OFF}"),
    ("off", rf"(?:^|[,:;(–—-] ?)(?:this is |strictly |totally |completely |just )?{_RECORD}\b"),
    ("off", rf"^(?:(?:by the way|btw|well|so|oh|look|listen|honestly|ok(?:ay)?|and|but),? )?(?:just |strictly )?{_US}"),
    ("sentence", rf"\b{_RECORD}\b"),
)
_WISHES = tuple((form, re.compile(pattern, re.IGNORECASE)) for form, pattern in _FORMS)
# What follows a wish in its message and still belongs to it.
_GOES_ON = re.compile(
    r"^(?:all|any|none|nothing|no|not|every\w*|both|he|she|they|it|his|her|their|that|this|don[’']t|do not|never|please|thanks?)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"^(?:he|she|they|it|his|her|hers|their|its|him|them)\b", re.IGNORECASE)
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
        sentence = squash(text[slice(*span)])
        # Of a long text with one wish, most sentences need no closer look.
        form, match = _form(sentence) if holds_any(_ODD_I.sub("i", sentence).casefold(), SIGNS) else ("", None)
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
    return dict(_WISHES)["back"].search(text) is not None


def mentions(sentence: str, terms: tuple[str, ...]) -> bool:
    """Whether a sentence speaks of the topic: of one of its names, or with all of its other words."""
    # No invisible letter and no look-alike may carry a name past the wish to forget it.
    words = set(_WORD.findall(normalise(sentence)))
    names = [term for term in terms if term[:1].isupper()]
    if names:
        return any(_has(words, normalise(name)) for name in names)
    return bool(terms) and all(_has(words, normalise(term)) for term in terms)


def leans(sentence: str) -> bool:
    """Whether a sentence goes on about what the one before it was about."""
    return _PRONOUN.match(sentence) is not None


def _has(words: set[str], term: str) -> bool:
    """Whether a word is among the words, in whatever ending."""
    return any(word == term or (len(term) > 3 and word.startswith(term)) or word == f"{term}'s" for word in words)


def _form(sentence: str) -> tuple[str, re.Match[str] | None]:
    quoted = [m.span() for m in QUOTED.finditer(sentence)]
    for form, pattern in _WISHES:
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
    return [] if _STRUCK_IN_PLACE.search(match[0]) else [Wish(span, Scope.BEFORE)]


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
