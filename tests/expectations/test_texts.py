"""What may stand in a document, and what the form of a secret is; that each fact blocks is shown in test_night."""

from __future__ import annotations

import pytest

from expectations.night import check
from expectations.texts import document_facts, secret_fact
from models.rules import Profile, ProjectRules, StageRules
from tests.expectations.healthy import SNAPSHOT, night, recited, setting, wrong

# Documents


@pytest.mark.parametrize(
    ("trust", "kind", "is_kept"),
    [
        ("owner", "preference", True),
        ("participant", "preference", True),
        ("agent", "goal_or_commitment", True),
        ("agent", "tool_or_workflow_lesson", True),
        ("agent", "intervention_outcome", True),
        ("agent", "preference", False),
        ("imported", "preference", False),
        ("tool", "semantic_fact", False),
        ("system", "goal_or_commitment", False),
    ],
)
def test_who_may_enter_a_document(trust, kind, is_kept):
    facts = document_facts(setting("memories", "mem_2", trust=trust, kind=kind)(night()), ProjectRules().budgets)
    assert wrong(facts) == ([] if is_kept else ["documents_are_trusted"])


@pytest.mark.parametrize(
    ("profiles", "broken"),
    [
        ({"snapshot": Profile(max_tokens=5)}, "documents_within_budget"),
        ({"snapshot": Profile(max_chars=9)}, "documents_within_budget"),
        ({}, "documents_within_budget"),
        ({"snapshot": Profile(max_privacy="open")}, "documents_respect_privacy"),
    ],
)
def test_budgets_are_those_of_the_profile_and_a_document_without_one_has_none(profiles, broken):
    assert wrong(document_facts(night(), profiles)) == [broken]
    report = check(night(), rules=StageRules(project=ProjectRules(profiles=profiles)))
    # A thread is held to the same privacy by a promise of its own.
    assert [p.name for p in report.broken if p.name != "threads_are_promoted"] == [broken]


# Secrets


@pytest.mark.parametrize(
    "secret",
    [
        "-----BEGIN RSA PRIVATE KEY-----",
        "AKIA" + "Q7XW" * 4,
        "ghp_" + "a1B2" * 9,
        "github_pat_" + "a1B2" * 9,
        "glpat-" + "a1B2" * 5,
        "xoxb-" + "1234567890",
        "sk-" + "a1B2" * 6,
        "sk_live_" + "a1B2" * 6,
        "AIza" + "a1B2c" * 7,
        "eyJ" + "a" * 12 + ".eyJ" + "b" * 12 + "." + "c" * 12,
        "postgres://ana:hunter22x@db",
        "password = correct9horse8battery",
        'api_key: "a1b2c3d4e5f6g7"',
    ],
)
@pytest.mark.parametrize("place", ["memory", "turn", "document", "quote"])
def test_a_secret_blocks_wherever_it_stands_and_is_not_repeated(secret, place):
    tables = night()
    planted = {
        "memory": setting("memories", "mem_0", text=f"My key is {secret} now"),
        "turn": setting("turns", tables["turns"]["id"][0], text=secret),
        "document": setting("documents", SNAPSHOT, text=f"- {secret}"),
        "quote": recited(quote=secret),
    }[place](tables)
    fact = secret_fact(planted)
    assert fact.observed == 1
    assert secret not in repr(fact)


@pytest.mark.parametrize(
    "text",
    [
        "My password is [secret:password], keep it.",
        "api_key = [secret:generic]",
        "password: somethingforgettable",
        "The secret: chocolate1 helps",
        "Meet at https://example.com:8080/a@b",
        "Task-oriented sk-ill sharing, risk-averse",
    ],
)
def test_plain_speech_and_redacted_places_are_no_secrets(text):
    assert secret_fact(setting("memories", "mem_0", text=text)(night())).observed == 0
