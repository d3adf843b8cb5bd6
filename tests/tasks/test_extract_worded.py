"""Claims that rules state and a model words: who wrote which, and what is said of those that keep their own words."""

from __future__ import annotations

import polars as pl

from models.ask import Answer, Question
from models.claim import Claim, Claims
from tests.make import turn
from tests.tasks.test_extract import Told, run


def test_a_claim_whose_own_words_stay_is_the_rules_and_a_decision_says_why() -> None:
    said = [turn("I live in Porto.", seq=0), turn("I swim on Mondays.", seq=1)]
    claims = [
        Claim(kind="semantic_fact", subject="user", lines=[1], statement="The user lives in Porto."),
        Claim(kind="routine", subject="user", lines=[2]),
    ]

    def worded(question: Question) -> Answer:
        return Answer(question.key, Claims(claims=claims), drafted_by="rules/1", as_said={1: "it adds beans"})

    made = run(said, Told(answer=worded))
    written = {row["text"]: row["writer"]["model"] for row in made.claims.to_dicts()}
    assert written == {"The user lives in Porto.": "told/1", "I swim on Mondays.": "rules/1"}
    (kept,) = made.decisions.filter(pl.col("reason") == "kept_as_said").to_dicts()
    assert (kept["action"], kept["detail"]) == ("keep", "it adds beans")
    assert kept["item_id"] in made.claims["claim_id"].to_list()
