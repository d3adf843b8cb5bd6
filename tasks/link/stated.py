"""What people say in so many words about names: that two are one, that one stands for another, that two are two.

Belongs here: patterns over one sentence. Each pair is (alias, name): the alias stands for the name, never the other way round. Does not
belong here: what follows where two sentences disagree (`clusters`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rapidfuzz.distance import JaroWinkler

from slowwave.text import normalise
from tasks.link.spoken import Sentence
from tasks.link.words import ONE_ROLE, PLACING, VAGUE, is_no_name

USER = "user"
WORD = r"[^\W\d_a-z][\w.'’&-]*"
NAME = rf"{WORD}(?:[ -](?:(?:de|da|del|di|van|von|der|den|la|le|of|the) )*{WORD}){{0,4}}"
_QUOTED = r"""["'“‘«](?P<quoted>[^"'”’»]{2,40})["'”’»]"""
_OTHER = rf"(?:{_QUOTED}|(?P<other>{NAME}))"
_WE = r"(?:everyone|everybody|most people|people|we(?: all)?|they(?: all)?|friends|(?:the|my|our|his|her) [a-z]+)"
_WHAT = r"(?:[a-z][a-z-]+ ){0,2}[a-z][a-z-]+"
_THE = rf"the (?P<what>{_WHAT})"
_CLOSES = r"(?=[.;:!?)]|,(?! (?:and|or|the|my|our|a|und|en|et|e)\b)|$)"
_DOES = r"(?=, (?:is|was|has|had|will|would|can|did|needs?|wants?|said|[a-z]+s|[a-z]+ed)\b)"

_CALLED = re.compile(
    rf"(?P<one>{NAME}),?\s*\(?(?:(?:is |was |are )?(?:also |otherwise |sometimes |usually |better )?"
    rf"(?:called|known as|nicknamed|a\.?k\.?a\.?)|goes by(?: the name(?: of)?)?)\s+{_OTHER}"
)
_SHORT_FOR = re.compile(rf"(?P<other>{NAME}),?\s*\(?(?:is )?short for\s+(?P<one>{NAME})")
_FOR_SHORT = re.compile(rf"(?P<one>{NAME}),?\s*\(?(?:or )?{_OTHER},? for short\b")
_CALLED_BY = re.compile(rf"(?P<before>[^.;!?]{{1,80}}?)\b{_WE} calls? (?:her|him|them|it) (?:just |simply )?{_OTHER}")
_WHOM = re.compile(rf"(?P<one>{NAME}), (?:whom?|which) {_WE} calls? (?:just |simply )?{_OTHER}")
_CALL_ME = re.compile(
    rf"\b(?:(?:call|calls) me|I(?:[’']m| am)? (?:go|goes|known|also called)(?: by| as)?) (?:just |simply )?{_OTHER}"
)
_THAT_IS = re.compile(
    rf"(?P<other>{NAME}|the (?:[a-z][a-z-]+ ){{0,2}}[a-z][a-z-]+),? \(?(?:i\.?e\.?|that is|that[’']s|namely|=),? (?:the )?(?P<one>{NAME})\b"
)
_BRACKETED = re.compile(rf"(?P<one>{NAME}) \((?:or |@)?(?P<other>{NAME}|[a-z][a-z0-9_.-]{{1,19}})\)")
# "tfr is Tomasz Ferreira-Ruhl", "Tom, my colleague Tomasz": one only where one name is plainly a form of the other.
_SAME = re.compile(rf"(?<![\w-])(?P<one>[^\W_][\w.-]{{1,19}}) is (?P<other>{WORD}(?:[ -]{WORD}){{1,3}})")
_TITLED = re.compile(rf"(?P<one>{NAME}), (?:my|our|his|her|their) (?:[a-z]+ ){{1,3}}(?P<other>{NAME})")
_HANDLE = re.compile(
    rf"(?P<one>{NAME})(?:,| is|,? \() ?(?P<other>@?[a-z][a-z0-9_.-]{{1,19}}) (?:in|on) (?:the |our )?"
    r"(?i:commit log|commits|git\w*|log|slack|chat|discord|teams|irc|jira|tracker|forum|e?-?mail)\b"
)
# "Kelpline, the buoy project.": what a name is, where it is said and not addressed.
_NAME_IS = re.compile(
    rf"(?:^|(?<!\btold )(?<!\btell )(?<!\bask )(?<!\basked )(?<=[a-z] ))(?P<one>{NAME}), (?:yes, |no, )?{_THE}{_CLOSES}"
)
# "The prof, Benedikt Haugstad, needs": who a description means, where it is the subject and nobody is spoken to.
_IS_NAME = re.compile(rf"(?P<before>\b\w+ )?\b[Tt]he (?P<what>{_WHAT}), (?P<one>{NAME})(?:{_DOES}|(?P<ends>[.;:!?]|$))")
_MY_ROLE = (
    re.compile(rf"\b[Mm]y (?:new )?(?P<what>{ONE_ROLE}),? (?:is )?(?P<one>{NAME})"),
    re.compile(rf"(?P<one>{NAME})(?:,| is) my (?P<what>{ONE_ROLE})\b(?! [a-z]*(?:friend|colleague|['’]s))"),
)
_APART = re.compile(
    rf"(?P<one>{NAME}) (?:is not|isn[’']t) (?:the same (?:person |one )?as )?(?P<other>{NAME})\b"
    rf"|(?P<this>{NAME}) and (?P<that>{NAME}) are (?:not the same|(?:two |quite )?different)\b"
)
_KINDLY = re.compile(r"\b(?:an?|this|that|these|those|some|another|one|new|old|every|each|any)(?: [a-z-]+){0,3} $")
_ARTICLE = re.compile(r"^(?:the|our|my|his|her|their|an?) ")
# What a claim's text must have for `pairs_in` to read it, and a turn's for `pairs_said`; patterns of polars.
CLAIM_HINT = (
    r"(?i:\(|called|known as|nicknamed|\ba\.?k\.?a\b|goes by|short for|for short|calls? (?:her|him|them|it)|, whom? |, which "
    r"|, (?:my|our|his|her|their) )|(?:^|[^\w-])[\w.-]{2,20} is \p{Lu}[\w.'’-]+[ -]\p{Lu}"
)
HINT = (
    r"(?i:\(|called|known as|nicknamed|\ba\.?k\.?a|goes? by|short for|for short|calls? (?:her|him|them|it|me)|, whom? |, which "
    r"|\bi\.?e\.?[ ,]|that is|that['’]s|namely| = |, (?:my|our|his|her|their|the|yes, the|no, the) |\bmy [a-z]+,? "
    r"|\bthe [a-z -]+, |is my |is not|isn['’]t|are (?:not the same|two|quite|different)"
    r"| (?:in|on) (?:the |our )?(?:commit|git|slack|log|chat|discord|teams|irc|jira|tracker|forum|e?-?mail))"
    r"|[\w.-]{2,20} is \p{Lu}[\w.'’-]+[ -]\p{Lu}"
)
# A pattern with its cue, which is looked for first: most sentences that name somebody say nothing of the name.
_ALIASES = (
    (_CALLED, re.compile(r"called|known as|nicknamed|k\.?a|goes by")),
    (_SHORT_FOR, re.compile("short for")),
    (_FOR_SHORT, re.compile("for short")),
    (_WHOM, re.compile("calls? ")),
)
_ALIKE = (
    (_BRACKETED, re.compile(r"\(")),
    (_SAME, re.compile(" is ")),
    (_TITLED, re.compile(r", (?:my|our|his|her|their) ")),
)


_SAYS_THAT = re.compile(r"[ (](?:i\.?e|that is|that[’']s|namely|=)")
_SAYS_APART = re.compile(r" (?:is not|isn[’']t|are (?:not|two|quite|different))")
_DESCRIBED = (
    (_NAME_IS, re.compile(r", (?:yes, |no, )?the ")),
    (_IS_NAME, re.compile(r"[Tt]he [a-z -]+, ")),
)


class Pair(NamedTuple):
    """An alias and the name it stands for, normalised; both as they were said; and which way of saying it was."""

    alias: str
    name: str
    shown: str
    whole: str
    reason: str


def pairs_in(text: str, likeness: float) -> Iterator[Pair]:
    """What a sentence itself says of names, whoever said it.

    "X, also called Y" joins whatever Y is; "X (Y)", "X is Y" and "X, my friend Y" only where one name is plainly a form of the other,
    since a bracket holds a country or a firm as often as a name.
    """
    for pattern, cue in _ALIASES:
        for found in pattern.finditer(text) if cue.search(text) else ():
            # "A boat called Ostara" says what Ostara is, and "boat" is no name of hers.
            if not _KINDLY.search(text[: found.start("one")]):
                yield from _pair(_called(found), found["one"], "said_to_be_one")
    for found in _CALLED_BY.finditer(text) if " call" in text else ():
        named = [name for name in re.findall(NAME, found["before"]) if not is_no_name(name)]
        if len(named) == 1:
            yield from _pair(_called(found), named[0], "said_to_be_one")
    for pattern, cue in _ALIKE:
        for found in pattern.finditer(text) if cue.search(text) else ():
            if is_form(plain(found["one"]), plain(found["other"]), likeness):
                yield from _pair(*_shorter_first(found["one"], found["other"]), "said_to_be_one")


def pairs_said(sentence: Sentence, likeness: float) -> Iterator[Pair]:
    """What a sentence says of names, with what only the words of a person that were heard can say: roles, handles, themselves."""
    text = sentence.text
    yield from pairs_in(text, likeness)
    for found in _THAT_IS.finditer(text) if _SAYS_THAT.search(text) else ():
        one, other = found["one"], found["other"]
        shown = (other, one) if other.startswith("the ") else _shorter_first(one, other)
        yield from _pair(*shown, "said_to_be_one")
    for found in _HANDLE.finditer(text) if re.search(r" (?:in|on) ", text) else ():
        yield from _pair(found["other"].lstrip("@"), found["one"], "handle")
    for pattern, cue in _DESCRIBED:
        yield from _described(pattern, text) if cue.search(text) else ()
    for found in _CALL_ME.finditer(text):
        yield from _pair(_called(found), USER if sentence.role == "user" else sentence.speaker, "said_to_be_one")
    if sentence.role == "user":
        for pattern in _MY_ROLE:
            for found in pattern.finditer(text):
                yield from _pair(f"my {found['what']}", found["one"], "role", is_whole=True)


def apart_in(text: str) -> Iterator[tuple[str, str]]:
    """Pairs of names that the text says are two."""
    for found in _APART.finditer(text) if _SAYS_APART.search(text) else ():
        one, other = sorted((plain(found["one"] or found["this"]), plain(found["other"] or found["that"])))
        if one != other:
            yield one, other


def _described(pattern: re.Pattern[str], text: str) -> Iterator[Pair]:
    for found in pattern.finditer(text):
        if not (_is_vague(found["what"]) or _is_addressed(found)):
            yield from _pair(f"the {found['what']}", found["one"], "description", is_whole=True)


def _is_vague(what: str) -> bool:
    words = what.split()
    return words[-1] in VAGUE or words[0] in VAGUE or words[0].endswith("est")


def _is_addressed(found: re.Match[str]) -> bool:
    """Whether the name may be of somebody spoken to: "in the morning, Tom, ..." and "I sent the report, Tom."."""
    groups = found.groupdict()
    is_placed = (groups.get("before") or "").strip().lower() in PLACING
    return is_placed or (groups.get("ends") is not None and " " not in found["one"])


def _called(found: re.Match[str]) -> str:
    groups = found.groupdict()
    return groups.get("quoted") or groups["other"]


def _pair(alias: str, name: str, reason: str, *, is_whole: bool = False) -> Iterator[Pair]:
    one, other = normalise(alias) if is_whole or alias[:1].islower() else plain(alias), plain(name)
    if one and other and one != other and not any(_opens_no_name(part) for part in (one, other)):
        yield Pair(one, other, _bare(alias), _bare(name), reason)


def _shorter_first(one: str, other: str) -> tuple[str, str]:
    return (one, other) if (len(plain(one)), plain(one)) < (len(plain(other)), plain(other)) else (other, one)


def _opens_no_name(name: str) -> bool:
    """Whether it begins or ends with a word that is no part of a name; a description begins with an article and is one."""
    words = name.removeprefix("the ").removeprefix("my ").split(" ")
    return is_no_name(words[0]) or is_no_name(words[-1])


def _bare(said: str) -> str:
    return re.sub(r"['’]s?$", "", re.sub(r"^The ", "", said.strip(" .")))


def plain(name: str) -> str:
    """A name out of running text, normalised: an article at the head of a sentence is no part of it, nor the mark of a genitive."""
    return re.sub(r"['’]s?$", "", _ARTICLE.sub("", normalise(name)))


def is_form(one: str, other: str, likeness: float) -> bool:
    """Whether one name is a short form of the other: the start of a part of it, its initials, a login made of it, or nearly the same."""
    if one == other:
        return False
    short, long = sorted((one, other), key=lambda name: (len(name), name))
    parts = re.split(r"[\s-]+", long)
    initials = "".join(part[0] for part in parts if part)
    starts = len(short) > 1 and any(part.startswith(short) for part in parts)
    return starts or short == initials or _is_login(short, parts) or JaroWinkler.similarity(one, other) >= likeness


def _is_login(short: str, parts: list[str]) -> bool:
    """Whether it is a first name and a surname run together, one of them perhaps as its initial: "mkahn", "mireille.kahn"."""
    if len(parts) < 2 or not all(parts):
        return False
    first, last = parts[0], parts[-1]
    made = (first[0] + last, last + first[0], first + last[0], first + last)
    return re.sub(r"[._-]", "", short) in made
