"""Topics into questions: sentences of turns, numbered. Holds where each line stands, so that a citation finds its words."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from models.ask import Line, Question
from models.claim import Claim
from models.ids import digest
from models.rules import Owner
from slowwave.format import Trust
from slowwave.text import is_day_number
from tasks.extract.names import plain

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
    """One window as it is put to a model: its lines, session after session, and the place of each by number."""

    window: str
    owner: str
    msg_keys: tuple[str, ...]
    lines: tuple[Line, ...]
    places: Mapping[int, Place]

    def beside(self, cited: Sequence[Line]) -> list[Line]:
        """The lines of the sessions that these lines stand in: what was said elsewhere tells nothing about them."""
        return [line for session in _sessions(cited) for line in self._lines_of[session]]

    def speakers(self, cited: Sequence[Line]) -> set[str]:
        """Who speaks in the sessions that these lines stand in."""
        return {speaker for session in _sessions(cited) for speaker in self._speakers_of[session]}

    def shown(self, cited: Sequence[Line]) -> str:
        """What those sessions show, speakers and words, in plain form."""
        return "\n".join(self._shown_of[session] for session in _sessions(cited))

    def cited(self, numbers: Sequence[int]) -> list[Line]:
        """The lines of these numbers, each once and in order; numbers that no line has are left out."""
        return [self.by_number[number] for number in sorted(set(numbers)) if number in self.by_number]

    # A window has a thousand lines and hundreds of claims: looked up, not searched.
    @cached_property
    def by_number(self) -> dict[int, Line]:
        """Every line by its number."""
        return {line.number: line for line in self.lines}

    @cached_property
    def _lines_of(self) -> dict[int, list[Line]]:
        found: dict[int, list[Line]] = {}
        for line in self.lines:
            found.setdefault(line.session, []).append(line)
        return found

    @cached_property
    def _speakers_of(self) -> dict[int, set[str]]:
        return {session: {line.speaker for line in lines} for session, lines in self._lines_of.items()}

    @cached_property
    def _shown_of(self) -> dict[int, str]:
        return {
            session: plain("\n".join(f"{line.speaker} {line.text}" for line in lines))
            for session, lines in self._lines_of.items()
        }

    def question(self, owner: Owner, check: Callable[[Claim], list[str]]) -> Question:
        """The question; its key is the hash of all that an answer may depend on."""
        shown = [
            (x.number, x.speaker, x.role, x.text, x.said_at, x.offset_minutes, x.is_evidence, x.caption, x.session)
            for x in self.lines
        ]
        key = digest(PURPOSE, shown, owner.names, owner.zone)
        return Question(
            key=key, purpose=PURPOSE, lines=self.lines, owner_names=owner.names, zone=owner.zone or None, check=check
        )


def _sessions(lines: Sequence[Line]) -> list[int]:
    return sorted({line.session for line in lines})


def sheet(topics: Sequence[Mapping[str, Any]], turns: Mapping[str, Mapping[str, Any]]) -> Sheet:
    """Number the sentences of a window's topics, each topic's context first; context lines are no evidence."""
    lines: list[Line] = []
    places: dict[int, Place] = {}
    for session, msg_key, is_own in _shown(topics):
        turn = turns.get(msg_key)
        for start, end in sentences(turn) if turn else ():
            assert turn is not None
            number = len(lines) + 1
            lines.append(_line(turn, number, turn["text"][start:end], is_own, session))
            places[number] = Place(turn, start, end)
    first = topics[0]
    own = tuple(key for topic in topics for key in topic["msg_keys"])
    return Sheet(first["window"] or first["topic_id"], first["owner"], own, tuple(lines), places)


def _shown(topics: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, str, bool]]:
    """Every turn to be shown: which session it is of, its key, and whether it is asked about. None is shown twice."""
    own = {key for topic in topics for key in topic["msg_keys"]}
    shown = set[str]()
    for session, (_, part) in enumerate(itertools.groupby(topics, key=lambda topic: topic["session_id"])):
        for topic in part:
            before = [key for key in topic["context_keys"] if key not in own | shown]
            shown.update(before)
            yield from ((session, key, False) for key in before)
            yield from ((session, key, True) for key in topic["msg_keys"])


def _line(turn: Mapping[str, Any], number: int, text: str, is_own: bool, session: int) -> Line:
    return Line(
        number=number,
        speaker=turn["speaker"],
        role=Trust.IMPORTED.value if turn["trust"] == Trust.IMPORTED else turn["role"],
        text=text,
        said_at=turn["said_at"],
        offset_minutes=turn["offset_minutes"],
        is_evidence=is_own and turn["is_evidence"],
        caption=turn["caption"],
        session=session,
        msg_key=turn["msg_key"],
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
    is_short = match[0] == "." and _ABBREVIATION.search(text, max(0, match.start() - 8), match.start())
    return bool(is_short) or is_day_number(text, match.start())


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    piece = text[start:end]
    if not piece.strip():
        return None
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))
