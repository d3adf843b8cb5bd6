"""One look at many texts at once: which patterns can find something in which text. Most can find nothing in most texts.

The engine is polars', which reads a text once however a pattern is built. It knows no looking around and no reference back, and long
counts make it slow: so each pattern is widened, and what is let go here the pattern itself would not have found either.
Does not belong here: what is a secret (`patterns`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache

import polars as pl

from adapters.redact import disguises, library
from adapters.redact.disguises import BASE64
from adapters.redact.patterns import KEY_BLOCK, LABELS, SHAPE, SHAPES, URL_PASSWORD, least
from adapters.redact.signs import ANNOUNCING, DENSE, FAMILIES, NUMBERS, RUN, WITH_DIGITS
from slowwave.text import INVISIBLE

Patterns = Set[re.Pattern[str]]
EVERY: Patterns = frozenset(
    {SHAPE, DENSE, BASE64, KEY_BLOCK, URL_PASSWORD, NUMBERS, *(pattern for _, pattern in LABELS)}
)
_Hit = tuple[re.Pattern[str], list[int]]

_AROUND = re.compile(r"\(\?<?[=!](?:[^()\[\]\\]|\\.|\[(?:\\.|[^\]\\])*\])*\)")
# The same classes of characters in both engines; a word may end before a letter beyond ASCII.
_CLASSES = {
    "w": r"[\p{L}\p{N}_]",
    "W": r"[^A-Za-z0-9_]",
    "s": r"[\s\x1c-\x1f]",
    "S": r"[^\s\x1c-\x1f]",
    "b": r"(?-u:\b)",
}
# Sixty shapes at once are too much for the other engine with all the letters there are, and folding their case takes it long.
_CHEAP = {**_CLASSES, "w": r"[A-Za-z0-9_\x80-\u{10FFFF}]"}
# Where something begins or ends, beside what only looks like it.
_EDGE = re.compile(r"(\\[^bBAZ]|\[(?:\\.|[^\]\\])*\])|\\[bBAZ]|[\^$]")
_MOST_COUNTED = 8
# Making the shapes takes the other engine as long as reading this much takes Python's.
LITTLE_BYTES = 50_000
# Python takes these for an i where case is ignored; the other engine does not.
_ODD_I = "[ıİ]"
# What was redacted before, can't be seen or may be read otherwise, must be looked at with care.
_CARE = rf"{INVISIBLE.pattern}|\[secret:|{disguises.HINT}"


def worth(texts: Sequence[str]) -> Mapping[int, Patterns]:
    """By a text's place, the patterns that are worth trying on it; the places of most texts are not there."""
    frame = _numbered(texts)
    found: defaultdict[int, set[re.Pattern[str]]] = defaultdict(set)
    others = [(place, other) for place in _where(frame, _CARE) for other in _others(texts[place])]
    for pattern, places in _hits(frame):
        for place in places:
            found[place].add(pattern)
    for pattern, places in _hits(_numbered([other for _, other in others])) if others else ():
        for at in places:
            found[others[at][0]].add(pattern)
    return found


def _others(text: str) -> set[str]:
    """The forms of a text that differ from it and in which a secret may show, but for what is packed in it."""
    plain = disguises.visible(text)
    read = [plain, *(other.text for other in (disguises.decoded(plain), disguises.joined(plain)) if other)]
    # What was redacted before announces still, though nothing of it is looked at.
    blotted = [f"{disguises.masked(one)}\n{' '.join(disguises.DONE.findall(one))}" for one in read if "[secret:" in one]
    return {*read, *blotted} - {text}


def _numbered(texts: Sequence[str]) -> pl.DataFrame:
    return pl.DataFrame([pl.Series("text", texts, pl.String)]).with_row_index("place")


def _hits(frame: pl.DataFrame) -> Iterator[_Hit]:
    yield from _in_runs(_holding(frame, RUN.pattern))
    for pattern in (URL_PASSWORD, NUMBERS):
        yield pattern, _where(frame, widened(pattern.pattern))
    yield KEY_BLOCK, _where(frame, "PRIVATE KEY|PuTTY")
    yield from _announced(frame)


def _in_runs(has_run: pl.DataFrame) -> Iterator[_Hit]:
    if _is_little(has_run):
        yield from ((pattern, has_run["place"].to_list()) for pattern in (SHAPE, DENSE, BASE64))
        return
    yield SHAPE, _where(has_run, any_shape())
    dense = _holding(has_run, DENSE.pattern)
    yield DENSE, _where(_with_plain_i(dense), any_of_library())
    packed = _holding(dense, disguises.PACKED_HINT).iter_rows()
    yield BASE64, [place for place, text in packed if any(disguises.unpacked(text))]


def _announced(frame: pl.DataFrame) -> Iterator[_Hit]:
    announced = _with_plain_i(_saying(frame.with_columns(lowered=pl.col("text").str.to_lowercase()), ANNOUNCING))
    for family, words in FAMILIES.items():
        said = _saying(announced, words)
        here = _holding(said, r"\d") if family in WITH_DIGITS else said
        is_little = _is_little(here)
        for pattern in (pattern for kind, pattern in LABELS if kind == family):
            looked = f"(?i){widened(least(family, pattern))}"
            yield pattern, here["place"].to_list() if is_little else _where(here, looked)


def _saying(frame: pl.DataFrame, words: Iterable[str]) -> pl.DataFrame:
    return frame.filter(pl.col("lowered").str.contains_any(list(words)))


def _with_plain_i(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col("text").str.replace_all(_ODD_I, "i"))


def _is_little(frame: pl.DataFrame) -> bool:
    """Whether so little text is left that trying the patterns themselves costs less than making them for the other engine."""
    return int(frame["text"].str.len_bytes().sum()) <= LITTLE_BYTES


def _where(frame: pl.DataFrame, pattern: str) -> list[int]:
    return _holding(frame, pattern)["place"].to_list()


def _holding(frame: pl.DataFrame, pattern: str) -> pl.DataFrame:
    return frame.filter(pl.col("text").str.contains(pattern))


@cache
def any_shape() -> str:
    """All shapes, widened."""
    return "|".join(widened(shape, cheap=True) for shape in SHAPES.values())


@cache
def any_of_library() -> str:
    """Whatever a detector of the library looks for; it is given pieces of a text, so where a piece begins or ends says nothing."""
    return "|".join(map(_loose, library.patterns()))


def _loose(pattern: re.Pattern[str]) -> str:
    ignores_case = bool(pattern.flags & re.IGNORECASE)
    flags = f"{'i' * ignores_case}{'x' * bool(pattern.flags & re.VERBOSE)}"
    plain = widened(_EDGE.sub(lambda found: found[1] or "", pattern.pattern), cheap=not ignores_case)
    return f"(?{flags}:{plain})"


@cache
def widened(pattern: str, *, cheap: bool = False) -> str:
    """The pattern for the other engine: it matches wherever the pattern does, and at times where it doesn't."""
    plain = re.sub(r"\(\?P=\w+\)", "[\"'`]", _AROUND.sub("", pattern))
    plain = re.sub(r"\(\?P<\w+>", "(?:", plain)
    plain = re.sub(r"\{(\d+)(?:,\d*)?\}", lambda n: f"{{{min(int(n[1]), _MOST_COUNTED)},}}", plain)
    classes = _CHEAP if cheap else _CLASSES
    return re.sub(r"\\(.)", lambda escaped: classes.get(escaped[1], escaped[0]), plain)
