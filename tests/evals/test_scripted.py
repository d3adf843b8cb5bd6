"""Scripted conversations: the same from the same seed, with evidence that stands where the questions say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.scripted.life import Form, live, write
from evals.scripted.measure import figures, opened
from evals.scripted.questions import SORTS, questions
from evals.scripted.weights import Remembering, _asking, _moved
from slowwave import rank


@pytest.mark.parametrize("form", ["talk", "agent"])
def test_a_life_is_its_seeds_and_every_question_has_its_evidence(form: Form, tmp_path: Path) -> None:
    life, again, other = live(1, form), live(1, form), live(2, form)
    assert life == again and questions(life) == questions(again) and life.lines != other.lines
    said = {line.id: line for line in life.lines}
    assert all(fact.value in said[fact.id].text and said[fact.id].who == fact.who for fact in life.facts)
    asked = questions(life)
    assert all(question.evidence <= said.keys() and question.evidence for question in asked)
    assert not any("{" in text for text in [*(line.text for line in life.lines), *(q.text for q in asked)])
    assert {question.sort for question in asked} == set(SORTS) - (set() if form == "talk" else {"joined", "swapped"})
    write(life, tmp_path / "life.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "life.jsonl").read_text().splitlines()]
    assert [row["content"] for row in rows] == [line.text for line in life.lines]


def test_what_changed_is_asked_of_what_holds_and_a_swapped_name_is_the_other_ones() -> None:
    life = live(1, "talk")
    last = {fact.id for fact in life.facts if fact.is_last}
    who = {line.id: line.who.name for line in life.lines}
    for question in questions(life):
        assert question.evidence <= last or question.sort == "detail"
        if question.sort == "swapped":
            (teller,) = {who[one] for one in question.evidence}
            assert teller not in question.text


def test_questions_are_answered_and_a_trial_moves_what_it_should() -> None:
    with opened(1) as lives:
        agent = [one for one in lives if one.life.form == "agent"]
        found = figures(agent)
        assert found["by_sort"]["named"] >= 90 and found["n_questions"] > 40
        known = {id(one): Remembering(one) for one in agent}

        def weighed(weights: rank.Weights) -> dict[str, object]:
            return figures(agent, _asking(known, weights))

        assert weighed(rank.WEIGHTS) == found, "searches that are remembered answer alike"
        assert _moved("full_text", found, weighed)["none"]["all"] != 0
