"""Link: names meet on evidence alone, and what no memory may rest on is refused with a reason."""

from __future__ import annotations

import polars as pl
import pytest

from models.claim import ClaimRow
from models.decision import Action, Decision
from models.message import Message
from models.rules import LinkRules, Owner
from models.table import rows_to_frame
from models.turn import Turn
from slowwave.format import Kind, Trust
from tasks.link import Linked, link
from tasks.link.stated import is_form, pairs_in
from tests.make import claim, evidence, message

OWNER = Owner(id="u-ana", names=("Ana Ruiz", "Ana"))


def linked(
    *claims: ClaimRow, rules: LinkRules | None = None, earlier: tuple[ClaimRow, ...] = (), **more: object
) -> Linked:
    return link(
        rows_to_frame(ClaimRow, claims),
        rows_to_frame(ClaimRow, earlier),
        rows_to_frame(Message, more.get("messages", ())),  # type: ignore[arg-type]
        rows_to_frame(Decision, more.get("read", ())),  # type: ignore[arg-type]
        rows_to_frame(Decision, more.get("sifted", ())),  # type: ignore[arg-type]
        rows_to_frame(Turn, more.get("turns", ())),  # type: ignore[arg-type]
        rules=rules or LinkRules(),
        owner=OWNER,
    )


def keys(made: Linked) -> dict[str, str]:
    return dict(made.claims.select("text", "subject_key").iter_rows())


def refusals(made: Linked) -> list[str]:
    return made.decisions.filter(pl.col("action") == "reject")["reason"].to_list()


def test_names_meet_by_exact_normalised_name_and_nothing_fuzzier() -> None:
    found = keys(
        linked(
            claim("one", subject="KX-2203"),
            claim("two", subject=" kx-2203 "),
            claim("three", subject="KX-2205"),
            claim("four", subject="KX-22O3"),
        )
    )
    assert found["one"] == found["two"]
    assert len({found["one"], found["three"], found["four"]}) == 3


def test_the_owners_own_names_are_the_user() -> None:
    found = keys(linked(claim("one"), claim("two", subject="ana ruiz"), claim("three", subject="Anabel")))
    assert found["one"] == found["two"] == "user"
    assert found["three"] != "user"


def test_a_given_subject_id_stays_and_keeps_namesakes_apart() -> None:
    made = linked(
        claim("one", subject="Jordan", subject_key="person:cousin"),
        claim("two", subject="Jordan", subject_key="person:x"),
    )
    assert keys(made) == {"one": "person:cousin", "two": "person:x"}
    assert made.entities.height == 2


def test_a_given_link_joins_and_comes_undone_when_it_is_taken_back() -> None:
    said = claim("one", subject="TNB"), claim("two", subject="Tern Neighbourhood Board")
    joined = linked(*said, rules=LinkRules(links=(("Tern Neighbourhood Board", "TNB"),)))
    assert len(set(keys(joined).values())) == 1
    assert joined.entities["name"].to_list() == ["Tern Neighbourhood Board"]
    assert joined.entities["aliases"].to_list() == [["TNB"]]
    undone = linked(earlier=tuple(ClaimRow(**row) for row in joined.claims.to_dicts()))
    assert len(set(keys(undone).values())) == 2


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("Tom (Tomasz Ferreira-Ruhl) writes the firmware.", {("tom", "tomasz ferreira-ruhl")}),
        ("Kelpline, also called 'the buoy project', is late.", {("kelpline", "the buoy project")}),
        ("Aroha Petelo, better known as Aro, rang.", {("aroha petelo", "aro")}),
        ("The TNB (Tern Neighbourhood Board) meets.", {("tnb", "tern neighbourhood board")}),
        ("Went to Paris (France) with Ada.", set()),
        ("Jordan (plumber) works for Calder Ferries.", set()),
        ("Mill Cross (Borealis Kites) closes.", set()),
    ],
)
def test_only_plain_words_make_an_alias(text: str, pairs: set[tuple[str, str]]) -> None:
    assert {tuple(sorted(pair[:2])) for pair in pairs_in(text, 0.92)} == {tuple(sorted(pair)) for pair in pairs}


def test_a_form_of_a_name_is_its_start_its_initials_or_nearly_the_same() -> None:
    assert is_form("tom", "tomasz ferreira", 0.92)
    assert is_form("tnb", "tern neighbourhood board", 0.92)
    assert not is_form("paris", "france", 0.92)


def test_a_short_name_said_of_two_people_joins_neither() -> None:
    made = linked(
        claim("Benedikt Haugstad, also called Ben, is the statistician.", subject="Benedikt Haugstad"),
        claim("Ben Corrigan, also called Ben, repairs the bike.", subject="Ben Corrigan"),
        claim("Ben rang.", subject="Ben"),
    )
    assert len(set(keys(made).values())) == 3
    assert made.decisions.filter(pl.col("action") == "split")["item_id"].to_list() == ["ben"]


def test_a_tool_cannot_join_names() -> None:
    made = linked(
        claim("Tom (Tomasz Ruhl) wrote it.", subject="Tom", trust=Trust.TOOL), claim("x", subject="Tomasz Ruhl")
    )
    assert len(set(keys(made).values())) == 2


def test_mentions_lead_to_entities_that_know_names_times_and_kind() -> None:
    made = linked(
        claim("Tom helps.", subject="Tom", kind=Kind.COLLABORATOR, mentions=["Reedbed Trust"], said="2026-01-01"),
        claim("Tom left.", subject="tom", said="2026-02-01", mentions=["Tom", "user"]),
    )
    by_name = {row["name"]: row for row in made.entities.to_dicts()}
    assert by_name["Tom"]["kind"] == "person"
    assert by_name["Tom"]["n_mentions"] == 2
    assert by_name["Tom"]["aliases"] == []
    assert by_name["Tom"]["first_seen_at"] < by_name["Tom"]["last_seen_at"]
    assert by_name["Reedbed Trust"]["kind"] == "organisation"
    assert set(made.mentions["entity_id"]) == set(made.entities["id"])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I cannot provide an extraction for this text.", "debris"),
        ("I'm sorry, but I can't assist with that request.", "debris"),
        ("As an AI language model, I have no memories.", "debris"),
        ('"confidence": 0.8,', "debris"),
        ('{"facts": []}', "debris"),
        ("No relevant facts found.", "debris"),
        ("Here are the extracted facts:", "debris"),
        ("   ", "empty"),
    ],
)
def test_scraps_and_refusals_are_refused(text: str, reason: str) -> None:
    made = linked(claim(text))
    assert made.claims.is_empty()
    assert refusals(made) == [reason]


@pytest.mark.parametrize(
    "text",
    [
        "I cannot eat shellfish.",
        "Unfortunately I can't come on Friday.",
        "I am not able to drive at night.",
        "None of the rooms has a lamp.",
        'Calls the boat "Żółw".',
        "返信は日本語で短く。",
        "Sorry for the delay, works at Kells.",
    ],
)
def test_plain_statements_are_not_mistaken_for_refusals(text: str) -> None:
    assert linked(claim(text)).claims.height == 1


@pytest.mark.parametrize(
    ("trust", "kind", "subject", "is_accepted"),
    [
        (Trust.AGENT, Kind.SEMANTIC_FACT, "user", False),
        (Trust.AGENT, Kind.GOAL_OR_COMMITMENT, "assistant", True),
        (Trust.AGENT, Kind.GOAL_OR_COMMITMENT, "user", False),
        (Trust.TOOL, Kind.CONSTRAINT, "user", False),
        (Trust.TOOL, Kind.SEMANTIC_FACT, "sponge filter", True),
        (Trust.THIRD_PARTY, Kind.PREFERENCE, "user", False),
        (Trust.THIRD_PARTY, Kind.PREFERENCE, "Bruno", True),
        (Trust.SYSTEM, Kind.SEMANTIC_FACT, "user", False),
        (Trust.PARTICIPANT, Kind.PREFERENCE, "Bruno", True),
        (Trust.OWNER, Kind.CONSTRAINT, "user", True),
    ],
)
def test_who_said_it_decides_what_it_may_be(trust: Trust, kind: Kind, subject: str, is_accepted: bool) -> None:
    made = linked(claim("A statement.", trust=trust, kind=kind, subject=subject))
    assert made.claims.height == int(is_accepted)
    assert refusals(made) == ([] if is_accepted else ["untrusted_origin"])


def test_what_cites_nothing_is_refused() -> None:
    assert refusals(linked(claim("A statement.", evidence=[]))) == ["no_evidence"]


def test_a_message_heard_again_replaces_what_was_read_in_it_before() -> None:
    again = message("words", seq=0, message_id="m1")
    old = tuple(
        c.model_copy(update={"evidence": [_cite(c, key)]})
        for c, key in ((claim("Old reading."), again.msg_key), (claim("Other message."), "msg-2"))
    )
    made = linked(claim("New reading."), earlier=old, messages=[again])
    assert sorted(made.claims["text"]) == ["New reading.", "Other message."]
    assert made.decisions.filter(pl.col("action") == "drop")["reason"].to_list() == ["heard_again"]
    undone = linked(earlier=old, messages=[again])
    assert undone.claims["text"].to_list() == ["Other message."]
    put_off = Decision(stage="extract", item_id=again.msg_key, action=Action.DEFER, reason="unreachable")
    assert linked(earlier=old, messages=[again], read=[put_off]).claims.height == 2


def _cite(one: ClaimRow, key: str) -> object:
    from dataclasses import replace

    return replace(one.evidence[0], source_id=key)


def test_who_repeats_words_that_a_night_wrote_says_nothing_new() -> None:
    quoted = [evidence("I promised the bowls by next Friday.", session="s1", message_id="m1")]
    told = claim("I promised the bowls by 13 March 2026.", evidence=quoted)
    echo = claim("- I promised the bowls by 13 March 2026.", session="s2", said="2026-03-09")
    meant = claim("I promised the bowls by next Friday.", session="s3", said="2026-02-02")
    later = claim("I promised the bowls by 13 March 2026", session="s4", said="2026-01-01")
    made = linked(told, echo, meant, later)
    assert refusals(made) == ["echo"]
    assert set(made.claims["claim_id"]) == {told.claim_id, meant.claim_id, later.claim_id}


@pytest.mark.parametrize(
    ("text", "one", "other", "is_one"),
    [
        ("tfr is Tomasz Ferreira-Ruhl, firmware.", "tfr", "Tomasz Ferreira-Ruhl", True),
        ("Aro is Aroha Petelo, our liaison.", "Aro", "Aroha Petelo", True),
        ("Tom, my firmware colleague Tomasz, moves in May.", "Tom", "Tomasz", True),
        ("Nadia is Petra Visser's sister.", "Nadia", "Petra Visser", False),
        ("Mia, my sister Ana, and I went.", "Mia", "Ana", False),
    ],
)
def test_a_short_form_said_to_be_a_name_is_that_name(text: str, one: str, other: str, is_one: bool) -> None:
    found = keys(linked(claim(text), claim("one", subject=one), claim("two", subject=other)))
    assert (found["one"] == found["two"]) == is_one


def test_a_word_of_a_name_is_no_rival_of_it_but_another_name_is() -> None:
    told = [claim("Tomasz Ruhl (Tom) writes it."), claim("Tom, my old friend Tomasz, moves.", session="s2")]
    names = [claim(name, subject=name) for name in ("Tom", "Tomasz", "Tomasz Ruhl")]
    assert len({keys(linked(*told, *names))[name] for name in ("Tom", "Tomasz", "Tomasz Ruhl")}) == 1
    rival = claim("Tommaso Bini (Tom) sings.", session="s3")
    found = keys(linked(*told, rival, *names))
    assert len({found[name] for name in ("Tom", "Tomasz Ruhl")}) == 2
