"""No answer is paid for twice, and no ceiling is passed."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.llm import PROMPT, open_model
from models.claim import Claim
from tests.contract import loopback as lb
from tests.contract.asking import cited, opened, question

ROOT = Path(__file__).parents[2]

# The answer cache


def test_a_second_night_asks_nothing(server, tmp_path):
    asked = [question(f"I own {n} cats.") for n in range(5)]
    first = opened(server, tmp_path)(asked)
    second = opened(server, tmp_path)(asked)
    assert len(server.requests) == 5
    assert [a.value for a in first] == [a.value for a in second]
    assert {a.usage.calls for a in second} == {0}


def test_cached_answers_are_for_their_model_prompt_and_parameters_alone(server, tmp_path):
    opened(server, tmp_path)([question()])
    opened(server, tmp_path, max_output_tokens=500)([question()])
    open_model("openai/other", api_base=server.api_base, cache=tmp_path)([question()])
    assert len(server.requests) == 3


def test_cache_files_are_small_private_and_say_what_they_are(server, tmp_path):
    opened(server, tmp_path / "answers")([question()])
    (path,) = tmp_path.rglob("*.json")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    row = json.loads(path.read_text())
    assert (row["model"], row["prompt"], row["state"], row["purpose"]) == ("openai/tiny", PROMPT, "final", "extract")
    assert {stat.S_IMODE(p.stat().st_mode) for p in path.parents if tmp_path in p.parents} == {0o700}
    assert [p for p in tmp_path.rglob("*") if p.suffix == ".part"] == []


def test_a_damaged_cache_file_is_asked_again(server, tmp_path):
    opened(server, tmp_path)([question()])
    (path,) = tmp_path.rglob("*.json")
    path.write_text(path.read_text()[:30])
    (answer,) = opened(server, tmp_path)([question()])
    assert cited(answer.value) == [1]
    assert len(server.requests) == 2


def test_an_answer_survives_a_cache_that_cannot_be_written(server, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    (answer,) = opened(server, blocked)([question()])
    assert cited(answer.value) == [1]


NIGHT = """
import sys
from pathlib import Path
from adapters.llm import open_model
from models.ask import Line, Question
asked = [Question(f"q{n}", "extract", (Line(1, "user", "user", f"I own {n} cats."),)) for n in range(8)]
ask = open_model("openai/tiny", api_base=sys.argv[1], cache=Path(sys.argv[2]), max_concurrency=1)
print(sum(answer.usage.calls for answer in ask(asked)))
"""


def test_a_killed_night_pays_for_no_answer_twice(server, tmp_path):
    server.behave = lambda r: lb.Reply(delay_seconds=60) if "I own 4" in r.lines[0][1] else lb.diligent(r)
    command = [sys.executable, "-c", NIGHT, server.api_base, str(tmp_path)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    night = subprocess.Popen(command, env=env, cwd=ROOT)
    deadline = time.monotonic() + 90
    while len(server.requests) < 5 and time.monotonic() < deadline:
        time.sleep(0.05)
    night.send_signal(signal.SIGKILL)
    night.wait()
    assert len(list(tmp_path.rglob("*.json"))) == 4
    server.behave = lb.diligent
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "4"
    assert done.stderr == ""


def test_a_faulty_answer_that_arrived_is_not_paid_for_again_when_the_night_dies_before_the_second_asking(
    server, tmp_path
):
    def die(_: float) -> None:
        raise KeyboardInterrupt

    def check(claim: Claim) -> list[str]:
        return ["line 99 does not exist"] if 99 in claim.lines else []

    server.behave = lb.in_turn(lambda _: lb.saying(lb.claim(99)), lb.failing(500))
    with pytest.raises(KeyboardInterrupt):
        opened(server, tmp_path, sleep=die)([question(check=check)])
    server.behave = lb.diligent
    (answer,) = opened(server, tmp_path)([question(check=check)])
    assert (cited(answer.value), answer.usage.calls) == ([1], 1)
    assert "- user on line 99: line 99 does not exist" in server.requests[-1].messages[-1]["content"]


# Money


def test_a_ceiling_defers_the_rest_and_says_so(server):
    ask = opened(server, tokens=16_000, max_output_tokens=400, max_concurrency=2)
    answers = ask([question(f"I own {n} cats.") for n in range(40)])
    reasons = {answer.refusal for answer in answers}
    assert reasons == {None, "over_budget"}
    assert all(answer.is_deferred for answer in answers if answer.refusal)
    assert sum(a.usage.input_tokens + a.usage.output_tokens for a in answers) == ask.books.spent.tokens == server.tokens
    assert server.tokens <= 16_000


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ceiling=st.integers(0, 40_000), width=st.integers(1, 4), most=st.integers(1, 600), n=st.integers(0, 10))
def test_a_ceiling_is_never_passed(server, ceiling, width, most, n):
    server.forget()
    ask = opened(server, tokens=ceiling, max_output_tokens=most, max_concurrency=width)
    server.behave = lambda r: lb.saying(usage=(sum(len(m["content"].encode()) for m in r.messages), most, 0))
    answers = ask([question(f"é猫 {i}") for i in range(n)])
    assert server.tokens <= ceiling
    assert len(answers) == n


def test_calls_that_may_have_cost_count_in_full(server):
    server.behave = lambda _: lb.Reply(drop=True)
    ask = opened(server, tokens=20_000, max_output_tokens=400)
    (answer,) = ask([question()])
    assert answer.refusal in ("server_error", "over_budget")
    assert 0 < ask.books.spent.tokens <= 20_000
