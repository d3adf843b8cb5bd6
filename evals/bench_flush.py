"""What a session published early costs: from being asked for to being readable, without a server and by a Prefect event.

Directly, in a process of its own, as an agent's hook would call it; by event, through a real server and a worker that has run before.
Belongs here: the made session, both ways, and the figures. Does not belong here: clocks inside the process (`probe`).
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import Request, urlopen

import slowwave
from evals.bench import run
from evals.machine import ROOT
from slowwave.errors import SlowwaveError
from slowwave.store import read_current

N_MESSAGES, N_TIMES = 200, 3
_LOOK_SECONDS, _MOST_SECONDS = 0.05, 180.0
# What people and their agents say, in turn; a number keeps each line its own.
_OWNER = (
    *(
        "I moved to Lisbon last week.",
        "The gallery wants twelve bowls by Friday.",
        "I prefer green tea in the morning.",
    ),
    *("My sister Ines lives in Porto and plays the viola.", "Remind me about the kiln inspection on 3 March."),
    *(
        "We decided to ship order {n} by bicycle courier.",
        "That looks fine.",
        "The meeting with Rui moved to Thursday.",
    ),
)
_AGENT = (
    "Noted. I have put order {n} on the list.",
    "Shall I write to the gallery?",
    "The forecast says rain tomorrow.",
)


def measure() -> dict[str, Any]:
    """Seconds from asking to being readable, each of several sessions; what of that is start-up, and what is work."""
    with TemporaryDirectory(prefix="slowwave-flush-") as folder:
        direct = [_direct(Path(folder) / f"direct-{n}") for n in range(N_TIMES)]
        by_event = list(_by_event(Path(folder)))
    return {
        "n_messages": N_MESSAGES,
        "direct": _middle(direct),
        "by_event": _middle(by_event),
    }


def _middle(rows: list[dict[str, float]]) -> dict[str, Any]:
    """The middle of each figure, and the slowest of the whole."""
    told = {name: round(statistics.median(row[name] for row in rows), 2) for name in rows[0]}
    return {
        **told,
        "slowest_asked_to_readable": round(max(row["asked_to_readable"] for row in rows), 2),
        "n": len(rows),
    }


def said(session: str) -> Iterator[dict[str, Any]]:
    """A session of an owner and an agent, yesterday."""
    began = datetime.now(UTC) - timedelta(days=1)
    for n in range(N_MESSAGES):
        texts, role = (_AGENT, "assistant") if n % 3 == 2 else (_OWNER, "user")
        content = texts[n % len(texts)].format(n=n)
        at = (began + timedelta(seconds=40 * n)).isoformat()
        yield {
            "session_id": session,
            "message_id": f"{session}-{n}",
            "role": role,
            "content": content,
            "created_at": at,
        }


def _direct(store: Path) -> dict[str, float]:
    """A first session of a store, published by the command; start-up is the interpreter's start and every import."""
    store.mkdir()
    slowwave.record(store, said("s"))
    ran = run(["-m", "evals.probe", "flush", "--store", str(store), "--session", "s"])
    inside = json.loads(ran.told)
    _require_readable(store, None)
    return {
        "asked_to_readable": ran.wall_seconds,
        "startup_wall_seconds": ran.wall_seconds - inside["work_wall"],
        "work_wall_seconds": inside["work_wall"],
        "cpu_seconds": ran.cpu_seconds,
        "work_cpu_seconds": inside["work_cpu"],
    }


def _by_event(folder: Path) -> Iterator[dict[str, float]]:
    store = folder / "memory"
    store.mkdir()
    with _service(store, folder / "home") as api:
        # The first one has the worker load what it will load again from the system's memory.
        for number in range(N_TIMES + 1):
            session = f"s{number}"
            slowwave.record(store, said(session))
            before, began = read_current(store), time.time()
            slowwave.flush(store, session, "session_end")
            readable = _await_version(store, before)
            _require_readable(store, before)
            if number:
                yield {"asked_to_readable": readable - began, **_parts(api, session, began, readable)}


def _parts(api: str, session: str, began: float, readable: float) -> dict[str, float]:
    """What the time was made of: until the server had a run, until its process ran it, and its work."""
    of_session = {"flow_runs": {"name": {"any_": [f"flush-{session}"]}}}
    body = json.dumps(of_session).encode()
    with urlopen(Request(f"{api}/flow_runs/filter", body, {"Content-Type": "application/json"}), timeout=60) as answer:
        (found,) = json.loads(answer.read())
    made, started = (datetime.fromisoformat(found[name]).timestamp() for name in ("created", "start_time"))
    return {
        "until_run_made_seconds": made - began,
        "until_run_started_seconds": started - made,
        "until_readable_seconds": readable - started,
    }


@contextmanager
def _service(store: Path, home: Path) -> Iterator[str]:
    """A service of this store alone; ended whatever happens."""
    where = ["--home", str(home), "--json"]
    try:
        yield json.loads(_command("up", "--store", str(store), "--port", "0", *where))["api"]
    finally:
        _command("down", *where)


def _command(*given: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "SLOWWAVE_"))}
    env = {**kept, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-m", "slowwave", *given], cwd=ROOT, env=env, capture_output=True, text=True)
    if done.returncode:
        raise SlowwaveError(f"slowwave {given[0]} failed: {done.stderr.strip()}", "Run it by hand to see more.")
    return done.stdout


def _await_version(store: Path, before: str | None) -> float:
    until = time.monotonic() + _MOST_SECONDS
    while read_current(store) == before:
        if time.monotonic() > until:
            raise SlowwaveError("no version came of the event", "Look at the logs of the service.")
        time.sleep(_LOOK_SECONDS)
    return time.time()


def _require_readable(store: Path, before: str | None) -> None:
    opened = slowwave.open(store)
    if opened.version == before or not opened.recall("Where does Ines live?"):
        raise SlowwaveError("what was published early can't be read", "Look at the store's report.")
