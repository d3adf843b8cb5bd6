"""A question in parts: in two where its answer is too long for one, and around the lines that are asked about again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from models.ask import Line, Question


def evidence(question: Question) -> list[Line]:
    """The lines that may be cited, without those that are only context."""
    return [line for line in question.lines if line.is_evidence]


def halves(question: Question, overlap: int) -> tuple[Question, Question]:
    """The question in two: numbers stay as they are, and the second half sees the lines before it (`overlap`) as context."""
    lines = evidence(question)
    middle = lines[len(lines) // 2]
    at = question.lines.index(middle)
    overlapping = question.lines[max(0, at - overlap) : at]
    before = tuple(replace(line, is_evidence=False) for line in overlapping if line.session == middle.session)
    first = replace(question, key=f"{question.key}/1", lines=question.lines[:at])
    return first, replace(question, key=f"{question.key}/2", lines=before + question.lines[at:])


def around(question: Question, numbers: Collection[int], reach: int) -> Question | None:
    """The lines of these numbers with `reach` others on each side; none where a number is no line's, so that any may be meant."""
    places = [place for place, line in enumerate(question.lines) if line.number in numbers]
    if not places or set(numbers) - {line.number for line in question.lines}:
        return None
    near = {beside for place in places for beside in range(place - reach, place + reach + 1)}
    return replace(question, lines=tuple(line for place, line in enumerate(question.lines) if place in near))
