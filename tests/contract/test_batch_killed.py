"""A night that is killed at any step of a batch pays for nothing twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from adapters.llm import Books
from tests.contract import loopback as lb
from tests.contract.asking import ROOT
from tests.contract.batches import READ, WRITTEN, Server

NIGHT = """
import sys
from pathlib import Path
from adapters.llm import Books, Limits, Terms, open_model
from models.ask import Line, Question
model, base, store = sys.argv[1], sys.argv[2], Path(sys.argv[3])
def check(claim):
    return ["line 99 does not exist"] if 99 in claim.lines else []
asked = [Question(f"q{n}", "extract", (Line(1, "user", "user", f"I own {n} cats."),), check=check) for n in range(4)]
books = Books(Limits(night=(100_000, None)))
books.open(store, "night-1", "2026-11")
ask = open_model(model, api_base=base, api_key="key", allowed=(model,), cache=store / "answers", notes=store / "batches",
                 books=books, batch=Terms(poll_seconds=0.05), max_output_tokens=400, prices=(1e6, 1e6), max_concurrency=1)
print(sum(a.value is not None for a in ask(asked)), len(books.told))
"""


def _night(server: Server, store: Path) -> list[str]:
    return [sys.executable, "-c", NIGHT, f"{server.shape}/tiny", server.api_base, str(store)]


ENV = {**os.environ, "PYTHONPATH": str(ROOT)}


def _killed(server: Server, store: Path, step: str) -> None:
    night = subprocess.Popen(_night(server, store), env=ENV, cwd=ROOT)
    deadline = time.monotonic() + 90
    while not server.asked[step] and time.monotonic() < deadline:
        time.sleep(0.02)
    # Time enough for the server to have done the step that it will not answer.
    time.sleep(0.3)
    night.send_signal(signal.SIGKILL)
    night.wait()


CASES = [(shape, step) for step in ("create", "poll", "results", "single") for shape in ("openai", "anthropic")]
QUICK = CASES[0]


@pytest.mark.parametrize(
    ("shape", "step"), [pytest.param(*c, marks=[] if c == QUICK else pytest.mark.slow) for c in CASES]
)
def test_a_night_killed_at_any_step_pays_for_nothing_twice(tmp_path, shape, step):
    with Server(shape) as server:
        server.hung = {step}
        if step == "single":
            # One answer of four is faulty, and its second asking is what never ends.
            server.behave = lb.in_turn(lambda _: lb.saying(lb.claim(99)), lb.diligent)
        _killed(server, tmp_path, step)
        before = dict(server.paid)
        server.hung = set()
        done = subprocess.run(
            _night(server, tmp_path), env=ENV, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
        )
        assert done.stdout.split() == ["4", "0"], done.stderr
        assert (server.asked["upload"], server.asked["create"]) == (int(shape == "openai"), 1)
        assert server.paid["batch"] == 4
        # The single call that was under way when the night was killed is the only thing that is paid for again.
        assert server.paid["single"] == 2 * (step == "single")
        assert before.get("single", 0) == (step == "single")
        assert list((tmp_path / "batches").iterdir()) == []
        _require_counted(tmp_path, server)


def _require_counted(store: Path, server: Server) -> None:
    """The account holds all that the server was paid, and the journal a row for each request."""
    books = Books()
    books.open(store, "night-1", "2026-11")
    n_paid = sum(server.paid.values())
    rows: dict[str, dict] = {}
    for line in filter(None, (store / "ledger" / "night-1.jsonl").read_text().split("\n")):
        row = json.loads(line)
        rows[row["call_id"]] = {**rows.get(row["call_id"], {}), **row}
    assert len(rows) == n_paid
    answered = [row for row in rows.values() if row["outcome"] == "answered"]
    assert sum(row["cost"] for row in answered if row["cost"] < READ + WRITTEN) == 4 * (READ + WRITTEN) / 2
    unknown = [row for row in rows.values() if row["outcome"] == "unknown"]
    assert len(unknown) == server.paid["single"] // 2
    used = sum(row["input_tokens"] + row["output_tokens"] for row in rows.values())
    assert books.spent.tokens == used >= n_paid * (READ + WRITTEN)
