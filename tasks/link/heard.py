"""Names that how people talk to each other shows to be one: a sender's signature, and whom an answer speaks to.

Belongs here: what follows from who spoke before whom. Does not belong here: what a sentence says of names by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from slowwave.format import Evidence
from slowwave.text import normalise
from tasks.link.spoken import Sentence
from tasks.link.stated import NAME, WORD, Pair, is_form

_ADDRESSED = re.compile(rf", (?P<name>{WORD}?)[.!?]*$")
_SIGNED = re.compile(rf"^(?:[-–—] ?)?(?P<name>{NAME})$")


def heard_pairs(
    sentences: Iterable[Sentence], forms: Callable[[str, str], set[str]], likeness: float
) -> Iterator[tuple[str, Pair, Evidence]]:
    """Every name by which a sender signs, or is answered directly; `forms` are the names that are one with an owner's name so far.

    Both must plainly be forms of one name: who is answered may speak of a third person, and who writes may sign for another.
    """
    for sentence in sentences:
        if found := _ADDRESSED.search(sentence.text) if sentence.after else None:
            name, whom = normalise(found["name"]), normalise(sentence.after)
            if name != whom and any(is_form(name, one, likeness) for one in forms(sentence.owner, whom)):
                yield sentence.owner, Pair(name, whom, found["name"], sentence.after, "addressed"), sentence.proof
        if sentence.is_last and sentence.role == "participant" and (found := _SIGNED.match(sentence.text.strip())):
            name, whom = normalise(found["name"]), normalise(sentence.speaker)
            if name != whom and _is_signature(name, whom):
                yield sentence.owner, Pair(whom, name, sentence.speaker, found["name"], "signature"), sentence.proof


def _is_signature(name: str, sender: str) -> bool:
    """Whether a full name signs for a sender's own shorter or odder one, of the same first word."""
    words, theirs = name.split(" "), sender.split(" ")
    return len(words) > 1 and words[0] == theirs[0] and words[-1] not in theirs
