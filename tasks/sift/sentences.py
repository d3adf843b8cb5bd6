"""A text into sentences and lines, as spans of code points. Nothing is judged here.

A span never cuts a word, a decimal number, an abbreviation, an address or a quotation; white space at its ends is left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from slowwave.text import is_day_number

Span = tuple[int, int]

# Marks are taken as one run or not at all: a million full stops must not be looked at a million times. One set of characters comes
# first, which the engine searches for five times as quickly as for three patterns in turn.
_BREAK = re.compile(
    r"[.!?…。！？\r\n](?:(?<=[.!?…])(?<![.!?…]{2})[.!?…]*+[\"'”’»)\]*]*+(?=\s)"
    r"|(?<=[。！？])[。！？]*[」』）”]*|(?<=[\r\n])[\r\n]*)"
)
QUOTED = re.compile(
    r"\"[^\"\n]{2,600}\"|“[^“”\n]{2,600}”|«[^«»\n]{2,600}»|「[^「」\n]{2,600}」"
    r"|(?<![\w'])'(?:[^'\n]|(?<=\w)'(?=\w)){2,600}'(?!\w)"
)
_SINGLE_QUOTE = re.compile(r"(?<!\w)'")
_CLOSING = "\"'”’»)]"
# After these a full stop ends nothing.
TITLES = frozenset("mr mrs ms dr prof rev st vs e.g i.e fig approx mme mlle bzw z.b d.h ca cf".split())  # noqa: SIM905
# After these it ends a sentence only where a word in capitals follows.
SHORT = frozenset(
    "etc inc ltd co jr sr a.m p.m am pm no nr jan feb mar apr jun jul aug sep sept oct nov dec min max".split()  # noqa: SIM905
)
_NEGATION = re.compile(
    r"(?:\b(?:not|no|never|none|nor|without|cannot|\w+n[’']t|nicht|kein\w*|pas|jamais|nie|geen|niet)|\d)\W*$", re.I
)


def split(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """The sentences and lines of a stretch of text, in order."""
    stop = len(text) if end is None else end
    quoted = [m.span() for m in QUOTED.finditer(text, start, stop)] if _has_quotes(text) else []
    spans: list[Span] = []
    at = start
    for found in _BREAK.finditer(text, start, stop):
        if _ends_sentence(text, found, at, quoted):
            _add(spans, text, at, found.end())
            at = found.end()
    _add(spans, text, at, stop)
    return spans


def split_outside(text: str, blocks: Sequence[tuple[int, int, str]]) -> list[Span]:
    """The sentences and lines outside the blocks, which are in order and don't overlap."""
    spans: list[Span] = []
    at = 0
    for start, end, _ in blocks:
        spans += split(text, at, start)
        at = end
    return spans + split(text, at)


def _has_quotes(text: str) -> bool:
    """A cheap look before the dear one: an apostrophe inside a word opens no quotation."""
    if '"' in text or "“" in text or "«" in text or "「" in text:
        return True
    return "'" in text and _SINGLE_QUOTE.search(text) is not None


def _add(spans: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    bare = piece.strip()
    if bare:
        first = start + len(piece) - len(piece.lstrip())
        spans.append((first, first + len(bare)))


def _ends_sentence(text: str, found: re.Match[str], at: int, quoted: list[Span]) -> bool:
    mark = found[0]
    if mark[0] in "\r\n":
        return True
    if quoted and _is_within(found.start(), found.end(), quoted):
        return False
    if mark == ".":
        return not _is_short(text, at, found)
    # A quotation that ends a sentence of its own may stand within a longer one.
    return mark[-1] not in _CLOSING or not text[found.end() : found.end() + 2].strip()[:1].islower()


def _is_within(start: int, end: int, quoted: list[Span]) -> bool:
    """Whether a break lies inside one of the quotations, which are in order."""
    place = bisect_left(quoted, (start, start)) - 1
    return place >= 0 and end < quoted[place][1]


def _is_short(text: str, at: int, found: re.Match[str]) -> bool:
    """Whether the full stop belongs to an abbreviation, an initial or a list's number."""
    # Most sentences end in a long word, and that is no abbreviation.
    if found.start() - at > 7 and text[found.start() - 7 : found.start()].isalpha():
        return False
    words = text[max(at, found.start() - 12) : found.start()].split()
    said = words[-1].lstrip("(\"'“«*_") if words else ""
    word = said.casefold()
    if word in TITLES or (len(word) == 1 and said.isupper() and said != "I"):
        return True
    if word.isdigit():
        return is_day_number(text, found.start()) or not text[at : found.start() - len(word)].strip(" \t-*")
    return word in SHORT and not text[found.end() : found.end() + 2].strip()[:1].isupper()


def fold(text: str, span: Span, max_chars: int) -> list[Span]:
    """A span too long to be a sentence, as its first and its last part, cut between words, never after a negation or a number."""
    start, end = span
    if end - start <= max_chars:
        return [span]
    head = _cut_before(text, start, start + max_chars * 2 // 3)
    tail = _cut_after(text, end - max_chars // 3, end)
    return [part for part in ((start, head), (tail, end)) if part[1] > part[0]]


def _cut_before(text: str, start: int, limit: int) -> int:
    """The last place between words at or before the limit; the start where there is none."""
    at = limit
    while at > start:
        at = max(text.rfind(" ", start, at), start)
        kept = text[max(start, at - 40) : at]
        if not _NEGATION.search(kept):
            return start + len(text[start:at].rstrip())
    return start


def _cut_after(text: str, limit: int, end: int) -> int:
    """The first place between words at or after the limit, not right after a negation; the end where there is none."""
    at = text.find(" ", limit, end)
    while at >= 0 and _NEGATION.search(text[max(0, at - 40) : at]):
        at = text.find(" ", at + 1, end)
    return end if at < 0 else at + 1
