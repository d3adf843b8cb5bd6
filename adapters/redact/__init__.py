"""Secrets leave a text before it is first written: each becomes `[secret:kind]`.

A cheap look comes first, since nearly every text holds none: at one text (`signs`), or at many at once (`glance`).
Belongs here: finding and replacing. Does not belong here: what secrets look like (`patterns`), or what is private without being one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from adapters.redact import disguises, library, numbers, signs
from adapters.redact.disguises import BASE64
from adapters.redact.glance import EVERY, Patterns, worth
from adapters.redact.patterns import KEY_BLOCK, LABELS, SHAPE, URL_PASSWORD, is_secret, is_strong, value_of
from adapters.redact.signs import DENSE, NUMBERS
from slowwave.text import INVISIBLE

__all__ = ["Redacted", "find_all", "hide", "redact", "redact_all"]

# Longer runs are pictures or archives in text form; a detector's token is never that long.
_MAX_RUN = 512
_AROUND = 60
# Starting the other engine costs as much as looking at this many texts of this many characters together one by one.
_FEW, _SHORT = 100, 50_000


@dataclass(slots=True)
class Redacted:
    """A text without its secrets. `values` are the secrets themselves, for the same session's later texts: never written."""

    text: str
    n: int = 0
    kinds: tuple[str, ...] = ()
    values: tuple[str, ...] = field(default=(), repr=False)


def redact(text: str) -> Redacted:
    """The text with every secret replaced by `[secret:kind]`; twice is once. Characters that can't be seen hide no secret."""
    return _redacted(text, EVERY)


def redact_all(texts: Sequence[str]) -> list[Redacted]:
    """Each text as `redact` makes it, much quicker together than one by one."""
    found = find_all(texts)
    return [found.get(at) or Redacted(text) for at, text in enumerate(texts)]


def find_all(texts: Sequence[str]) -> dict[int, Redacted]:
    """Those texts that hold a secret, by place, each as `redact` makes it."""
    if len(texts) < _FEW and sum(map(len, texts)) < _SHORT:
        looked = ((at, redact(text)) for at, text in enumerate(texts))
    else:
        looked = ((at, _redacted(texts[at], tried)) for at, tried in worth(texts).items())
    return {at: found for at, found in looked if found.n}


def _redacted(text: str, tried: Patterns) -> Redacted:
    plain = disguises.visible(text)
    found = sorted([*_look(plain, tried), *_disguised(plain, tried)])
    if not found:
        return Redacted(text)
    return _replace(text, found if len(plain) == len(text) else _placed(text, found))


def _placed(text: str, found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Spans of the text without its invisible characters, as spans of the text itself."""
    places = [at for at, c in enumerate(text) if not INVISIBLE.match(c)]
    return [(places[start], places[end - 1] + 1, kind) for start, end, kind in found]


def _look(text: str, tried: Patterns) -> Iterator[tuple[int, int, str]]:
    """Every secret's span and kind, by those patterns that the text gives reason for."""
    runs = signs.runs(text) if tried & {SHAPE, DENSE} else []
    labels = [(kind, pattern) for kind, pattern in LABELS if pattern in tried]
    announced = signs.announced(text) if labels else set[str]()
    yield from _find(disguises.masked(text), runs, [label for label in labels if label[0] in announced], tried)
    if NUMBERS in tried and NUMBERS.search(text):
        yield from numbers.find(text)


def _disguised(text: str, tried: Patterns) -> Iterator[tuple[int, int, str]]:
    """Secrets that only show when codes are read, broken lines joined, or base64 unpacked: one layer of them."""
    if read := disguises.decoded(text):
        yield from ((*read.placed(start, end), kind) for start, end, kind in _look(read.text, tried))
    if read := disguises.joined(text):
        yield from ((*read.placed(s, e), kind) for s, e, kind in _look(read.text, tried) if read.is_cut(s, e))
    for start, end, words in disguises.unpacked(text) if BASE64 in tried else ():
        if DENSE.search(text, start, end) and (held := sorted(_look(words, EVERY))):
            yield start, end, held[0][2]


def hide(text: str, values: tuple[str, ...]) -> str:
    """The text without secrets that were found earlier in its session, where they come back without their label."""
    is_plain = text.isascii() or not INVISIBLE.search(text)
    for value in values:
        if is_plain:
            text = text.replace(value, "[secret:repeated]")
        else:
            split = f"{INVISIBLE.pattern}*".join(map(re.escape, value))
            text = re.sub(split, "[secret:repeated]", text)
    return text


def _find(
    text: str, runs: list[re.Match[str]], labels: list[tuple[str, re.Pattern[str]]], tried: Patterns
) -> Iterator[tuple[int, int, str]]:
    if KEY_BLOCK in tried and ("PRIVATE KEY" in text or "PuTTY" in text):
        yield from ((m.start(), m.end(), "private_key") for m in KEY_BLOCK.finditer(text))
    if SHAPE in tried and runs:
        yield from ((m.start(), m.end(), str(m.lastgroup)) for m in SHAPE.finditer(text))
    if DENSE in tried:
        yield from _by_library(text, runs)
    if URL_PASSWORD in tried and "://" in text:
        yield from _by_address(text)
    yield from _by_label(text, labels)


def _by_library(text: str, runs: list[re.Match[str]]) -> Iterator[tuple[int, int, str]]:
    for run in runs:
        if len(run[0]) > _MAX_RUN or library.is_hash(run[0]) or not DENSE.search(run[0]):
            continue
        start = max(text.rfind("\n", 0, run.start()) + 1, run.start() - _AROUND)
        snippet = text[start : run.end() + _AROUND].partition("\n")[0]
        for kind, value in library.find(snippet):
            at = snippet.find(value)
            if at >= 0:
                yield start + at, start + at + len(value), kind


def _by_address(text: str) -> Iterator[tuple[int, int, str]]:
    for found in URL_PASSWORD.finditer(text):
        if not found["password"].startswith(("•", "$", "<", "{", "***")):
            # The user's name goes along: a name with a stand-in behind it still looks like a login, to people and to scanners.
            yield found.start() + len("://"), found.end("password"), "url_password"


def _by_label(text: str, labels: list[tuple[str, re.Pattern[str]]]) -> Iterator[tuple[int, int, str]]:
    for kind, pattern in labels:
        at = 0
        while found := pattern.search(text, at):
            start = found.start("value")
            value = value_of(found)
            if is_secret(kind, found):
                yield start, start + len(value), kind
                at = start + len(value)
            else:
                # What was refused may still hold the label of what follows it.
                at = max(found.start() + 1, min(start, found.end() - 1))


def _replace(text: str, found: list[tuple[int, int, str]]) -> Redacted:
    """Overlapping finds are one secret, named by the first and longest of them."""
    merged: list[tuple[int, int, str]] = []
    for start, end, kind in sorted(found, key=lambda f: (f[0], -f[1], f[2])):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]), merged[-1][2])
        else:
            merged.append((start, end, kind))
    parts: list[str] = []
    at = 0
    for start, end, kind in merged:
        parts += [text[at:start], f"[secret:{kind}]"]
        at = end
    values = tuple(INVISIBLE.sub("", _value(text[start:end], kind)) for start, end, kind in merged)
    kinds = tuple(sorted({kind for _, _, kind in merged}))
    repeatable = tuple(sorted({v for v in values if 8 <= len(v) <= _MAX_RUN and is_strong(v)}))
    return Redacted(hide("".join([*parts, text[at:]]), repeatable), len(merged), kinds, repeatable)


def _value(found: str, kind: str) -> str:
    """What must not come back: of a login in an address, its password."""
    return found.partition(":")[2] if kind == "url_password" else found
