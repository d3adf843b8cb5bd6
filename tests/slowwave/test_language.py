"""Which language a question is in, and the words of it that an index of spaces would not find."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import slowwave.language as of
from adapters.publish import tables
from adapters.publish.batches import Vectors
from models.memory import Vector
from models.table import rows_to_frame
from slowwave.format import Entity
from slowwave.planner import plan
from slowwave.reader.arms import Stored
from slowwave.reader.names import Index, Names
from slowwave.reader.passage import MAX_CHARS, passage, words
from tests.make import NOW
from tests.stores import said

TOLD = [
    ("À Lyon, il m'a prêté son échelle.", "À qui ai-je emprunté l'échelle ?"),
    ("Er staat een nieuwe keukentafel.", "Wat hebben we voor tafels?"),
    ("土曜日に車を買いました。", "私が買った物は何ですか？"),
    ("In Bonn habe ich die Fahrräder verkauft.", "Wer hat das Fahrrad?"),
]


@pytest.fixture(scope="module")
def arms(tmp_path_factory: pytest.TempPathFactory) -> Stored:
    import lance

    path: Path = tmp_path_factory.mktemp("language") / "turns.lance"
    rows = [said(text, seq=i, when=f"2026-01-0{i + 1}T10:00") for i, (text, _) in enumerate(TOLD)]
    tables.write(
        path, "turns", rows_to_frame(tables.TABLES["turns"], rows), Vectors(rows_to_frame(Vector, []), 0, path.parent)
    )
    return Stored(lance.dataset(str(path)), tables.TABLES["turns"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("What did she say in the end?", "en"),
        ("Buongiorno", "en"),
        ("Toby looks so happy!", "en"),
        ("Wat drink ik in de middag?", "nl"),
        ("Quel jour suis-je libre ?", "fr"),
        ("Wie heißt meine Schwester?", "de"),
        ("エマは何の役をしますか？", "ja"),
        ("我的生日是几号", "zh"),
    ],
)
def test_a_language_is_told_by_its_commonest_words(text: str, told: str) -> None:
    assert of.language(text) == told


@pytest.mark.parametrize(
    "question", ["What's O'Neil's car, and where is it?", "Who painted the d.o.g.s' house?", "résumé?"]
)
def test_an_english_question_is_searched_as_it_stands(question: str) -> None:
    assert of.asked(question) == question and of.pieces(question) == []


@pytest.mark.parametrize(("text", "question"), TOLD)
def test_what_is_asked_in_other_forms_is_found_first(arms: Stored, text: str, question: str) -> None:
    numbers = list(arms.by_words(of.asked(question), None, 5))
    assert numbers and arms.read(numbers, has_vectors=False)[0][0]["text"] == text


def test_common_words_find_nothing(arms: Stored) -> None:
    assert arms.by_words(of.asked("Wat is er in de buurt van Gent?"), None, 5) == {}


@given(st.text(max_size=200))
def test_law_any_text_has_something_to_ask_and_pieces_without_spaces(text: str) -> None:
    assert of.asked(text) == text or of.asked(text).strip()
    assert not any(piece.split() != [piece] for piece in of.pieces(text))


def test_a_word_without_end_is_not_cut_everywhere() -> None:
    assert sum(map(len, of.pieces("ik heb de " + "ba" * 50_000))) < 300_000


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Où travaille la sœur d'Emma ?", "Emma"),
        ("Waar staat Marks fiets?", "Mark"),
        ("Wo ist Claras Schlüssel?", "Clara"),
        ("エマは何を習っていますか？", "エマ"),
        ("健二さんに何を返しますか？", "健二"),
    ],
)
def test_a_name_is_known_where_a_language_joins_it_to_others(question: str, name: str) -> None:
    entity = Entity(id="ent_1", owner="ana", name=name, kind="person", aliases=[], n_mentions=1)
    assert Names(question, Index([entity]), is_own=False).about(name, "ent_1", []) == 1.0


def test_a_name_inside_a_longer_word_of_katakana_is_none() -> None:
    entity = Entity(id="ent_1", owner="ana", name="エマ", kind="person", aliases=[], n_mentions=1)
    assert Names("エマージェンシーは？", Index([entity]), is_own=False).about("エマ", "ent_1", []) == 0.0


@pytest.mark.parametrize(
    ("question", "is_own", "is_yours"),
    [
        ("Welke taal leer ik?", True, False),
        ("Quel livre m'as-tu conseillé ?", True, True),
        ("Was habe ich dir gesagt?", True, True),
        ("私は何語を習っていますか？", True, False),
        ("Which die did she cast?", False, False),
        ("What is the mes in the mon?", False, False),
    ],
)
def test_whom_a_question_is_about_is_told_in_its_language(question: str, is_own: bool, is_yours: bool) -> None:
    asked = plan(question, NOW)
    assert (asked.is_own, asked.is_to_assistant) == (is_own, is_yours)


def test_the_past_is_told_in_its_language() -> None:
    assert plan("Waar was de sleutel?", NOW).is_past and plan("どこで自転車を買いましたか？", NOW).is_past
    assert not plan("Waar is de sleutel?", NOW).is_past


def test_a_passage_of_a_script_without_spaces_ends_with_a_sentence() -> None:
    filler = "今日は天気がとてもよかったです。" * 60
    text = f"{filler}娘はチェロを習っています。{filler}"
    start, end = passage(text, words("娘は何を習っていますか？"))
    assert "娘はチェロを習っています。" in text[start:end] and end - start <= MAX_CHARS
    assert text[start - 1] == "。" and text[end - 1] == "。"
