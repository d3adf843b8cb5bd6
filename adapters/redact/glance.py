"""One look at many texts at once: which patterns can find something in which text. Most can find nothing in most texts.

The engine is polars', which reads a text once however a pattern is built. It knows no looking around and no reference back, and long
counts make it slow: so each pattern is widened, and what is let go here the pattern itself would not have found either.
Does not belong here: what is a secret (`patterns`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache

import polars as pl

from adapters.redact import disguises
from adapters.redact.patterns import KEY_BLOCK, LABELS, SHAPE, SHAPES, URL_PASSWORD
from adapters.redact.signs import ANNOUNCING, DENSE, NUMBERS, RUN
from slowwave.text import INVISIBLE

Patterns = Set[re.Pattern[str]]
EVERY: Patterns = frozenset({SHAPE, DENSE, KEY_BLOCK, URL_PASSWORD, NUMBERS, *(pattern for _, pattern in LABELS)})

_AROUND = re.compile(r"\(\?<?[=!](?:[^()\[\]\\]|\\.|\[(?:\\.|[^\]\\])*\])*\)")
# The same classes of characters in both engines; a word may end before a letter beyond ASCII.
_CLASSES = {
    "w": r"[\p{L}\p{N}_]",
    "W": r"[^\p{L}\p{N}_]",
    "s": r"[\s\x1c-\x1f]",
    "S": r"[^\s\x1c-\x1f]",
    "b": r"(?-u:\b)",
}
_MOST_COUNTED = 8
# Making sixty shapes takes the other engine as long as reading this much takes Python's.
LITTLE_BYTES = 50_000
# Python takes these for an i where case is ignored; the other engine does not.
_ODD_I = "[ıİ]"
# What was redacted before, can't be seen or may be read otherwise, must be looked at with care.
_CARE = rf"{INVISIBLE.pattern}|\[secret:|PRIVATE KEY|PuTTY|{disguises.HINT}"


def worth(texts: Sequence[str]) -> Mapping[int, Patterns]:
    """By a text's place, the patterns that are worth trying on it; the places of most texts are not there."""
    frame = pl.DataFrame([pl.Series("text", texts, pl.String)]).with_row_index("place")
    found: defaultdict[int, set[re.Pattern[str]]] = defaultdict(set)
    for pattern, places in _hits(frame):
        for place in places:
            found[place].add(pattern)
    for place in _where(frame, _CARE):
        found[place] |= EVERY
    return found


def _hits(frame: pl.DataFrame) -> Iterator[tuple[re.Pattern[str], list[int]]]:
    has_run = frame.filter(pl.col("text").str.contains(RUN.pattern))
    if _is_little(has_run):
        yield from ((pattern, has_run["place"].to_list()) for pattern in (DENSE, SHAPE))
    else:
        yield DENSE, _where(has_run, DENSE.pattern)
        yield from ((SHAPE, _where(has_run, _widened(shape))) for shape in SHAPES.values())
    for pattern in (URL_PASSWORD, NUMBERS):
        yield pattern, _where(frame, _widened(pattern.pattern))
    is_announced = pl.col("text").str.to_lowercase().str.contains_any(list(ANNOUNCING))
    announced = frame.filter(is_announced).with_columns(pl.col("text").str.replace_all(_ODD_I, "i"))
    is_little = _is_little(announced)
    for _, pattern in LABELS:
        here = announced["place"].to_list() if is_little else _where(announced, f"(?i){_widened(pattern.pattern)}")
        yield pattern, here


def _is_little(frame: pl.DataFrame) -> bool:
    """Whether so little text is left that trying the patterns themselves costs less than making them for the other engine."""
    return int(frame["text"].str.len_bytes().sum()) <= LITTLE_BYTES


def _where(frame: pl.DataFrame, pattern: str) -> list[int]:
    return frame.filter(pl.col("text").str.contains(pattern))["place"].to_list()


@cache
def _widened(pattern: str) -> str:
    """The pattern for the other engine: it matches wherever the pattern does, and at times where it doesn't."""
    plain = re.sub(r"\(\?P=\w+\)", "[\"'`]", _AROUND.sub("", pattern))
    plain = re.sub(r"\(\?P<\w+>", "(?:", plain)
    plain = re.sub(r"\{(\d+)(?:,\d*)?\}", lambda n: f"{{{min(int(n[1]), _MOST_COUNTED)},}}", plain)
    return re.sub(r"\\(.)", lambda escaped: _CLASSES.get(escaped[1], escaped[0]), plain)
