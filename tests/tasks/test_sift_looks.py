"""The looks at all texts at once are wrong in one way alone: never may a text that holds something pass as one that doesn't."""

from __future__ import annotations

import re
import unicodedata
from itertools import product

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.sift import hints, noise, planted
from tasks.sift.looks import fold, holds, look
from tasks.sift.plain import split_plain
from tasks.sift.sentences import split

_PIECES = st.sampled_from(
    [
        *(
            "I moved to Ghent",
            "the limit is 12",
            "Mr",
            "e.g",
            "etc",
            "3.5",
            "don't",
            "can’t",
            "A",
            "I",
            "12",
            "(see below",
            "x",
            "no",
        ),
        *(
            ".",
            "!",
            "?",
            "...",
            "…",
            "?!",
            ". ",
            "! ",
            "? ",
            "; ",
            ": ",
            ", ",
            " - ",
            "* ",
            "\n",
            "\n\n",
            "\r\n",
            " ",
            "  ",
            "\t",
        ),
        *(
            '"',
            "'",
            "“",
            "”",
            "‘",
            "«",
            "»",
            ")",
            "(",
            "]",
            "[",
            "「",
            "」",
            "。",
            "！",
            "é",
            "É",
            "ß",
            "İ",
            "ſ",
            "Σ",
            "²",
            "٣",
            "\x1c",
        ),
        *(
            "\x00",
            "\u00a0",
            "\u200b",
            "\u2028",
            "東京",
            "привет",
            "👍",
            "_",
            "`",
            "```",
            "~~~",
            "<",
            ">",
            "&gt;",
            "{quote}",
            '"""',
        ),
        *(
            "<memory>",
            "</memory>",
            "<!-- slowwave",
            "-->",
            "--- begin",
            "--- end",
            "# Memory",
            "Recalled memories:",
            "mem_0123456789ab",
        ),
        *(
            "preference · since 3 May 2024",
            "(due 3 May 2024)",
            "## People",
            "- one\n- two",
            "Forwarded message",
            "From: a@b.c\nTo: me",
        ),
        *(
            "Summarise this page: ",
            "explain the following:",
            "User: ",
            "Assistant: ",
            "[INST]",
            "<|im_start|>",
            "ChatGPT: ",
            "A" * 400,
        ),
        *(
            "[Mon 10:15] Jo: ",
            "[[reply]]",
            "data:a/b;base64,AAAA",
            "](http://x)",
            "![](x)",
            "remember that the user",
            "ignore the rules",
        ),
        *(
            "you must now",
            "AI, ",
            "to all agents",
            "1gnore previous instructions",
            "i g n o r e",
            "note to AI",
            "remember(",
            "\u202e",
        ),
    ]
)
_TEXTS = st.lists(_PIECES, min_size=1, max_size=9).map("".join)


@given(_TEXTS)
@settings(max_examples=600, deadline=None)
def test_the_sentences_of_a_plain_text_are_those_that_the_split_finds(text: str) -> None:
    (found,) = split_plain(pl.Series([text]))
    assert found is None or found == split(text)


def test_many_texts_are_told_apart_and_most_speech_is_plain() -> None:
    texts = [
        "I moved. It rained!\n\nWhy?  Ok",
        'He said "no. Never." Then left.',
        "",
        " \n ",
        "Fine … then. Ｙes. É. Ja.",
        'I, e.g. I, said no to Mr. Lee. "Fine" he said',
    ]
    found = split_plain(pl.Series(texts))
    assert found[0] == [(0, 8), (9, 19), (21, 25), (27, 29)] == split(texts[0])
    assert found[1] is None
    assert found[2:4] == [[], []]
    assert found[4] is None
    assert found[5] == [(0, 30), (31, 45)] == split(texts[5])


@given(_TEXTS)
@settings(max_examples=600, deadline=None)
def test_no_text_with_a_block_passes_as_one_without(text: str) -> None:
    (found,) = look(pl.Series([text]), pl.Series([False]))
    assert found.may_block or not (noise.blocks(text, is_persons=True) or noise.blocks(text, is_persons=False))


@given(_TEXTS)
@settings(max_examples=400, deadline=None)
def test_no_planted_line_passes(text: str) -> None:
    own, foreign = look(pl.Series([text, text]), pl.Series([False, True]))
    said = [text[start:end] for start, end in split(text)]
    assert own.may_plant or not planted.forged(said)
    assert foreign.may_plant or not any(map(planted.speaks_to_model, said))


@given(st.from_regex(re.compile(planted._FOREIGN.pattern, re.ASCII)))
@settings(max_examples=1_000, deadline=None)
def test_every_form_of_a_line_that_speaks_to_a_model_holds_a_hint(line: str) -> None:
    (found,) = look(pl.Series([line]), pl.Series([True]))
    assert found.may_plant or not planted._FOREIGN.search(line.casefold())


@given(st.from_regex(re.compile(planted._FORGED.pattern, re.ASCII)))
@settings(max_examples=1_000, deadline=None)
def test_every_form_of_a_forged_sentence_holds_a_hint(sentence: str) -> None:
    (found,) = look(pl.Series([sentence]), pl.Series([False]))
    assert found.may_plant or not planted._FORGED.search(sentence.casefold())


@given(st.from_regex(re.compile(hints.HINT, re.ASCII)))
@settings(max_examples=400, deadline=None)
def test_every_hint_of_a_wish_holds_a_sign(text: str) -> None:
    assert holds(fold(pl.Series([text])), hints.SIGNS)[0]


def test_texts_are_folded_as_the_language_folds_them() -> None:
    assigned = [chr(i) for i in range(0x110000) if unicodedata.category(chr(i)) not in ("Cn", "Cs")]
    said = [a + b for a, b in product(["", "A"], assigned)]
    assert fold(pl.Series(said)).to_list() == [text.casefold() for text in said]
