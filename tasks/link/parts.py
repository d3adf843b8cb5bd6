"""Parts of names: a surname, a first name or initials that can mean only one of the people whom the owner's talks name in full.

Belongs here: when a part stands for the whole, by how people used both. A part that more than one name has joins nothing, nor does one that
is used as a place; a first name needs a talk in which the full name was used as well. Does not belong here: what is said in so many words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from slowwave.format import Evidence
from slowwave.text import normalise
from tasks.link.spoken import Sentence
from tasks.link.stated import Pair
from tasks.link.words import CALENDAR, ORGANISATION, PLACE, is_no_name

_UP = r"[^\W\d_a-zß-öø-ÿ]"
_WORD = rf"{_UP}[^\W\d_]*(?:[-’'][^\W\d_]+)*"
_TITLE = r"(?:Dr|Prof|Professor|Mr|Mrs|Ms)\.? "
_RUN = re.compile(
    rf"(?<![\w.@/#-])(?P<title>{_TITLE})?(?P<name>(?:{_UP}\. ?)*{_WORD}(?: (?:(?:de|da|van|von|der|den|of|the) ){{0,2}}{_WORD}){{0,3}})"
)
_DOES = re.compile(
    r"^(?:,? (?:yes, |no, )?(?:(?:the|my|our|a|an|his|her|their) )?(?:[a-z-]+ ){0,2}[a-z-]+[,.)]"
    r"|['’]s (?:wife|husband|son|daughter|job|birthday)\b"
    r"| (?:is|was|has|had|will|would|can|did|got|gave|told|rang|came|went|met|wrote|found|said|thinks?|[a-z]{3,}(?:[^s\W]s|ed))\b)"
)
_PLACED = re.compile(
    r"\b(?:in|at|near|around|towards?|via|outside|across|visit(?:ed|ing|s)?|(?:mov|fl[ye]|travel|driv|drov)\w* to|(?:trip|flights?|back) to"
    r"|(?:I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey) (?:went|go|goes|came) (?:to|from)) $"
)
# What somebody is to the speaker: a part and a whole with nothing of it in common are two people.
_ROLE_BEFORE = re.compile(r"\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir)(?: [a-z-]+){0,2}? (?P<role>[a-z-]+),? $")
_ROLE_AFTER = re.compile(r"^(?:,| is| was) (?:my|our|his|her|their|the|an?)(?: [a-z-]+){0,2}? (?P<role>[a-z-]+)\b")
_ANOTHER = re.compile(r"\b(?:[Aa]nother|other|different|second) $")
_BOUND = re.compile(r"\b(?:the|a|an|this|that) $")
_INITIAL = re.compile(r"^(?:\w\. ?)+[^\W\d_].+$")
_SMALL = frozenset(("of", "the", "and", "for", "de", "da", "van", "von", "der", "den"))
_MIN_PREFIX = 3


class Use(NamedTuple):
    """One use of a name in what a person said."""

    shown: str
    session: str
    opens: bool
    is_person: bool
    is_place: bool
    is_another: bool
    roles: frozenset[str]
    proof: Evidence


class Known(NamedTuple):
    """Names known otherwise: those of the owner, those who spoke, those whom claims call people, and all that claims name."""

    own: frozenset[str]
    speakers: frozenset[str]
    people: frozenset[str]
    named: frozenset[str]

    @property
    def persons(self) -> frozenset[str]:
        """Names of more than one word that are people's."""
        return frozenset(name for name in self.own | self.speakers | self.people if " " in name)

    @property
    def words(self) -> frozenset[str]:
        """The words of every name that has more than one."""
        return frozenset(word for name in self.persons | self.named if " " in name for word in name.split(" "))


def part_pairs(sentences: Iterable[Sentence], known: Known) -> Iterator[tuple[Pair, Evidence]]:
    """Every part of a name that stands for one name alone, with where it was used."""
    uses = _uses(sentences)
    people = _People(uses, known)
    for name in sorted(uses):
        whole = people.whole(name)
        if whole:
            use = min(uses[name], key=lambda one: (one.proof.source_id, one.proof.start))
            yield Pair(name, whole, use.shown, people.shown(whole), "part_of_name"), use.proof


def _uses(sentences: Iterable[Sentence]) -> dict[str, list[Use]]:
    found: dict[str, list[Use]] = defaultdict(list)
    for sentence in sentences:
        for match in _RUN.finditer(sentence.text):
            shown, opens = _bare(match, sentence.text)
            before, after = sentence.text[: match.start()], sentence.text[match.end() :]
            if shown and not (_BOUND.search(before) and " " not in shown):
                found[normalise(shown)].append(_use(shown, opens, bool(match["title"]), before, after, sentence))
    return _without_verbs(found)


def _use(shown: str, opens: bool, is_titled: bool, before: str, after: str, sentence: Sentence) -> Use:
    roles = (_ROLE_BEFORE.search(before), _ROLE_AFTER.match(after))
    return Use(
        shown=shown,
        session=sentence.session,
        opens=opens,
        is_person=is_titled or bool(_DOES.match(after)),
        is_place=bool(_PLACED.search(before)),
        is_another=bool(_ANOTHER.search(before)),
        roles=frozenset(role["role"] for role in roles if role),
        proof=sentence.proof,
    )


def _without_verbs(uses: dict[str, list[Use]]) -> dict[str, list[Use]]:
    """Opening words that no name is known to have are no part of one: "Extend Haugstad's contract" names a Haugstad."""
    signed = {word for name, told in uses.items() if any(use.is_person for use in told) for word in name.split(" ")[1:]}
    made: dict[str, list[Use]] = defaultdict(list)
    for name, told in uses.items():
        rest = name.partition(" ")[2]
        is_bare = all(use.opens and not use.is_person for use in told)
        is_known = rest in signed or any(not use.opens for use in uses.get(rest, ()))
        if is_bare and is_known:
            made[rest] += [use._replace(shown=use.shown.partition(" ")[2], opens=False) for use in told]
        else:
            made[name] += told
    return made


def _bare(match: re.Match[str], text: str) -> tuple[str, bool]:
    """The name without a greeting before it or a genitive after it, and whether it opens its sentence, where anything has a capital."""
    words = re.sub(r"['’]s?$", "", match["name"]).split(" ")
    opens = not text[: match.start()].strip(" \"'“‘«(-*•#>") and not match["title"]
    while words and is_no_name(words[0]):
        words, opens = words[1:], False
    while words and is_no_name(words[-1]):
        words = words[:-1]
    return " ".join(words), opens


class _People:
    """Whom the full names mean, and which of them a part may mean."""

    def __init__(self, uses: dict[str, list[Use]], known: Known) -> None:
        self.uses, self.known = uses, known
        self.signed = {name for name, told in uses.items() if any(use.is_person for use in told)} | known.persons
        self.full = [name for name in sorted({*uses} | known.persons) if self._is_full(name)]
        self.holding: dict[str, set[str]] = defaultdict(set)
        for name in self.full:
            for word in name.split(" "):
                for end in range(min(_MIN_PREFIX, len(word)), len(word) + 1):
                    self.holding[word[:end]].add(name)

    def _is_full(self, name: str) -> bool:
        if " " not in name or _INITIAL.match(name):
            return False
        return name in self.signed or any(not use.opens for use in self.uses.get(name, ()))

    def whole(self, name: str) -> str | None:
        """The one full name that a shorter one stands for; None where there is none, or more than one."""
        if _INITIAL.match(name) or " " in name:
            return self._one([full for full in self.full if full != name and _is_aligned(name, full)])
        if any(use.is_place or use.is_another for use in self.uses[name]):
            return None
        if not any(not use.opens or use.is_person for use in self.uses[name]):
            return None
        return self._by_letters(name) or self._by_word(name)

    def shown(self, name: str) -> str:
        """A name as it was first said; as it is compared, where only a platform states it."""
        return min((use.shown for use in self.uses.get(name, ())), default=name)

    def _by_word(self, name: str) -> str | None:
        holders = [full for full in self.full if name in full.split(" ")]
        whole = self._one(holders)
        if whole is None or not self._is_alone(name, whole) or self._differ(name, holders):
            return None
        is_surname = all(full.split(" ")[-1] == name for full in holders)
        is_own = bool({*holders} & self.known.own)
        return whole if is_surname or is_own or self._meet(name, holders) else None

    def _by_letters(self, name: str) -> str | None:
        shown = self.uses[name][0].shown
        if not (shown.isupper() and 2 <= len(shown) <= 6):
            return None
        holders = [full for full in self.full if "".join(w[0] for w in full.split(" ") if w not in _SMALL) == name]
        return holders[0] if len(holders) == 1 and self._meet(name, holders) else None

    def _is_alone(self, name: str, whole: str) -> bool:
        """Whether no other name begins like the part, or is the beginning of it: "Ben" may be any Ben and a Benedikt."""
        near = self.holding.get(name, set()) | {
            full
            for end in range(_MIN_PREFIX, len(name))
            for full in self.holding.get(name[:end], ())
            if name[:end] in full.split(" ")
        }
        return all(full == whole or _is_aligned(full, whole) or _is_aligned(whole, full) for full in near)

    def _differ(self, name: str, holders: list[str]) -> bool:
        """Whether the part is somebody else to the speaker than the whole: "my sister Ana" is no "Ana Ruiz, my boss"."""
        roles = frozenset[str]().union(*(use.roles for use in self.uses[name]))
        others = frozenset[str]().union(*(use.roles for full in holders for use in self.uses.get(full, ())))
        return bool(roles and others) and not roles & others

    def _one(self, holders: list[str]) -> str | None:
        """The fullest of some names, where they are all forms of it and it is a person."""
        if not holders:
            return None
        whole = min(holders, key=lambda full: (-len(full), full))
        if any(kind.search(whole) for kind in (CALENDAR, ORGANISATION, PLACE)):
            return None
        is_one = all(full == whole or _is_aligned(full, whole) for full in holders)
        return whole if is_one and any(full in self.signed for full in holders) else None

    def _meet(self, name: str, holders: Iterable[str]) -> bool:
        there = {use.session for full in holders for use in self.uses.get(full, ())}
        return any(use.session in there for use in self.uses[name])


def _is_aligned(short: str, full: str) -> bool:
    """Whether a name is another with its first names cut short: "A. Petelo" or "Ben Haugstad", never another surname."""
    ones, others = re.sub(r"\. ?", " ", short).split(), full.split(" ")
    if short == full or len(ones) < 2 or len(ones) > len(others) or ones[-1] != others[-1]:
        return False
    return all(
        other.startswith(one) and (len(one) == 1 or len(one) >= _MIN_PREFIX)
        for one, other in zip(ones[:-1], others, strict=False)
    )
