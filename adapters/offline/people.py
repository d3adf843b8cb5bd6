"""Names in a sentence, and whom it is about. A name is what is written with a capital where English writes none."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from adapters.offline.kinds import KIN
from models.ask import Line


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NOT_NAMES = _set(
    "i i'm i've i'll i'd i’m i’ve i’ll i’d monday tuesday wednesday thursday friday saturday sunday mon tue"
    " wed thu fri sat sun mondays tuesdays wednesdays thursdays fridays saturdays sundays january february"
    " march april may june july august september october november december english ok okay thanks yes no hey hi"
    " hello wow the a an my our his her their its it this that these those we you he she they and but so also"
    " if when what how why who where which then for from in on at to of with as is are was were have has had"
    " can could would will do did not just mr mrs ms dr prof"
    " yesterday today tomorrow tonight last next every each after before during since until while because although"
    " however maybe perhaps actually recently lately sometimes please now let there here only even still never always"
)
_PART = r"(?:[A-ZÀ-ÖØ-Þ][\w’'&]*(?:-\w+)*)"
_NAME = re.compile(
    rf"(?<![\w.@/])(?:(?:Dr|Prof|Mr|Mrs|Ms)\.? )?{_PART}(?:(?: (?:de|da|van|von|der|of|the) )? ?{_PART})*"
)
_KIN_NAME = re.compile(
    rf"\b(?P<whose>[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir)(?P<which>(?: [a-z-]+){{0,2}}?) (?P<kin>{KIN})(?:,"
    rf"| is (?:called|named)|[’']s name is|)? (?P<name>{_PART}(?: {_PART})*)"
)
_NAME_IS_KIN = re.compile(
    rf"(?:^|(?<=is )|(?<=from )|(?<=with )|(?<=to ))(?P<name>(?:(?:Dr|Prof)\.? )?{_PART}(?: {_PART})*)(?:,| is"
    rf"|[’']s) (?P<whose>my|our|the) (?P<which>(?:[a-z-]+"
    rf" ){{0,2}}?)(?P<kin>{KIN})\b(?P<clause>[’']s| (?:is|was|has|had|will|can|got|went))?"
)
_WHOSE = re.compile(r"(?:,| is|[’']s) (?:my|our|the) ")
_JAPANESE_KIN = re.compile(
    r"^(?:私の|僕の)?(?:妹|姉|兄|弟|母|父|妻|夫|娘|息子|友人|友達|同僚)の(?P<name>[^はがもの、。]{1,10})[はが]"
)
_NAME_OPENS = re.compile(
    rf"^(?P<name>{_PART}(?: {_PART})*)(?:[’']s)? (?:is|was|has|had|will|reviews?|writes?|works?|lives?"
    rf"|likes?|prefers?|wants?|hates?|owns?|runs?|moved|said|found|rang|[a-z]+s)\b"
)
_PRONOUN = re.compile(r"^(?P<word>He|She|His|Her)(?=[ ’'])")
_FEMALE = _set("wife mother mom mum sister daughter aunt niece grandmother grandma gran girlfriend")
_MALE = _set("husband father dad brother son uncle nephew grandfather grandpa boyfriend")


@dataclass
class Person:
    """Someone spoken of: the name, and the line that introduced it."""

    name: str
    number: int
    pronoun: str | None = None


@dataclass
class Cast:
    """Who one speaker has lately spoken of, so that "she" and "his sister" find their person."""

    people: dict[str, list[Person]] = field(default_factory=dict)

    def note(self, line: Line, name: str, kin: str | None) -> None:
        """Remember a person that a line is about."""
        pronoun = "she" if kin in _FEMALE else "he" if kin in _MALE else None
        self.people.setdefault(line.speaker, []).append(Person(name, line.number, pronoun))

    def meant(self, line: Line, word: str) -> Person | None:
        """The person a pronoun means: the last one spoken of who may go by it, within a dozen lines."""
        pronoun = "he" if word.lower() in ("he", "his") else "she"
        for person in reversed(self.people.get(line.speaker, [])):
            if line.number - person.number <= 12 and person.pronoun in (None, pronoun):
                return person
        return None


def names_in(text: str, known: frozenset[str] = frozenset()) -> list[str]:
    """Names in order, once each. The first word counts only where it is known as a name or another capital follows."""
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        words = match[0].split(" ")
        opens = match.start() == 0 or text[: match.start()].rstrip()[-1:] in ".!?:\"'“"
        while words and (
            words[0].casefold() in _NOT_NAMES or (opens and len(words) == 1 and words[0].casefold() not in known)
        ):
            words, opens = words[1:], False
        while words and words[-1].casefold() in _NOT_NAMES:
            words = words[:-1]
        name = re.sub(r"[’']s?$", "", " ".join(words)).strip()
        if len(name) > 1:
            found[name] = None
    return list(found)


def kin_of(text: str) -> tuple[str, str, str] | None:
    """The person of "my flatmate Ruben" or "Sam is my lead": name, relation, and whose ("my", "his")."""
    match = _KIN_NAME.search(text) or _appositive(text)
    if match and _is_name(match["name"]):
        return re.sub(r"[’']s$", "", match["name"]), match["kin"].lower(), match["whose"].lower()
    return None


def _appositive(text: str) -> re.Match[str] | None:
    """The match of "Sam, my lead, says"; not of "Thankfully, my son is well", where the relation opens its own clause."""
    # The cheap look first: most sentences name no relation.
    match = _NAME_IS_KIN.search(text) if _WHOSE.search(text) else None
    opens_clause = match is not None and match["clause"] and text[match.end("name")] == ","
    return None if opens_clause else match


def _is_name(name: str) -> bool:
    """Whether no part of it is a word that only its place gave a capital, such as the I of "Wish I was"."""
    return not any(part.casefold() in _NOT_NAMES for part in name.split(" "))


def opening_name(text: str, known: frozenset[str]) -> str | None:
    """The name that a sentence opens with as its subject, if it is a name known from elsewhere or has two parts."""
    match = _NAME_OPENS.match(text)
    if not match or not _is_name(match["name"]):
        return None
    name = re.sub(r"[’']s$", "", match["name"])
    return name if name.split(" ")[0].casefold() in known else None


# "Tom has my drill; he'll bring it on Saturday", "My wife will send it": somebody else's deed, and no promise of the speaker's.
_OTHER_DOES = re.compile(
    rf"^(?P<name>{_PART}(?: {_PART})*)(?! and I\b)\b[^.!?]*? (?:he|she)(?:[’']ll| will|[’']s going to| is going to| has to| needs to"
    r"| promised)\b(?! (?:need|want|expect)\b)"
    rf"|^(?:[Mm]y|[Oo]ur) (?P<kin>(?:[a-z-]+ ){{0,2}}?{KIN})(?: (?:will|has to|needs to|is going to|promised(?: to)?|[a-z]+s to)|[’']ll)\b"
    r"(?! (?:need|want|expect|have)\b)"
)


def other_doer(text: str) -> str | None:
    """Who is to do what a sentence says, where that is somebody else: a name, or the relation as said ("wife")."""
    match = _OTHER_DOES.match(text)
    if not match or re.search(r"\b(?:I|we)(?:[’']ll| will| must| have to)\b", text):
        return None
    return match["kin"] or (match["name"] if _is_name(match["name"]) else None)


def japanese_kin(text: str) -> str | None:
    """The name in "my sister Sakura ..." as Japanese says it."""
    match = _JAPANESE_KIN.match(text)
    return match["name"] if match else None


def pronoun_of(text: str) -> str | None:
    """He, She, His or Her where the sentence opens with it."""
    match = _PRONOUN.match(text)
    return match["word"] if match else None


_DOES = re.compile(
    rf"^(?P<name>(?:(?:Dr|Prof)\.? )?{_PART}(?: {_PART})*)(?P<told>,[^,]{{1,40}},| \([^)]*\))? (?:\w+s|\w+ed|found|did"
    rf"|has"
    rf"|had|was|will|rang)\b"
)
_TO_WHOM = re.compile(rf"\b(?:to|from|with|ask|for|is) (?P<name>(?:(?:Dr|Prof)\.? )?{_PART}(?: {_PART})*)")
_TRAVEL = re.compile(r"\b(?:mov\w+|fl[ye]w?|trip|drove|drive|went|travel\w*|live|living)\b", re.IGNORECASE)


def person_of(text: str, known: frozenset[str]) -> str | None:
    """Whom an owner's sentence names, for the "he" of the next: its subject, else whom something goes to or comes from."""
    match = _DOES.match(text)
    if match and _is_name(match["name"]) and _stands_as_name(match, known):
        return match["name"]
    if _TRAVEL.search(text):
        return None
    named = [m["name"] for m in _TO_WHOM.finditer(text) if _is_name(m["name"])]
    return named[-1] if named else None


def _stands_as_name(match: re.Match[str], known: frozenset[str]) -> bool:
    """Whether the opening word is a name: known as one, of two parts, or told more of, as in "Tom, of the night shift, found"."""
    name = match["name"]
    return name.split(" ")[0].casefold() in known or " " in name or bool(match["told"] and not name.endswith("ly"))
