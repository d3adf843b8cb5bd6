"""A lesson's sentence, and the memory row it becomes. Which context earns one is decided in the package itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from models.ids import make_id
from models.rules import LearnRules
from slowwave.context import LESSON, PAIR, SEPARATOR
from slowwave.format import (
    Cardinality,
    Evidence,
    Kind,
    Memory,
    Polarity,
    Precision,
    Privacy,
    Status,
    Tier,
    Trust,
    Writer,
)
from slowwave.strength import DAY_SECONDS
from tasks.learn.contexts import ACCEPTED, Context

_IMPORTANCE = 0.6
_MAX_CONFIDENCE = 0.99
_WRITER = Writer(stage="learn", model="rules")
_PHRASES = {
    "overall": "",
    "part_of_day": "in the {0}",
    "week_part": "on {0}s",
    "weekday": "on {0}s",
    "user_state": "while {0}",
    "mode": "in {0} mode",
    "channel": "by {0}",
    "urgency": "of urgency {0}",
}


@dataclass(frozen=True)
class Lesson:
    """A context, its estimated acceptance, and the rate it departs from."""

    context: Context
    mean: float
    base: float


def to_memory(lesson: Lesson, facts: Mapping[str, dict[str, Any]], *, rules: LearnRules, owner: str) -> Memory:
    """The lesson as a memory about the user, with the outcomes it counts as evidence.

    Its trust is `agent`: the person did the accepting and dismissing, but the sentence is our own reading of it, and must
    never stand against what the person says. Nothing in the row depends on the date of the night, so that a lesson changes
    when its outcomes do and not because a day has passed.
    """
    context = lesson.context
    outcomes = [facts[key] for key in context.keys]
    owner = owner or outcomes[0]["owner"]
    attribute = f"{LESSON}{context.dimension}"
    first, last = outcomes[0]["at"], outcomes[-1]["at"]
    return Memory(
        id=make_id("mem", owner, None, "user", attribute, context.value, Polarity.ASSERT, 0),
        owner=owner,
        kind=Kind.INTERVENTION_OUTCOME,
        subject="user",
        subject_key="user",
        text=sentence(lesson, outcomes),
        attribute=attribute,
        value=context.value,
        cardinality=Cardinality.MULTI,
        confidence=_confidence(lesson, outcomes, rules),
        importance=_IMPORTANCE,
        stability_days=rules.half_life_days,
        tier=Tier.PROMPT,
        status=Status.ACTIVE,
        valid_from=first,
        valid_precision=Precision.DAY,
        first_seen_at=first,
        last_seen_at=last,
        last_confirmed_at=last,
        privacy=Privacy.PERSONAL,
        trust=Trust.AGENT,
        evidence=[_cite(outcome) for outcome in outcomes[-rules.max_evidence :]],
        writer=_WRITER,
    )


def sentence(lesson: Lesson, outcomes: Sequence[Mapping[str, Any]]) -> str:
    """What the outcomes show, with their count and the day of the first one, e.g. "… are dismissed: 4 of 4 since …"."""
    context = lesson.context
    is_welcome = lesson.mean > lesson.base
    n = context.n_accepted if is_welcome else context.n - context.n_accepted
    verb = _verb(is_welcome, {outcome["outcome"] for outcome in outcomes} - {ACCEPTED})
    # A low base rate can lift a context that is still refused more often than not: then only the comparison is true.
    tendency = verb if n == context.n else f"mostly {verb}" if 2 * n > context.n else f"{verb} more often than others"
    place = _phrase(context)
    return f"Nudges{place} are {tendency}: {n} of {context.n} since {_day(outcomes[0]['local_at'])}."


def _verb(is_welcome: bool, refusals: set[str]) -> str:
    return ACCEPTED if is_welcome else " or ".join(sorted(refusals)) or "refused"


def _phrase(context: Context) -> str:
    names = context.dimension.split(PAIR)
    values = context.value.split(SEPARATOR) if len(names) > 1 else [context.value]
    return "".join(f" {phrase}" for name, value in zip(names, values, strict=True) if (phrase := _say(name, value)))


def _say(name: str, value: str) -> str:
    words = value.replace("_", " ")
    if name == "part_of_day" and value == "night":
        return "at night"
    return _PHRASES[name].format(words.capitalize() if name == "weekday" else words)


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def _confidence(lesson: Lesson, outcomes: Sequence[Mapping[str, Any]], rules: LearnRules) -> float:
    """How likely the next outcome is to go the same way, from an even prior and weights by age before the newest."""
    newest = outcomes[-1]["at"]
    ages = [(newest - outcome["at"]).total_seconds() / DAY_SECONDS for outcome in outcomes]
    weights = [0.5 ** (age / rules.half_life_days) for age in ages]
    is_welcome = lesson.mean > lesson.base
    alike = [w for w, o in zip(weights, outcomes, strict=True) if (o["outcome"] == ACCEPTED) == is_welcome]
    mean = (sum(alike) + rules.prior_strength / 2) / (sum(weights) + rules.prior_strength)
    return round(min(mean, _MAX_CONFIDENCE), 4)


def _cite(outcome: Mapping[str, Any]) -> Evidence:
    quote = outcome["text"] or outcome["outcome"]
    return Evidence(
        source_kind="signal",
        source_id=outcome["signal_key"],
        session_id=outcome["session_id"] or "",
        message_id="",
        start=0,
        end=len(quote),
        quote=quote,
        said_at=outcome["at"],
    )
