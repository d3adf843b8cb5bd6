"""Answers and judges over loopback: what a model is given, what both judges see, and what is left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.answering import ANSWER, STRICT, Chat, measure, questions, read_wrong
from evals.chat import Loopback, Reply, Request
from evals.dataset import conversations
from slowwave.errors import ModelUnavailable, UsageError
from tests.evals.test_locomo import TALK


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    (folder / "locomo").mkdir()
    (folder / "locomo" / "conv-26.json").write_text(json.dumps(TALK))
    return folder


def behave(request: Request) -> Reply:
    """Answers with the whole of its notes; the strict judge wants the right answer alone, the usual one wants it somewhere."""
    system, asked = (message["content"] for message in request.messages)
    if system == ANSWER:
        return Reply("harpsichords" if asked.endswith("restore?") else asked)
    _, right, answer = (
        part.strip() for part in asked.replace("Right answer:", "|").replace("Answer:", "|").split("|", 2)
    )
    is_right = right == answer if system == STRICT else right.casefold() in answer.casefold()
    return Reply("CORRECT" if is_right else "That is WRONG, not correct.")


def test_both_judges_see_the_same_answers_and_the_strict_one_lets_less_pass(data: Path) -> None:
    with Loopback(behave) as server:
        told = measure(data, Chat(server.api_base, "judge"))
        answering = [r for r in server.requests if r.messages[0]["content"] == ANSWER]
    assert (told["n_questions"], len(answering), len(server.requests)) == (4, 4, 12)
    assert (told["usual_judge"], told["strict_judge"]) == (50.0, 25.0)
    assert told["by_category"]["single_hop"] == {"usual_judge": 100.0, "strict_judge": 100.0, "n_questions": 1}
    notes = next(r.messages[1]["content"] for r in answering if "sell the harpsichord" in r.messages[1]["content"])
    assert "I sold the harpsichord to a museum in Antwerp." in notes


def test_known_wrong_answers_are_left_out_and_listed(data: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.txt").write_text("# audited\nconv-26:0 it was a clavichord\n\nconv-26:3\n")
    wrong = read_wrong(tmp_path / "wrong.txt")
    with Loopback(behave) as server:
        told = measure(data, Chat(server.api_base, "judge"), wrong=wrong)
    assert (told["n_questions"], told["left_out"]) == (2, ["conv-26:0", "conv-26:3"])
    with pytest.raises(UsageError, match="cannot read"):
        read_wrong(tmp_path / "none.txt")


def test_questions_about_the_wrong_person_are_not_answered(data: Path) -> None:
    (talk,) = conversations(data)
    assert [one.id for one in questions(talk)] == [f"conv-26:{place}" for place in range(4)]


def test_a_model_that_is_not_there_is_said_to_be_missing() -> None:
    with pytest.raises(ModelUnavailable, match="did not answer"):
        Chat("http://127.0.0.1:9/v1", "nobody", timeout_seconds=2)("Be short.", "Are you there?")
