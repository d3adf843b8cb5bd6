"""What a tombstone names is found again however it is written, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.forgotten import Forgotten, Place, Voice, left_of
from models.spans import without
from models.table import rows_to_frame
from models.tombstone import Reach, Stone, Target, Tombstone, letters, session_key
from tests.make import at

SALT = "a7" * 32
BEFORE, UP_TO, AFTER = at("2026-02-01T10:00"), at("2026-02-10T10:00"), at("2026-02-20T10:00")
SECRET = "My sister Carlota is going through a divorce, it's messy."
HERE = Place("msg_1", "ses_1", BEFORE, Voice.OWNER)


def stone() -> Stone:
    return Stone(SALT, UP_TO, "command")


def looked_for(*sentences: str) -> Forgotten:
    made = stone()
    for one in sentences:
        made.sentence(one, BEFORE)
    return forgotten(made)


def forgotten(made: Stone) -> Forgotten:
    return Forgotten(rows_to_frame(Tombstone, made.rows()))


@pytest.mark.parametrize(
    "text",
    [
        SECRET,
        "my SISTER carlota IS going through a DIVORCE, it's messy!",
        "My sister C\u0430rl\u043eta is going through a div\u043erce, it's messy.",
        "My sis\u00adter Carlota is go\u200bing thro\ufeffugh a divorce; its messy",
        "My  sister\nCarlota is going through a di-vorce - it’s messy…",
        "Ｍｙ sister Carlota is going through a divorce, it's messy.",
        "My sister Ca\u0301rlóta is going through a divorce, it's messy.",
    ],
)
def test_no_way_of_writing_it_walks_past(text: str) -> None:
    assert left_of(f"I play the oboe. {text}", HERE, looked_for(SECRET)) == "I play the oboe."


@pytest.mark.parametrize(
    "text",
    [
        "My sister Berta is going through a divorce, it's messy.",
        "My sister Carlota is going through a tunnel, it's dark.",
        "Carlota plays the oboe.",
        "The divorce rate is going down.",
    ],
)
def test_another_statement_of_the_same_shape_stays(text: str) -> None:
    assert left_of(text, HERE, looked_for(SECRET)) == text


def test_a_quotation_of_most_of_it_goes_with_its_sentence() -> None:
    text = "I see. So your sister Carlota is going through a divorce, it's messy I guess. Do you still play?"
    assert left_of(text, HERE, looked_for(SECRET)) == "I see. Do you still play?"


def test_the_end_of_one_sentence_and_the_beginning_of_another_are_no_short_one() -> None:
    gone = looked_for("Awesome, Melanie!")
    text = "Your skill is awesome. Melanie thinks so too."
    assert left_of(text, HERE, gone) == text
    assert left_of("I see. Awesome,\nMelanie - really.", HERE, gone) == "I see. - really."


def test_scripts_without_spaces_are_compared_letter_by_letter() -> None:
    gone = looked_for("私の姉は離婚しました。")
    assert left_of("昨日、私の姉は離婚しました！お茶が好きです。", HERE, gone) == "昨日、お茶が好きです。"


def test_what_everybody_says_goes_only_where_and_when_it_was_said() -> None:
    gone = looked_for("Yes.")
    assert left_of("Yes.", HERE, gone) == ""
    assert left_of("Yes.", HERE._replace(said_at=None), gone) == ""
    assert left_of("Yes.", HERE._replace(said_at=UP_TO), gone) == "Yes."


@pytest.mark.parametrize(
    ("said_at", "voice", "goes"),
    [
        (BEFORE, Voice.OWNER, True),
        (None, Voice.OWNER, True),
        (AFTER, Voice.OWNER, False),
        (AFTER, Voice.OTHER, True),
        (AFTER, Voice.COPY, True),
    ],
)
def test_only_the_owner_can_say_it_anew(said_at: object, voice: Voice, *, goes: bool) -> None:
    place = HERE._replace(said_at=said_at, voice=voice)
    assert bool(looked_for(SECRET).spans(SECRET, place)) is goes


@pytest.mark.parametrize(
    ("words", "reach", "text", "left"),
    [
        (["Ann"], Reach.WORD, "Ann left. The planning starts. Ann's cat stays.", "The planning starts."),
        (["Carlota"], Reach.BEGINNING, "Carlotas Hund bellt. Ich mag Tee.", "Ich mag Tee."),
        (["divorc"], Reach.ANYWHERE, "She is undivorced. I like tea.", "I like tea."),
        (["old", "address"], Reach.BEGINNING, "My old car broke. My address is old.", "My old car broke."),
        (["Carlota"], Reach.WORD, "Carlota called. She is ill. I like tea.", "I like tea."),
        (["Port Aven"], Reach.WORD, "We sail to Port-Aven. Port is sweet.", "Port is sweet."),
    ],
)
def test_words_take_their_sentence_and_what_leans_on_it(words: list[str], reach: Reach, text: str, left: str) -> None:
    made = stone()
    made.words(words, reach)
    assert left_of(text, HERE, forgotten(made)) == left


def test_a_word_of_one_session_is_forgotten_in_that_session_alone() -> None:
    made = stone()
    made.words(["Carlota"], Reach.WORD, "ses_1")
    gone = forgotten(made)
    assert left_of("Carlota called.", HERE, gone) == ""
    assert left_of("Carlota called.", HERE._replace(session="ses_2"), gone) == "Carlota called."
    assert left_of("I removed Carlota.", HERE._replace(said_at=AFTER, voice=Voice.OTHER), gone) == ""


def test_messages_go_for_good_and_sessions_up_to_the_request() -> None:
    made = stone()
    made.key(Target.MESSAGE, "msg_1", is_for_good=True)
    made.key(Target.SESSION, session_key("chat", "s1"))
    gone = forgotten(made)
    assert gone.is_whole(HERE._replace(said_at=AFTER))
    there = Place("msg_2", session_key("chat", "s1"), BEFORE, Voice.OWNER)
    assert gone.is_whole(there)
    assert not gone.is_whole(there._replace(said_at=AFTER))


def test_a_tombstone_holds_no_word_and_the_same_request_makes_the_same() -> None:
    one, other = stone(), stone()
    for made in (one, other):
        made.sentence(SECRET, BEFORE)
        made.words(["Carlota"], Reach.WORD)
    assert one.rows() == other.rows()
    told = str(one.rows()).casefold()
    assert not [word for word in ("carlota", "divorce", "sister", "messy") if word in told]


SENTENCES = st.lists(
    st.sampled_from(
        [
            "I play the oboe.",
            "Carlota moved to Porto last week!",
            "The bakery on the corner sells rye bread, finally.",
            "Ik heb de boot verkocht.",
            "My boss is called Wim Verhaegen.",
            "We meet on Thursday at ten?",
            "Je bois du thé vert tous les matins.",
        ]
    ),
    min_size=1,
    max_size=7,
    unique=True,
)


@settings(max_examples=60, deadline=None)
@given(SENTENCES, st.data())
def test_what_was_forgotten_goes_and_every_other_sentence_stays(said: list[str], data: st.DataObject) -> None:
    gone = data.draw(st.sets(st.sampled_from(said)))
    left = left_of(" ".join(said), HERE, looked_for(*sorted(gone)))
    assert left == " ".join(one for one in said if one not in gone)


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=3))
def test_taking_stretches_away_never_fails(text: str, cuts: list[tuple[int, int]]) -> None:
    spans = sorted((min(pair), max(pair)) for pair in cuts)
    apart = [span for n, span in enumerate(spans) if n == 0 or span[0] >= max(end for _, end in spans[:n])]
    without(text, [(min(a, len(text)), min(b, len(text))) for a, b in apart])


@given(st.text(max_size=40))
def test_every_text_has_letters_in_order(text: str) -> None:
    found = letters(text)
    assert found.begins == sorted(set(found.begins))
    assert all(text[start:end] for start, end in found.spans)
