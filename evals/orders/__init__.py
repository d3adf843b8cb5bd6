"""Lines that order a reader about, told from what a memory honestly holds: learned from sentences of our own, measured on others.

All sentences are invented. `attack.txt` and `honest.txt` are learned from; the two `_unseen` files were written before the topics and
weights that they measure, and nothing was changed for a line of theirs. Belongs here: learning and the figures. Does not belong here:
the judgement (`slowwave.orders`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import expit

from evals.languages import LANGUAGES, talk
from evals.scripted.bank import bank
from slowwave import planted
from slowwave.order_signs import FEW, MARK, features
from slowwave.orders import is_order

FOLDER = Path(__file__).parent
LEARNED = FOLDER.parents[1] / "slowwave" / "order_weights.py"
# A feature of fewer sentences tells of those sentences, and a lighter weight tells nothing.
MIN_SENTENCES, MIN_TENTHS = 3, 7
_RIDGE = 0.05
_HEAD = '''"""How much each word or pair of words speaks for an order, in tenths: made by `python -m evals orders --learn`.

To change one, change the sentences that it is learned from. A word is its first six letters, `^` and `$` are the ends of a
line, `a+b` is a pair of neighbours.
"""

from __future__ import annotations

'''


def lines(name: str) -> list[str]:
    """The sentences of a file, one a line."""
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8").split("\n")[:-1]


def measure() -> dict[str, Any]:
    """What share of attacks is told, and what share of honest lines is taken for one, in per cent; learned from and unseen."""
    told = {
        name: [is_order(line) for line in lines(name)]
        for name in ("attack", "honest", "attack_unseen", "honest_unseen")
    }
    shares = {f"{name}_per_cent": round(100 * sum(found) / len(found), 1) for name, found in told.items()}
    return {**shares, **{f"n_{name}": len(found) for name, found in told.items()}}


def learn() -> int:
    """Fit the weights to the sentences and write them; returns how many were kept."""
    attacks, honest = lines("attack"), [*lines("honest"), *_said()]
    told = [features(planted.forms(line)[-1]) for line in (*attacks, *honest)]
    counted = Counter(one for found in told for one in found)
    names = sorted(one for one, n in counted.items() if n >= MIN_SENTENCES)
    weights, intercept = _fit(_matrix(told, names), np.repeat([1.0, 0.0], [len(attacks), len(honest)]))
    tenths = {name: round(10 * float(weight)) for name, weight in zip(names, weights, strict=True)}
    kept = {name: n for name, n in tenths.items() if abs(n) >= MIN_TENTHS}
    LEARNED.write_text(_module(kept, intercept), encoding="utf-8")
    return len(kept)


def _said() -> list[str]:
    """What people tell each other in conversations of our own: nothing of it is an order."""
    named = {"v": "a violet scarf", "who": "Nora", "when": "last week"}
    slots = [*bank().slots, *bank().owed]
    scripted = [line.format(**named) for slot in slots for line in (*slot.told, *slot.opener, *slot.aside)]
    chatter = [line for lines in bank().chatter.values() for line in lines if "{" not in line]
    return [*scripted, *chatter, *(line.text for code in LANGUAGES for line in talk(code))]


def _matrix(told: Sequence[set[str]], names: Sequence[str]) -> Any:
    """One row a sentence; its words, and its topics, are each of unit length where they are not few."""
    place = {name: i for i, name in enumerate(names)}
    sorts = [
        [
            [place[one] for one in sorted(found) if one in place and (MARK in one) is is_topic]
            for is_topic in (False, True)
        ]
        for found in told
    ]
    rows = [[*words, *topics] for words, topics in sorts]
    values = np.concatenate([np.full(len(sort), 1 / sqrt(max(FEW, len(sort)))) for row in sorts for sort in row])
    ends = np.cumsum([0, *map(len, rows)])
    return csr_matrix((values, np.concatenate(rows).astype(int), ends), shape=(len(rows), len(names)))


def _fit(rows: Any, labels: Any) -> tuple[Any, float]:
    """Ridge logistic regression; no random number."""

    def loss(found: Any) -> tuple[float, Any]:
        weights, odds = found[:-1], rows @ found[:-1] + found[-1]
        off = expit(odds) - labels
        costs = np.logaddexp(0, odds) - labels * odds
        return costs.sum() + _RIDGE * weights @ weights, np.append(rows.T @ off + 2 * _RIDGE * weights, off.sum())

    found = minimize(loss, np.zeros(rows.shape[1] + 1), jac=True, method="L-BFGS-B").x
    return found[:-1], float(found[-1])


def _module(kept: dict[str, int], intercept: float) -> str:
    """The weights as a module: one string of features a weight, the weightiest first."""
    grouped: dict[int, list[str]] = defaultdict(list)
    for name, tenths in kept.items():
        grouped[tenths].append(name)
    parts = [_HEAD, f"INTERCEPT = {intercept:.2f}\n_TENTHS: dict[int, str] = {{\n"]
    for tenths in sorted(grouped, reverse=True):
        text = wrap(" ".join(sorted(grouped[tenths])), 118, break_long_words=False, break_on_hyphens=False)
        shown = "\n        ".join(repr(f"{line} ") for line in text)
        parts.append(f"    {tenths}: {shown},\n" if len(text) == 1 else f"    {tenths}: (\n        {shown}\n    ),\n")
    parts.append(
        "}\nWEIGHTS: dict[str, float] = {name: tenths / 10 for tenths, names in _TENTHS.items() for name in names.split()}\n"
    )
    return "".join(parts)
