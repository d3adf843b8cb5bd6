"""Looks: what each of many texts may hold at all, so that the dear patterns are searched only where they may match.

A look may be wrong in one way alone: it may send a text to a closer look in vain. Belongs here: the looks at all texts at once. Does not
belong here: the signs of a thing (they stand beside its patterns), and what is made of a text that holds it.
"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from slowwave import planted
from tasks.sift import injected, noise, pasted
from tasks.sift.plain import split_plain
from tasks.sift.sentences import Span

# Letters that fold into something else than their lower case: ligatures and the like, and the scripts that have such letters.
FOLDED_APART = (
    "[µßİŉſǰ\u0345\u0370-\u03ff\u0587\u13a0-\u13ff\u1c80-\u1c8f\u1e96-\u1e9f\u1f00-\u1fff\uab70-\uabbf\ufb00-\ufb17]"
)


class Look(NamedTuple):
    """What a message may hold: stretches that are no speech, words planted in it; its sentences, if nothing is in doubt about them."""

    may_block: bool
    may_plant: bool
    spans: list[Span] | None


def look(texts: pl.Series, is_foreign: pl.Series) -> list[Look]:
    """A look at each text; a foreign one may not speak to a model, a person's or an agent's may do so but not in another's name."""
    folded = fold(texts)
    may_plant = _may_forge(texts, folded)
    foreign = is_foreign.arg_true()
    may_plant = may_plant.scatter(foreign, _may_speak(texts.gather(foreign), folded.gather(foreign)))
    return list(map(Look, _may_block(texts, folded).to_list(), may_plant.to_list(), split_plain(texts)))


def fold(texts: pl.Series) -> pl.Series:
    """Each text as `str.casefold` has it, which but for some letters is the engine's lower case."""
    odd = texts.str.contains(FOLDED_APART).arg_true()
    return texts.str.to_lowercase().scatter(odd, [text.casefold() for text in texts.gather(odd)])


def _is_odd(texts: pl.Series) -> pl.Series:
    """Whether a text holds more than ASCII."""
    return texts.str.len_bytes() != texts.str.len_chars()


def holds(texts: pl.Series, signs: tuple[str, ...]) -> pl.Series:
    """Whether one of the signs stands in each text."""
    return texts.str.contains_any(list(signs))


def _may_block(texts: pl.Series, folded: pl.Series) -> pl.Series:
    """Whether `noise.blocks` may find anything, whoever wrote the text."""
    found = holds(texts, noise.SIGNS + pasted.SIGNS) | texts.str.contains(noise.ENCODED)
    found |= holds(folded, injected.LINE_SIGNS)
    lined = texts.str.contains("[\r\n]").arg_true()
    found = found.scatter(lined, found.gather(lined) | _may_block_lines(folded.gather(lined)))
    opened = (holds(texts, pasted.OPENING) | texts.str.contains(pasted.QUESTION)).arg_true()
    return found.scatter(opened, found.gather(opened) | holds(folded.gather(opened), pasted.SPEAKERS + pasted.ASKED))


def _may_block_lines(folded: pl.Series) -> pl.Series:
    """Whether a text of several lines may hold what takes some."""
    return folded.str.contains(pasted.RULE) | holds(folded, injected.SIGNS + pasted.MAIL)


def _may_forge(texts: pl.Series, folded: pl.Series) -> pl.Series:
    """Whether `planted.forged` may find a sentence."""
    found = holds(folded, planted.OWN_HINTS) | (_is_odd(texts) & texts.str.contains(planted.STRANGE))
    masked = folded.str.contains(planted.MASKED).arg_true()
    return found.scatter(masked, found.gather(masked) | _may_unmask(folded.gather(masked)))


def _may_unmask(folded: pl.Series) -> pl.Series:
    """Whether a text with digits in the place of letters, or spaces between them, may hold a hint once it is read."""
    read = _read(folded)
    return holds(read, planted.OWN_HINTS) | folded.str.contains(planted.SPACED)


def _may_speak(texts: pl.Series, folded: pl.Series) -> pl.Series:
    """Whether `planted.speaks_to_model` may be true of a line."""
    read = _read(folded)
    is_hinted = holds(folded, planted.HINTS) | holds(read, planted.HINTS)
    return is_hinted | _is_odd(texts) | read.str.contains(planted.AI) | folded.str.contains(planted.SPACED)


def _read(folded: pl.Series) -> pl.Series:
    """Each text with letters in the place of the digits and signs that stand for them."""
    return folded.str.replace_many(list(planted.DIGITS), list(planted.READ_AS))
