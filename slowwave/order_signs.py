"""Signs of an order in a text without its disguises, and what they weigh together: a logistic model without a library.

Words and pairs of words know the languages that sentences to learn from were in; topics (`order_words`), alone and in turn, hold for
the others too; a few signs are of the line as a whole. Does not belong here: how the weights are learned (`evals.orders`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import fsum, sqrt

from slowwave.order_weights import INTERCEPT, WEIGHTS
from slowwave.order_words import topics, unmarked

# So few features of a short line tell no more than so many would.
FEW = 6
# What is of a topic or of the line has this in its name, and no word has.
MARK = "@"
_ADDRESSES = (("://", re.compile(r"https?://\S+"), " URL "), ("@", re.compile(r"\S+@\S+"), " MAIL "))
_DOTTED = re.compile(r"\.\w")
_HOST = re.compile(r"\b[\w.-]+\.(?:example|com|org|net|io)\b")
_WORD = re.compile(r"[^\W_]+|[<>|{}\[\]=]")
_UNSPACED = re.compile(r"[\x00-\x7f\s]")
_STEM = 6
_SPEAKER = re.compile(r"(\w+): ")
_DIGIT = re.compile(r"\d")
_QUOTED = re.compile(r"[\"“„«]|(?:^|\s)['‘]")
_MAX_LENGTH = 5
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。!?])(?=.)")


def weight(form: str) -> float:
    """How much that sentence of a text without its disguises reads like an order which does so most; 0 is as likely as not.

    An order among other sentences is one, and much talk that hints at nothing is none.
    """
    return max(map(_weight, _SENTENCE_END.split(form)))


def _weight(sentence: str) -> float:
    # Exact sums: a set has no order, and rounding must not depend on one.
    return INTERCEPT + sum(
        fsum(WEIGHTS[one] for one in known) / sqrt(max(len(known), FEW)) for known in weighed(sentence)
    )


def weighed(form: str) -> tuple[set[str], set[str]]:
    """The features of a text that have a weight: those of words, and those of topics and lines."""
    plain = _plain(form)
    found = {*_of_topics(unmarked(plain)), *_of_line(form)}
    return _words_weighed(_heads(plain), form), {one for one in found if one in WEIGHTS}


def _words_weighed(heads: list[str], form: str) -> set[str]:
    """What `_of_words` names and has a weight; a pair is looked for only where one begins so, since most words begin none."""
    found = {head for head in heads[1:-1] if head in WEIGHTS}
    pairs = _pairs()
    for one, other in itertools.pairwise(heads):
        if one in pairs and other in pairs[one]:
            found.add(f"{one}+{other}")
    return found | {letters for letters in _letters(form) if letters in WEIGHTS}


@lru_cache(maxsize=1)
def _pairs() -> dict[str, set[str]]:
    """The second words of pairs that have a weight, by the first."""
    made: dict[str, set[str]] = {}
    for one, plus, other in (name.partition("+") for name in WEIGHTS if MARK not in name):
        if plus:
            made.setdefault(one, set()).add(other)
    return made


def features(form: str) -> set[str]:
    """What a text shows: its words, what they are about, and what it is as a line."""
    plain = _plain(form)
    return {*_of_words(_heads(plain), form), *_of_topics(unmarked(plain)), *_of_line(form)}


def _plain(form: str) -> str:
    """A text with a word in the place of each address."""
    for sign, pattern, name in _ADDRESSES:
        form = pattern.sub(name, form) if sign in form else form
    return form


def _heads(plain: str) -> list[str]:
    """How its words begin, between the marks of a beginning and an end."""
    words = _WORD.findall(_HOST.sub(" HOST ", plain) if _DOTTED.search(plain) else plain)
    if plain.isascii():
        return ["^", *[word[:_STEM] for word in words], "$"]
    return ["^", *(unmarked(word)[:_STEM] for word in words), "$"]


def _of_words(heads: Sequence[str], form: str) -> Iterator[str]:
    """The heads of its words, each pair of neighbours, and pairs of letters where words are not spaced."""
    yield from heads[1:-1]
    yield from (f"{one}+{other}" for one, other in itertools.pairwise(heads))
    yield from _letters(form)


def _letters(form: str) -> Iterator[str]:
    letters = "" if form.isascii() else _UNSPACED.sub("", form)
    return (letters[i : i + 2] for i in range(len(letters) - 1))


def _of_topics(plain: str) -> Iterator[str]:
    """The topics, what it begins with, and each pair of topics of words in turn."""
    told = [topics(word) for word in _WORD.findall(plain)]
    of_any = frozenset[str]().union(*told)
    yield from (f"{MARK}{topic}" for topic in of_any)
    yield from (f"^{MARK}{topic}" for topic in (told[0] if told else ()))
    for one, other in itertools.pairwise(filter(None, told)):
        yield from (f"{MARK}{a}>{b}" for a in one for b in other)
    if "me" not in of_any:
        yield f"{MARK}not+me"
    if not of_any:
        yield f"{MARK}nothing"


def _of_line(form: str) -> Iterator[str]:
    """How long it is, whether somebody's name stands before it, and whether it counts or quotes."""
    yield f"{MARK}length{min(len(form.split()) // 4, _MAX_LENGTH)}"
    speaker = _SPEAKER.match(form)
    if speaker and not topics(unmarked(speaker[1])):
        yield f"{MARK}speaker"
    if _DIGIT.search(form):
        yield f"{MARK}digit"
    if _QUOTED.search(form):
        yield f"{MARK}quoted"
