"""How many, how surely, and what instead: a statement keeps the count, the doubt and the "not" that its lines put to a word.

English wording: where a line's own words don't tell, nothing is found wrong. Who does what is judged in `roles`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from models.claim import Claim
from tasks.extract import names
from tasks.extract.opposites import opposed
from tasks.extract.roles import tokens_of, words_of


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_MAYBE = _set("""might may could would maybe perhaps possibly probably almost nearly hopefully""")
_HEDGED = _MAYBE | _set(
    """consider considers considering considered thinking thinks think unsure uncertain possible likely wants want hopes hope
plan plans planning if whether can should wishes wish intends intend former formerly previously past once before longer
anymore stopped had was were been until till used"""
)
# A line without one of these is sure of all that it tells.
_UNSURE = _MAYBE | {"used"}
# Slots that ask for what was left.
_FORMER = _set("from former previous past old origin source start started began begin left prior ex earlier initial")
_MOVE = r"\b(?:mov|switch|chang|go|went|transfer|relocat|migrat|rais|rose|rise|cut|gr[eo]w|f[ae]ll|shift|postpon|reschedul|swap|renam)\w*"
_PART = re.compile(r"[,;:]\s|\b(?:and|but)\b")
_INSTEAD = ("not", "rather than", "instead of")
_NOT_THIS = re.compile(rf"(?:,|\band) (?:{'|'.join(_INSTEAD)}) (?:(?:on|in|at|by|for|to|the|an?) )?$")


def changed(claim: Claim, lines: list[str]) -> Iterator[str]:
    """What a claim makes of its lines that they don't say, in words; `lines` are the texts it cites."""
    slot = (claim.attribute or "").replace("_", " ")
    yield from _miscounted(f"{claim.value or ''} {slot}", lines)
    yield from _counts_another(slot, claim.value or "", lines)
    yield from _left_behind(slot, names.plain(claim.value or "").strip(), lines)
    if not claim.statement:
        return
    yield from _miscounted(claim.statement, lines)
    yield from _apart(claim.statement, lines)
    yield from _refused(claim.statement, lines)
    yield from _surer(claim.statement, lines)
    yield from opposed(claim.statement, lines)


def _left_behind(slot: str, value: str, lines: list[str]) -> Iterator[str]:
    """A slot that says how things are, filled with what was left: "home city: Basel" of "I moved from Basel to Trier"."""
    told = names.plain(" ".join(lines))
    if (
        not value
        or not slot
        or not (f"from {value}" in told or f"from the {value}" in told)
        or _FORMER & words_of(slot)
    ):
        return
    left = re.findall(rf"{_MOVE}[^.!?;]*?\bfrom (?:the )?{_whole(value)}[^.!?;]*?\bto\b", told)
    if left and len(left) == len(re.findall(_whole(value), told)):
        yield f"the cited lines say that it was {value!r} before: take what it is now"


def _whole(value: str) -> str:
    return rf"(?<!\w){re.escape(value)}(?!\w)"


def _miscounted(statement: str, lines: list[str]) -> Iterator[str]:
    """A number before a thing of which the lines count another: "3 cats" of "2 cats and 3 dogs"."""
    stated = list(_counted(statement))
    told = [pair for line in lines for pair in _counted(line)] if stated else []
    for number, thing in stated:
        counts = {n for n, counted in told if counted == thing}
        if counts and number not in counts and number in {n for n, _ in told}:
            yield f"the cited lines count {', '.join(sorted(counts))} of these, not {number}"


def _counts_another(slot: str, value: str, lines: list[str]) -> Iterator[str]:
    """A slot that counts what the lines count otherwise: "number of cats: 5" of "7 cats and 5 dogs"."""
    numbers = names.numbers(value)
    things = names.stems_of(slot) if numbers else frozenset[str]()
    counts = {n for line in lines for n, thing in _counted(line) if thing in things}
    if counts and counts.isdisjoint(numbers):
        yield f"the cited lines count {', '.join(sorted(counts))} of these, not {value}"


def _counted(text: str) -> Iterator[tuple[str, str]]:
    # Most texts count nothing, and one look at the whole tells so.
    if not names.numbers(text):
        return
    for token, following in pairwise(tokens_of(text)[0]):
        number = names.numbers(token)
        thing = names.plain(following)
        is_thing = names.content_words(following) and not names.numbers(following) and thing not in names.DATE_WORDS
        if len(number) == 1 and is_thing:
            yield min(number), names.stem(thing)


def _apart(statement: str, lines: list[str]) -> Iterator[str]:
    """A number of another part of the sentence: "married on 5 May" of "born on 5 May and married on 6 June"."""
    claimed = sorted(names.claimed_numbers(statement))
    if not claimed:
        return
    said = _plain_stems(statement)
    parts = [part for line in lines for part in _PART.split(line) if names.numbers(part)]
    for number in claimed:
        holding = [part for part in parts if number in names.numbers(part)]
        others = [part for part in parts if not names.numbers(part) & names.numbers(statement)]
        if holding and not any(said & _plain_stems(p) for p in holding) and any(said & _plain_stems(p) for p in others):
            yield f"{number} is said of something else in the cited lines"
            return


def _plain_stems(text: str) -> set[str]:
    words = (word for word in names.content_words(text) if not names.numbers(word) and word not in names.DATE_WORDS)
    return names.stems(words)


def _refused(statement: str, lines: list[str]) -> Iterator[str]:
    """What the lines name only to say that it is not so: "paid 500" of "300, not 500"."""
    if names.is_negative(statement):
        return
    told = names.plain(" ".join(lines))
    if not any(instead in told for instead in _INSTEAD):
        return
    for word in dict.fromkeys(names.content_words(statement)):
        found = [m.start() for m in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", told)]
        if found and all(_NOT_THIS.search(told[:at]) for at in found):
            yield f"the cited lines name {word!r} only to say that it is not so"
            return


def _surer(statement: str, lines: list[str]) -> Iterator[str]:
    """A deed that each line which tells of it only thinks possible, and the statement says outright; and one that is over."""
    said = words_of(statement)
    if said & _HEDGED or not any(_UNSURE & words_of(line) for line in lines):
        return
    for what in dict.fromkeys(names.stem(word) for word in said if names.content_words(word)):
        befores = [before for line in lines for before in _before(line, what)]
        if befores and all(befores):
            yield f"the cited lines say {' '.join(befores[0])!r} of it: keep that"
            return


def _before(line: str, what: str) -> Iterator[list[str]]:
    """For each time that a line has the word: the words right before it that make it unsure or past, if any."""
    tokens = [word if token != "May" else token for token, word in zip(*tokens_of(line), strict=True)]
    for place, word in enumerate(tokens):
        if names.stem(word) == what and names.content_words(word):
            near = tokens[max(0, place - 2) : place]
            unsure = [w for w in near if w in _MAYBE]
            yield unsure or (["used to"] if near == ["used", "to"] else [])
