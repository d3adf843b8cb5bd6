"""The gate: which messages may leave, by source, project, privacy and the owner's words; and how a question is parted by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.settings import EgressSettings
from flows.egress import About, Gate, Guarded
from models.ask import Answer, Line, Question
from models.claim import Claim, Claims

SAID = {
    "reef": About("jsonl", "chat", "reef", "The map shows the **Burial-Places** of the elders."),
    "garden": About("hermes", "hermes", "garden", "I grow tomatoes on the balcony."),
    "none": About("jsonl", "chat", None, "I moved to Tromso."),
    "ill": About("jsonl", "chat", None, "My doctor at the clinic says it is diabetes."),
    "money": About("jsonl", "chat", None, "The mortgage is paid."),
}


def gate(sensitive_words: tuple[str, ...] = (), forbidden_words: tuple[str, ...] = (), **rules: Any) -> Gate:
    made = Gate(EgressSettings(**rules), Path(), sensitive_words, forbidden_words)
    # What is captured is read once, at the first question; here it is given.
    vars(made)["messages"] = SAID
    return made


def kept(one: Gate) -> dict[str, str]:
    return {key: why for key in SAID if (why := one.why_kept(key))}


@pytest.mark.parametrize(
    ("rules", "stays"),
    [
        ({}, {"ill": "sensitive", "money": "sensitive"}),
        ({"max_privacy": "sensitive"}, {}),
        ({"max_privacy": "sensitive", "kept_projects": ("reef",)}, {"reef": "project"}),
        (
            {"max_privacy": "sensitive", "projects": ("garden",)},
            dict.fromkeys(("reef", "none", "ill", "money"), "project"),
        ),
        ({"max_privacy": "sensitive", "kept_sources": ("hermes",)}, {"garden": "source"}),
        ({"max_privacy": "sensitive", "sources": ("chat",)}, {"garden": "source"}),
        ({"max_privacy": "sensitive", "kept_words": ("burial place",)}, {"reef": "kept word"}),
        ({"max_privacy": "sensitive", "kept_words": ("urial", " ", "rows")}, {}),
        ({"max_privacy": "sensitive", "forbidden_words": ("Tromso",)}, {"none": "forbidden"}),
        ({"sensitive_words": ("tomatoes",)}, dict.fromkeys(("garden", "ill", "money"), "sensitive")),
    ],
)
def test_messages_stay_by_source_project_privacy_and_words(rules: dict[str, Any], stays: dict[str, str]) -> None:
    assert kept(gate(**rules)) == stays


def test_a_message_that_nobody_captured_stays() -> None:
    assert gate(max_privacy="sensitive").why_kept("msg_x") == "unknown"


class Heard:
    """Answers with a claim a line, and keeps what it was shown."""

    def __init__(self, model: str) -> None:
        self.model, self.prompt = model, "p"
        self.shown: list[Line] = []

    def __call__(self, questions: Any) -> list[Answer]:
        self.shown += [line for question in questions for line in question.lines]
        return [Answer(q.key, Claims(claims=[_claim(x.number) for x in q.lines if x.is_evidence])) for q in questions]


def _claim(*lines: int) -> Claim:
    return Claim(kind="semantic_fact", subject="user", lines=list(lines))


def question(*keys: str, context: int = 0) -> Question:
    lines = tuple(
        Line(n, "user", "user", SAID[k].text, is_evidence=n > context, msg_key=k) for n, k in enumerate(keys, 1)
    )
    return Question("-".join(keys), "extract", lines)


@given(st.lists(st.sampled_from(sorted(SAID)), min_size=1, max_size=12), st.integers(0, 12), st.booleans())
def test_no_line_of_a_message_that_stays_is_shown_and_every_line_is_read_once(
    keys: list[str], context: int, is_read_here: bool
) -> None:
    context = min(context, len(keys) - 1)
    hosted, here = Heard("hosted"), Heard("here")
    ask = Guarded(hosted, gate(), here if is_read_here else None)
    (answer,) = ask([question(*keys, context=context)])
    assert not {line.msg_key for line in hosted.shown} & {"ill", "money"}
    assert answer.value is not None
    cited = [n for claim in answer.value.claims for n in claim.lines]
    asked = [n for n, key in enumerate(keys, 1) if n > context and (is_read_here or key not in ("ill", "money"))]
    has_shown = any(key not in ("ill", "money") for key in keys[context:])
    assert cited == asked
    assert bool(hosted.shown) == has_shown


def test_what_a_model_cites_unseen_counts_as_no_line() -> None:
    class Bold(Heard):
        def __call__(self, questions: Any) -> list[Answer]:
            problems = [question.check(_claim(1)) for question in questions]
            assert problems == [["line 0"]]
            return [Answer(q.key, Claims(claims=[_claim(1), _claim(2)])) for q in questions]

    def check(claim: Claim) -> list[str]:
        return [f"line {n}" for n in claim.lines if n == 0]

    asked = question("ill", "garden")
    asked = Question(asked.key, asked.purpose, asked.lines, check=check)
    (answer,) = Guarded(Bold("hosted"), gate(), None)([asked])
    assert answer.value is not None
    assert [claim.lines for claim in answer.value.claims] == [[0], [2]]
    assert (dict(answer.kept_here), answer.kept_by) == ({"ill": "sensitive"}, "")


def test_a_question_whose_greater_part_waits_is_put_again_as_it_stands() -> None:
    class Away(Heard):
        def __call__(self, questions: Any) -> list[Answer]:
            return [Answer(q.key, None, "rate_limited", is_deferred=True) for q in questions]

    (answer,) = Guarded(Away("hosted"), gate(), Heard("here"))([question("ill", "garden")])
    assert (answer.value, answer.refusal, answer.is_deferred, dict(answer.kept_here)) == (
        None,
        "rate_limited",
        True,
        {},
    )


@pytest.mark.parametrize(
    "text",
    [
        "Ich nehme seit Mai Sertralin gegen Depressionen.",
        "Ik heb schulden en ga scheiden.",
        "Mijn zoontje Bram wordt gepest.",
        "Je vois une psychologue le jeudi.",
        "Mi hijo Leo tiene siete años.",
        "A minha filha faz anos em maio.",
        "昨日、うつ病と診断されました。",
        "The eczema is back.",
        "We are behind on the rent.",
    ],
)
def test_private_matters_of_other_languages_stay_too(text: str) -> None:
    assert gate().why_text_kept(text) == "sensitive"


@pytest.mark.parametrize(
    "text", ["My hypothesis failed.", "Ik woon in Gent.", "Ich trinke gern Tee.", "J'aime le thé."]
)
def test_plain_talk_may_leave(text: str) -> None:
    assert gate().why_text_kept(text) is None


def test_what_an_agent_says_again_of_a_message_that_stays_stays_with_it() -> None:
    lines = [
        Line(1, "user", "user", "I was diagnosed with sarcoidosis.", msg_key="ill"),
        Line(2, "Pip", "assistant", "The sarcoidosis must be hard.", msg_key="echo"),
        Line(3, "user", "user", "I moved to Tromso.", msg_key="none"),
        Line(4, "Pip", "assistant", "How is Tromso?", msg_key="reply"),
    ]
    asked = Question("q", "extract", tuple(lines))
    one = gate()
    vars(one)["messages"] = {line.msg_key: About("jsonl", "chat", None, line.text) for line in lines}
    shown: list[Line] = []

    class Hosted:
        model, prompt = "hosted", "p"

        def __call__(self, questions: Any) -> list[Answer]:
            shown.extend(line for question in questions for line in question.lines)
            return [Answer(question.key, Claims()) for question in questions]

    (answer,) = Guarded(Hosted(), one, None)([asked])
    assert [line.msg_key for line in shown] == ["none", "reply"]
    assert answer.kept_here == {"ill": "sensitive", "echo": "sensitive"}
