"""Lessons beside the right answers of the sample with interventions: what must be learned, and what must not.

The right answers are sentences; each is stated here as the contexts that would say it. A lesson counts as saying one where its context
is that context, or one of its own that lies within it, and it goes the same way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from slowwave.format import Kind, Memory

Row = dict[str, Any]
# Sentence of the right answers: the contexts that say it, and whether speaking up is welcome there.
MUST: dict[str, tuple[frozenset[str], bool]] = {
    "Native morning nudges are accepted": (frozenset({"morning"}), True),
    "The Monday plan is helpful": (frozenset({"monday"}), True),
    "Contact in transition is rejected or dismissed": (frozenset({"transitioning"}), False),
    "Evening and night contact is dismissed or rejected": (frozenset({"evening", "night"}), False),
    "Thursdays after 17:30 is dismissed": (frozenset({"evening", "thursday"}), False),
    "Urgent alerts are welcome even in deep work": (frozenset({"deep work", "5", "urgent"}), True),
}
MUST_NOT: dict[str, tuple[frozenset[str], bool]] = {
    "Evenings are a good time": (frozenset({"evening"}), True),
    "Mornings are bad": (frozenset({"morning"}), False),
    "Mondays' plan belongs to Sunday": (frozenset({"sunday"}), True),
}


# Nobody's verdict: a lesson that counts one has learned from silence, or from a wire.
NO_VERDICT = ("no_reaction", "not_shown", "transport_failure")


def lesson_figures(memories: Sequence[Memory], outcomes: Mapping[str, str | None]) -> Row:
    """Which of the sentences some lesson says, and what lessons count that is no verdict; `outcomes` are those of all signals by key."""
    lessons = [memory for memory in memories if memory.kind == Kind.INTERVENTION_OUTCOME]
    learned = [name for name, what in MUST.items() if any(_says(lesson, *what) for lesson in lessons)]
    wrong = [name for name, what in MUST_NOT.items() if any(_says(lesson, *what) for lesson in lessons)]
    cited = {outcomes.get(proof.source_id) for lesson in lessons for proof in lesson.evidence}
    undecided = [name for name in NO_VERDICT if name in cited]
    return {
        "must": len(MUST),
        "learned": len(learned),
        "must_not": len(MUST_NOT) + len(NO_VERDICT),
        "wrongly_learned": len(wrong) + len(undecided),
        "missed": [name for name in MUST if name not in learned],
        "wrong": [*wrong, *undecided],
        "listed": [lesson.text for lesson in lessons],
    }


def _says(lesson: Memory, contexts: frozenset[str], is_welcome: bool) -> bool:
    parts = {part.strip().replace("_", " ") for part in (lesson.value or "").split("+")}
    return bool(parts & contexts) and ("accepted" in lesson.text) == is_welcome
