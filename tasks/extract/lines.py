"""Topics into questions: sentences of turns, numbered. Holds where each line stands, so that a citation finds its words."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from models.ask import Line, Question
from models.claim import Claims
from models.ids import digest
from models.rules import Owner

PURPOSE = "extract"
_BREAK = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s+\S)|[。！？]+|\n+")
# A full stop ends a sentence unless a title, an initial or an abbreviation stands before it.
_ABBREVIATION = re.compile(r"(?:^|[\s(.])(?:[A-Z]|[MmDdSJ]rs?|[Mm]s|[Pp]rof|St|e\.g|i\.e|etc|vs|approx|No)$")


@dataclass(frozen=True)
class Place:
    """Where a line stands: its turn (a row of the turns table) and its code points."""

    turn: Mapping[str, Any]
    start: int
    end: int


@dataclass(frozen=True)
class Sheet:
    """One topic as it is put to a model: its lines, and the place of each by number."""

    topic: Mapping[str, Any]
    lines: tuple[Line, ...]
    places: Mapping[int, Place]

    def question(self, owner: Owner, check: Callable[[Claims], list[str]]) -> Question:
        """The question; its key is the hash of all that an answer may depend on."""
        shown = [
            (x.number, x.speaker, x.role, x.text, x.said_at, x.offset_minutes, x.is_evidence, x.caption)
            for x in self.lines
        ]
        key = digest(PURPOSE, shown, owner.names, owner.zone)
        return Question(
            key=key, purpose=PURPOSE, lines=self.lines, owner_names=owner.names, zone=owner.zone or None, check=check
        )


def sheet(topic: Mapping[str, Any], turns: Mapping[str, Mapping[str, Any]]) -> Sheet:
    """Number the sentences of a topic's turns, its context first; context lines are no evidence."""
    lines: list[Line] = []
    places: dict[int, Place] = {}
    shown = [(key, False) for key in topic["context_keys"]] + [(key, True) for key in topic["msg_keys"]]
    for msg_key, is_own in shown:
        turn = turns.get(msg_key)
        for start, end in sentences(turn) if turn else ():
            assert turn is not None
            number = len(lines) + 1
            lines.append(_line(turn, number, turn["text"][start:end], is_own))
            places[number] = Place(turn, start, end)
    return Sheet(topic, tuple(lines), places)


def _line(turn: Mapping[str, Any], number: int, text: str, is_own: bool) -> Line:
    return Line(
        number=number,
        speaker=turn["speaker"],
        role=turn["role"],
        text=text,
        said_at=turn["said_at"],
        offset_minutes=turn["offset_minutes"],
        is_evidence=is_own and turn["is_evidence"],
        caption=turn["caption"],
    )


def sentences(turn: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Spans of the kept sentences of a turn, in order: a kept span that holds several is split."""
    text: str = turn["text"]
    found: list[tuple[int, int]] = []
    for span in turn["spans"]:
        found += _split(text, span["start"], span["end"])
    return found


def _split(text: str, start: int, end: int) -> list[tuple[int, int]]:
    breaks = (m for m in _BREAK.finditer(text, start, end) if not _is_abbreviation(text, m))
    edges = [start, *(m.end() for m in breaks), end]
    pieces = itertools.pairwise(edges)
    return [trimmed for a, b in pieces if (trimmed := _trim(text, a, b))]


def _is_abbreviation(text: str, match: re.Match[str]) -> bool:
    return match[0] == "." and bool(_ABBREVIATION.search(text, max(0, match.start() - 8), match.start()))


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    piece = text[start:end]
    if not piece.strip():
        return None
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))
