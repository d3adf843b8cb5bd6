"""The rules choose the lines and give kind, slot and dates; a model only words each statement so that it stands alone: for small models.

A sentence of the model's is taken if it passes the same checks as any claim and speaks of its subject in the third person; else the
words stay as they were said, and the answer tells why. Nothing is asked twice: what a model cannot word needs no wording.
Belongs here: which statements are put together, and what becomes of each sentence. Does not belong here: the request's words.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from adapters.llm.cache import AnswerCache, Entry, State, key_of
from adapters.llm.outcome import Outcome
from adapters.llm.sending import Sender
from adapters.llm.wall import Wall
from adapters.llm.wording import REWRITE, Draft, asked_of, drafts_of, form_of, unfit
from adapters.offline import Offline
from models.ask import COMPARE, Answer, Question, Usage
from models.claim import Claim, Claims

__all__ = ["REWRITE", "Rewriting"]
_log = logging.getLogger(__name__)
# The server has answered, and what it said is of no use: another night would hear the same.
_USELESS = {Outcome.INVALID, Outcome.TRUNCATED, Outcome.REFUSED}
# A server that answers others and fails at this one, however often it is asked, fails at this one.
_BAFFLED = {Outcome.SERVER_ERROR, Outcome.TIMED_OUT}


@dataclass(frozen=True)
class _Batch:
    """Some drafts of one question, put to the model together."""

    question: Question
    drafts: tuple[Draft, ...]

    @property
    def part(self) -> Question:
        """The question with the lines alone whose words are in the request."""
        return replace(self.question, lines=tuple(line for draft in self.drafts for line in draft.lines))


@dataclass(frozen=True)
class _Heard:
    """What a request brought: a sentence a draft, or in what way it was useless; `late` is why another night is to ask."""

    sentences: tuple[str, ...] = ()
    trouble: str = ""
    late: Outcome | None = None
    usage: Usage = Usage()


class Rewriting:
    """Answers questions by rules, and has a model word the statements. Fits the protocol `models.ask.Ask`."""

    def __init__(self, sender: Sender, cache: AnswerCache, size: int = 6) -> None:
        self.model, self.prompt = sender.endpoint.model, sender.prompt
        self.books, self.to = sender.books, sender.to
        self._sender, self._cache, self._size = sender, cache, size
        self._rules = Offline()

    def __call__(self, questions: Sequence[Question]) -> list[Answer]:
        """One answer a question, in order; a question of which a part waits, waits whole, and what was answered is in the cache."""
        self._sender.wall = Wall()
        read = {answer.key: answer.value.claims if answer.value else [] for answer in self._rules(questions)}
        asked = {q.key: self._batches(q, read[q.key]) for q in questions}
        batches = [batch for found in asked.values() for batch in found]
        pool = ThreadPoolExecutor(self._sender.width, thread_name_prefix="ask")
        try:
            heard = iter(self._given_up(batches, list(pool.map(self._ask_safely, batches))))
        finally:
            # Where a person interrupts, what waits is dropped; answers that arrived are in the cache.
            pool.shutdown(wait=True, cancel_futures=True)
        told = {key: [(batch, next(heard)) for batch in found] for key, found in asked.items()}
        first = {q.key: place for place, q in reversed(list(enumerate(questions)))}
        made = (
            # A small model words what rules read, and judges nothing.
            Answer(q.key, None, "no rule compares")
            if q.purpose == COMPARE
            else _answer(q, read[q.key], told[q.key], self._rules.model)
            for q in questions
        )
        return [a if first[a.key] == place else replace(a, usage=Usage()) for place, a in enumerate(made)]

    def foresee(self, question: Question) -> list[int]:
        """Input tokens of each request that the question would make now, none for what is in the cache. Nothing is sent."""
        (read,) = self._rules([question])
        batches = self._batches(question, read.value.claims if read.value else [])
        new = [batch for batch in batches if self._cache.get(self._key(batch)) is None]
        return [n for batch in new for n in self._sender.count(asked_of(batch.drafts), form_of(batch.drafts))]

    def _batches(self, question: Question, claims: Sequence[Claim]) -> list[_Batch]:
        drafts = drafts_of(question, claims)
        parts = range(0, len(drafts), self._size)
        return [_Batch(question, tuple(drafts[start : start + self._size])) for start in parts]

    def _ask_safely(self, batch: _Batch) -> _Heard:
        try:
            return self._ask(batch)
        except Exception as error:
            # One request must never take the others down, whatever a library or a full disk comes up with.
            _log.warning("a request failed: %s", type(error).__name__)
            return _Heard(late=Outcome.FAILED)

    def _ask(self, batch: _Batch) -> _Heard:
        known = self._cache.get(self._key(batch))
        if known and known.claims is not None:
            return _heard(known.claims, Usage())
        reply = self._sender.send(batch.part, asked_of(batch.drafts), form_of(batch.drafts))
        if reply.outcome in _USELESS:
            return self._settled(batch, Claims(malformed=[reply.outcome.value]), reply.usage)
        if reply.claims is None:
            return _Heard(late=reply.outcome, usage=reply.usage)
        return self._settled(batch, reply.claims, reply.usage)

    def _given_up(self, batches: Sequence[_Batch], heard: Sequence[_Heard]) -> list[_Heard]:
        """What was heard; where the server answered any of the batches, those that it failed at do not wait."""
        if all(one.late for one in heard):
            return list(heard)
        pairs = zip(batches, heard, strict=True)
        return [
            self._settled(batch, Claims(malformed=[one.late.value]), one.usage)
            if one.late is not None and one.late in _BAFFLED
            else one
            for batch, one in pairs
        ]

    def _settled(self, batch: _Batch, told: Claims, usage: Usage) -> _Heard:
        self._remember(batch, told)
        return _heard(told, usage)

    def _remember(self, batch: _Batch, told: Claims) -> None:
        part = batch.part
        about = {"model": self.model, "prompt": self.prompt, "purpose": part.purpose, "question": part.key}
        try:
            self._cache.put(self._key(batch), Entry(State.FINAL, told), {**about, "messages": part.msg_keys})
        except OSError as error:
            # A full disk costs a call on a later night, never the answer at hand.
            _log.warning("an answer could not be kept in the cache: %s", error.strerror)

    def _key(self, batch: _Batch) -> str:
        return key_of(
            model=self.model,
            parameters=self._sender.parameters,
            prompt=self.prompt,
            schema=form_of(batch.drafts).response.model_json_schema(),
            messages=asked_of(batch.drafts),
        )


def _heard(told: Claims, usage: Usage) -> _Heard:
    return _Heard(tuple(c.statement or "" for c in told.claims), "".join(told.malformed), usage=usage)


def _answer(question: Question, claims: Sequence[Claim], told: Sequence[tuple[_Batch, _Heard]], rules: str) -> Answer:
    usage = sum((heard.usage for _, heard in told), Usage())
    if late := next((heard.late for _, heard in told if heard.late), None):
        return Answer(question.key, None, refusal=late.value, is_deferred=True, usage=usage)
    made, as_said = list(claims), dict.fromkeys(range(len(claims)), "")
    for batch, heard in told:
        for place, draft in enumerate(batch.drafts):
            sentence = heard.sentences[place] if place < len(heard.sentences) else ""
            for at in draft.places:
                worded = claims[at].model_copy(update={"statement": sentence})
                wrong = [*unfit(sentence, draft), *(question.check(worded) if sentence else ())]
                as_said[at] = heard.trouble or "; ".join(wrong)
                made[at] = made[at] if as_said[at] else worded
    kept: Mapping[int, str] = {at: why for at, why in as_said.items() if why or made[at] is claims[at]}
    return Answer(question.key, Claims(claims=made), usage=usage, drafted_by=rules, as_said=kept)
