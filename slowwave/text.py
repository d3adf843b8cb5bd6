"""Normalisation that readers and nights must do alike, to compare texts or to show them on one line; evidence stays as it is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

# Characters that a reader cannot see: they must never make two equal values look different to us.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e01ef]"
)
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
# What a terminal obeys, or shows as nothing or in another order; joiners and selectors that scripts and emoji need are not among it.
UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)

# Greek and Cyrillic letters that are drawn like Latin ones, by form.
_LIKE = dict(
    zip(
        "АВЕЅІЈКМНОРСТУХҺԚԜаеѕіјӏорсухһԁԛԝ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορτυχ",
        "ABESIJKMHOPCTYXHQWaesijlopcyxhdqw" + "ABEZHIKMNOPTYXayikvoptux",
        strict=True,
    )
)
_DRAWN = str.maketrans(_LIKE)
# The same for words of no other letters, where case must make no difference: a small letter counts as its capital.
_CAPITAL = str.maketrans(
    {form: like.lower() for letter, like in _LIKE.items() if letter.isupper() for form in (letter, letter.lower())}
)
# In units a micro is no milli.
_MICRO = re.compile("[\\d_]*\u03bc")
_FOREIGN = re.compile("[\u0370-\u03ff\u0400-\u052f]")
_FOREIGN_WORD = re.compile(r"\w*[\u0370-\u03ff\u0400-\u052f]\w*")


def normalise(text: str | None) -> str:
    """Text for comparing: NFKC, case and look-alike letters folded, nothing invisible, white space collapsed, no final full stop."""
    return squash(_composed(text or "").casefold()).rstrip(". ")


def _composed(text: str) -> str:
    """Text without what a reader can't tell apart; ASCII, which is most of it, holds nothing of that kind."""
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFKC", INVISIBLE.sub("", text))
    return _FOREIGN_WORD.sub(_latin, composed) if _FOREIGN.search(composed) else composed


def _latin(found: re.Match[str]) -> str:
    """A word as it is drawn, where it mixes Latin letters with their look-alikes or has nothing but look-alikes; else as it is."""
    word = found[0]
    if _MICRO.fullmatch(word):
        return word
    if any(letter.isalpha() and letter.isascii() for letter in word):
        return word.translate(_DRAWN)
    drawn = word.translate(_CAPITAL)
    return word if _FOREIGN.search(drawn) else drawn


def squash(text: str) -> str:
    """Text on one line: white space collapsed, nothing else touched."""
    return " ".join(text.split())


def legible(text: str) -> str:
    """Text on one line for a prompt: control and invisible characters are gone, since they can hide words or reorder them.

    A joiner between two characters beyond ASCII stays: families of emoji and several scripts are written with it.
    """
    line = squash(text)
    if line.isascii() and line.isprintable():
        return line
    return squash(_CONTROL.sub("", INVISIBLE.sub(_joining, line)))


def _joining(found: re.Match[str]) -> str:
    before, after = found.string[: found.start()][-1:], found.string[found.end() : found.end() + 1]
    is_written = found[0] in "\u200c\u200d" and before > "\x7f" and after > "\x7f" and not INVISIBLE.match(after)
    return found[0] if is_written else ""


# "Am 12. Mai" is one date: the full stop makes an ordinal of the number.
_DAY_NUMBER = re.compile(r"\b(?:am|bis|zum|vom|der|den|dem|ab|seit) \d{1,2}$", re.IGNORECASE)
_GERMAN_MONTH = re.compile(
    r"\.\s+(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b"
)


def is_day_number(text: str, at: int) -> bool:
    """Whether the full stop at a place belongs to the number of a day, as in German."""
    return bool(_GERMAN_MONTH.match(text, at)) and _DAY_NUMBER.search(text, max(0, at - 10), at) is not None


def holds_any(text: str, signs: Sequence[str]) -> bool:
    """Whether one of the signs stands in the text. A plain loop: this runs several times for every message there is."""
    for sign in signs:  # noqa: SIM110
        if sign in text:
            return True
    return False
