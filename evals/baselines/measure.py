"""The table of systems: what each finds, and what it costs in calls, tokens, CPU, memory and time, on one corpus.

Belongs here: starting each system in a process of its own, beside a model that meters itself, and figures. Does not belong here: systems.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evals import metered
from evals.baselines.corpus import WORLD, Corpus, corpora
from evals.baselines.inside import OURS, RAW
from evals.bench import run
from evals.chat import Loopback
from evals.scores import percent
from evals.worlds import teller
from evals.worlds.year import DAYS

# What each is, in the table's own words.
OFFLINE, MODEL = "ours_offline", "ours_with_model"
Row = dict[str, Any]


def measure(of: str, data: Path | None, *, seed: int = 1, days: int = DAYS) -> Row:
    """Every system on LoCoMo (`of` is `locomo`) or on a made year (`world`). Raises UsageError where there is no data."""
    given = corpora(of, data, seed=seed, days=days)
    rest = [of, str(data or ""), str(seed), str(days)]
    systems = {name: _plain(name, rest) for name in RAW} | {OFFLINE: _plain(OURS, rest)}
    systems[MODEL] = _metered(OURS, rest, _model(given))
    n_messages = sum(len(corpus.turns) for corpus in given)
    return {
        "of": of,
        "n_messages": n_messages,
        "n_questions": sum(len(corpus.asked) for corpus in given),
        "systems": {name: _figures(told, n_messages) for name, told in systems.items()},
    }


Server = Callable[[], AbstractContextManager[Loopback]]


def _model(given: list[Corpus]) -> tuple[Server, str]:
    """Who answers: for a world, the one that knows its labels; else the one that states every informative line."""
    world = given[0].world
    if world is None:
        return metered.Model, metered.MODEL
    return lambda: teller.Teller(world), teller.MODEL


def _plain(system: str, rest: list[str]) -> Row:
    return {**_ran(system, rest, "", ""), "calls": 0, "input_tokens": 0, "output_tokens": 0}


def _metered(system: str, rest: list[str], model: tuple[Server, str]) -> Row:
    with model[0]() as server:
        told = _ran(system, rest, model[1], server.api_base)
        spent = {"input_tokens": server.input_tokens, "output_tokens": server.output_tokens}
        return {**told, "calls": len(server.requests), **spent}


def _ran(system: str, rest: list[str], model: str, api_base: str) -> Row:
    with TemporaryDirectory(prefix="slowwave-baseline-") as folder:
        return json.loads(run(["-m", "evals.baselines.inside", system, *rest, folder, model, api_base]).told)


def _figures(told: Row, n_messages: int) -> Row:
    rows: list[Row] = told["rows"]
    plain = [row for row in rows if not row["is_swapped"]]
    stale = [row["stale_first"] for row in plain if row["stale_first"] is not None]
    return {
        "recall_at_10": percent(row["at_10"] for row in plain),
        "recall_in_1000_tokens": percent(row["in_1000"] for row in plain),
        "adversarial_at_10": percent(row["at_10"] for row in rows if row["is_swapped"]),
        "outdated_first": percent(map(float, stale)),
        "prompt_tokens_a_question": round(sum(row["tokens"] for row in rows) / len(rows), 1),
        "calls_per_1000_messages": round(1000 * told["calls"] / n_messages, 1),
        "input_tokens_a_message": round(told["input_tokens"] / n_messages, 1),
        "output_tokens_a_message": round(told["output_tokens"] / n_messages, 1),
        "cpu_seconds_per_1000_messages": round(1000 * told["taking"] / n_messages, 2),
        "cpu_ms_a_question": round(1000 * told["asking"], 1),
        "peak_mb_above_imports": round(told["peak"] - told["held"], 1),
    }


__all__ = ["MODEL", "OFFLINE", "WORLD", "measure"]
