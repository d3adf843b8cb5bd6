"""What nobody sees in a line keeps no claim from resting on it: a soft hyphen, a zero-width space."""

from __future__ import annotations

import pytest

from models.ask import Answer, Question
from models.claim import Claim, Claims
from tests.make import turn
from tests.tasks.test_extract import Told, run


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("I live in Por\u200bto.", "Porto"),
        ("I work at Sie\u00admens.", "Siemens"),
        ("I like pea\u2060nuts.", "peanuts"),
        ("I fire at 12\u200b20 degrees.", "1220 degrees"),
    ],
)
def test_a_value_stands_in_a_line_that_shows_it(line: str, value: str) -> None:
    told = {"kind": "semantic_fact", "subject": "user", "lines": [1], "attribute": "told", "value": value}
    claim = Claim.model_validate(told)
    made = run([turn(line)], Told(answer=lambda question: _answer(question, claim)))
    assert made.claims["value"].to_list() == [value]
    assert [one["quote"] for one in made.claims["evidence"][0]] == [line]


def _answer(question: Question, claim: Claim) -> Answer:
    return Answer(question.key, Claims(claims=[claim]))
