"""Memory: does what was learned stay true? Near-duplicates, wrong retirements, nights that read themselves, any order and split.

Belongs here: the walks, and what is summed up of them. Does not belong here: what a near-duplicate is (`near`), the thirty nights
(`echo`), permutations (`shuffled`), and names and lessons beside the right answers (`names`, `taught`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evals.dataset import conversations
from evals.memory.echo import thirty_nights
from evals.memory.names import join_figures, scope_figures
from evals.memory.near import listed, near_pairs, retired
from evals.memory.shuffled import Evidence, differences
from evals.memory.taught import lesson_figures
from evals.published import current, run_table
from evals.samples import ALL, read_expected
from evals.samples.counts import SAMPLES
from flows.begin import Plan
from flows.road import consolidated
from flows.step import here
from slowwave.format import Entity, Memory
from slowwave.reader.tables import Tables

Row = dict[str, Any]
N_PERMUTATIONS = 1000
ECHOED = "seraph"
WEEK = Path(__file__).resolve().parents[2] / "samples" / "week.jsonl"
WEEK_AS_OF = datetime(2026, 3, 9, 3, tzinfo=UTC)
# What words mean to an embedder decides nothing here, so none is loaded.
_FLAGS: Row = {"embed": {"embedder": "none"}}


def measure(data: Path, samples: Path, *, permutations: int = N_PERMUTATIONS) -> Row:
    """Walk a night over every LoCoMo conversation, every sample and all samples together, and measure what they published.

    Raises UsageError where there are no conversations or no samples.
    """
    expected = read_expected(samples)
    stores: dict[str, Row] = {}
    evidence: list[Evidence] = []
    with TemporaryDirectory(prefix="slowwave-memory-") as made:
        for label, plan in _plans(Path(made), data, samples, expected).items():
            outcome = consolidated(plan, here)
            stores[label] = _told(plan.store, label, expected, outcome.run)
            if label in (*SAMPLES, ALL):
                evidence.append(Evidence.of_run(label, plan.store, outcome.run, _owner(expected)))
            print(f"{label}: {json.dumps(stores[label], ensure_ascii=False)}", file=sys.stderr)
        nights = {label: thirty_nights(*echoed) for label, echoed in _echoed(Path(made), samples, expected).items()}
    return {
        **_summed(stores),
        "permutations": differences(evidence, permutations),
        "thirty_nights": nights,
        "per_store": stores,
    }


def n_echoed(figures: Row) -> int:
    """How many memories the thirty nights changed, over their stores."""
    return sum(nights["differences"] for nights in figures["thirty_nights"].values())


def _plans(made: Path, data: Path, samples: Path, expected: Row) -> dict[str, Plan]:
    plans = {
        talk.path.stem: Plan(made / talk.path.stem, (f"locomo={talk.path}",), talk.as_of, _FLAGS, trigger="eval")
        for talk in conversations(data)
    }
    plans |= {name: _sample_plan(made / name, samples, (name,), expected) for name in SAMPLES}
    return plans | {ALL: _sample_plan(made / ALL, samples, tuple(SAMPLES), expected)}


def _echoed(made: Path, samples: Path, expected: Row) -> dict[str, tuple[Plan, datetime]]:
    week = Plan(made / "week", (f"jsonl={WEEK}",), WEEK_AS_OF, _FLAGS, trigger="eval")
    sample = _sample_plan(made / "echoed", samples, (ECHOED,), expected)
    return {"week": (week, WEEK_AS_OF), ECHOED: (sample, datetime.fromisoformat(expected["as_of"]))}


def _sample_plan(store: Path, folder: Path, names: tuple[str, ...], expected: Row) -> Plan:
    sources = tuple(source for name in names for source in SAMPLES[name].sources(folder))
    flags = {**_FLAGS, "owner": _owner(expected)}
    return Plan(store, sources, datetime.fromisoformat(expected["as_of"]), flags, trigger="eval")


def _owner(expected: Row) -> Row:
    return {"names": [expected["user"]], "zone": expected["timezone"]}


def _told(store: Path, label: str, expected: Row, run: str | None) -> Row:
    """What one store's version holds, and what is wrong with it."""
    manifest = current(store)
    if manifest is None:
        return {"memories": 0}
    tables = Tables(store, manifest)
    memories = list(tables.where("memories", Memory))
    pairs = near_pairs(memories)
    gone = retired(memories)
    told: Row = {
        "memories": len(memories),
        "active": sum(memory.status == "active" for memory in memories),
        "near_pairs": len(pairs),
        "near_listed": listed(pairs),
        "retired": len(gone),
        "retired_listed": gone,
    }
    if label not in (*SAMPLES, ALL):
        return told
    names = [label] if label in SAMPLES else list(SAMPLES)
    told |= {"names": join_figures(list(tables.where("entities", Entity)), expected)}
    told |= {"scopes": scope_figures(memories, expected, names)}
    return told | ({"lessons": lesson_figures(memories, _outcomes(store, run))} if ECHOED in names else {})


def _outcomes(store: Path, run: str | None) -> dict[str, str | None]:
    signals = run_table(store, run, "begin.signals")
    return {} if signals is None else dict(signals.select("signal_key", "outcome").iter_rows())


def _summed(stores: Mapping[str, Row]) -> Row:
    groups = {
        "locomo": [row for label, row in stores.items() if label not in (*SAMPLES, ALL)],
        "samples": [row for label, row in stores.items() if label in (*SAMPLES, ALL)],
    }
    return {name: _shares(rows) for name, rows in groups.items()} | {
        "names": _added([row["names"] for row in groups["samples"]]),
        "scopes": _added([row["scopes"] for row in groups["samples"]]),
    }


def _shares(rows: list[Row]) -> Row:
    active, pairs, gone = (sum(row[name] for row in rows) for name in ("active", "near_pairs", "retired"))
    shares = [row["near_pairs"] / row["active"] for row in rows if row["active"]]
    return {
        "stores": len(rows),
        "active": active,
        "near_pairs": pairs,
        "near_pairs_percent": _percent(pairs, active),
        "near_pairs_percent_worst": round(100 * max(shares, default=0.0), 2),
        "retired": gone,
        "retired_percent": _percent(gone, active + gone),
    }


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def _added(rows: list[Row]) -> Row:
    return {name: sum(row[name] for row in rows) for name in rows[0] if isinstance(rows[0][name], int)}
