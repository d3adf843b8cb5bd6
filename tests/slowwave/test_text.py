"""Texts are compared by what a reader sees: look-alike letters, case, spacing and invisible characters make no other value."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.text import is_day_number, normalise
from tasks.merge.identity import normalised
from tasks.sift import sentences


@pytest.mark.parametrize(
    ("drawn", "plain"),
    [
        ("P\u043ert\u043e", "Porto"),
        ("\u0420\u041e\u0420\u0422\u041e", "POPTO"),
        ("\u0422\u041e\u041c", "Tom"),
        ("\u0442\u043e\u043c", "Tom"),
        ("K\u03bfnstantin", "Konstantin"),
        ("\u0391nna", "Anna"),
        ("An\u200bna", "Anna"),
    ],
)
def test_letters_drawn_alike_are_one(drawn: str, plain: str) -> None:
    assert normalise(drawn) == normalise(plain)


@pytest.mark.parametrize("word", ["\u043f\u043e\u0440\u0442", "\u03bb\u03cc\u03b3\u03bf\u03c2", "\u03a9", "\u03c0"])
def test_words_of_another_script_stay_what_they_are(word: str) -> None:
    assert normalise(word) == word.casefold()


@pytest.mark.parametrize(("milli", "micro"), [("5 mm", "5 \u00b5m"), ("5 m", "5 \u03bc"), ("5m", "5\u00b5")])
def test_a_micro_is_no_milli(milli: str, micro: str) -> None:
    assert normalise(milli) != normalise(micro)


@given(st.text("aB \u0430\u0410\u0432\u03bd\u039d\u03bc.\u200bz"))
def test_normalising_twice_is_once_and_whole_columns_agree(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert normalised(pl.Series([text, None])).to_list() == [once, None]


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_is_only_folded_and_trimmed(text: str) -> None:
    """Ids of plain values are hashes of this, so it must never change."""
    assert normalise(text) == " ".join(text.casefold().split()).rstrip(".").strip()


@pytest.mark.parametrize(
    ("text", "is_one"), [("Wir liefern am 12. Mai.", True), ("I have 12. May I go?", False), ("Bis zum 3. Juni!", True)]
)
def test_a_german_day_keeps_its_full_stop(text: str, is_one: bool) -> None:
    assert is_day_number(text, text.index(".")) is is_one
    assert (len(sentences.split(text)) == 1) is is_one
