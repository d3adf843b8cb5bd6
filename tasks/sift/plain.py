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
    columns = (pieces[name].to_list() for name in ("place", "start", "end"))
    for place, start, end in zip(*columns, strict=True):
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
    # All pieces of all texts make up all texts, so that a sum over all of them tells each one's place in its own.
    laid = cut.explode("piece").with_columns(n=pl.col("piece").str.len_chars().cast(pl.Int64))
    laid = laid.with_columns(
        end=pl.col("n").cum_sum() - pl.col("before"), piece=pl.col("piece").str.strip_chars_start()
    )
    bare = laid.select(
        "place", start=pl.col("end") - pl.col("piece").str.len_chars(), piece=pl.col("piece").str.strip_chars_end()
    )
    return bare.filter(pl.col("piece") != "").select(
        "place", "start", end=pl.col("start") + pl.col("piece").str.len_chars()
    )
