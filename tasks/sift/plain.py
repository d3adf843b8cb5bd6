"""Plain: the sentences of many texts at once, where no quotation, abbreviation or number of a list leaves doubt where one ends.

`sentences.split` is the truth, a text at a time; this finds the same spans in a fifth of the time, and leaves what is in doubt to it.
Belongs here: what makes a text plain, and its spans. Does not belong here: any judgement of a sentence.
"""

from __future__ import annotations

import re

import polars as pl

from tasks.sift.sentences import SHORT, TITLES, Span

_MARKS = "[.!?…]"
_BEFORE_WORD = r"(?:^|\s)[(\"'“«*_]*"
# In the syntax of the columns' engine, which looks neither ahead nor behind. No plain text holds the signs that are put in.
_CUT, _NO_END = "\x00", "\x01"
_TITLED = rf"({_BEFORE_WORD}(?i:{'|'.join(map(re.escape, sorted(TITLES)))})[\s&&[^\r\n]]*)\.(\s)"
# Other quotations than in straight marks, marks of an end that need no space behind them, and what only one engine takes for space.
_ODD = r"[“«「。！？\x00-\x08\x0b\x0c\x0e-\x1f]"
_DOUBTS = "|".join(
    (
        rf"\"[^\"]*{_MARKS}\s[^\"]*\"",  # a quotation that may hold an end
        r"(?:^|[^0-9A-Za-z])'",  # one in single marks
        rf"{_MARKS}[\"'”’»)\]*]",  # an end inside a closing mark
        rf"(?:^|[^A-Za-z])(?i:{'|'.join(map(re.escape, sorted(TITLES | SHORT)))})\s*\.\s",
        rf"{_BEFORE_WORD}(?:[A-HJ-Z]|[^\x00-\x7F])\s*\.\s",  # an initial
        rf"(?:^|{_MARKS}|[\r\n])[\s*-]*[\p{{Nd}}\p{{No}}]+\.\s",  # a list's number
    )
)
# Behind a run of marks that a space follows, and behind line breaks.
_BREAK = rf"({_MARKS}+)(\s)|([\r\n]+)"


def split_plain(texts: pl.Series) -> list[list[Span] | None]:
    """The sentences of each text, in order; None where `sentences.split` has to look."""
    titled = texts.str.replace_all(_TITLED, f"${{1}}{_NO_END}${{2}}")
    places = (~texts.str.contains(_ODD) & ~titled.str.contains(_DOUBTS)).arg_true()
    found: list[list[Span] | None] = [None] * len(texts)
    for place in places.to_list():
        found[place] = []
    pieces = _pieces(titled.gather(places), places)
    for place, start, end in pieces.iter_rows():
        found[place].append((start, end))  # type: ignore[union-attr]
    return found


def _pieces(texts: pl.Series, places: pl.Series) -> pl.DataFrame:
    """The pieces between breaks that hold more than space: `place` of its text, `start`, `end` in code points."""
    n_chars = texts.str.len_chars().cast(pl.Int64)
    cut = pl.DataFrame(
        {
            "place": places,
            "piece": texts.str.replace_all(_BREAK, f"${{1}}${{3}}{_CUT}${{2}}").str.split(_CUT),
            "before": n_chars.cum_sum() - n_chars,
        }
    )
    piece = pl.col("piece")
    # All pieces of all texts make up all texts, so that a sum over all of them tells each one's place in its own.
    laid = cut.explode("piece").with_columns(end=piece.str.len_chars().cast(pl.Int64).cum_sum() - pl.col("before"))
    n_after = piece.str.len_chars().cast(pl.Int64) - piece.str.strip_chars_end().str.len_chars().cast(pl.Int64)
    n_bare = piece.str.strip_chars().str.len_chars().cast(pl.Int64)
    bare = laid.with_columns(end=pl.col("end") - n_after).with_columns(start=pl.col("end") - n_bare).filter(n_bare > 0)
    return bare.select("place", "start", "end")
