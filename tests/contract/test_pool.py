"""Calls of many models in many processes share one pool."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from adapters.llm.pool import Pool
from tests.contract import loopback as lb
from tests.contract.asking import ROOT, cited, opened, question


def test_two_nights_share_the_places_of_their_fleet(server, tmp_path):
    server.behave = lambda r: lb.saying(lb.claim(1), delay_seconds=0.05)
    nights = [opened(server, max_concurrency=4, limiter=Pool(tmp_path, 2)) for _ in range(2)]
    with ThreadPoolExecutor(2) as both:
        answers = list(both.map(lambda ask: ask([question(f"I own {n} cats.") for n in range(6)]), nights))
    assert [cited(a.value) for found in answers for a in found] == [[1]] * 12
    assert server.most_in_flight == 2


def test_waiting_for_a_place_is_not_being_late(server, tmp_path):
    server.behave = lambda r: lb.saying(lb.claim(1), delay_seconds=0.6)
    ask = opened(server, timeout_seconds=1.0, limiter=Pool(tmp_path, 1))
    answers = ask([question(f"I own {n} cats.") for n in range(4)])
    assert [a.refusal for a in answers] == [None] * 4


HOLD = """
import sys, time
from pathlib import Path
from adapters.llm.pool import Pool
with Pool(Path(sys.argv[1]), 1)():
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_killed_process_leaves_its_place_free(tmp_path):
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    other = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], env=env, stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    assert other.stdout.readline() == "held\n"
    with ThreadPoolExecutor(1) as waiting:
        place = waiting.submit(_enter, Pool(tmp_path, 1))
        time.sleep(0.2)
        assert not place.done()
        other.send_signal(signal.SIGKILL)
        other.wait()
        assert place.result(timeout=10)


def _enter(pool: Pool) -> bool:
    with pool():
        return True


def test_a_limiter_that_fails_defers_the_question_alone(server):
    @contextmanager
    def broken():
        raise OSError("the server of limits is gone")
        yield

    answers = opened(server, limiter=broken)([question()])
    assert [a.is_deferred for a in answers] == [True]
    assert server.requests == []


@pytest.mark.parametrize("width", [1, 3])
def test_no_more_hold_a_place_than_there_are(tmp_path, width):
    pool, most, now = Pool(tmp_path, width), [0], [0]

    def hold(_: int) -> None:
        with pool():
            now[0] += 1
            most[0] = max(most[0], now[0])
            time.sleep(0.02)
            now[0] -= 1

    with ThreadPoolExecutor(6) as many:
        list(many.map(hold, range(9)))
    assert most == [width]
