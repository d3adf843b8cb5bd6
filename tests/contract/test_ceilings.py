"""No ceiling is passed, whatever it is, however many requests are under way, and however they end. Over HTTP, to the loopback server."""

from __future__ import annotations

import json
import multiprocessing
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.llm import Books, Limits, Patience, open_model
from adapters.llm.books import read_journal
from adapters.llm.budget import Account, Amount, Ceilings
from adapters.llm.counting import Counting, counting
from models.ask import Question
from slowwave.errors import ModelError, UsageError
from tests.contract import loopback as lb
from tests.contract.asking import cited, opened, question, six

MONTH = "2026-11"
OURS = dict(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def wire_tokens(request: lb.Request, count: Counting) -> int:
    """What a real server would read: the model's own tokenizer over the messages and the schema, and its layout."""
    schema = json.dumps(request.body["response_format"], ensure_ascii=False)
    texts = [m["content"] for m in request.messages] + [schema]
    return sum(map(count.count, texts)) + 3 * len(request.messages) + 3


def moody(seed: int, most: int, count: Counting) -> lb.Behaviour:
    """A server that answers, fails, is cut off, says nothing, babbles: at random; and always meters the most it may."""
    chance = random.Random(seed)

    def behave(request: lb.Request) -> lb.Reply:
        read = wire_tokens(request, count)
        reply = chance.choice(
            [lb.diligent(request), lb.silent(request), lb.babbling(request), lb.failing(500)(request)]
        )
        if chance.random() < 0.2:
            return lb.Reply((reply.text or "{")[:20], finish="length", usage=(read, most, 0))
        return lb.Reply(reply.text, status=reply.status, raw=reply.raw, usage=(read, most, 0))

    return behave


@settings(max_examples=25, **OURS)
@given(
    ceiling=st.integers(0, 30_000),
    width=st.sampled_from([1, 2, 8]),
    most=st.integers(1, 600),
    n=st.integers(0, 12),
    seed=st.integers(0, 999),
    model=st.sampled_from(["openai/tiny", "openai/gpt-4o"]),
)
def test_a_ceiling_of_any_height_is_never_passed(server, ceiling, width, most, n, seed, model) -> None:
    known = counting("openai/gpt-4o")
    server.forget()
    server.behave = moody(seed, most, known)
    ask = open_model(
        model,
        api_base=server.api_base,
        books=Books(Limits(night=(ceiling, None))),
        max_output_tokens=most,
        max_concurrency=width,
        patience=Patience(max_attempts=2),
        sleep=lambda _: None,
    )
    answers = ask([question(*(f"é猫 {i} {line}" for line in range(i % 7 + 1)), key=f"q{i}") for i in range(n)])
    assert server.tokens <= ask.books.spent.tokens <= ceiling
    assert len(answers) == n
    assert all(a.is_deferred for a in answers if a.value is None)


@given(
    ceiling=st.integers(0, 500),
    spends=st.lists(st.tuples(st.integers(0, 200), st.floats(0, 1)), max_size=30),
    money=st.floats(0, 5, allow_nan=False),
)
def test_several_accounts_hold_together(ceiling: int, spends: list[tuple[int, float]], money: float) -> None:
    accounts = [Account("night", tokens=ceiling), Account("store", tokens=ceiling * 2, cost=money), Account("fleet")]
    ceilings = Ceilings(accounts)
    for tokens, share in spends:
        most = Amount(tokens, tokens / 100)
        if ceilings.reserve(most):
            ceilings.settle(most, Amount(int(tokens * share), tokens * share / 100))
        assert {account.spent.tokens for account in accounts} == {accounts[0].spent.tokens}
        assert accounts[0].spent.tokens <= ceiling
        assert accounts[1].spent.cost <= money + 1e-9


def test_money_is_bounded_too(server) -> None:
    server.behave = lambda r: lb.saying(usage=(1000, 100, 0))
    books = Books(Limits(night=(None, 0.01)))
    ask = opened(server, books=books, prices=(1.0, 10.0), max_output_tokens=100, max_concurrency=2)
    answers = ask([question(f"I own {n} cats.") for n in range(20)])
    assert {a.refusal for a in answers} == {None, "over_budget"}
    assert books.spent.cost == pytest.approx(0.002 * len(server.requests))
    assert books.spent.cost <= 0.01
    assert sum(a.usage.cost for a in answers) == pytest.approx(books.spent.cost)
    assert books.reached == ("max_night",)


def test_a_ceiling_of_money_needs_a_price() -> None:
    with pytest.raises(ModelError, match="no price is known") as caught:
        open_model(
            "openai/unheard-of", api_key="k", allowed=("openai/unheard-of",), books=Books(Limits(store=(None, 5)))
        )
    assert "input_price" in caught.value.hint


def test_a_tokenizer_that_cannot_be_read_is_named(server, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no-such"):
        opened(server, tokenizer=str(tmp_path / "no-such.json"))


def test_tokens_are_counted_by_the_models_own_tokenizer_where_it_is_known() -> None:
    known, unknown = counting("openai/gpt-4o"), counting("openai/tiny")
    assert (known.name, known.is_exact, unknown.name, unknown.is_exact) == ("o200k_base", True, "bytes", False)
    request = {"messages": [{"role": "user", "content": "The quick brown fox jumps over the lazy dog."}]}
    assert known.tokens_of(request) == 10 + 4 * 2
    assert unknown.tokens_of(request) == 44 + 16 * 2


def test_what_a_killed_night_spent_and_had_under_way_is_spent(server, tmp_path: Path) -> None:
    store = tmp_path / "fleet" / "store"
    limits = Limits(night=(50_000, None), store=(60_000, None), fleet=(70_000, None))
    first = Books(limits)
    first.open(store, "run", MONTH)
    opened(server, books=first, max_output_tokens=100)([question()])
    # Set aside, sent, and then the process is gone.
    killed = first.enter(opened(server, books=first).to, stage="extract", prompt="p", messages=["msg_1"])
    assert killed.admit({"messages": [{"content": "x" * 9_000}]})
    resumed, other = Books(limits), Books(limits)
    resumed.open(store, "run", MONTH)
    other.open(store, "another", MONTH)
    assert resumed.spent == first.spent
    assert resumed.spent.tokens == server.tokens + killed.most.tokens
    assert other.spent.tokens == 0
    assert [account.spent.tokens for account in other.ceilings.accounts[1:]] == [resumed.spent.tokens] * 2
    assert [row["outcome"] for row in read_journal(store / "ledger" / "run.jsonl")] == ["answered", "unknown"]


def test_a_half_written_line_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "spent"
    Account("night", path=path).book(Amount(7, 0.5))
    with path.open("a") as file:
        file.write("123")
    Account("night", path=path).book(Amount(5, 0.25))
    assert Account("night", path=path).spent == Amount(12, 0.75)


def book_many(path: str) -> None:
    account = Account("fleet", tokens=1_000, path=Path(path))
    for _ in range(40):
        if account.book(Amount(30)):
            account.put_right(Amount(-10))


def test_processes_of_a_fleet_share_one_account(tmp_path: Path) -> None:
    path = tmp_path / "spent"
    workers = [multiprocessing.get_context("spawn").Process(target=book_many, args=(str(path),)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    total, most = 0, 0
    for line in path.read_text().splitlines():
        total += int(line.split()[0])
        most = max(most, total)
    assert most <= 1_000
    # Each of 120 tries costs 20 in the end, so the account fills up and then refuses.
    assert 970 < total <= 1_000


def test_splits_and_askings_again_are_counted(server) -> None:
    server.behave = lb.truncating_over(2)
    ask = opened(server, tokens=60_000, max_output_tokens=100)
    ask([six()])
    assert len(server.requests) > 3
    assert ask.books.spent.tokens == server.tokens


def _twelve() -> Question:
    return question(
        *(f"Fact number {n} about me, which is long enough to be counted as a line of some length." for n in range(12))
    )


def test_a_question_that_no_ceiling_has_room_for_is_asked_in_parts(server) -> None:
    whole = opened(server, max_output_tokens=100)
    whole([_twelve()])
    most = whole.books.enter(whole.to, stage="s", prompt="p", messages=[])
    assert most.admit(
        {"messages": server.requests[0].messages, "response_format": server.requests[0].body["response_format"]}
    )
    server.forget()
    server.behave = lambda r: lb.Reply(lb.diligent(r).text, usage=(200, 50, 0))
    ask = opened(server, tokens=most.most.tokens - 100, max_output_tokens=100)
    (answer,) = ask([_twelve()])
    assert sorted(cited(answer.value)) == list(range(1, 13))
    assert len(server.requests) == 2
    assert ask.books.spent.tokens <= most.most.tokens - 100


def test_parts_that_were_paid_for_are_not_paid_for_again(server, tmp_path: Path) -> None:
    server.behave = lambda r: lb.Reply(lb.diligent(r).text, usage=(3000, 100, 0))
    first = opened(server, tmp_path, tokens=4_600, max_output_tokens=100)
    (answer,) = first([_twelve()])
    assert (answer.value, answer.refusal) == (None, "over_budget")
    assert len(server.requests) == 1
    (again,) = opened(server, tmp_path, max_output_tokens=100)([_twelve()])
    assert sorted(cited(again.value)) == list(range(1, 13))
    told = [json.dumps(r.messages) for r in server.requests]
    assert len(told) == len(set(told)) > 1


def test_what_holds_a_request_back_is_said_with_its_settings(server) -> None:
    ask = opened(server, tokens=900, max_output_tokens=700)
    (answer,) = ask([six()])
    assert answer.refusal == "over_budget"
    assert not server.requests
    for setting in ("max_night_tokens = 900", "max_output_tokens", "tokenizer", "700 to write"):
        assert setting in ask.books.held_back


def test_a_body_that_is_no_answer_is_booked_as_far_as_it_came(server, tmp_path: Path) -> None:
    server.behave = lambda _: lb.Reply(raw="<html>gateway</html>")
    ask = opened(server, tokens=50_000, max_output_tokens=2_000, patience=Patience(max_attempts=1))
    ask.books.open(tmp_path / "store", "run", MONTH)
    ask([six()])
    (row,) = read_journal(tmp_path / "store" / "ledger" / "run.jsonl")
    assert row["outcome"] == "server_error"
    assert 0 < row["output_tokens"] < 20
    assert 0 < row["input_tokens"] < ask.books.spent.tokens - 2_000, "the ceiling counts it in full"


def test_a_server_that_fails_is_told_of_where_the_ceiling_has_no_room_to_try_again(server) -> None:
    server.behave = lambda _: lb.Reply(drop=True)
    ask = opened(server, tokens=10_000, max_output_tokens=3_000, patience=Patience(max_attempts=3))
    (answer,) = ask([six()])
    assert answer.refusal == "server_error"
    assert len(server.requests) < 3
    assert ask.books.spent.tokens <= 10_000
