"""What the owner forbids is in no sentence that stays, and nothing that was made of it does either; what stands beside it stays."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.message import Message, Signal
from models.phrases import holds
from models.rules import Owner, SiftRules
from models.table import empty, rows_to_frame
from models.turn import Turn
from tasks.sift import Sifted, sift
from tests.make import NOW, message, signal


def sifted(
    *said: Message, earlier: Sifted | None = None, seen: tuple[Signal, ...] = (), words: str = "Nightjar"
) -> Sifted:
    before = earlier.heard if earlier else empty(Turn)
    owner = Owner(forbidden_words=tuple(word for word in words.split("|") if word))
    signals = rows_to_frame(Signal, seen)
    return sift(rows_to_frame(Message, said), before, signals, rules=SiftRules(), owner=owner, as_of=NOW)


def kept(made: Sifted, frame: str = "turns") -> list[str]:
    rows = getattr(made, frame).sort("session_id", "seq").select("text", "spans").iter_rows()
    return [text[span["start"] : span["end"]] for text, spans in rows for span in spans]


def decided(made: Sifted) -> set[tuple[str, str, str]]:
    return set(made.decisions.select("item_id", "action", "reason").iter_rows())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("About NIGHTJAR.", "nightjar"),
        ("Our code-word is set.", "code word"),
        ("Our code\nword is set.", "code word"),
        ("The codeword is set.", "code word"),
        ("The co\u200bde wo\u00adrd.", "code word"),
        ("Ｎｉｇｈｔｊａｒ flies.", "nightjar"),
        ("Nightjar's launch.", "nightjar"),
        ("Zoë wrote.", "ZOË"),
        ("私は夜鷹計画を知っている。", "夜鷹計画"),
        ("I sent 🦊 to you", "🦊"),
        ("We fly from Νightjar.", "nightjar"),
    ],
)
def test_a_phrase_is_found_however_it_is_written(text: str, words: str) -> None:
    assert holds(text, [words])


@pytest.mark.parametrize(
    ("text", "word"),
    [("The antler fell.", "ant"), ("An elegant hat.", "ant"), ("ants", "ant"), ("été", "té"), ("x", " ")],
)
def test_part_of_a_word_is_none(text: str, word: str) -> None:
    assert not holds(text, [word])


def test_the_sentence_goes_and_its_neighbours_stay() -> None:
    made = sifted(
        message("I live in Porto. Nightjar ships in May. I grow figs."), message("Only Nightjar matters.", seq=1)
    )
    assert kept(made) == ["I live in Porto.", "I grow figs."]
    assert {(action, reason) for _, action, reason in decided(made)} == {("fold", "forbidden"), ("drop", "forbidden")}
    assert "ightjar" not in str(made.decisions.to_dicts())


def test_a_phrase_over_two_lines_takes_both() -> None:
    assert kept(sifted(message("I grow figs.\nProject\nNightjar\nI live in Porto."), words="project nightjar")) == [
        "I grow figs.",
        "I live in Porto.",
    ]


def test_a_turn_of_a_speaker_or_project_that_may_not_be_named_goes_whole() -> None:
    made = sifted(
        message("I live in Porto.", project="nightjar"),
        message("I grow figs.", seq=1, role="participant", speaker="Nightjar Nell"),
        message("I like tea.", seq=2),
    )
    assert kept(made) == ["I like tea."]


def test_a_pictures_description_goes_alone() -> None:
    made = sifted(message("I took this one in May.", caption="a nightjar on a post"))
    assert made.turns["caption"].to_list() == [None]
    assert kept(made) == ["I took this one in May."]
    assert [(action, reason) for _, action, reason in decided(made)] == [("fold", "forbidden")]


def test_a_word_forbidden_later_cleans_what_was_heard_before() -> None:
    first = sifted(
        message("Nightjar ships in May. I grow figs."),
        message("Then I promise to call the press about it.", seq=1, role="assistant"),
        message("I live in Porto.", session="s2"),
        words="",
    )
    assert "Nightjar ships in May." in kept(first)
    later = sifted(earlier=first)
    keys = dict(first.heard.select("text", "msg_key").iter_rows())
    cut, answer = keys["Nightjar ships in May. I grow figs."], keys["Then I promise to call the press about it."]
    assert decided(later) == {(cut, "forget", "forbidden"), (answer, "forget", "answers what is gone")}
    assert kept(later) == ["I grow figs.", "Then I promise to call the press about it."]
    assert kept(later, "heard") == ["I grow figs.", "Then I promise to call the press about it.", "I live in Porto."]
    assert decided(sifted(earlier=later)) == set()


def test_signals_that_hold_one_go_and_the_others_stay() -> None:
    seen = (signal(text="NIGHTJAR plan open"), signal(text="figs", project="nightjar"), signal(text="figs"), signal())
    made = sifted(seen=seen)
    assert sorted(made.signals["text"]) == ["", "figs"]
    assert {(action, reason) for _, action, reason in decided(made)} == {("drop", "forbidden")}


@settings(deadline=None)
@given(st.lists(st.text(alphabet="ab .\n\u200bB", max_size=30), max_size=4), st.sampled_from(["ab", "a b", "ba"]))
def test_nothing_that_stays_holds_one(texts: list[str], word: str) -> None:
    made = sifted(*(message(text, seq=n) for n, text in enumerate(texts)), words=word)
    assert not any(holds(words, [word]) for words in kept(made, "heard"))
