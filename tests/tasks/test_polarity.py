"""A claim's yes and no, against the words of its lines."""

from __future__ import annotations

import pytest

from models.claim import Claim
from slowwave.format import Kind, Polarity
from tasks.extract.polarity import inverted


def wrong(line: str, polarity: Polarity = Polarity.ASSERT, statement: str | None = None) -> bool:
    told = {"kind": Kind.SEMANTIC_FACT, "subject": "user", "lines": [1], "polarity": polarity, "statement": statement}
    made = Claim.model_validate(told)
    return bool(list(inverted(made, [line])))


@pytest.mark.parametrize(
    ("line", "polarity"),
    [
        ("I live in Porto.", Polarity.RETRACT),
        ("My brother works at Mavenir.", Polarity.NEGATE),
        ("Ik woon in Utrecht.", Polarity.NEGATE),
        ("Wir wohnen in Graz.", Polarity.RETRACT),
        ("I moved to Porto.", Polarity.RETRACT),
        ("Don't forget that my daughter Mila is 7.", Polarity.RETRACT),
        ("I was promoted to lead engineer at Umicore.", Polarity.NEGATE),
    ],
)
def test_nothing_is_denied_or_taken_back_without_a_word_that_does(line: str, polarity: Polarity) -> None:
    assert wrong(line, polarity)


@pytest.mark.parametrize(
    ("line", "polarity"),
    [
        ("I don't live in Porto any more.", Polarity.NEGATE),
        ("We sold the boat.", Polarity.NEGATE),
        ("I left Mavenir in May.", Polarity.NEGATE),
        ("The picnic was called off.", Polarity.NEGATE),
        ("That was wrong, it was my cousin.", Polarity.RETRACT),
        ("I never lived in Porto.", Polarity.RETRACT),
        ("Ik heb nooit in Porto gewoond.", Polarity.RETRACT),
        ("Ich habe mich geirrt.", Polarity.RETRACT),
        ("Je me suis trompé.", Polarity.RETRACT),
        ("Eu me enganei.", Polarity.RETRACT),
        ("Me equivoqué.", Polarity.RETRACT),
        ("Ya no vivo en Porto.", Polarity.NEGATE),
    ],
)
def test_words_that_deny_stop_or_correct_are_enough(line: str, polarity: Polarity) -> None:
    assert not wrong(line, polarity)


@pytest.mark.parametrize(
    ("line", "statement"),
    [
        ("I do not eat meat.", "The user eats meat."),
        ("I never travel to Madrid.", "The user travels to Madrid."),
        ("We don't have a car, but we have bikes.", "The user has a car."),
        ("Ik eet geen vlees.", "Ik eet vlees."),
    ],
)
def test_a_statement_keeps_the_not_of_its_line(line: str, statement: str) -> None:
    assert wrong(line, statement=statement)


@pytest.mark.parametrize(
    ("line", "statement"),
    [
        ("I do not eat meat.", "The user does not eat meat."),
        ("I don't drink coffee, I drink tea.", "The user drinks tea."),
        ("No, I live in Porto.", "The user lives in Porto."),
        ("Don't forget to call Ana.", "The user will call Ana."),
        ("I can't stand cilantro.", "The user dislikes cilantro."),
        ("I won't fly until Friday.", "The user flies Friday."),
        ("I used to smoke but no longer smoke.", "The user used to smoke."),
        ("I like tea not coffee.", "The user likes tea."),
        ("We keep bees and not goats.", "The user keeps bees."),
    ],
)
def test_a_not_about_something_else_is_no_matter(line: str, statement: str) -> None:
    assert not wrong(line, statement=statement)
