"""How well borders are found: the measures, and the two baselines that need no model.

A segmentation is one number a unit (here a turn), the same for all of a piece and changing where a new one begins. Belongs here:
measures and baselines. Does not belong here: the data.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt

# The values of Hearst's paper: tokens a pseudo-sentence, pseudo-sentences a block, and no borders closer than three of them.
TOKENS, BLOCK, MIN_APART = 20, 10, 3
_WORD = re.compile(r"[a-z]+")
_STOP = frozenset(
    """a about after all also am an and any are as at be because been before being but by can could did do does doing don down for
    from further get go good got had has have having he her here hers him his how i if in into is it its just know like ll m me
    more most much my no not now of off on one only or other our out over own re really s same she should so some such t than that
    the their them then there these they thing things this those through to too up us ve very was we well were what when where
    which while who why will with would you your yours""".split()  # noqa: SIM905
)


def is_border(pieces: Sequence[int]) -> list[bool]:
    """For each place between two units, whether a new piece begins there."""
    return [a != b for a, b in pairwise(pieces)]


def pk(true: Sequence[int], found: Sequence[int], k: int) -> float:
    """How often two units k apart are wrongly held to be of one piece, or not (Beeferman, Berger and Lafferty, 1999)."""
    wrong = [(true[i] == true[i + k]) != (found[i] == found[i + k]) for i in range(len(true) - k)]
    return statistics.fmean(wrong) if wrong else 0.0


def window_diff(true: Sequence[int], found: Sequence[int], k: int) -> float:
    """How often the number of borders within k units differs (Pevzner and Hearst, 2002)."""
    here, there = is_border(true), is_border(found)
    wrong = [sum(here[i : i + k]) != sum(there[i : i + k]) for i in range(len(true) - k)]
    return statistics.fmean(wrong) if wrong else 0.0


def evenly(n_units: int, n_pieces: int) -> list[int]:
    """Pieces of equal length."""
    return [unit * n_pieces // n_units for unit in range(n_units)]


def texttiling(texts: Sequence[str]) -> list[int]:
    """TextTiling by blocks (Hearst, 1997): pseudo-sentences, block cosine, smoothing, depth, a cutoff half a deviation under the mean.

    A border moves to the nearest beginning of a text. Suffixes are cut crudely, as a stemmer would.
    """
    tokens = [(unit, word) for unit, text in enumerate(texts) for word in _WORD.findall(text.lower())]
    sentences = [tokens[at : at + TOKENS] for at in range(0, len(tokens), TOKENS)]
    bags = [Counter(_stem(word) for _, word in sentence if word not in _STOP) for sentence in sentences]
    depths = _depths(_smoothed([_cosine(bags, gap) for gap in range(1, len(bags))]))
    starts = [next(at for at, (unit, _) in enumerate(tokens) if unit == u) for u in sorted({u for u, _ in tokens})]
    begin = {at: tokens[at][0] for at in starts}
    borders = {begin[min(starts, key=lambda at: abs(at - gap * TOKENS))] for gap in _deep(depths)} - {0}
    return [sum(border <= unit for border in borders) for unit in range(len(texts))]


def _stem(word: str) -> str:
    return re.sub(r"(?:ing|ed|es|s|ly)$", "", word) if len(word) > 4 else word


def _cosine(bags: Sequence[Counter[str]], gap: int) -> float:
    left, right = (sum(part, Counter[str]()) for part in (bags[max(0, gap - BLOCK) : gap], bags[gap : gap + BLOCK]))
    norm = sqrt(sum(n * n for n in left.values()) * sum(n * n for n in right.values()))
    return sum(n * right[word] for word, n in left.items()) / norm if norm else 0.0


def _smoothed(values: Sequence[float]) -> list[float]:
    return [statistics.fmean(values[max(0, i - 1) : i + 2]) for i in range(len(values))]


def _depths(values: Sequence[float]) -> list[float]:
    """Of each value, how far one climbs to the nearest peak on its left and on its right, summed."""
    return [_climb(values[i::-1]) + _climb(values[i:]) for i in range(len(values))]


def _climb(values: Sequence[float]) -> float:
    top = values[0]
    for value in values[1:]:
        if value < top:
            break
        top = value
    return top - values[0]


def _deep(depths: Sequence[float]) -> Iterator[int]:
    """The gaps that are deep enough, deepest first, none too near to another."""
    if len(depths) < 2:
        return
    cutoff = statistics.fmean(depths) - statistics.pstdev(depths) / 2
    taken: list[int] = []
    for place in sorted(range(len(depths)), key=lambda i: (-depths[i], i)):
        if depths[place] > cutoff and all(abs(place - other) > MIN_APART for other in taken):
            taken.append(place)
            yield place + 1
