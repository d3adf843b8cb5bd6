"""Learn: what the outcomes of interventions teach about when, where and how to speak up.

A lesson is recomputed from all signals every night, so it fades by itself when its outcomes age, and no lesson is ever
confirmed by having been shown. Belongs here: which context earns a lesson. The contexts are in `contexts`, the sentences in
`lessons`, what a person says against one in `corrections`; what happened, as a timeline, is the business of digest.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

import polars as pl

from models.decision import Action, Decision, Feedback
from models.memory import MemoryRow
from models.message import Signal
from models.rules import LearnRules, Owner
from models.table import Frame, rows_to_frame
from slowwave.context import SEPARATOR
from slowwave.format import Memory
from tasks.learn.contexts import (
    ACCEPTED,
    DECIDED,
    IGNORED,
    Context,
    Tally,
    decided_outcomes,
    is_intervention,
    tally,
)
from tasks.learn.corrections import Correction, answered, corrected, said
from tasks.learn.lessons import Lesson, to_memory
from tasks.verdict import gathered

_ACTIONS = {"counted": Action.FOLD, "no_lesson": Action.KEEP, "future": Action.DEFER}


class Learned(NamedTuple):
    """The lessons as memories, and what became of every signal that none of them cites."""

    memories: Frame[MemoryRow]
    decisions: Frame[Decision]


def learn(
    signals: Frame[Signal],
    feedback: Frame[Feedback],
    memories: Frame[MemoryRow],
    *,
    rules: LearnRules,
    owner: Owner,
    as_of: datetime,
) -> Learned:
    """Turn decided interventions into procedural memories, one for each context that earns it.

    Times of day and weekdays are local: by the event's own offset, else by the owner's zone, else in UTC. Deliveries that
    failed, were not shown or met no reaction say nothing about the person and are left out. What the person says in `memories` or
    answers by `feedback` against a lesson demotes it, until as many outcomes since as teach a lesson go its way.
    """
    decided = decided_outcomes(signals, owner=owner, as_of=as_of)
    lessons = find_lessons(tally(decided, half_life_days=rules.half_life_days, as_of=as_of), rules)
    facts = {row["signal_key"]: row for row in decided.to_dicts()}
    against = [*said(memories), *answered(feedback, as_of)]
    judged = [_judged(lesson, facts, against, rules, owner) for lesson in lessons]
    taught = [memory for memory, _ in judged]
    counted = {key for lesson in lessons for key in lesson.context.keys}
    frame = rows_to_frame(MemoryRow, [_to_row(memory) for memory in taught])
    return Learned(frame, gathered(_explain(signals, taught, counted, as_of), _demoted(judged)))


def _judged(
    lesson: Lesson, facts: Mapping[str, dict[str, Any]], against: list[Correction], rules: LearnRules, owner: Owner
) -> tuple[Memory, Correction | None]:
    """The lesson as a memory, and what stands against it."""
    memory, is_welcome = to_memory(lesson, facts, rules=rules, owner=owner.id), lesson.mean > lesson.base
    outcomes = [facts[key] for key in lesson.context.keys]
    alike = [outcome["at"] for outcome in outcomes if (outcome["outcome"] == ACCEPTED) == is_welcome]
    return corrected(memory, is_welcome, alike, against, rules)


def _demoted(judged: list[tuple[Memory, Correction | None]]) -> Frame[Decision]:
    rows = [
        Decision(
            stage="learn",
            item_id=memory.id,
            action=Action.DEMOTE,
            reason="answered_against" if one.lesson_id else "said_against",
            other_id=one.memory_id,
            detail=memory.text,
        )
        for memory, one in judged
        if one is not None
    ]
    return rows_to_frame(Decision, rows)


def _to_row(memory: Memory) -> MemoryRow:
    claim_ids: list[str] = []
    beside = {"claim_ids": claim_ids, "period": 0, "said_at": memory.last_seen_at}
    known = {name: value for name, value in vars(memory).items() if name in MemoryRow.model_fields}
    return MemoryRow.model_validate({**known, **beside})


def find_lessons(tallied: Tally, rules: LearnRules) -> list[Lesson]:
    """The contexts that earn a lesson, coarsest first.

    A context's acceptance is a Beta-Binomial mean that shrinks to its parents' (Gelman et al., Bayesian Data Analysis,
    chapter 5): `(accepted + prior_strength * parent) / (weight + prior_strength)`, in outcomes weighted by age. It earns a
    lesson when it has enough outcomes and lies `min_lift` from the base rate and from every parent that earned one.
    """
    means: dict[tuple[str, str], float] = {}
    lessons: dict[tuple[str, str], Lesson] = {}
    base = tallied.overall.shrunk(0.5, rules.prior_strength) if tallied.overall.n else 0.5
    for context in tallied.contexts:
        priors = [means[parent] for parent in context.parents if parent in means] or [base]
        mean = means[context.key] = context.shrunk(sum(priors) / len(priors), rules.prior_strength)
        anchors = [base, *(lessons[parent].mean for parent in context.parents if parent in lessons)]
        if context.n >= rules.min_support and _is_lifted(mean, anchors, rules) and _is_news(context, lessons, rules):
            lessons[context.key] = Lesson(context, mean, base)
        elif _is_welcome_alarm(context, tallied, rules):
            # Against what is known of the state alone: this is about what holds in spite of it.
            lessons[context.key] = Lesson(context, mean, min(base, mean - 1e-9))
    whole = tallied.overall
    if whole.n >= rules.min_support and abs(base - 0.5) >= rules.min_lift:
        return [Lesson(whole, base, 0.5), *lessons.values()]
    return list(lessons.values())


def _is_welcome_alarm(context: Context, tallied: Tally, rules: LearnRules) -> bool:
    """Whether the most urgent was always accepted in a state in which nothing less is known to be: alarms are too few to wait for three."""
    state, _, urgency = context.value.partition(SEPARATOR)
    if context.dimension != "user_state_and_urgency" or urgency not in rules.urgent:
        return False
    whole = next(one for one in tallied.contexts if one.key == ("user_state", state))
    others, n_accepted = whole.n - context.n, whole.n_accepted - context.n_accepted
    is_plain = context.n == context.n_accepted >= rules.min_urgent_support
    return is_plain and 2 * n_accepted <= others


def _is_lifted(mean: float, anchors: list[float], rules: LearnRules) -> bool:
    return all(abs(mean - anchor) >= rules.min_lift for anchor in anchors)


def _is_news(context: Context, lessons: dict[tuple[str, str], Lesson], rules: LearnRules) -> bool:
    """Whether a finer context says enough that no lesson before it says; the coarsest always do."""
    if not context.parents:
        return True
    told = [set(other.context.keys) for other in lessons.values() if other.context.is_welcome == context.is_welcome]
    return len(set(context.keys).difference(*told)) >= rules.min_support


def _explain(signals: Frame[Signal], memories: list[Memory], counted: set[str], as_of: datetime) -> Frame[Decision]:
    """A row for each signal that no lesson cites, saying why, and one for each lesson."""
    cited = {proof.source_id for memory in memories for proof in memory.evidence}
    left = signals.filter(~pl.col("signal_key").is_in(sorted(cited))).select(
        "signal_key", reason=_reason(counted, as_of)
    )
    left_out = [
        Decision(stage="learn", item_id=key, action=_ACTIONS.get(why, Action.DROP), reason=why)
        for key, why in left.iter_rows()
    ]
    made = [
        Decision(stage="learn", item_id=memory.id, action=Action.CREATE, reason="lesson", detail=memory.text)
        for memory in memories
    ]
    return rows_to_frame(Decision, [*left_out, *made])


def _reason(counted: set[str], as_of: datetime) -> pl.Expr:
    outcome = pl.col("outcome")
    reasons = {
        "not_an_intervention": ~is_intervention(),
        "undecided": outcome.is_null(),
        "unknown_outcome": ~outcome.is_in(DECIDED + IGNORED),
        "no_time": pl.col("at").is_null() & outcome.is_in(DECIDED),
        "future": (pl.col("at") > as_of) & outcome.is_in(DECIDED),
        "counted": pl.col("signal_key").is_in(sorted(counted)),
    }
    found = [pl.when(is_so).then(pl.lit(reason)) for reason, is_so in reasons.items()]
    return pl.coalesce(*found, pl.when(outcome.is_in(IGNORED)).then(outcome), pl.lit("no_lesson"))
