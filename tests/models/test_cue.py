"""A first look lets everything pass that its pattern finds: texts are made from each pattern, and put to both."""

from __future__ import annotations

import re
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models import supposed
from models.cue import Cue, heads
from tasks.extract import names, polarity, privacy, rows, sensitive
from tasks.segment import cues

EVERY = {
    f"{module.__name__}.{name}": cue
    for module in (supposed, names, polarity, privacy, rows, sensitive, cues)
    for name, cue in vars(module).items()
    if isinstance(cue, Cue)
}
# How people write words that are found whatever their case.
_WRITTEN = st.sampled_from([str, str.lower, str.upper, str.title])


def _alternatives(pattern: str) -> list[str]:
    """The pattern's parts between bars of the outermost level, or of the group that holds it all, so that each is tried."""
    parts = _parted(pattern)
    if len(parts) > 1:
        return [one for part in parts for one in _alternatives(part)]
    inner = re.fullmatch(r"(\\b)?\(\?:(.*)\)(\\b)?", pattern, re.DOTALL)
    parts = _parted(inner[2]) if inner else []
    # Two groups side by side are not one that holds it all.
    if inner is None or any(min(_depths(part)) < 0 for part in parts):
        return [pattern]
    return [f"{inner[1] or ''}(?:{one}){inner[3] or ''}" for one in parts]


def _parted(pattern: str) -> list[str]:
    parts = [""]
    for sign in _signs(pattern):
        if sign == "|" and not _depths(parts[-1])[-1]:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _depths(pattern: str) -> list[int]:
    """How many groups are open before its first sign and after each."""
    return list(accumulate(({"(": 1, ")": -1}.get(sign, 0) for sign in _signs(pattern)), initial=0))


def _signs(pattern: str) -> list[str]:
    return re.findall(r"\\.|\[(?:\\.|[^\]\\])*\]|.", pattern, re.DOTALL)


# One example has room for so many texts.
_AT_ONCE = 60
_PARTS = [
    (name, at) for name, cue in EVERY.items() for at in range(0, len(_alternatives(cue.pattern.pattern)), _AT_ONCE)
]


@pytest.mark.parametrize(("name", "at"), _PARTS)
@settings(deadline=None, max_examples=10)
@given(data=st.data(), written=_WRITTEN)
def test_whatever_a_pattern_finds_its_words_let_pass(name, at, data, written):
    cue = EVERY[name]
    for one in _alternatives(cue.pattern.pattern)[at : at + _AT_ONCE]:
        text = written(data.draw(st.from_regex(re.compile(one, cue.pattern.flags), fullmatch=True)))
        if (found := cue.pattern.search(text)) and not sensitive_ending(name, found[0]):
            assert cue.may_be_in(text), (one, text, heads(text))


def sensitive_ending(name: str, found: str) -> bool:
    """What ends in "krebs" or "kanker" is looked for by its end."""
    return name.startswith("tasks.extract.sensitive") and found.endswith(("krebs", "kanker"))


def test_a_text_without_the_words_is_never_put_to_the_pattern():
    cue = Cue(re.compile("(?i)quick"), "quick")
    assert cue.search("The QUICK fox") is not None
    assert cue.search("The slow fox") is None
    assert not cue.may_be_in("unquick")


def test_scripts_without_gaps_and_odd_letters_are_looked_at_with_care():
    assert Cue(re.compile("冗談"), "joke").search("これは冗談です")
    assert Cue(re.compile(r"\bis\b", re.IGNORECASE), "is").search("Thıſ iſ ıt")
