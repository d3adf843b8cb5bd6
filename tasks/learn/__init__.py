"""Learn: what the outcomes of interventions teach about when, where and how to speak up.

A lesson is recomputed from all signals every night, so it fades by itself when its outcomes age, and no lesson is ever
confirmed by having been shown. Belongs here: which context earns a lesson. The contexts are in `contexts`, the sentences in
`lessons`; what happened, as a timeline, is the business of digest.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import polars as pl

from models.decision import Action, Decision
from models.memory import MemoryRow
from models.message import Signal
from models.rules import LearnRules, Owner
from models.table import Frame, rows_to_frame
from slowwave.format import Memory
from tasks.learn.contexts import DECIDED, IGNORED, Context, Tally, decided_outcomes, is_intervention, tally
from tasks.learn.lessons import Lesson, to_memory

_ACTIONS = {"counted": Action.FOLD, "no_lesson": Action.KEEP, "future": Action.DEFER}


class Learned(NamedTuple):
    """The lessons as memories, and what became of every signal that none of them cites."""

    memories: Frame[MemoryRow]
    decisions: Frame[Decision]


def learn(signals: Frame[Signal], *, rules: LearnRules, owner: Owner, as_of: datetime) -> Learned:
    """Turn decided interventions into procedural memories, one for each context that earns it.

    Times of day and weekdays are local: by the event's own offset, else by the owner's zone, else in UTC. Deliveries that
    failed, were not shown or met no reaction say nothing about the person and are left out.
    """
    decided = decided_outcomes(signals, owner=owner, as_of=as_of)
    lessons = find_lessons(tally(decided, half_life_days=rules.half_life_days, as_of=as_of), rules)
    facts = {row["signal_key"]: row for row in decided.to_dicts()}
    memories = [to_memory(lesson, facts, rules=rules, owner=owner.id) for lesson in lessons]
    counted = {key for lesson in lessons for key in lesson.context.keys}
    frame = rows_to_frame(MemoryRow, [_to_row(memory) for memory in memories])
    return Learned(frame, _explain(signals, memories, counted, as_of))


def _to_row(memory: Memory) -> MemoryRow:
    claim_ids: list[str] = []
    beside = {"claim_ids": claim_ids, "period": 0, "said_at": memory.last_seen_at}
    return MemoryRow.model_validate({**vars(memory), **beside})


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
    whole = tallied.overall
    if whole.n >= rules.min_support and abs(base - 0.5) >= rules.min_lift:
        return [Lesson(whole, base, 0.5), *lessons.values()]
    return list(lessons.values())


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
