"""Law 7: a snapshot never exceeds its budget, holds whole records only, and accounts for every record."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.memory import MemoryRow
from models.rules import Owner, Profile, ProjectRules, SoulProfile
from models.table import rows_to_frame
from slowwave.format import Kind, Privacy, Status, Tier, Trust
from slowwave.text import legible
from slowwave.tokens import count
from tasks.project.documents import prompt_worthy, write_documents
from tests.make import memory, unreviewed

TEXTS = st.one_of(
    st.text(min_size=1, max_size=300),
    st.lists(
        st.sampled_from(["甲殻類", "tea", "2026", "👩‍👩‍👧‍👦", "straße", "#", "inventory", "e\u0301"]),
        min_size=1,
        max_size=40,
    ).map(" ".join),
)
MEMORIES = st.lists(
    st.builds(
        memory,
        TEXTS,
        kind=st.sampled_from(list(Kind)),
        subject=st.sampled_from(["user", "user", "assistant", "Ren", "さくら", "a\nb", "Pinned", "Others"]),
        status=st.sampled_from([Status.ACTIVE, Status.ACTIVE, Status.SUPERSEDED]),
        trust=st.sampled_from([Trust.OWNER, Trust.PARTICIPANT, Trust.AGENT, Trust.TOOL]),
        privacy=st.sampled_from(list(Privacy)),
        tier=st.sampled_from([Tier.PROMPT, Tier.SEARCHABLE]),
        importance=st.floats(0, 1),
        is_pinned=st.booleans(),
    ),
    max_size=25,
    unique_by=lambda one: one.id,
)
PROFILES = st.builds(
    Profile,
    max_tokens=st.integers(0, 400),
    max_chars=st.none() | st.integers(0, 600),
    max_privacy=st.sampled_from(["open", "personal", "sensitive"]),
)


def documents(rows: list[MemoryRow], profile: Profile) -> list[dict[str, Any]]:
    frame = rows_to_frame(MemoryRow, rows)
    rules = ProjectRules(profiles={"snapshot": profile}, soul=SoulProfile(**profile.model_dump()))
    return write_documents(unreviewed(frame), [], rules=rules, owner=Owner(names=("Ana",))).to_dicts()


@settings(max_examples=300, deadline=None)
@given(MEMORIES, PROFILES)
def test_never_over_and_whole_records_only(rows: list[MemoryRow], profile: Profile) -> None:
    texts = {row.id: legible(row.text) for row in rows}
    for made in documents(rows, profile):
        assert made["n_tokens"] == count(made["text"]) <= profile.max_tokens
        assert made["n_chars"] == len(made["text"]) <= (profile.max_chars if profile.max_chars is not None else 10**9)
        lines = [line.removeprefix("- ") for line in made["text"].split("\n") if line.startswith("- ")]
        assert lines == [texts[memory_id] for memory_id in made["memory_ids"]]


@settings(max_examples=150, deadline=None)
@given(MEMORIES, PROFILES)
def test_what_had_a_claim_is_in_it_or_listed(rows: list[MemoryRow], profile: Profile) -> None:
    order = list(Privacy)
    worthy = prompt_worthy(unreviewed(rows_to_frame(MemoryRow, rows)), []).to_dicts()
    allowed = {row["id"] for row in worthy if order.index(row["privacy"]) <= order.index(Privacy(profile.max_privacy))}
    made = next(one for one in documents(rows, profile) if one["name"] == "snapshot.md")
    assert sorted([*made["memory_ids"], *made["omitted_ids"]]) == sorted(allowed)


@settings(max_examples=150, deadline=None)
@given(MEMORIES)
def test_pinned_records_are_always_in_where_they_fit_at_all(rows: list[MemoryRow]) -> None:
    roomy = Profile(max_tokens=100_000, max_privacy="sensitive")
    pinned = {
        row["id"]
        for row in prompt_worthy(unreviewed(rows_to_frame(MemoryRow, rows)), []).to_dicts()
        if row["is_pinned"]
    }
    just = sum(count(f"- {legible(row.text)} ") for row in rows if row.id in pinned) + count("## Pinned")
    for budget in (roomy, Profile(max_tokens=just, max_privacy="sensitive")):
        made = next(one for one in documents(rows, budget) if one["name"] == "snapshot.md")
        assert pinned <= set(made["memory_ids"])
        assert set(made["memory_ids"][: len(pinned)]) == pinned


@settings(max_examples=100, deadline=None)
@given(MEMORIES, PROFILES, st.integers(0, 99))
def test_the_text_does_not_depend_on_the_order_of_rows(rows: list[MemoryRow], profile: Profile, seed: int) -> None:
    shuffled = rows_to_frame(MemoryRow, rows).sample(fraction=1.0, shuffle=True, seed=seed)
    rules = ProjectRules(profiles={"snapshot": profile}, soul=SoulProfile(**profile.model_dump()))
    again = write_documents(unreviewed(shuffled), [], rules=rules, owner=Owner(names=("Ana",))).to_dicts()
    assert again == documents(rows, profile)


# Ten thousand sets times budgets ------------------------------------------------------------------------------------

WORDS = [
    "tea",
    "kiln",
    "straße",
    "甲殻類",
    "さくらは海が好き",
    "👩‍👩‍👧‍👦",
    "2026-03-04",
    "inventory",
    "e\u0301cole",
    "#",
    "- x",
    "وقت",
    "naïve",
    "\u200b",
    "a\nb",
]
PRIVACIES = list(Privacy)


def made_set(r: random.Random) -> list[MemoryRow]:
    """Up to sixty memories of every sort, a few of them very long, a few pinned."""
    long = [r.randint(1, 12), r.randint(1, 40), r.randint(60, 240)]
    return [
        memory(
            " ".join(r.choices(WORDS, k=r.choices(long, [8, 4, 1])[0])),
            kind=r.choice(list(Kind)),
            subject=r.choice(["user", "user", "assistant", "Ren", "さくら", "Pinned"]),
            status=r.choice([Status.ACTIVE, Status.ACTIVE, Status.ACTIVE, Status.SUPERSEDED]),
            trust=r.choice([Trust.OWNER, Trust.OWNER, Trust.PARTICIPANT, Trust.AGENT, Trust.TOOL]),
            privacy=r.choice(PRIVACIES),
            tier=r.choice([Tier.PROMPT, Tier.SEARCHABLE]),
            importance=round(r.random(), 2),
            is_pinned=r.random() < 0.08,
            id=f"mem_{n}",
        )
        for n in range(r.randint(0, 60))
    ]


def made_profile(r: random.Random) -> Profile:
    most = r.choice([0, r.randint(1, 60), r.randint(60, 600), 1300, r.randint(600, 4000)])
    return Profile(
        max_tokens=most,
        max_chars=r.choice([None, None, r.randint(0, 300), 1375, 2200]),
        max_privacy=r.choice(["open", "personal", "sensitive"]),
        kinds=tuple(r.sample(list(Kind), 5)) if r.random() < 0.1 else (),
    )


def kept(rows: list[MemoryRow], profile: Profile) -> bool:
    """Checks both documents of a set; whether something was pinned that the budget could not refuse."""
    texts, was_asked = {row.id: legible(row.text) for row in rows}, False
    worthy = prompt_worthy(unreviewed(rows_to_frame(MemoryRow, rows)), []).to_dicts()
    for made in documents(rows, profile):
        allowed = [
            row for row in worthy if PRIVACIES.index(row["privacy"]) <= PRIVACIES.index(Privacy(profile.max_privacy))
        ]
        ids, n_chars = made["memory_ids"], profile.max_chars if profile.max_chars is not None else 10**9
        assert made["n_tokens"] == count(made["text"]) <= profile.max_tokens
        assert made["n_chars"] == len(made["text"]) <= n_chars
        lines = [line.removeprefix("- ") for line in made["text"].split("\n") if line.startswith("- ")]
        assert lines == [texts[one] for one in ids], "whole records, in the order listed"
        assert len(set(ids)) == len(ids) and not set(ids) & set(made["omitted_ids"])
        if made["name"] == "snapshot.md":
            pinned = {
                row["id"] for row in allowed if row["is_pinned"] and (not profile.kinds or row["kind"] in profile.kinds)
            }
            just = "\n".join(["## Pinned", *(f"- {texts[one]}" for one in sorted(pinned)), "", ""])
            if pinned and count(just) + 4 <= profile.max_tokens and len(just) <= n_chars:
                assert pinned <= set(ids), "pinned is always in"
                was_asked = True
    return was_asked


@pytest.mark.parametrize("n", [150, pytest.param(10_000, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])])
def test_ten_thousand_sets_times_budgets(n: int) -> None:
    r = random.Random(7)
    n_pinned = sum(kept(made_set(r), made_profile(r)) for _ in range(n))
    assert n_pinned > n / 5, "too few sets asked what pinned records do"
