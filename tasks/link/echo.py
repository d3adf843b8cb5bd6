"""Claims that rest on our own words: what a night wrote, shown to somebody, and said again somewhere else.

A claim's text is often not what was said: a date was put in for "tomorrow", a name for "he". Whoever later says exactly that text says
it after us. Words that are repeated as they were said may be meant, so they are no echo here. Belongs here: finding such claims.
"""

from __future__ import annotations

import polars as pl

_MARKS = " \t\r\n-*•+."


def echoing(claims: pl.DataFrame) -> list[str]:
    """The claims one of whose quotes is the text that an earlier claim of another session was given, and that nobody had said."""
    pairs = _pairs(claims)
    found: set[str] = set()
    # In order of time, since an echo's own text is nobody's either.
    for echo, first in pairs.sort("said_at", "claim_id", "first").select("claim_id", "first").iter_rows():
        if first not in found:
            found.add(echo)
    return sorted(found)


def _pairs(claims: pl.DataFrame) -> pl.DataFrame:
    said = claims.select(
        "owner", "claim_id", "said_at", session=_session(), words=pl.col("evidence").list.eval(_quote())
    )
    quotes = said.explode("words").with_columns(key=pl.col("words").hash())
    texts = claims.select("owner", first="claim_id", told_at="said_at", told_in=_session(), text=_bare(pl.col("text")))
    written = texts.with_columns(key=pl.col("text").hash()).join(
        quotes, left_on=["first", "key"], right_on=["claim_id", "key"], how="anti"
    )
    # Hashes are joined, being short; the words decide.
    return quotes.join(written, on=["owner", "key"]).filter(
        (pl.col("words") == pl.col("text"))
        & (pl.col("told_at") < pl.col("said_at"))
        & (pl.col("told_in") != pl.col("session"))
    )


def _session() -> pl.Expr:
    return pl.col("evidence").list.first().struct.field("session_id")


def _quote() -> pl.Expr:
    return _bare(pl.element().struct.field("quote"))


def _bare(words: pl.Expr) -> pl.Expr:
    """Words without the mark of a list and a final full stop."""
    return words.str.strip_chars(_MARKS)
