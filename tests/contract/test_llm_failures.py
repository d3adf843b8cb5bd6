"""A model's server that misbehaves in every way it can: failure is not emptiness, and each has one owner for retries."""

from __future__ import annotations

import json
import time

import pytest

from adapters.llm import Patience, open_model
from models.ask import Line
from models.claim import Claim, Claims
from tests.contract import loopback as lb
from tests.contract.asking import cited, opened, question, six

# Failure is not emptiness


@pytest.mark.parametrize(
    ("behave", "reason", "calls"),
    [
        (lb.refusing, "refused", 1),
        (lb.filtering, "refused", 1),
        (lb.babbling, "invalid_answer", 2),
        (lambda _: lb.saying(lb.claim(1, kind="horoscope")), "invalid_answer", 2),
        (lambda _: lb.Reply("{}", finish="length"), "truncated", 1),
        (lambda _: lb.Reply(raw="<html>gateway</html>"), "server_error", 3),
        (lambda _: lb.Reply(raw="<html>gateway</html>", content_type="text/html"), "server_error", 3),
        (lambda _: lb.Reply(raw=b"\x00\xff\xfe" * 50), "server_error", 3),
        (lambda _: lb.saying(lb.claim(1), reset=True), "server_error", 3),
        (lambda _: lb.Reply('{"rows": [["1", "fact", "\\ud800"]]}'), "invalid_answer", 2),
        (lambda _: lb.Reply("\ufffd\u202e\u0000 garbage"), "invalid_answer", 2),
        (lambda _: lb.Reply("[" * 5000), "invalid_answer", 2),
        (lambda _: lb.saying(*[lb.claim(1, statement="x" * 900)] * 100), "invalid_answer", 2),
        (lambda _: lb.saying([]), "invalid_answer", 2),
        (lambda _: lb.saying(lb.claim("1-400000")), "invalid_answer", 2),
        (lambda _: lb.Reply(drop=True), "server_error", 3),
        (lb.failing(500), "server_error", 3),
        (lb.failing(503), "server_error", 3),
        (lb.failing(429), "rate_limited", 3),
        (lb.failing(400), "request_rejected", 1),
        (lb.failing(401), "not_authorised", 1),
        (lb.failing(404), "not_authorised", 1),
    ],
)
def test_what_cannot_be_answered_is_deferred_with_its_reason(server, tmp_path, behave, reason, calls):
    server.behave = behave
    (answer,) = opened(server, tmp_path)([question()])
    assert (answer.value, answer.refusal, answer.is_deferred) == (None, reason, True)
    assert len(server.requests) == answer.usage.calls == calls
    server.behave = lb.diligent
    (later,) = opened(server, tmp_path)([question()])
    assert cited(later.value) == [1], "a deferral is never remembered as an answer"


def test_a_slow_server_times_out(server):
    server.behave = lambda _: lb.saying(delay_seconds=1.5)
    (answer,) = opened(server, timeout_seconds=0.3, patience=Patience(max_attempts=2))([question()])
    assert (answer.refusal, answer.is_deferred, answer.usage.calls) == ("timed_out", True, 2)


def test_a_server_that_drips_times_out_and_never_has_more_in_flight_than_allowed(server):
    server.behave = lambda _: lb.saying(drip_seconds=0.1)
    asked = [question(f"I own {n} cats.") for n in range(3)]
    began = time.monotonic()
    answers = opened(server, timeout_seconds=0.5, max_concurrency=2, patience=Patience(max_attempts=1))(asked)
    assert time.monotonic() - began < 20, "each byte of a drip would begin a client's own time-out anew"
    assert {(a.value, a.refusal, a.is_deferred) for a in answers} == {(None, "timed_out", True)}
    assert server.most_in_flight <= 2


def test_a_row_that_is_none_takes_no_other_down(server):
    server.behave = lambda _: lb.saying(lb.claim(1), ["2", "prophecy", "user"], lb.claim(3))
    (answer,) = opened(server)([six()])
    assert cited(answer.value) == [1, 3]
    assert answer.value is not None
    assert answer.value.malformed[0].startswith('row 2, ["2", "prophecy", "user"]: kind must be one of constraint')
    assert "- row 2" in server.requests[1].messages[-1]["content"]
    assert len(server.requests) == 2


def test_only_what_was_wrong_is_asked_for_again_and_what_was_right_is_kept(server):
    wrong, right = lb.claim(99), lb.claim(4, attribute="put_right")
    server.behave = lb.in_turn(lambda _: lb.saying(lb.claim(1), wrong, lb.claim(3)), lambda _: lb.saying(right))
    (answer,) = opened(server)([question(check=lambda claim: ["no such line"] if 99 in claim.lines else [])])
    assert cited(answer.value) == [1, 3, 4]
    told = server.requests[1].messages[-1]["content"]
    assert told.splitlines() == [
        "Some rows cannot be used as they are:",
        "- user on line 99: no such line",
        "Answer with those rows alone, put right; leave out what cannot be.",
    ]


def test_only_the_lines_about_wrong_rows_are_sent_again(server):
    asked = question(*(f"Fact number {n} about me." for n in range(1, 21)), check=lambda c: ["no"] if c.value else [])
    wrong = lb.claim(9, attribute="number", value="90")
    behave = [lambda _: lb.saying(lb.claim(1), wrong, lb.claim(20)), lambda _: lb.saying(lb.claim(9))]
    server.behave = lb.in_turn(*behave)
    (answer,) = opened(server)([asked])
    assert cited(answer.value) == [1, 20, 9]
    first, second = server.requests
    assert [number for number, _ in first.lines] == list(range(1, 21))
    assert [number for number, _ in second.lines] == [7, 8, 9, 10, 11]
    assert json.loads(second.messages[2]["content"]) == {"rows": [wrong]}
    assert first.messages[0] == second.messages[0]


@pytest.mark.parametrize(
    ("behave", "why"),
    [(lb.failing(500), "server_error"), (lb.failing(429, Retry_After="3600"), "rate_limited")],
)
def test_what_could_not_be_asked_once_more_waits_and_what_was_right_does_not(server, tmp_path, behave, why):
    said = [Line(n, "user", "user", f"Fact number {n} about me.", msg_key=f"m{n}") for n in range(1, 9)]
    asked = question(lines=tuple(said), key="q", check=lambda c: ["no"] if c.value else [])
    rows = [lb.claim(1), lb.claim(4, attribute="number", value="90"), lb.claim(8)]
    server.behave = lb.in_turn(lambda _: lb.saying(*rows), *[behave] * 3)
    (answer,) = opened(server, tmp_path)([asked])
    assert (cited(answer.value), answer.late, answer.is_deferred) == ([1, 4, 8], {"m4": why}, False)
    n_before = len(server.requests)
    server.behave = lambda _: lb.saying(lb.claim(4))
    (later,) = opened(server, tmp_path)([asked])
    assert (cited(later.value), dict(later.late)) == ([1, 8, 4], {})
    assert len(server.requests) == n_before + 1, "the first answer had arrived, and is not paid for twice"


def test_a_ceiling_between_two_requests_puts_off_what_the_second_was_about(server, tmp_path):
    said = [Line(n, "user", "user", f"Fact number {n} about me.", msg_key=f"m{n}") for n in range(1, 9)]
    asked = question(lines=tuple(said), key="q", check=lambda c: ["no"] if c.value else [])
    server.behave = lambda _: lb.saying(lb.claim(1), lb.claim(4, attribute="number", value="90"))
    outcomes = set()
    for tokens in range(4_000, 14_000, 500):
        (answer,) = opened(server, tmp_path / str(tokens), tokens=tokens)([asked])
        outcomes.add((answer.value is None, answer.refusal, tuple(answer.late.values())))
    assert outcomes == {(True, "over_budget", ()), (False, None, ("over_budget",)), (False, None, ())}


def test_a_model_that_says_again_what_was_right_in_other_words_says_it_once(server):
    asked = question(*(f"Fact number {n} about me." for n in range(1, 9)), check=lambda c: ["no"] if c.value else [])
    rows = [lb.claim(3), lb.claim(4, attribute="number", value="90"), lb.claim(5)]
    again = [lb.claim(3, statement="The third."), lb.claim(4), lb.claim(5, statement="The fifth.")]
    server.behave = lb.in_turn(lambda _: lb.saying(*rows), lambda _: lb.saying(*again))
    (answer,) = opened(server)([asked])
    assert answer.value is not None
    assert [(c.lines, c.statement, c.value) for c in answer.value.claims] == [
        ([3], None, None),
        ([5], None, None),
        ([4], None, None),
    ]


def test_a_wrong_row_that_the_second_answer_says_nothing_of_is_judged_as_it_was(server):
    asked = question(*(f"Fact number {n} about me." for n in range(1, 9)), check=lambda c: ["no"] if c.value else [])
    rows = [lb.claim(n, attribute="number", value="90") for n in (2, 4, 6)]
    server.behave = lb.in_turn(lambda _: lb.saying(*rows), lambda _: lb.saying(lb.claim(4)))
    (answer,) = opened(server)([asked])
    assert answer.value is not None
    assert [(c.lines, c.value) for c in answer.value.claims] == [([4], None), ([2], "90"), ([6], "90")]


def test_what_is_too_long_is_not_sent_back(server):
    server.behave = lb.in_turn(lambda _: lb.saying(*[lb.claim(1, statement="x" * 900)] * 100), lb.diligent)
    (answer,) = opened(server)([question()])
    assert cited(answer.value) == [1]
    assert len(str(server.requests[1].messages[2:])) < 1000


def test_a_dead_server_defers_all_without_asking_for_each(naps):
    with lb.Loopback() as gone:
        base = gone.api_base
    ask = open_model("openai/tiny", api_base=base, max_concurrency=1, sleep=naps.append)
    answers = ask([question(f"I own {n} cats.") for n in range(20)])
    assert {(a.refusal, a.is_deferred) for a in answers} == {("unreachable", True)}
    assert sum(answer.usage.calls for answer in answers) == 3
    assert naps == [0.5, 2.0]


def test_one_bad_question_does_not_take_the_others_down(server):
    server.behave = lambda r: lb.refusing(r) if "bomb" in r.lines[0][1] else lb.diligent(r)

    def explode(_: Claim) -> list[str]:
        raise RuntimeError

    asked = [question("I swim."), question("the bomb"), question("I run.", check=explode), question("I cycle.")]
    answers = opened(server)(asked)
    assert [answer.value is not None for answer in answers] == [True, False, False, True]
    assert [answer.refusal for answer in answers] == [None, "refused", "failed: RuntimeError", None]


def test_retry_after_is_honoured_and_bounded(server, naps):
    server.behave = lb.in_turn(lb.failing(429, Retry_After="7"), lb.failing(429, Retry_After="0.25"), lb.diligent)
    (answer,) = opened(server, sleep=naps.append)([question()])
    assert cited(answer.value) == [1]
    assert naps == [7.0, 0.25]
    assert answer.usage.calls == 3
    server.behave = lb.failing(429, Retry_After="3600")
    (late,) = opened(server, sleep=naps.append)([question()])
    assert (late.refusal, late.usage.calls) == ("rate_limited", 1)
    assert len(naps) == 2, "an hour is another night's business"


def test_what_passes_by_itself_is_tried_again(server, naps):
    server.behave = lb.in_turn(lb.failing(500), lambda _: lb.Reply(drop=True), lb.diligent)
    (answer,) = opened(server, sleep=naps.append)([question()])
    assert cited(answer.value) == [1]
    assert naps == [0.5, 2.0]


def test_a_truncated_answer_splits_the_lines_and_never_grows_the_prompt(server, tmp_path):
    server.behave = lb.truncating_over(4)
    asked = question(*(f"Fact number {n} about me." for n in range(12)))
    (answer,) = opened(server, tmp_path)([asked])
    assert cited(answer.value) == list(range(1, 13))
    sizes = [len(r.messages[1]["content"]) for r in server.requests]
    assert max(sizes) == sizes[0]
    assert {r.body["max_tokens"] for r in server.requests} == {4000}
    assert "[-] user: Fact number 5 about me." in server.requests[-1].messages[1]["content"] or len(sizes) == 7
    before = len(server.requests)
    (again,) = opened(server, tmp_path)([asked])
    assert (again.value, len(server.requests)) == (answer.value, before)


def test_splitting_is_bounded_and_the_rest_waits_with_its_reason(server, tmp_path):
    server.behave = lb.truncating_over(0)
    asked = question(*(f"Fact number {n} about me." for n in range(64)))
    (answer,) = opened(server, tmp_path)([asked])
    assert (answer.refusal, answer.is_deferred, answer.value) == ("truncated", True, None)
    assert answer.usage.calls == len(server.requests) == 3, (
        "whole, half, quarter: what follows a part that waits is not asked"
    )
    server.behave = lb.diligent
    (later,) = opened(server, tmp_path)([asked])
    assert cited(later.value) == list(range(1, 65)), "another night goes on from the parts"
    (unsplit,) = opened(server, patience=Patience(max_splits=0))([asked])
    assert unsplit.usage.calls == 1


def test_a_model_that_always_truncates_stops_the_batch(server):
    server.behave = lb.truncating_over(0)
    many = [question(*(f"Fact {n} of {q}." for n in range(16)), key=f"q{q}") for q in range(40)]
    answers = opened(server, max_concurrency=1)(many)
    assert {(a.refusal, a.is_deferred) for a in answers} == {("truncated", True)}
    assert len(server.requests) == 9, "three questions to their smallest part, then no more"


def test_an_answer_that_is_not_json_is_asked_for_once_more_with_what_was_wrong(server):
    server.behave = lb.in_turn(lb.babbling, lb.diligent)
    (answer,) = opened(server)([question()])
    assert cited(answer.value) == [1]
    roles = [m["role"] for m in server.requests[1].messages]
    assert roles == ["system", "user", "assistant", "user"]
    assert "JSON" in server.requests[1].messages[-1]["content"]
    assert answer.usage.calls == 2


def test_an_empty_list_for_a_rich_topic_is_asked_once_more(server, tmp_path):
    server.behave = lb.in_turn(lb.silent, lb.diligent)
    (answer,) = opened(server)([six()])
    assert cited(answer.value) == [1, 2, 3, 4, 5, 6]
    server.behave = lb.silent
    (empty,) = opened(server, tmp_path)([six()])
    assert (empty.value, empty.is_deferred, empty.usage.calls) == (Claims(), False, 2)
    (poor,) = opened(server)([question("Hm.")])
    assert (poor.value, poor.usage.calls) == (Claims(), 1)
    assert opened(server, tmp_path)([six()])[0].usage.calls == 0


def test_an_empty_answer_whose_second_asking_fails_is_deferred(server):
    server.behave = lb.in_turn(lb.silent, lb.failing(500))
    (answer,) = opened(server)([six()])
    assert (answer.value, answer.refusal, answer.is_deferred) == (None, "server_error", True)


# Checks in code, one re-ask


def test_a_complaint_is_told_once_and_the_better_answer_taken(server):
    server.behave = lb.in_turn(lambda _: lb.saying(lb.claim(99)), lb.diligent)

    def check(claim: Claim) -> list[str]:
        return [f"line {n} does not exist" for n in claim.lines if n > 1]

    (answer,) = opened(server)([question(check=check)])
    assert cited(answer.value) == [1]
    assert "- user on line 99: line 99 does not exist" in server.requests[1].messages[-1]["content"]


def test_an_answer_that_stays_faulty_is_handed_on_for_its_claims_to_be_judged_one_by_one(server, tmp_path):
    server.behave = lambda _: lb.saying(lb.claim(1), lb.claim(99))
    asked = question(check=lambda claim: ["line 99 does not exist"])
    (answer,) = opened(server, tmp_path)([asked])
    assert cited(answer.value) == [1, 99]
    assert len(server.requests) == 2
    assert opened(server, tmp_path)([asked])[0] == opened(server, tmp_path)([asked])[0]
    assert len(server.requests) == 2


def test_a_faulty_answer_outlives_a_second_one_that_says_nothing_and_waits_where_it_fails(server):
    asked = question(check=lambda claim: ["line 99"])
    faulty = lb.saying(lb.claim(1), lb.claim(99))
    server.behave = lb.in_turn(lambda _: faulty, lb.silent)
    (answer,) = opened(server)([asked])
    assert cited(answer.value) == [1, 99]
    server.behave = lb.in_turn(lambda _: faulty, *[lb.failing(500)] * 3)
    (answer,) = opened(server)([asked])
    assert (answer.value, answer.refusal, answer.is_deferred) == (None, "server_error", True)
