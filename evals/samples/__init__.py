"""Samples: one small log of every platform with the right answers beside it, each in a store of its own and all in one.

Belongs here: the walk, and what a sample's figures are. Does not belong here: counting (`counts`), and judging (`judge`).
"""

from __future__ import annotations

import json
import sys
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evals.samples.counts import SAMPLES, Sample, counts_wrong
from evals.samples.judge import Judged, judge
from evals.samples.scan import holds
from flows.begin import Plan
from flows.road import Outcome, consolidated
from flows.step import here
from slowwave.errors import UsageError

__all__ = ["ALL", "measure", "read_expected", "walk"]

Row = dict[str, Any]
ALL = "all"


def read_expected(folder: Path) -> Row:
    """The right answers. Raises UsageError where they are not there."""
    path = folder / "expected.json"
    if not path.is_file():
        raise UsageError(f"there is no expected.json in {folder}", "Name the folder that holds the samples.")
    expected: Row = json.loads(path.read_text(encoding="utf-8"))
    return expected


def measure(folder: Path) -> Row:
    """Walk a night over each sample alone and over all of them together, each twice, and judge what was captured and published."""
    expected = read_expected(folder)
    per_sample: dict[str, Row] = {}
    for names in [*((name,) for name in SAMPLES), tuple(SAMPLES)]:
        label = names[0] if len(names) == 1 else ALL
        per_sample[label] = _measured(folder, names, expected)
        print(f"{label}: {json.dumps(per_sample[label], ensure_ascii=False)}", file=sys.stderr)
    alone = [row for name, row in per_sample.items() if name != ALL]
    if per_sample[ALL]["messages"] != sum(row["messages"] for row in alone):
        per_sample[ALL]["counts_wrong"]["messages"] = [
            sum(row["messages"] for row in alone),
            per_sample[ALL]["messages"],
        ]
    return _summed(per_sample)


def _summed(per_sample: dict[str, Row]) -> Row:
    """Sums over all walks, but for the tokens, which are those of the samples alone."""
    rows = list(per_sample.values())
    tokens, kept = (
        sum(row[name] for label, row in per_sample.items() if label != ALL) for name in ("tokens", "tokens_kept")
    )
    return {
        "counts_wrong": sum(len(row["counts_wrong"]) for row in rows),
        "second_capture_rows": sum(row["second_capture_rows"] for row in rows),
        "traps_stored": sum(len(row["traps_stored"]) for row in rows),
        "traps_remembered": sum(len(row["traps_remembered"]) for row in rows),
        "items": sum(row["items"] for row in rows),
        "items_found": sum(row["items_found"] for row in rows),
        "evidence": sum(row["evidence"] for row in rows),
        "evidence_kept": sum(row["evidence_kept"] for row in rows),
        "tokens_removed": _share(tokens, kept),
        "per_sample": per_sample,
    }


def _measured(folder: Path, names: tuple[str, ...], expected: Row) -> Row:
    samples = [SAMPLES[name] for name in names]
    with TemporaryDirectory(prefix="slowwave-samples-") as made:
        store = Path(made) / "store"
        first, second = (walk(store, folder, samples, expected) for _ in range(2))
        found = judge(store, first.run, names, expected)
        leaks = holds(store, expected["must_not"]["secret"]["pattern"])
    wrong: Row = {}
    for name in names:
        wrong |= counts_wrong(name, folder, expected["samples"][name])
    return _told(first, second, found, wrong, leaks)


def walk(store: Path, folder: Path, samples: list[Sample], expected: Row) -> Outcome:
    """One night over samples in one store."""
    flags = {"owner": {"names": [expected["user"]], "zone": expected["timezone"]}}
    sources = tuple(source for sample in samples for source in sample.sources(folder))
    return consolidated(Plan(store, sources, datetime.fromisoformat(expected["as_of"]), flags, trigger="eval"), here)


def _told(first: Outcome, second: Outcome, found: Judged, wrong: Row, leaks: list[str]) -> Row:
    traps = sorted({*found.traps_stored, *(["secret"] if leaks else [])})
    return {
        "messages": first.facts["n_new_messages"],
        "counts_wrong": wrong,
        "second_capture_rows": second.facts["n_new_messages"] + second.facts["n_new_signals"],
        "traps_stored": traps,
        "traps_remembered": found.traps_remembered,
        "items": found.n_items,
        "items_found": found.n_items - len(found.missed),
        "items_missed": found.missed,
        "evidence": found.n_evidence,
        "evidence_kept": found.n_evidence - len(found.lost),
        "evidence_lost": found.lost,
        "tokens": found.n_tokens,
        "tokens_kept": found.n_tokens_kept,
        "tokens_removed": _share(found.n_tokens, found.n_tokens_kept),
    }


def _share(whole: int, kept: int) -> float:
    return round(1 - kept / whole, 3) if whole else 0.0
