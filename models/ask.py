"""The two questions a stage may put to the world, as protocols: `ask` a model, and `embed` texts.

A question is numbered lines, a response model and a purpose; rules and language models answer the same question, and the
same checks in code judge both answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from models.claim import Claim, Claims

EXTRACT, COMPARE = "extract", "compare"
# What a model may say of two statements.
VERDICTS = ("same", "updates", "contradicts", "unrelated")


@dataclass(frozen=True)
class Line:
    """One numbered line: a sentence or line of a turn, as the model sees it.

    `role` is its turn's, or `imported` for a record of an agent's own memory, which speaks of the user and is not said to them.
    `session` counts the conversations of its question, from 0: who asked what, and whom "she" means, ends with one. `msg_key` is the
    message it comes from, which a model is never shown.
    """

    number: int
    speaker: str
    role: str
    text: str
    said_at: datetime | None = None
    offset_minutes: int | None = None
    is_evidence: bool = True
    caption: str | None = None
    session: int = 0
    msg_key: str = ""


@dataclass(frozen=True)
class Question:
    """What is asked of a window: `key` is the content hash that caches know it by; `check` names what is wrong with a claim."""

    key: str
    purpose: str
    lines: tuple[Line, ...]
    owner_names: tuple[str, ...] = ()
    zone: str | None = None
    check: Callable[[Claim], list[str]] = field(default=lambda _: [], compare=False)

    @property
    def msg_keys(self) -> list[str]:
        """The messages whose words are in it, context included."""
        return sorted({line.msg_key for line in self.lines if line.msg_key})


@dataclass(frozen=True)
class Usage:
    """What an answer cost."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        pairs = zip(self.__dict__.values(), other.__dict__.values(), strict=True)
        return Usage(*(a + b for a, b in pairs))


@dataclass(frozen=True)
class Answer:
    """An answer, or why there is none. `is_deferred` means: ask again another night, and consume nothing.

    `late` names messages that are to be asked about again another night, and why: what is said of them here is not to be used.
    `kept_here` names messages that were not shown to the model, and why; `kept_by` answered for them instead, or nobody did.
    Where the model only worded what `drafted_by` claims, `as_said` are the places of claims that keep their own words, and why.
    """

    key: str
    value: Claims | None
    refusal: str | None = None
    is_deferred: bool = False
    usage: Usage = Usage()
    kept_here: Mapping[str, str] = field(default_factory=dict[str, str])
    kept_by: str = ""
    drafted_by: str = ""
    as_said: Mapping[int, str] = field(default_factory=dict[int, str])
    late: Mapping[str, str] = field(default_factory=dict[str, str])


class Ask(Protocol):
    """Answers questions, a batch at a time, one answer a question and in order. Never raises for a single question."""

    model: str
    prompt: str

    def __call__(self, questions: Sequence[Question]) -> list[Answer]: ...


class Nobody:
    """Answers nothing, and at once: where no model is to be asked."""

    model, prompt = "none", ""

    def __call__(self, questions: Sequence[Question]) -> list[Answer]:
        """No answer a question, in order."""
        return [Answer(question.key, None, "nobody to ask") for question in questions]


NOBODY: Ask = Nobody()


class Embed(Protocol):
    """Turns texts into unit vectors; an empty one is that of a text that was not embedded, because it may not leave the machine.

    `digest` identifies the weights; vectors of two digests are never compared.
    """

    name: str
    dimension: int
    digest: str

    def __call__(self, texts: Sequence[str]) -> list[list[float]]: ...
