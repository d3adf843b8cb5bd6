"""What a person is shown before anything is forgotten: the words that would go, not the whole of a long message."""

from __future__ import annotations

import pytest

from flows.forget_cli import _lost

FILLER = "We talked about the garden for an hour. " * 20


@pytest.mark.parametrize(
    ("before", "left", "shown"),
    [
        ("Carlota is ill. I baked bread.", " I baked bread.", "[Carlota is ill.] I baked bread."),
        ("I baked bread. Carlota is ill.", "I baked bread. ", "I baked bread. [Carlota is ill.]"),
        ("Carlota is ill.", "", "[Carlota is ill.]"),
        ("aaaa", "aa", "aa[aa]"),
    ],
)
def test_the_words_that_go_stand_in_brackets(before: str, left: str, shown: str) -> None:
    assert _lost(before, left) == shown


def test_of_a_long_message_a_little_is_shown() -> None:
    shown = _lost(f"{FILLER}Carlota is ill. {FILLER}", f"{FILLER}{FILLER}")
    assert "Carlota is ill." in shown and shown.startswith("...") and len(shown) < 140
    whole = _lost(FILLER, "")
    assert " ... " in whole and len(whole) < 240
