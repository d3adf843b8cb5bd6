"""Long messages and long sessions: what is said again goes, what says least goes, and nothing that denies, counts or names."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.tokens import count
from tasks.sift import sentences
from tasks.sift.trim import is_protected, trim
from tests.make import message
from tests.tasks.test_sift import kept, reasons, sifted

_PLAIN = (
    "the clay dries slowly here",
    "a bowl is a bowl",
    "glaze runs when hot",
    "we talk about kilns and clay and clay and clay",
)
_KEPT = (
    "it was never fired",
    "the kiln holds 40 bowls",
    "I'll bring the clay",
    "so I asked Carlota",
    "fire it on Monday",
    "het is niet droog",
)
_TEXTS = st.lists(st.sampled_from(_PLAIN + _KEPT), max_size=30).map(
    lambda parts: "".join(f"{part}. " for part in parts)
)


@given(_TEXTS, st.integers(1, 120))
def test_a_trimmed_message_is_within_its_budget_and_keeps_whole_what_is_protected(text: str, budget: int) -> None:
    spans = sentences.split(text)
    left = trim(text, spans, budget)
    protected = [span for span in spans if is_protected(text[slice(*span)])]
    assert [span for span in spans if span in left] == left
    assert set(protected) <= set(left)
    n_tokens = sum(count(text[slice(*span)]) for span in left)
    assert n_tokens <= max(budget, sum(count(text[slice(*span)]) for span in protected))


@pytest.mark.parametrize("part", _KEPT)
def test_what_denies_counts_dates_promises_or_names_is_protected(part: str) -> None:
    assert is_protected(part)


def test_what_says_least_goes_first_with_its_reason_and_a_short_message_is_never_trimmed() -> None:
    dull = "The clay is the clay and the clay is the clay. "
    text = dull * 40 + "Porcelain shrinks considerably while drying. " + dull * 40
    spans = sentences.split(text)
    assert (text.index("Porcelain"), text.index("Porcelain") + 44) in trim(text, spans, 40)
    result = sifted([message(text, role="assistant")], max_message_tokens=100, min_repeat_chars=100_000)
    assert ("fold", "trimmed") in reasons(result)
    assert reasons(sifted([message(dull)], max_message_tokens=20)) == []
    assert reasons(sifted([message(text)], max_message_tokens=0)) == []


PROMPT = (
    "You asked for the plan of the pottery, so here it is again in full. The kiln room stays locked because of the glaze dust. "
    "Bowls go on the left shelf and plates on the right shelf. The wheel in the corner belongs to the evening class."
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Bowls go on the left shelf", "Bowls do not go on the left shelf"),
        ("Bowls go on the left shelf", "12 bowls go on the left shelf"),
        ("belongs to the evening class", "belongs to Carlota"),
        ("stays locked", "stays open"),
    ],
)
def test_a_prompt_sent_again_with_an_edit_leaves_the_edited_sentence(before: str, after: str) -> None:
    first, again = message(PROMPT, seq=0), message(PROMPT.replace(before, after), seq=1)
    result = sifted([first, again])
    assert len(kept(result)[1]) == 1 and after in kept(result)[1][0]
    assert result.decisions.select("item_id", "action", "reason", "other_id", "detail").rows() == [
        (again.msg_key, "fold", "repeat", first.msg_key, "3 left out")
    ]


def test_a_paste_twice_with_other_white_space_around_it_is_dropped_and_points_to_the_first() -> None:
    first, again = message(PROMPT, seq=0), message(f"\n\n{PROMPT}\n", seq=1)
    result = sifted([first, again])
    assert result.decisions.select("item_id", "action", "other_id").rows() == [(again.msg_key, "drop", first.msg_key)]


def test_what_an_earlier_night_heard_counts_as_said_before() -> None:
    first, again = message(PROMPT, seq=0), message(f"{PROMPT} Rain is due on Monday.", seq=1)
    together = sifted([first, again])
    then = sifted([again], sifted([first]).heard)
    assert then.heard.equals(together.heard)
    assert kept(then) == [["Rain is due on Monday."]]


def test_an_agents_closing_phrase_is_kept_once_and_a_dated_one_each_time() -> None:
    closing = "Ask away whenever something else comes up."
    texts = [f"Bowls dry {where}. {closing}" for where in ("slowly", "overnight", "outside")]
    dated = [message("The kiln opens again on Monday at nine sharp.", seq=9 + i, role="assistant") for i in range(2)]
    result = sifted([*(message(text, seq=i, role="assistant") for i, text in enumerate(texts)), *dated])
    assert [closing in parts for parts in kept(result)] == [True, False, False, False, False]
    assert len(kept(result)) == 5
    mine = sifted([message(text, seq=i) for i, text in enumerate(texts)])
    assert reasons(mine) == []


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from([PROMPT, PROMPT.replace("left", "top"), "ok. " + PROMPT, "Short one."]), max_size=6),
    st.randoms(),
)
def test_repeats_lose_no_words_and_do_not_depend_on_the_order_of_rows(texts: list[str], chance: random.Random) -> None:
    messages: list[Any] = [message(text, seq=i) for i, text in enumerate(texts)]
    result = sifted(messages)
    said = {part for parts in kept(result) for part in parts}
    assert {text[slice(*span)] for text in texts for span in sentences.split(text)} - said <= {"ok."}
    chance.shuffle(messages)
    assert sifted(messages).heard.equals(result.heard)


def test_a_session_of_a_hundred_thousand_long_messages_costs_what_its_text_costs() -> None:
    few, many = (
        [message(f"{PROMPT} Take {i}.", seq=i, role="user" if i % 2 else "assistant") for i in range(n)]
        for n in (1_000, 4_000)
    )
    times: list[float] = []
    for messages in (few, many):
        began = time.process_time()
        sifted(messages)
        times.append(time.process_time() - began)
    assert times[1] < 12 * times[0]
