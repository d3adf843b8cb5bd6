"""LoCoMo's figures: what counts as found, what an evidence id means, and one small conversation end to end."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.__main__ import main
from evals.dataset import Conversation, conversations, evidence_ids, read
from evals.locomo import _ten_sessions, measure, returned
from evals.scores import Found, figures, percent, share
from slowwave.errors import UsageError
from slowwave.format import Evidence
from slowwave.reader.results import Recalled

TALK = {
    "sample_id": "conv-26",
    "conversation": {
        "speaker_a": "Ines",
        "speaker_b": "Rolf",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ines", "dia_id": "D1:1", "text": "I adopted a greyhound called Pixel last week."},
            {"speaker": "Rolf", "dia_id": "D1:2", "text": "I restore old harpsichords in my workshop in Ghent."},
        ],
        "session_2_date_time": "9:10 am on 1 June, 2023",
        "session_2": [
            {"speaker": "Ines", "dia_id": "D2:1", "text": "Pixel won her first race on Sunday."},
            {"speaker": "Rolf", "dia_id": "D2:2", "text": "I sold the harpsichord to a museum in Antwerp."},
        ],
        "session_3_date_time": "9:10 am on 1 July, 2023",
    },
    "qa": [
        {"question": "What does Rolf restore?", "answer": "harpsichords", "evidence": ["D1:2"], "category": 4},
        {
            "question": "What is Pixel and what did she win?",
            "answer": "a race",
            "evidence": ["D1:1; D2:01"],
            "category": 1,
        },
        {
            "question": "To whom did Rolf sell the harpsichord?",
            "answer": "a museum",
            "evidence": ["D:2:2", "D9:1", "D"],
            "category": 2,
        },
        {"question": "What colour is the boat?", "answer": "none", "evidence": [], "category": 3},
        {
            "question": "What does Ines restore?",
            "adversarial_answer": "harpsichords",
            "evidence": ["D1:2"],
            "category": 5,
        },
    ],
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    (folder / "locomo").mkdir()
    (folder / "locomo" / "conv-26.json").write_text(json.dumps(TALK))
    return folder


@pytest.fixture(scope="module")
def told(data: Path) -> dict:
    return measure(data, embedder="none")


def test_a_small_conversation_is_found_whole(told: dict) -> None:
    assert (told["recall_at_10"], told["recall_at_60"], told["tokens_1000"], told["session_at_10"]) == (100,) * 4
    assert told["adversarial_at_10"] == told["session_in_10_results"] == 100
    assert [told["by_category"][name]["n_questions"] for name in ("multi_hop", "temporal", "single_hop")] == [1, 1, 1]


def test_what_it_cost_and_what_was_left_out_is_told(told: dict) -> None:
    assert (told["calls"], told["input_tokens"], told["output_tokens"], told["messages"]) == (0, 0, 0, 4)
    assert told["n_evidence_unresolved"] == 2
    assert told["n_questions_without_evidence"] == 1
    assert told["embedder"] == "none"
    assert 0 < told["tokens_per_result"] < 120


def test_the_memories_alone_are_measured_beside_the_turns(told: dict) -> None:
    kept = told["coverage"]
    assert kept["n_evidence_turns"] == 4
    assert kept["evidence_covered"] == 100
    assert 0 < kept["memory_tokens"] < 200


def test_questions_are_asked_the_day_after_the_last_session_that_took_place(data: Path) -> None:
    assert conversations(data)[0].as_of == datetime(2023, 6, 2, 9, 10, tzinfo=UTC)


def test_evidence_is_read_however_it_was_written(data: Path) -> None:
    asked = read(data / "locomo" / "conv-26.json").questions
    assert [sorted(q.evidence) for q in asked] == [["D1:2"], ["D1:1", "D2:1"], ["D2:2"], [], ["D1:2"]]


@given(st.lists(st.tuples(st.integers(1, 40), st.integers(1, 60)), max_size=4), st.sampled_from(["; ", " ", ",", ";"]))
def test_every_way_to_write_an_id_means_the_same(ids: list[tuple[int, int]], between: str) -> None:
    wanted = [f"D{a}:{b}" for a, b in ids]
    for form in ("D{}:{}", "D:{}:{}", "D{}:0{}", "d{} : {}"):
        assert evidence_ids(between.join(form.format(a, b) for a, b in ids)) == wanted


def _result(message: str, quote: str, text: str = "something else") -> Recalled:
    evidence = Evidence(source_id="k", session_id="s", message_id=message, start=0, end=len(quote), quote=quote)
    return Recalled(
        id="m",
        text=text,
        kind="semantic_fact",
        subject="Rolf",
        status="active",
        score=1,
        parts={},
        evidence=(evidence,),
    )


def test_a_result_counts_only_for_words_that_it_returns(data: Path) -> None:
    talk: Conversation = conversations(data)[0]
    results = [_result("D1:2", "old harpsichords"), _result("D1:1", "old harpsichords"), _result("D2:1", "")]
    assert returned(results, talk) == {"D1:2"}


def _found(category: int, at_10: float, n: int = 1) -> Found:
    return Found(category, at_10, 1, 1, 1, 1, n_results=10, n_tokens=200, n_evidence=n)


def test_adversarial_questions_stay_out_of_the_others_figure() -> None:
    made = figures([_found(1, 0.5), _found(4, 1), _found(5, 0)])
    assert (made["recall_at_10"], made["adversarial_at_10"]) == (75, 0)
    assert made["by_category"]["open_domain"]["recall_at_10"] is None
    assert made["tokens_per_result"] == 20


def test_pooled_weighs_a_question_by_its_evidence() -> None:
    made = figures([_found(1, 0, n=3), _found(1, 1, n=1)])
    assert (made["recall_at_10"], made["pooled_at_10"]) == (50, 25)


@given(st.lists(st.text(max_size=3)), st.lists(st.text(max_size=3), min_size=1))
def test_a_share_is_a_share(found: list[str], wanted: list[str]) -> None:
    assert 0 <= share(found, wanted) <= 1
    assert share([*found, *wanted], wanted) == 1
    assert 0 <= (percent([share(found, wanted)]) or 0) <= 100


def test_a_folder_without_conversations_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no LoCoMo"):
        conversations(tmp_path)
    assert main(["locomo", "--data", str(tmp_path), "--json"]) == UsageError.exit_status


def test_sessions_at_ten_are_the_first_ten_sessions_and_not_those_of_ten_results() -> None:
    turns = {f"D{1 + n // 20}:{n % 20}": f"word {n}" for n in range(220)}
    talk: Any = SimpleNamespace(turns=turns)
    results: list[Any] = [
        SimpleNamespace(evidence=[SimpleNamespace(message_id=turn, quote=text)]) for turn, text in turns.items()
    ]
    assert _ten_sessions(results, talk) == {f"D{n}" for n in range(1, 11)}
