"""Puts questions to a model, a batch at a time: the one owner of re-asks and splits.

Nothing raises out of a batch. What cannot be answered tonight is deferred with its reason, and consumes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from adapters.llm.batch import Batches, Item
from adapters.llm.cache import AnswerCache, Entry, State, key_of
from adapters.llm.call import Reply
from adapters.llm.comparing import Comparing
from adapters.llm.halves import around, evidence, halves
from adapters.llm.outcome import Outcome
from adapters.llm.prompt import Messages, again, messages
from adapters.llm.sending import Sender
from adapters.llm.wall import Wall
from adapters.llm.wire import written
from models.ask import COMPARE, Answer, Question, Usage
from models.claim import Claim, Claims

# How a second request may end so that a third would end alike; every other failure may pass.
_CONCLUDED = {
    Outcome.ANSWERED,
    Outcome.INVALID,
    Outcome.EMPTY,
    Outcome.REFUSED,
    Outcome.REJECTED,
    Outcome.TRUNCATED,
}
_log = logging.getLogger(__name__)


class ModelAsk:
    """Answers questions by a language model. Fits the protocol `models.ask.Ask`."""

    def __init__(self, sender: Sender, cache: AnswerCache, batches: Batches | None = None) -> None:
        self.model, self.prompt = sender.endpoint.model, sender.prompt
        self.books, self.to = sender.books, sender.to
        self._sender, self._patience = sender, sender.patience
        self._cache = cache
        self._schema: dict[str, Any] = sender.form.response.model_json_schema()
        self._batches = batches
        self._early: dict[str, Reply] = {}
        self._compare = Comparing(sender, cache)

    def __call__(self, questions: Sequence[Question]) -> list[Answer]:
        """One answer a question, in order. Questions with one key are asked once."""
        self._sender.wall = Wall()
        distinct = {question.key: question for question in questions}
        # Which memories are one is needed now, and does not wait for a batch.
        self._early = self._batched([question for question in distinct.values() if question.purpose != COMPARE])
        pool = ThreadPoolExecutor(min(self._sender.width, len(distinct)) or 1, thread_name_prefix="ask")
        try:
            answers = dict(zip(distinct, pool.map(self._answer_safely, distinct.values()), strict=True))
        finally:
            # Where a person interrupts, questions that wait are dropped; answers that arrived are in the cache.
            pool.shutdown(wait=True, cancel_futures=True)
        if self._batches:
            self._batches.end()
        first_use = {question.key: place for place, question in reversed(list(enumerate(questions)))}
        return [
            answers[q.key] if first_use[q.key] == place else replace(answers[q.key], usage=Usage())
            for place, q in enumerate(questions)
        ]

    def _batched(self, questions: Sequence[Question]) -> dict[str, Reply]:
        """First answers, by key, of what the cache does not know and a batch does."""
        if self._batches is None:
            return {}
        asked = ((question, messages(question)) for question in questions)
        items = [Item(self._key(put), question, put) for question, put in asked]
        return self._batches.answers([item for item in items if self._cache.get(item.key) is None])

    def _answer_safely(self, question: Question) -> Answer:
        try:
            return self._compare(question) if question.purpose == COMPARE else self._answer(question)
        except Exception as error:
            # One question must never take the others down, whatever a library or a full disk comes up with.
            return Answer(question.key, None, refusal=f"failed: {type(error).__name__}", is_deferred=True)

    def _answer(self, question: Question, n_splits: int = 0) -> Answer:
        """The answer to a question that is a part of another after `n_splits` splits."""
        asked = messages(question)
        key = self._key(asked)
        known = self._cache.get(key)
        if known and known.state is State.FINAL:
            return Answer(question.key, known.claims)
        if known and known.state is State.TRUNCATED:
            return self._halves(question, Usage(), n_splits)
        reply = Reply(Outcome.ANSWERED, known.claims, known.text) if known else self._early.pop(key, None)
        return self._judge(question, asked, key, reply or self._sender.send(question, asked), n_splits)

    def _judge(self, question: Question, asked: Messages, key: str, first: Reply, n_splits: int) -> Answer:
        if first.outcome is Outcome.TRUNCATED:
            return self._split(question, key, first.usage, n_splits)
        if first.fits_halved and self._may_split(question, n_splits):
            return self._fitted(question, key, n_splits)
        if first.outcome not in (Outcome.ANSWERED, Outcome.INVALID):
            return _deferred(question, first.outcome, first.usage)
        problems = self._problems(question, first)
        has_claims = bool(first.claims and first.claims.claims)
        if not problems:
            return self._settle(question, key, first.claims, first.usage)
        if first.claims is not None:
            self._remember(question, key, Entry(State.ARRIVED, first.claims, first.text))
        second = self._sender.send(*self._once_more(question, asked, first, problems))
        usage = first.usage + second.usage
        if second.outcome is Outcome.TRUNCATED and not has_claims:
            return self._split(question, key, usage, n_splits)
        if has_claims and second.outcome not in _CONCLUDED:
            return self._put_off(question, first.claims, second.outcome, usage)
        best = self._better(question, first, second)
        if best is None:
            return _deferred(question, self._reason(first, second), usage)
        return self._settle(question, key, best, usage)

    def _put_off(self, question: Question, claims: Claims | None, why: Outcome, usage: Usage) -> Answer:
        """What is right, where a failure that may pass kept the rest from being put right: that is asked about another night.

        The answer stays in the cache as one that has arrived, so that only asking once more is still to be paid for.
        """
        wrong = {number for claim in _wrong(question, claims) for number in claim.lines}
        late = {line.msg_key: why.value for line in evidence(question) if line.number in wrong and line.msg_key}
        if not late:
            return _deferred(question, why, usage)
        return Answer(question.key, claims, usage=usage, late=late)

    def _problems(self, question: Question, reply: Reply) -> list[str]:
        if reply.claims is None:
            return [reply.detail]
        n_lines = len(evidence(question))
        if not reply.claims.claims and n_lines >= self._patience.rich_lines:
            return [
                f"It holds no claim, though there are {n_lines} lines. Look again; leave it empty only if none asserts."
            ]
        faults = [f"{_cited(claim)}: {text}" for claim in reply.claims.claims for text in question.check(claim)]
        return [*reply.claims.malformed, *faults]

    def _once_more(
        self, question: Question, asked: Messages, first: Reply, problems: list[str]
    ) -> tuple[Question, Messages]:
        """What is put once more: where only some rows are wrong, those and the lines about them, since each token is paid for."""
        wrong = _wrong(question, first.claims)
        numbers = {number for claim in wrong for number in claim.lines}
        part = around(question, numbers, self._patience.overlap_lines)
        if part is None or (first.claims and first.claims.malformed):
            return question, again(asked, first.text, problems, is_partial=bool(first.claims and first.claims.claims))
        return part, again(messages(part), written(wrong), problems, is_partial=True)

    @staticmethod
    def _better(question: Question, first: Reply, second: Reply) -> Claims | None:
        """Both answers together. An empty first answer stands only if the second is an answer too."""
        if second.claims is None:
            return first.claims if first.claims and first.claims.claims else None
        if first.claims is None or not first.claims.claims:
            return second.claims
        # Where nothing was put right, what is wrong is handed on, for its claims to be judged one by one.
        return _mended(question, first.claims, second.claims) if second.claims.claims else first.claims

    @staticmethod
    def _reason(first: Reply, second: Reply) -> Outcome:
        if second.outcome in (Outcome.ANSWERED, Outcome.INVALID):
            return Outcome.INVALID if first.claims is None else Outcome.EMPTY
        return second.outcome

    def _split(self, question: Question, key: str, usage: Usage, n_splits: int) -> Answer:
        if self._sender.wall.outcome:
            return _deferred(question, Outcome.TRUNCATED, usage)
        if not self._may_split(question, n_splits):
            # The smallest part is not remembered: another night may find the model less wordy.
            self._sender.wall.cut_off()
            return _deferred(question, Outcome.TRUNCATED, usage)
        self._remember(question, key, Entry(State.TRUNCATED))
        return self._halves(question, usage, n_splits)

    def _fitted(self, question: Question, key: str, n_splits: int) -> Answer:
        """The answer in parts, to a question that no ceiling has room for as a whole; parts that were paid for are found again."""
        answer = self._halves(question, Usage(), n_splits)
        if answer.usage.calls:
            self._remember(question, key, Entry(State.TRUNCATED))
        return answer

    def _may_split(self, question: Question, n_splits: int) -> bool:
        return n_splits < self._patience.max_splits and len(evidence(question)) > 1

    def _halves(self, question: Question, usage: Usage, n_splits: int) -> Answer:
        """Ask for each half of the lines by itself, and put the two answers together; a half that is too long ends it."""
        if not self._may_split(question, n_splits):
            return _deferred(question, Outcome.TRUNCATED, usage)
        found: list[Claims] = []
        late: Answer | None = None
        waiting: dict[str, str] = {}
        for half in halves(question, self._patience.overlap_lines):
            answer = self._answer(half, n_splits + 1)
            usage = usage + answer.usage
            if answer.value is not None:
                found.append(answer.value)
            late = late or (answer if answer.value is None else None)
            waiting |= answer.late
            if answer.refusal == Outcome.TRUNCATED.value:
                break
        if late is not None:
            return replace(late, key=question.key, usage=usage)
        whole = Claims(claims=[c for v in found for c in v.claims], malformed=[m for v in found for m in v.malformed])
        return Answer(question.key, whole, usage=usage, late=waiting)

    def foresee(self, question: Question, n_splits: int = 0) -> list[int]:
        """Input tokens of each request that the question would make now, none for what is in the cache. Nothing is sent."""
        asked = messages(question)
        known = self._cache.get(self._key(asked))
        if known and known.state is State.TRUNCATED and self._may_split(question, n_splits):
            parts = halves(question, self._patience.overlap_lines)
            return [count for half in parts for count in self.foresee(half, n_splits + 1)]
        if known:
            return []
        return self._sender.count(asked)

    def _settle(self, question: Question, key: str, claims: Claims | None, usage: Usage) -> Answer:
        self._remember(question, key, Entry(State.FINAL, claims))
        return Answer(question.key, claims, usage=usage)

    def _remember(self, question: Question, key: str, entry: Entry) -> None:
        about: dict[str, Any] = {"model": self.model, "prompt": self.prompt, "purpose": question.purpose}
        about |= {"question": question.key, "messages": question.msg_keys}
        try:
            self._cache.put(key, entry, about)
        except OSError as error:
            # A full disk costs a call on a later night, never the answer at hand.
            _log.warning("an answer could not be kept in the cache: %s", error.strerror)

    def _key(self, asked: Messages) -> str:
        return key_of(
            model=self.model,
            parameters=self._sender.parameters,
            prompt=self.prompt,
            schema=self._schema,
            messages=asked,
        )


def _deferred(question: Question, outcome: Outcome, usage: Usage) -> Answer:
    return Answer(question.key, None, refusal=outcome.value, is_deferred=True, usage=usage)


def _mended(question: Question, first: Claims, second: Claims) -> Claims:
    """The first answer, with what was put right in the place of what was wrong.

    A model that says again what was right says it in other words, and a row that it says no more of stays as it was, to be judged alone.
    """
    wrong = _wrong(question, first)
    right = [claim for claim in first.claims if claim not in wrong]
    settled = {line for claim in right for line in claim.lines} - {line for claim in wrong for line in claim.lines}
    more = [claim for claim in second.claims if claim not in right and not settled.issuperset(claim.lines)]
    answered = {line for claim in more for line in claim.lines}
    shown = {line.number for line in question.lines}
    # What cited no line at all may be any of those that came.
    left = [c for c in wrong if answered.isdisjoint(c.lines) and not (more and shown.isdisjoint(c.lines))]
    return Claims(claims=[*right, *more, *left], malformed=second.malformed)


def _wrong(question: Question, claims: Claims | None) -> list[Claim]:
    """The claims that something is found wrong with."""
    return [claim for claim in (claims.claims if claims else []) if question.check(claim)]


def _cited(claim: Claim) -> str:
    """How a row is named to the model that wrote it: by what it cites, since rows have no numbers."""
    return f"{claim.subject} on line {', '.join(map(str, claim.lines))}"
