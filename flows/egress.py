"""Egress: which messages may leave this machine for a hosted model or embedder, judged before anything is put to one.

What may not leave is read here by rules, or waits, as the owner chose; either way a decision says so. A question is parted by
messages: the model sees the lines of those that may leave, and not one line, context included, of the others.
Belongs here: the judgement and the parting. Does not belong here: which words are sensitive (`tasks.extract.privacy`), and sending.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from adapters.capture import load_messages
from adapters.settings import EgressSettings
from models.ask import Answer, Ask, Line, Question
from models.claim import Claim, Claims
from models.phrases import holds
from slowwave.format import Privacy
from tasks.extract import names
from tasks.extract.privacy import privacy_of_words

# A line number that no line has: what a model cites unseen is evidence of nothing.
_NO_LINE = 0
_PEOPLE = ("user", "participant")
# Reasons for which a message stays because of what it says, and not because of where it was said.
_BY_WORDS = ("sensitive", "forbidden", "kept word")
_MIN_TELLING_CHARS = 4


class About(NamedTuple):
    """What decides about a message: where it came from, and its words."""

    source: str
    platform: str
    project: str | None
    text: str


@dataclass(frozen=True)
class Gate:
    """The owner's rules of what may leave, over the captured messages of one store."""

    rules: EgressSettings
    store: Path
    sensitive_words: tuple[str, ...] = ()
    forbidden_words: tuple[str, ...] = ()

    @property
    def identity(self) -> list[Any]:
        """What its judgement depends on, beside the messages."""
        return [self.rules.model_dump(mode="json"), self.sensitive_words, self.forbidden_words]

    @cached_property
    def messages(self) -> dict[str, About]:
        """Every captured message."""
        frame = load_messages(self.store)
        rows = frame.select("msg_key", "source", "platform", "project", "text", "caption").iter_rows()
        return {row[0]: About(row[1], row[2], row[3], f"{row[4]}\n{row[5] or ''}") for row in rows}

    def why_kept(self, msg_key: str) -> str | None:
        """Why a message may not leave; None if it may. One that was never captured may not: nothing is known of it."""
        about = self.messages.get(msg_key)
        if about is None:
            return "unknown"
        return self._by_place(about) or self.why_text_kept(about.text)

    def why_text_kept(self, text: str) -> str | None:
        """Why these words may not leave, wherever they come from."""
        for reason, words in (("forbidden", self.forbidden_words), ("kept word", self.rules.kept_words)):
            if holds(text, words, is_whole=False):
                return reason
        is_bounded = self.rules.max_privacy != Privacy.SENSITIVE
        privacy = privacy_of_words(text, self.sensitive_words)
        return "sensitive" if is_bounded and privacy is Privacy.SENSITIVE else None

    def _by_place(self, about: About) -> str | None:
        rules, places = self.rules, {about.source, about.platform}
        if places & set(rules.kept_sources) or (rules.sources and not places & set(rules.sources)):
            return "source"
        if about.project in rules.kept_projects or (rules.projects and about.project not in rules.projects):
            return "project"
        return None


class Guarded:
    """An `Ask` of a hosted model that is shown only what may leave."""

    def __init__(self, ask: Ask, gate: Gate, here: Ask | None) -> None:
        self.model, self.prompt = ask.model, ask.prompt
        self.ask, self.gate, self.here = ask, gate, here

    def __call__(self, questions: Sequence[Question]) -> list[Answer]:
        """One answer a question, in order."""
        parted = [_parted(question, self.gate.why_kept) for question in questions]
        sent = [part.shown for part in parted if part.shown is not None]
        answers = iter(self.ask(sent)) if sent else iter(())
        return [self._joined(part, next(answers) if part.shown is not None else None) for part in parted]

    def _joined(self, part: Parted, shown: Answer | None) -> Answer:
        key = part.asked.key
        if shown is not None and (shown.value is None or not part.why):
            # The whole question waits with its greater part, so that it is put again as it stands.
            return replace(shown, key=key)
        read = self.here([part.kept])[0].value if self.here else None
        told = _seen(shown.value, part.shown) if shown and shown.value and part.shown else Claims()
        both: list[Claim] = [*told.claims, *(read.claims if read else [])]
        places = sorted(range(len(both)), key=lambda place: _place(both[place]))
        found = told.model_copy(update={"claims": [both[place] for place in places]})
        by = self.here.model if self.here else ""
        answer = shown or Answer(key, None)
        as_said = {new: answer.as_said[old] for new, old in enumerate(places) if old in answer.as_said}
        return replace(answer, key=key, value=found, kept_here=part.why, kept_by=by, as_said=as_said)


class Parted(NamedTuple):
    """A question in two: what the model is shown, if anything, and what stays here, with the reason for each message."""

    asked: Question
    shown: Question | None
    kept: Question
    why: dict[str, str]


def _parted(question: Question, why_kept: Callable[[str], str | None]) -> Parted:
    why = {key: reason for key in question.msg_keys if (reason := why_kept(key))}
    why |= dict.fromkeys(_echoes(question, why), "sensitive")
    if not why:
        return Parted(question, question, question, why)
    shown = tuple(line for line in question.lines if line.msg_key not in why)
    kept = tuple(_as_context(line, line.msg_key in why) for line in question.lines)
    part = replace(question, key=f"{question.key}/shown", lines=shown)
    numbers = {line.number for line in shown}
    part = replace(part, check=lambda claim: question.check(_citing(claim, numbers)))
    has_evidence = any(line.is_evidence for line in shown)
    return Parted(
        question, part if has_evidence else None, replace(question, key=f"{question.key}/kept", lines=kept), why
    )


def _echoes(question: Question, why: dict[str, str]) -> set[str]:
    """What agents and tools say again of a message that stays: "sorry to hear about your lupus" tells as much as the message did."""
    stays = [line for line in question.lines if why.get(line.msg_key) in _BY_WORDS]
    told = {(line.session, word) for line in stays for word in _telling(line.text)}
    free = {
        word
        for line in question.lines
        if line.role in _PEOPLE and line.msg_key not in why
        for word in _telling(line.text)
    }
    others = (line for line in question.lines if line.role not in _PEOPLE and line.msg_key not in why)
    return {
        line.msg_key
        for line in others
        if any((line.session, word) in told for word in _telling(line.text) if word not in free)
    }


def _telling(text: str) -> set[str]:
    return {word for word in names.content_words(text) if len(word) >= _MIN_TELLING_CHARS or names.is_sign(word)}


def _as_context(line: Line, is_asked: bool) -> Line:
    return line if is_asked else replace(line, is_evidence=False)


def _seen(claims: Claims, shown: Question) -> Claims:
    """The claims with every line that the model was not shown cited as none."""
    numbers = {line.number for line in shown.lines}
    return claims.model_copy(update={"claims": [_citing(claim, numbers) for claim in claims.claims]})


def _citing(claim: Claim, numbers: set[int]) -> Claim:
    return claim.model_copy(update={"lines": [n if n in numbers else _NO_LINE for n in claim.lines]})


def _place(claim: Claim) -> int:
    return min(claim.lines, default=_NO_LINE)
