"""Questions in batches of both shapes: half the price, one file, and what a batch doesn't answer is asked singly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.llm import Books, Limits, ModelAsk, Terms, open_model
from models.ask import Question
from models.claim import Claim
from slowwave.errors import ModelError, UsageError
from tests.contract import loopback as lb
from tests.contract.asking import cited, question
from tests.contract.batches import READ, WRITTEN, Server

MODELS = {"openai": "openai/tiny", "anthropic": "anthropic/tiny"}


@pytest.fixture(params=["openai", "anthropic"])
def server(request) -> Iterator[Server]:
    with Server(request.param) as running:
        yield running


def opened(
    server: Server, store: Path | None = None, *, tokens: int | None = None, run: str = "night-1", **terms
) -> ModelAsk:
    books = Books(Limits(night=(tokens, None)))
    if store:
        books.open(store, run, "2026-11")
    model = MODELS[server.shape]
    timeout, is_off = terms.pop("timeout_seconds", 5.0), terms.pop("is_off", False)
    return open_model(
        model,
        api_base=server.api_base,
        api_key="key",
        allowed=(model,),
        cache=store / "answers" if store else None,
        notes=store / "batches" if store else None,
        books=books,
        prices=(1e6, 1e6),
        batch=None if is_off else Terms(**terms),
        timeout_seconds=timeout,
        max_output_tokens=400,
        sleep=lambda _: None,
    )


def some(n: int = 4) -> list[Question]:
    return [question(f"I own {i} cats.") for i in range(n)]


def test_questions_go_out_in_one_batch_at_half_the_price(server, tmp_path):
    ask = opened(server, tmp_path)
    answers = ask(some())
    assert [cited(a.value) for a in answers] == [[1]] * 4
    assert (server.paid["batch"], server.paid["single"], server.asked["create"]) == (4, 0, 1)
    assert [a.usage.cost for a in answers] == [(READ + WRITTEN) / 2] * 4
    assert (ask.books.spent.tokens, ask.books.spent.cost) == (4 * (READ + WRITTEN), 2 * (READ + WRITTEN))
    assert ask.books.told == []


def test_a_batch_holds_what_single_calls_would_have_sent(server, tmp_path):
    opened(server, tmp_path)(some(2))
    batched = [body for batch in server.batches.values() for body in batch.requests.values()]
    server.wrong = {"create": [400]}
    opened(server)(some(2))
    assert sorted(map(json.dumps, batched)) == sorted(map(json.dumps, server.singles)) != []


def test_answers_of_batches_are_in_the_cache_of_single_calls(server, tmp_path):
    opened(server, tmp_path)(some())
    again = opened(server, tmp_path)(some())
    assert {a.usage.calls for a in again} == {0}
    assert (sum(server.paid.values()), server.asked["create"]) == (4, 1)
    assert list((tmp_path / "batches").iterdir()) == []
    assert server.deleted


def test_every_answer_has_its_row_in_the_journal(server, tmp_path):
    opened(server, tmp_path)(some())
    rows: dict[str, dict] = {}
    for line in (tmp_path / "ledger" / "night-1.jsonl").read_text().split("\n"):
        if line:
            row = json.loads(line)
            rows[row["call_id"]] = {**rows.get(row["call_id"], {}), **row}
    assert [(r["outcome"], r["input_tokens"], r["output_tokens"], r["cost"]) for r in rows.values()] == [
        ("answered", READ, WRITTEN, (READ + WRITTEN) / 2)
    ] * 4


def test_a_faulty_answer_is_asked_again_singly(server, tmp_path):
    def check(claim: Claim) -> list[str]:
        return ["line 99 does not exist"] if 99 in claim.lines else []

    server.behave = lb.in_turn(lambda _: lb.saying(lb.claim(99)), lb.diligent)
    (answer,) = opened(server, tmp_path)([question(check=check)])
    assert (cited(answer.value), answer.usage.calls) == ([1], 2)
    assert (server.paid["batch"], server.paid["single"]) == (1, 1)
    assert answer.usage.cost == 1.5 * (READ + WRITTEN)


def test_what_expired_or_failed_is_asked_singly_and_said_so(server, tmp_path):
    server.lost = {1, 3}
    ask = opened(server, tmp_path)
    assert [cited(a.value) for a in ask(some())] == [[1]] * 4
    assert (server.paid["batch"], server.paid["single"]) == (2, 2)
    assert ask.books.spent.tokens == 4 * (READ + WRITTEN)
    assert "2 of 4 questions" in ask.books.told[0]


def _odd(lines: list[str]) -> list[str]:
    stranger = json.dumps({**json.loads(lines[0]), "custom_id": "swstranger-00001"})
    return [stranger, *reversed(lines), lines[0], '{"custom_id": "sw', "[1, 2]", "null"]


def test_odd_lines_of_results_harm_nothing(server, tmp_path):
    server.spoil = _odd
    ask = opened(server, tmp_path)
    asked = [question(*(f"{i} cats." for i in range(n))) for n in (1, 2, 3)]
    assert [cited(a.value) for a in ask(asked)] == [[1], [1, 2], [1, 2, 3]]
    assert server.paid == {"batch": 3}
    assert ask.books.told == ["a batch's results had lines of no use: 3 broken, 1 of no question, 1 twice"]


def test_results_cut_off_midway_cost_in_full_and_are_asked_singly(server, tmp_path):
    server.spoil = lambda lines: [*lines[:2], lines[2][:30]]
    ask = opened(server, tmp_path)
    assert [cited(a.value) for a in ask(some())] == [[1]] * 4
    assert (server.paid["batch"], server.paid["single"], server.asked["results"]) == (4, 2, 2)
    assert ask.books.spent.tokens > 6 * (READ + WRITTEN)


@pytest.mark.parametrize("garbage", ["{}", "[]", '"text"', '{"choices": 7, "content": 8}'])
def test_an_answer_that_is_none_is_asked_singly(server, tmp_path, garbage):
    def spoil(lines: list[str]) -> list[str]:
        row = json.loads(lines[0])
        row = {
            **row,
            "response": {"status_code": 200, "body": json.loads(garbage)},
            "result": {"type": "succeeded", "message": json.loads(garbage)},
        }
        return [json.dumps(row), *lines[1:]]

    server.spoil = spoil
    answers = opened(server, tmp_path)(some())
    assert [cited(a.value) for a in answers] == [[1]] * 4
    assert server.paid["single"] == 1


@pytest.mark.parametrize("step", ["upload", "create"])
@pytest.mark.parametrize("status", [400, 401])
def test_a_batch_that_is_not_accepted_is_asked_singly_with_a_warning(server, tmp_path, step, status):
    if server.shape == "anthropic" and step == "upload":
        pytest.skip("this shape has no files")
    server.wrong = {step: [status] * 9}
    ask = opened(server, tmp_path)
    assert [cited(a.value) for a in ask(some())] == [[1]] * 4
    assert server.paid == {"single": 4}
    assert ask.books.spent.tokens == 4 * (READ + WRITTEN)
    assert ask.books.told == ["a batch of 4 questions could not be sent: asked singly, at the full price"]


def test_a_batch_that_fails_as_a_whole_costs_nothing_and_is_asked_singly(tmp_path):
    with Server("openai") as server:
        server.ends_as = "failed"
        ask = opened(server, tmp_path)
        assert [cited(a.value) for a in ask(some())] == [[1]] * 4
        assert server.paid == {"single": 4}
        assert ask.books.spent.tokens == 4 * (READ + WRITTEN)
        assert "'failed'" in ask.books.told[0]


def test_errors_while_polling_pass(server, tmp_path):
    server.wrong = {"poll": [500, 0, 429, 503], "results": [500, 500]}
    answers = opened(server, tmp_path)(some())
    assert [cited(a.value) for a in answers] == [[1]] * 4
    assert (server.paid["batch"], server.paid["single"]) == (4, 0)


def test_a_poll_that_hangs_passes(server, tmp_path):
    server.wrong, server.hang_seconds = {"poll": [0]}, 3.0
    answers = opened(server, tmp_path, timeout_seconds=0.5)(some(2))
    assert [cited(a.value) for a in answers] == [[1]] * 2
    assert (server.paid["batch"], server.paid["single"]) == (2, 0)


def test_a_batch_that_was_made_though_the_server_said_500_is_found_and_not_made_again(server, tmp_path):
    server.wrong = {"create": [-500]}
    answers = opened(server, tmp_path)(some())
    assert [cited(a.value) for a in answers] == [[1]] * 4
    assert (server.asked["create"], server.paid["batch"], server.paid["single"]) == (1, 4, 0)


def test_a_server_that_recovers_gets_the_batch(server, tmp_path):
    server.wrong = {"create": [500, 503]}
    opened(server, tmp_path)(some())
    assert (server.asked["create"], server.paid["batch"], server.paid["single"]) == (3, 4, 0)


def test_what_comes_too_late_is_cancelled_and_the_rest_is_asked_singly(server, tmp_path):
    server.polls = float("inf")
    ask = opened(server, tmp_path, wait_seconds=600)
    assert [cited(a.value) for a in ask(some())] == [[1]] * 4
    assert (server.asked["cancel"], server.paid["batch"], server.paid["single"]) == (1, 2, 2)


def test_what_comes_too_late_may_be_left_to_a_later_night(server, tmp_path):
    server.polls = float("inf")
    ask = opened(server, tmp_path, wait_seconds=600, late="defer")
    answers = ask(some())
    assert {(a.refusal, a.is_deferred) for a in answers} == {("batch_under_way", True)}
    set_aside = ask.books.spent.tokens
    assert "is under way" in ask.books.told[0]
    server.polls = 0
    later = opened(server, tmp_path, run="night-2")
    assert [cited(a.value) for a in later(some())] == [[1]] * 4
    assert (server.asked["create"], server.paid["batch"], server.paid["single"]) == (1, 4, 0)
    # It is counted in the night that sent it, where it had been set aside.
    earlier = Books()
    earlier.open(tmp_path, "night-1", "2026-11")
    assert (set_aside > earlier.spent.tokens, earlier.spent.tokens) == (True, 4 * (READ + WRITTEN))
    assert later.books.spent.tokens == 0


def test_a_batch_under_way_is_waited_for_though_batches_were_turned_off(server, tmp_path):
    server.polls = float("inf")
    opened(server, tmp_path, wait_seconds=60, late="defer")(some())
    server.polls = 0
    answers = opened(server, tmp_path, run="night-2", is_off=True)(some(5))
    assert [cited(a.value) for a in answers] == [[1]] * 5
    assert (server.asked["create"], server.paid["batch"], server.paid["single"]) == (1, 4, 1)


def test_a_batch_that_can_neither_be_read_nor_cancelled_is_never_asked_singly(server, tmp_path):
    server.wrong = {"poll": [500] * 999, "cancel": [500] * 9}
    answers = opened(server, tmp_path, wait_seconds=600)(some())
    assert {a.refusal for a in answers} == {"batch_under_way"}
    assert server.paid["single"] == 0


def test_a_batch_that_its_provider_forgot_counts_in_full(server, tmp_path):
    server.wrong = {"poll": [404]}
    ask = opened(server, tmp_path)
    assert [cited(a.value) for a in ask(some())] == [[1]] * 4
    assert server.paid == {"single": 4}
    assert ask.books.spent.tokens > 8 * (READ + WRITTEN)
    assert "no longer known" in ask.books.told[0]


def test_many_questions_make_several_batches(server, tmp_path):
    answers = opened(server, tmp_path, most_requests=3)(some(7))
    assert [cited(a.value) for a in answers] == [[1]] * 7
    assert (server.asked["create"], server.paid["batch"], server.paid["single"]) == (3, 7, 0)


@pytest.mark.parametrize("ceiling", [0, 3_000, 12_000, 40_000])
def test_ceilings_hold_before_anything_is_sent(server, tmp_path, ceiling):
    ask = opened(server, tmp_path, tokens=ceiling)
    server.behave = lambda r: lb.diligent(r)
    answers = ask(some(12))
    used = sum(a.usage.input_tokens + a.usage.output_tokens for a in answers)
    assert used == ask.books.spent.tokens <= ceiling
    assert sum(server.paid.values()) * (READ + WRITTEN) == used
    assert {a.refusal for a in answers} <= {None, "over_budget"}
    if ceiling == 0:
        assert server.batches == {}


def test_egress_is_as_for_single_calls(server):
    if server.shape == "anthropic":
        with pytest.raises(ModelError, match="not on this machine"):
            open_model("anthropic/tiny", api_base=server.api_base, api_key="key", batch=Terms())
    other = "anthropic" if server.shape == "openai" else "openai"
    with pytest.raises(UsageError, match="no batches"):
        opened(server, shape=other)
    assert sum(server.asked.values()) == 0
