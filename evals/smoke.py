"""The smoke set: a small piece of everything, run with every change and held against the last landed result.

Belongs here: what is small enough, and what is a regression. Does not belong here: measuring, and chance (`figures`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evals.figures import changes
from evals.report import short_of
from evals.scripted.measure import measure as scripted
from evals.worlds.measure import LABELS, OFFLINE
from evals.worlds.measure import measure as world

SEED, DAYS, NOISE, APART = 2, 56, 2.0, 28
# What the labels' nights ask of a model may grow by so much before it is a regression.
_MORE = 1.1
_COSTS = ("calls", "input_tokens", "output_tokens")
Row = dict[str, Any]


def measure() -> Row:
    """A short world by its labels and by the rules, and one scripted life of each form."""
    kept = ("scores", "judged", *_COSTS, "secrets_published", "planted_remembered", "labels_unread")
    made: Row = {}
    for read_by in (LABELS, OFFLINE):
        told = world(SEED, days=DAYS, noise=NOISE, read_by=read_by, apart=APART)
        made[read_by] = {name: told[name] for name in kept if name in told}
    told = scripted(1)
    made["scripted"] = {"scores": {"found_at_10": told["found_at_10"]}, "judged": {"found_at_10": told["n_questions"]}}
    return made


def regressions(landed: Row, now: Row) -> list[str]:
    """What is worse than the landed result by more than chance, what costs a tenth more, and what misses its bar, in words."""
    return [*_bars(now), *_costs(landed[LABELS], now[LABELS]), *_scores(landed, now)]


def _bars(now: Row) -> Iterator[str]:
    for name in short_of(now[LABELS]):
        yield f"{name} misses its bar: {now[LABELS]['scores'][name]}"
    for read_by in (LABELS, OFFLINE):
        for name in ("secrets_published", "planted_remembered"):
            if now[read_by][name]:
                yield f"{read_by}: {name} is {now[read_by][name]}"


def _costs(landed: Row, now: Row) -> Iterator[str]:
    for name in _COSTS:
        if now[name] > _MORE * landed[name]:
            yield f"{name}: {landed[name]} has become {now[name]}"


def _scores(landed: Row, now: Row) -> Iterator[str]:
    for one in changes({"figures": landed}, {"figures": now}):
        if ".scores." in one.name and one.is_worse:
            yield f"{one.name}: {one.before:g} has become {one.after:g}, more than {one.noise or 0:.1f} by chance"
