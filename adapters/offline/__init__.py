"""The embedded default: answers questions by rules, with no weights, no network and no chance in it.

Belongs here: reading sentences. Does not belong here: checking answers, which `tasks.extract` does alike for any model.
"""

from __future__ import annotations

from collections.abc import Sequence

from adapters.offline.reading import read
from models.ask import COMPARE, Answer, Question
from models.claim import Claims

__all__ = ["Offline"]


class Offline:
    """Answers by rules: every salient sentence becomes a typed claim that cites its line. Never defers."""

    model = "offline/1"
    prompt = ""

    def __call__(self, questions: Sequence[Question]) -> list[Answer]:
        """One answer a question, in order."""
        return [_answer(question) for question in questions]


def _answer(question: Question) -> Answer:
    """What rules read in the lines; how two statements stand to each other they can't tell."""
    if question.purpose == COMPARE:
        return Answer(question.key, None, refusal="no rule compares")
    return Answer(key=question.key, value=Claims(claims=read(question)))
