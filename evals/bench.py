"""What a night and a reader cost: each measured in a process of its own, as a person would meet it.

Belongs here: starting the processes, what their parent sees of them, and the figures. Does not belong here: clocks inside (`probe`).
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evals.dataset import Conversation, conversations
from evals.machine import ROOT
from flows import ledger
from slowwave.errors import SlowwaveError, UsageError

CONVERSATION = "conv-26.json"
# A start is short, so it is taken often, bare and loaded in turn, and the middle one counts.
N_STARTS = 11


@dataclass(frozen=True)
class Ran:
    """A process that ended: what it printed last, and what the system charged it with."""

    told: str
    wall_seconds: float
    cpu_seconds: float


def run(arguments: Sequence[str]) -> Ran:
    """Run Python with these arguments and wait. Raises SlowwaveError where it fails."""
    # A variable that forbids bytecode would make every start compile everything anew.
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPATH": str(ROOT)}
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
    told = process.stdout.read() if process.stdout else ""
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SlowwaveError(
            f"a measured process ended with {process.returncode}", "Its own words are above; run it alone to see more."
        )
    last = told.strip().splitlines()[-1] if told.strip() else ""
    return Ran(last, wall, usage.ru_utime + usage.ru_stime)


def night(data: Path) -> dict[str, Any]:
    """A cold plain night over one conversation, a second one with nothing new, and a reader of what was published."""
    talk = _conversation(data)
    with TemporaryDirectory(prefix="slowwave-bench-") as folder:
        store = Path(folder) / "store"
        cold = _night(store, talk)
        stages = _stages(store)
        second = _night(store, talk)
        return {
            "source": talk.path.name,
            "n_messages": len(talk.turns),
            "cold": {**cold, "stages": stages, "outside_stages_seconds": _rest(cold, stages)},
            "second": second,
            "reader": {**starts(store), **_recalls(store, talk, Path(folder))},
        }


def _conversation(data: Path) -> Conversation:
    for talk in conversations(data):
        if talk.path.name == CONVERSATION:
            return talk
    raise UsageError(f"there is no {CONVERSATION} in {data}", "Name the folder that holds it: --data DIR")


def _night(store: Path, talk: Conversation) -> dict[str, Any]:
    """Start-up is the interpreter's start and every import; work is the rest."""
    arguments = ["--store", str(store), "--source", f"locomo={talk.path}", "--as-of", talk.as_of.isoformat(), "--json"]
    ran = run(["-m", "evals.probe", "night", *arguments])
    inside = json.loads(ran.told)
    return {
        "wall_seconds": round(ran.wall_seconds, 2),
        "cpu_seconds": round(ran.cpu_seconds, 2),
        "startup": {
            "wall_seconds": round(ran.wall_seconds - inside["work_wall"], 2),
            "cpu_seconds": round(ran.cpu_seconds - inside["work_cpu"], 2),
        },
        "work": {
            "wall_seconds": round(inside["work_wall"], 2),
            "cpu_seconds": round(inside["work_cpu"], 2),
        },
        "peak_mb": round(inside["peak_mb"], 1),
    }


def _stages(store: Path) -> dict[str, float]:
    """Wall seconds of each stage, from the run's ledger: reading, the stage itself, and writing."""
    newest = ledger.runs(store)[0]
    return {name: taken["seconds"] for name, taken in ledger.read(store, newest)["stages"].items()}


def _rest(cold: dict[str, Any], stages: dict[str, float]) -> float:
    """Wall seconds of work outside the stages: capture, audit, publish. Imports inside a stage are in both, so it may be low."""
    return round(cold["work"]["wall_seconds"] - sum(stages.values()), 2)


def starts(store: Path) -> dict[str, float]:
    """Milliseconds of a bare start, and over it, those of an import and of an import that opens the store as well."""
    opening = f"import slowwave; slowwave.open({str(store)!r}).snapshot()"
    programs = {"bare": "pass", "import": "import slowwave; slowwave.open", "open": opening}
    taken: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(N_STARTS):
        for name, program in programs.items():
            taken[name].append(run(["-c", program]).wall_seconds)
    middle = {name: statistics.median(times) * 1000 for name, times in taken.items()}
    return {
        "bare_start_ms": round(middle["bare"], 1),
        "import_ms": round(middle["import"] - middle["bare"], 1),
        "import_and_open_ms": round(middle["open"] - middle["bare"], 1),
    }


def _recalls(store: Path, talk: Conversation, folder: Path) -> dict[str, float]:
    questions = folder / "questions.json"
    questions.write_text(json.dumps([q.text for q in talk.questions]), encoding="utf-8")
    ran = run(["-m", "evals.probe", "reader", str(store), str(questions), talk.as_of.isoformat()])
    inside = json.loads(ran.told)
    return {
        "first_recall_seconds": round(inside["first"], 3),
        "n_recalls": len(inside["wall"]),
        **spread("recall", inside["wall"]),
        **spread("recall_cpu", inside["cpu"]),
        "peak_mb": round(inside["peak_mb"], 1),
    }


def spread(name: str, seconds: list[float]) -> dict[str, float]:
    """The middle and the slowest in a hundred, in milliseconds."""
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return {f"{name}_p50_ms": round(cuts[49] * 1000, 1), f"{name}_p99_ms": round(cuts[98] * 1000, 1)}
