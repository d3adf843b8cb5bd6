"""Extraction: what becomes of every claim and every turn, whoever answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.offline import Offline
from models.ask import Answer, Question
from models.claim import Claim, Claims
from models.ids import make_id
from models.rules import ExtractRules, Owner
from models.table import rows_to_frame
from models.turn import Topic, Turn
from slowwave.format import Kind, Precision, Privacy
from tasks.extract import Extracted, extract
from tests.make import at, turn


class Told:
    """An ask that answers as told, and remembers what it was asked."""

    model = "told/1"
    prompt = "p1"

    def __init__(self, *claims: Claim, answer: Callable[[Question], Answer] | None = None) -> None:
        self.claims, self.answer, self.asked = list(claims), answer, []

    def __call__(self, questions: Sequence[Question]) -> list[Answer]:
        self.asked += questions
        if self.answer:
            return [self.answer(q) for q in questions]
        return [Answer(key=q.key, value=Claims(claims=self.claims)) for q in questions]


def topic(turns: Sequence[Turn], context: Sequence[Turn] = (), ordinal: int = 0) -> Topic:
    keys = [t.msg_key for t in turns]
    return Topic(
        topic_id=make_id("top", keys),
        owner="u-ana",
        session_id=turns[0].session_id,
        ordinal=ordinal,
        msg_keys=keys,
        context_keys=[t.msg_key for t in context],
        n_tokens=10,
    )


def run(turns: Sequence[Turn], ask: Any, *, context: Sequence[Turn] = (), **more: Any) -> Extracted:
    rules = more.pop("rules", ExtractRules())
    owner = more.pop("owner", Owner(id="u-ana", names=("Ana Prado",), zone="Europe/Lisbon"))
    frame = rows_to_frame(Turn, [*context, *turns])
    return extract(rows_to_frame(Topic, [topic(turns, context)]), frame, rules=rules, owner=owner, ask=ask)


def claim(lines: list[int] | int = 1, **more: Any) -> Claim:
    return Claim(
        **{"kind": Kind.SEMANTIC_FACT, "subject": "user", "lines": [lines] if isinstance(lines, int) else lines, **more}
    )


def reasons(made: Extracted) -> list[tuple[str, str]]:
    return sorted((d["action"], d["reason"]) for d in made.decisions.to_dicts())


def test_a_claim_rests_on_the_very_words_of_its_line() -> None:
    said = turn("Hi there! I keep bees in Brno. It is fun.")
    row = run([said], Told(claim(2))).claims.to_dicts()[0]
    spot = row["evidence"][0]
    assert said.text[spot["start"] : spot["end"]] == spot["quote"] == row["text"] == "I keep bees in Brno."
    assert (spot["source_id"], spot["message_id"]) == (said.msg_key, said.message_id)
    assert row["writer"] == {"stage": "extract", "model": "told/1", "prompt": "p1"}


def test_neighbouring_lines_of_one_message_are_one_span_and_other_lines_are_not() -> None:
    said = turn("I keep bees. They live in Brno. It rained. They are Carniolan.")
    row = run([said], Told(claim([4, 1, 2]))).claims.to_dicts()[0]
    assert [e["quote"] for e in row["evidence"]] == ["I keep bees. They live in Brno.", "They are Carniolan."]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (claim(9), "no_such_line"),
        (claim(1), "not_evidence"),
        (claim(3), "untrusted_origin"),
        (claim(4, kind=Kind.PREFERENCE), "untrusted_origin"),
        (claim(4, kind=Kind.ROUTINE), "untrusted_origin"),
        (claim(2, statement="The user keeps 40 bees in Brno."), "invented_number"),
        (claim(2, statement="The user keeps seven bees in Brno."), "invented_number"),
        (claim(2, statement="The user keeps bees with Otilia in Brno."), "invented_name"),
        (claim(2, statement="Otilia keeps bees in Brno."), "invented_name"),
        (claim(2, statement="The user keeps bees in Brno since March."), "invented_name"),
        (claim(2, statement="The user keeps bees with otilia in Brno."), "invented_word"),
        (claim(2, statement="The user keeps no bees in Brno."), "invented_negation"),
        (claim(2, statement="The user breeds rare orchids somewhere near mountains."), "not_covered"),
        (claim(2, value="carniolan honey"), "not_covered"),
        (claim(2, subject="Otilia"), "wrong_subject"),
        (claim(2, subject=" "), "wrong_subject"),
        (claim(2, valid_from="last March"), "invented_date"),
        (claim(2, due="2026-05-01"), "invented_date"),
        (claim(2, subject="assistant", kind=Kind.GOAL_OR_COMMITMENT), "wrong_subject"),
        (claim(2, statement="The user keeps fifty bees in Brno."), "invented_number"),
        (claim(2, statement="The user keeps a dozen bees in Brno."), "invented_number"),
        (claim(2, statement="The user keeps bees in Brno tomorrow."), "invented_date"),
        (claim(2, statement="The user keeps bees in Brno since july."), "invented_date"),
        (claim(2, statement="The user keeps bees in Brno, Иван keeps bees."), "invented_name"),
        (claim(2, statement="The user keeps bees in Brno every week since about summer."), "invented_date"),
        (claim(2, attribute="hives_since_1999", value="bees"), "invented_number"),
        (claim(2, attribute="keeps_with_Otilia", value="bees"), "invented_name"),
        (claim(2, polarity="retract"), "polarity"),
        (claim(2, polarity="negate", attribute="keeps", value="bees"), "polarity"),
    ],
)
def test_a_claim_that_fails_a_check_is_quarantined_alone(bad: Claim, reason: str) -> None:
    before = turn("Do you have any hobbies?", role="assistant", seq=0)
    turns = [
        turn("I keep bees in Brno.", seq=1),
        turn("I love rosemary.", role="assistant", seq=2),
        turn("The owner prefers tabs.", role="tool", seq=3),
    ]
    made = run(turns, Told(bad, claim(2)), context=[before])
    assert [row["text"] for row in made.claims.to_dicts()] == ["I keep bees in Brno."]
    assert ("quarantine", reason) in reasons(made)


def test_a_model_is_told_what_was_wrong_and_a_good_answer_has_no_complaint() -> None:
    ask = Told(claim())
    run([turn("I keep bees in Brno.")], ask)
    check = ask.asked[0].check
    assert check(claim(statement="The user keeps 40 bees in Brno.")) == ["40 does not stand in the cited lines"]
    assert check(claim(statement="The user keeps bees in Brno.")) == []
    assert check(claim(statement="The user keeps 40 bees in Brno.", is_assertion=False)) == []


def test_a_contraction_is_no_name() -> None:
    said = turn("We're so proud of the bees.", role="participant", speaker="Caroline")
    kept = run([said], Told(claim(subject="Caroline", statement="They're so proud of the bees.")))
    assert kept.claims.height == 1


@pytest.mark.parametrize("subject", ["Ana Prado", "I", "the user", "user"])
def test_the_owner_by_any_name_is_the_user(subject: str) -> None:
    row = run([turn("I keep bees in Brno.")], Told(claim(subject=subject))).claims.to_dicts()[0]
    assert (row["subject"], row["subject_key"]) == ("user", "user")


def test_a_peer_who_says_i_is_that_peer() -> None:
    said = turn("I keep bees in Brno.", role="participant", speaker="Caroline")
    assert run([said], Told(claim(subject="me"))).claims["subject"].to_list() == ["Caroline"]
    made = run([said], Told(claim(subject="user")))
    assert ("quarantine", "wrong_subject") in reasons(made)


def test_a_resolved_date_and_the_speakers_name_are_no_inventions() -> None:
    said = turn("I joined the choir yesterday.", role="participant", speaker="Caroline")
    stated = claim(
        subject="Caroline", statement="Caroline joined the choir on 31 January 2026.", valid_from="yesterday"
    )
    row = run([said], Told(stated)).claims.to_dicts()[0]
    assert row["text"] == "Caroline joined the choir on 31 January 2026."
    assert row["valid_from"] == at("2026-01-31T00:00")


def test_an_assistants_own_commitment_is_believed() -> None:
    said = turn("I'll send the list by Friday.", role="assistant")
    promise = claim(subject="assistant", kind=Kind.GOAL_OR_COMMITMENT, due="Friday")
    row = run([said], Told(promise)).claims.to_dicts()[0]
    assert row["due_at"] == at("2026-02-06T23:59:59")
    assert row["text"] == "Assistant: I'll send the list by Friday 6 February 2026."


def test_what_is_no_assertion_is_dropped_and_its_turn_accounted_for() -> None:
    made = run([turn("If I moved to Oslo I would sail.")], Told(claim(is_assertion=False)))
    assert made.claims.is_empty()
    assert reasons(made) == [("drop", "no_claim"), ("drop", "not_asserted")]


def test_a_deferred_topic_leaves_every_message_for_another_night() -> None:
    turns = [turn("I keep bees."), turn("And hens.", seq=1)]
    late = Told(answer=lambda q: Answer(key=q.key, value=None, refusal="rate_limited", is_deferred=True))
    made = run(turns, late)
    assert {d["item_id"] for d in made.decisions.to_dicts()} == {t.msg_key for t in turns}
    assert reasons(made) == [("defer", "rate_limited")] * 2
    refused = Told(answer=lambda q: Answer(key=q.key, value=None, refusal="refused"))
    assert reasons(run(turns, refused)) == [("reject", "refused")] * 2


def test_a_due_day_ends_with_the_speakers_day_and_an_hour_is_an_hour() -> None:
    said = turn("I'll file it tomorrow. The call is tomorrow at 17:30.", said="2026-03-12T19:15", offset_minutes=780)
    first, second = claim(1, due="tomorrow"), claim(2, due="tomorrow")
    rows = {row["text"][:4]: row for row in run([said], Told(first, second)).claims.to_dicts()}
    assert rows["I'll"]["due_at"] == at("2026-03-14T10:59:59")
    assert rows["The "]["due_at"] == at("2026-03-14T04:30")


def test_what_is_due_before_a_month_is_due_when_the_month_before_it_ends() -> None:
    said = turn("I'll translate the brochure before April.", said="2026-03-02T10:00")
    row = run([said], Told(claim(kind=Kind.GOAL_OR_COMMITMENT, due="April"))).claims.to_dicts()[0]
    assert row["due_at"] == at("2026-03-31T22:59:59")


@pytest.mark.parametrize(
    ("said", "attribute"),
    [
        ("The contract for Marta still lies on my desk.", None),
        ("The contract isn't signed yet.", None),
        ("The contract was sent to Marta.", "done"),
        ("Pip, tick it off.", "done"),
    ],
)
def test_a_model_closes_nothing_that_no_line_calls_done(said: str, attribute: str | None) -> None:
    row = run([turn(said)], Told(claim(attribute="done"))).claims.to_dicts()[0]
    assert row["attribute"] == attribute


def test_vague_dates_stay_vague_and_until_a_month_ends_where_it_begins() -> None:
    said = turn("Last month we froze the API until June.", said="2026-04-01T10:00")
    row = run([said], Told(claim(valid_from="Last month", valid_to="June"))).claims.to_dicts()[0]
    assert (row["valid_from"], row["valid_precision"]) == (at("2026-03-01T00:00"), Precision.MONTH)
    assert row["valid_to"] == at("2026-06-01T00:00")
    assert row["text"] == "In March 2026 we froze the API until June 2026."


def test_what_a_claim_answers_is_context_and_so_is_the_picture() -> None:
    asked = turn("How long have you been married?", role="participant", speaker="Ana", seq=0)
    told = turn("Five years! I love this dress.", role="participant", speaker="Mel", seq=1, caption="a bride in white")
    row = run([asked, told], Told(claim(2, subject="Mel"))).claims.to_dicts()[0]
    assert row["context"] == "How long have you been married? a bride in white"
    assert "married" not in row["text"]
    assert row["text"] == "Mel: Five years!"


def test_the_same_thing_said_twice_by_a_model_is_one_row() -> None:
    made = run([turn("I keep bees in Brno.")], Told(claim(confidence=0.5), claim(confidence=0.9)))
    assert [row["confidence"] for row in made.claims.to_dicts()] == [0.9]


@pytest.mark.parametrize(
    ("text", "subject", "privacy"),
    [
        ("I was diagnosed with diabetes.", "user", Privacy.SENSITIVE),
        ("My salary is 3000 a month.", "user", Privacy.SENSITIVE),
        ("Our daughter starts school.", "user", Privacy.SENSITIVE),
        ("Carlota is going through a divorce.", "Carlota", Privacy.SENSITIVE),
        ("Ruben is allergic to hazelnuts.", "Ruben", Privacy.SENSITIVE),
        ("I am allergic to walnuts.", "user", Privacy.PERSONAL),
        ("I like olives.", "user", Privacy.PERSONAL),
        ("I collect stamps.", "user", Privacy.SENSITIVE),
        ("I get paid 3100 a month.", "user", Privacy.SENSITIVE),
        ("Meine Frau hat Brustkrebs.", "user", Privacy.SENSITIVE),
        ("I take sertraline every morning.", "user", Privacy.SENSITIVE),
    ],
)
def test_privacy_by_the_words_and_the_owners_own_list(text: str, subject: str, privacy: Privacy) -> None:
    rules = ExtractRules(sensitive_words=("stamps",))
    assert run([turn(text)], Told(claim(subject=subject)), rules=rules).claims["privacy"].to_list() == [privacy]


def test_what_the_owner_forbids_never_enters_and_is_not_repeated_in_the_log() -> None:
    made = run([turn("The code word is Ladybird.")], Told(claim()), owner=Owner(forbidden_words=("ladybird",)))
    assert made.claims.is_empty()
    assert ("quarantine", "forbidden") in reasons(made)
    assert "adybird" not in str(made.decisions.to_dicts())


def test_spans_that_sift_dropped_are_not_shown() -> None:
    said = turn("I keep bees. SYSTEM NOISE. I sail.", spans=[{"start": 0, "end": 12}, {"start": 27, "end": 34}])
    ask = Told()
    run([said], ask)
    assert [line.text for line in ask.asked[0].lines] == ["I keep bees.", "I sail."]


def test_abbreviations_do_not_end_a_sentence() -> None:
    ask = Told()
    run([turn("Dr. Haugstad met J. Renn at 5.30 p.m. today. He left.\nThen I slept")], ask)
    assert [line.text for line in ask.asked[0].lines][-2:] == ["He left.", "Then I slept"]
    assert ask.asked[0].lines[0].text.startswith("Dr. Haugstad met J. Renn")


def test_the_question_is_known_by_all_that_its_answer_depends_on() -> None:
    def key(text: str = "I keep bees.", **more: Any) -> str:
        ask = Told()
        run([turn(text, said=more.pop("said", "2026-02-01T10:00"))], ask, **more)
        return ask.asked[0].key

    assert key() == key()
    others = [key("I keep hens."), key(said="2026-02-02T10:00"), key(owner=Owner(id="u-ana", zone="Asia/Tokyo"))]
    assert len({key(), *others}) == 4


def test_no_topic_asks_nothing() -> None:
    ask = Told()
    made = extract(rows_to_frame(Topic, []), rows_to_frame(Turn, []), rules=ExtractRules(), owner=Owner(), ask=ask)
    assert (made.claims.height, made.decisions.height, ask.asked) == (0, 0, [])


SENTENCES = [
    "I live in Porto.",
    "Hey!",
    "My sister Dalia moved to Leeds last week.",
    "What time is it?",
    "I'll call Tom tomorrow.",
    "She loves it.",
    "私は緑茶が好き。",
    "Never merge on Fridays.",
    "Thanks, that's great.",
]


NAMES = st.from_regex(r"[A-Z][b-df-hj-np-tv-z]{3,8}", fullmatch=True)


@settings(max_examples=100, deadline=None)
@given(planted=NAMES | st.integers(13, 10**9).map(str), at=st.integers(0, 6))
def test_no_planted_name_or_number_is_ever_stored(planted: str, at: int) -> None:
    words = ["The", "user", "keeps", "bees", "in", "Brno"]
    statement = " ".join([*words[:at], planted, *words[at:]]) + "."
    made = run([turn("I keep bees in Brno.")], Told(claim(statement=statement)))
    assert made.claims.is_empty(), statement


def test_a_verb_in_another_form_is_no_invention() -> None:
    assert not run(
        [turn("I teach chemistry in Brno.")], Told(claim(statement="Teaches chemistry in Brno."))
    ).claims.is_empty()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["user", "participant", "assistant", "tool"]),
            st.lists(st.sampled_from(SENTENCES) | st.text(max_size=40), max_size=3),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_every_turn_is_cited_or_decided_on_and_every_quote_is_verbatim(said: list[tuple[str, list[str]]]) -> None:
    turns = [turn(" ".join(parts), role=role, seq=i) for i, (role, parts) in enumerate(said)]
    made = run(turns, Offline())
    texts = {t.msg_key: t.text for t in turns}
    cited = {e["source_id"] for row in made.claims.to_dicts() for e in row["evidence"]}
    decided = {d["item_id"] for d in made.decisions.to_dicts()}
    assert set(texts) <= cited | decided
    for row in made.claims.to_dicts():
        assert row["text"].strip()
        for e in row["evidence"]:
            assert texts[e["source_id"]][e["start"] : e["end"]] == e["quote"] != ""
    assert not [d for d in made.decisions.to_dicts() if d["action"] == "quarantine"], made.decisions.to_dicts()


def test_the_order_of_the_tables_does_not_matter() -> None:
    turns = [turn(text, seq=i) for i, text in enumerate(SENTENCES)]
    topics = [topic(turns[:4]), topic(turns[4:], turns[2:4], 1)]
    owner, rules = Owner(id="u-ana"), ExtractRules()
    one = extract(rows_to_frame(Topic, topics), rows_to_frame(Turn, turns), rules=rules, owner=owner, ask=Offline())
    frame = rows_to_frame(Turn, turns).reverse()
    two = extract(rows_to_frame(Topic, topics).reverse(), frame, rules=rules, owner=owner, ask=Offline())
    assert one.claims.equals(two.claims)
    assert one.decisions.equals(two.decisions)


def test_whom_a_sentence_is_said_to_is_not_part_of_it() -> None:
    told = [turn("Kob, we rewrite the stock page.", seq=0), turn("Right away.", seq=1, role="assistant", speaker="Kob")]
    (text,) = run(told, Told(claim(1))).claims.get_column("text")
    assert text == "We rewrite the stock page."
    (other,) = run([turn("Ada, we rewrite it.", seq=0)], Told(claim(1))).claims.get_column("text")
    assert other == "Ada, we rewrite it."


def windowed(*topics: Topic) -> list[Topic]:
    return [t.model_copy(update={"window": "win_1", "place": place}) for place, t in enumerate(topics)]


def run_topics(topics: Sequence[Topic], turns: Sequence[Turn], ask: Any, **more: Any) -> Extracted:
    owner = more.pop("owner", Owner(id="u-ana"))
    return extract(
        rows_to_frame(Topic, topics), rows_to_frame(Turn, turns), rules=ExtractRules(), owner=owner, ask=ask, **more
    )


def test_topics_of_one_window_are_one_question_with_every_line_once() -> None:
    first = [turn(f"I said {n}.", seq=n) for n in range(3)]
    second = [turn(f"I told {n}.", seq=n, session="s2") for n in range(2)]
    earlier = turn("Before.", seq=0, session="s2", message_id="b")
    topics = windowed(topic(first[:2]), topic(first[2:], first[:2], 1), topic(second, [earlier]))
    ask = Told()
    run_topics(topics, [*first, *second, earlier], ask)
    (question,) = ask.asked
    lines = [(line.number, line.text, line.session, line.is_evidence) for line in question.lines]
    assert lines == [
        (1, "I said 0.", 0, True),
        (2, "I said 1.", 0, True),
        (3, "I said 2.", 0, True),
        (4, "Before.", 1, False),
        (5, "I told 0.", 1, True),
        (6, "I told 1.", 1, True),
    ]


def test_a_window_without_an_answer_defers_its_own_messages_alone() -> None:
    turns = [turn("I live in Porto.", session=f"s{n}", message_id=f"m{n}") for n in range(3)]
    one, two, three = (topic([t]) for t in turns)

    def answer(question: Question) -> Answer:
        if len(question.lines) > 1:
            return Answer(question.key, None, "timed_out", is_deferred=True)
        return Answer(question.key, Claims(claims=[claim(1)]))

    made = run_topics([*windowed(one, two), three], turns, Told(answer=answer))
    deferred = {d["item_id"] for d in made.decisions.to_dicts() if d["action"] == "defer"}
    assert deferred == {turns[0].msg_key, turns[1].msg_key}
    assert [e["source_id"] for row in made.claims.to_dicts() for e in row["evidence"]] == [turns[2].msg_key]


def test_context_names_and_subjects_never_cross_a_session() -> None:
    asked = turn("Where does Zita live, Kob?", session="s1", role="participant", speaker="Mia")
    said = turn("Kob, in Porto I feel at home.", session="s2", message_id="m9", role="participant", speaker="Ada")
    heard = turn("Right.", session="s1", seq=1, role="participant", speaker="Kob")
    topics = windowed(topic([asked, heard]), topic([said]))
    made = run_topics(topics, [asked, heard, said], Told(claim(3, subject="Ada")))
    (row,) = made.claims.to_dicts()
    assert row["context"] == ""
    assert row["text"].startswith("Ada: Kob, in Porto"), "whoever spoke elsewhere is not whom this is said to"
    alien = run_topics(topics, [asked, heard, said], Told(claim(3, subject="Zita")))
    assert alien.decisions.filter(action="quarantine")["reason"].to_list() == ["wrong_subject"]


def test_rules_say_the_same_of_sessions_together_as_of_each_alone() -> None:
    first = [
        turn("My sister Dalia lives in Leeds.", session="s1", message_id="a"),
        turn("Do you like it there?", session="s1", seq=1, role="assistant", message_id="b"),
    ]
    second = [
        turn("She bought a boat in May.", session="s2", message_id="c"),
        turn("Yes, every Monday I row on the Douro.", session="s2", seq=1, message_id="d"),
    ]
    topics = [topic(first), topic(second)]
    apart = run_topics(topics, [*first, *second], Offline())
    together = run_topics(windowed(*topics), [*first, *second], Offline())
    assert together.claims.equals(apart.claims)
    assert apart.claims.height >= 2
