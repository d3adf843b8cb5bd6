"""What a question is about: its words without the people it names and without what only makes it a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.format import Entity
from slowwave.reader.names import Index
from slowwave.reader.topic import topic, without_user


def _entity(name: str, kind: str, *aliases: str) -> Entity:
    return Entity(id=f"ent_{name}", owner="ana", name=name, kind=kind, aliases=list(aliases), n_mentions=1)


KNOWN = Index([_entity("Mara Lindqvist", "person", "Mara"), _entity("Lisbon", "place"), _entity("Tea Room", "place")])


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("What does Mara do in Lisbon?", "Lisbon"),
        ("Where did Mara Lindqvist's sister study pottery?", "sister study pottery"),
        ("When was the Tea Room painted?", "Tea Room painted"),
        ("Who is Mara?", "Who is Mara?"),
        ("Wanneer heeft Mara de oven gekocht?", "oven gekocht"),
        ("Quand est-ce que Mara a déménagé ?", "déménagé"),
        ("Où est-ce qu'habite la sœur de Mara ?", "habite sœur"),
        ("Wo ist Maras Schwester jetzt?", "Schwester jetzt"),
    ],
)
def test_a_question_without_names_and_empty_words(question: str, about: str) -> None:
    assert topic(question, KNOWN) == about


def test_a_name_that_nobody_bears_stays() -> None:
    assert topic("What did Zoltan build?", KNOWN) == "Zoltan build"


@given(st.text(max_size=80))
def test_law_every_question_has_a_topic_made_of_its_own_words(question: str) -> None:
    about = topic(question, KNOWN)
    assert about == question or all(word in question for word in about.split())


def test_the_user_whom_an_agent_asks_about_is_not_looked_for() -> None:
    assert without_user("What is the user's home city?") == "What is home city?"
    assert without_user("Where does THE USER live?") == "Where does live?"
    assert without_user("the user") == "the user"
    assert without_user("Which user group meets here?") == "Which user group meets here?"
