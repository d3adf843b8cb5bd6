"""Stretches of a text: its sentences, what lies around some words, and the text without them.

Belongs here: places in one text. Does not belong here: which of them are to go (`models.forgotten`).
"""

from __future__ import annotations

import re

from models.tombstone import letters

Span = tuple[int, int]
_BREAK = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|[。！？]+|\n+")
_TITLE = re.compile(r"(?:^|[\s(.])(?:[A-Z]|[MmDdSJ]rs?|[Mm]s|[Pp]rof|St|e\.g|i\.e|etc|vs|approx|No)$")
_AROUND = " \t\"'“”‘’«»()[]*_-–—•>,;:.!?…。！？、，"


def around(text: str, start: int, end: int) -> Span:
    """The words with the marks that belong to them alone: what closes them, and what opens their line."""
    while end < len(text) and text[end] in _AROUND and text[end] not in " \t":
        end += 1
    line = text.rfind("\n", 0, start) + 1
    return (line, end) if not text[line:start].strip(_AROUND) else (start, end)


def sentences_of(text: str) -> list[Span]:
    """The sentences and lines of a text."""
    found: list[Span] = []
    start = 0
    for end in [*(m.end() for m in _ends_of(text)), len(text)]:
        if text[start:end].strip():
            found.append((start + len(text[start:end]) - len(text[start:end].lstrip()), end))
            start = end
    return found


def _ends_of(text: str) -> list[re.Match[str]]:
    found = _BREAK.finditer(text)
    return [m for m in found if m[0] != "." or not _TITLE.search(text, max(0, m.start() - 8), m.start())]


def is_one_sentence(text: str, start: int, end: int) -> bool:
    """Whether no sentence ends between two places; a line may."""
    return not any(start < m.start() and m.end() < end and m[0].strip() for m in _ends_of(text))


def joined_up(spans: list[Span]) -> list[Span]:
    """The same places in order, none overlapping another."""
    made: list[Span] = []
    for start, end in sorted(spans):
        if made and start <= made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        else:
            made.append((start, end))
    return made


def without(text: str, spans: list[Span]) -> str:
    """A text without these spans, and without the space that stood around each; empty where no word is left."""
    parts: list[str] = []
    at = 0
    for start, end in spans:
        parts.append(text[at:start])
        at = end
    parts.append(text[at:])
    left = _close(parts)
    return left if letters(left).stream else ""


def _close(parts: list[str]) -> str:
    made = parts[0]
    for part in parts[1:]:
        if not made or made[-1:].isspace():
            part = part.lstrip(" \t") if "\n" not in part[:1] else part
        made += part
    return made.strip()
