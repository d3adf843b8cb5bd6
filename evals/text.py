"""Text-level cases: what was said goes in by the front door, a night walks, and what was published comes out.

Belongs here: a case's stores, one an owner, and the shape its checks read. Does not belong here: reading a store (`published`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import slowwave
from evals.prior import with_prior
from evals.published import Row, artefacts_text, current, records, report
from flows.begin import Plan
from flows.road import Outcome, consolidated
from flows.step import here

# A reader is asked for this many results.
_K = 10
_SUFFIXES = {"jsonl": "jsonl", "chatgpt": "json"}
# From what says least to what says most.
_STATUSES = ("nothing_to_do", "ok", "ok_with_warnings", "held")


@dataclass(frozen=True)
class Night:
    """What is new at a night: lines of generic JSONL, or the one file of a platform's export."""

    at: datetime
    lines: tuple[str, ...] = ()
    kind: str = "jsonl"


def nights(case: Mapping[str, Any]) -> list[Night]:
    """The nights of a case, in order; damaged lines stay as damaged as they are."""
    given = case["input"]
    if "chatgpt_export" in given:
        return [Night(datetime.fromisoformat(case["clock"]), (json.dumps(given["chatgpt_export"]),), "chatgpt")]
    if "raw_lines" in given:
        return [Night(datetime.fromisoformat(case["clock"]), tuple(given["raw_lines"]))]
    runs = given.get("runs") or [{"at": case["clock"], "messages": given["messages"]}]
    return [
        Night(datetime.fromisoformat(run["at"]), tuple(json.dumps(m, ensure_ascii=False) for m in run["messages"]))
        for run in runs
    ]


def owners(case: Mapping[str, Any]) -> list[str]:
    """Whose stores a case needs; raw lines name their one user themselves, and an export is said to be somebody's."""
    given = case["input"]
    if "export_user_id" in given:
        return [given["export_user_id"]]
    said = [*given.get("messages", []), *(m for run in given.get("runs", []) for m in run["messages"])]
    return sorted({m["user_id"] for m in said}) or [""]


def result(case: Mapping[str, Any], folder: Path, model: str = "") -> Row:
    """What the system makes of a case, its stores in `folder`: the shape that `check_text` reads. Raises what a night raises."""
    return _joined([_Life(case, owner, folder / f"owner-{n}", model).told() for n, owner in enumerate(owners(case))])


class _Life:
    """One owner's store through the nights of a case."""

    def __init__(self, case: Mapping[str, Any], owner: str, folder: Path, model: str) -> None:
        self.case, self.owner, self.folder = case, owner, folder
        self.flags: Row = {"owner": {"id": owner}} if owner else {}
        if model:
            self.flags["night"] = {"model": model}

    def told(self) -> Row:
        """The store's records and what else the case's checks may ask for."""
        every, expect = nights(self.case), self.case["expect"]
        store = self.folder / "store"
        outcome = self._walk(store, every)
        made: Row = {
            "records": records(store),
            "report": {**report(store, outcome), **_ignored(every, outcome)},
            "artefacts_text": artefacts_text(store),
            "retrieval": [self._recalled(store, q["query"], every[-1].at) for q in expect.get("retrieval", [])],
            "snapshots": {
                q["at"]: self._snapshot_at(q["at"], every, n) for n, q in enumerate(expect.get("snapshot_at", []))
            },
        }
        if prior := self.case["input"].get("prior_memory"):
            made["records"], told = with_prior(prior, store, outcome.run, owner=self.owner, at=every[-1].at)
            made["artefacts_text"] += "\n" + told
        return made

    def _walk(self, store: Path, every: list[Night]) -> Outcome:
        """Walk the nights; a log only grows, so each night finds what the nights before it found as well."""
        source = store.with_name(f"{store.name}-messages")
        source.mkdir(parents=True)
        outcome: Outcome | None = None
        for number, night in enumerate(every):
            if night.lines:
                name = f"night-{number:03}.{_SUFFIXES[night.kind]}"
                (source / name).write_bytes("\n".join(night.lines).encode())
            outcome = consolidated(Plan(store, (f"{night.kind}={source}",), night.at, self.flags, trigger="case"), here)
        if outcome is None:
            raise ValueError("a case needs a night")
        return outcome

    def _recalled(self, store: Path, query: str, at: datetime) -> list[str]:
        if current(store) is None:
            return []
        return [found.id for found in slowwave.open(store).recall(query, _K, at=at)]

    def _snapshot_at(self, when: str, every: list[Night], number: int) -> str:
        """The snapshot of a store that lived until then: the nights before, and one at that very time with nothing new."""
        at = datetime.fromisoformat(when)
        store = self.folder / f"store-{number}"
        self._walk(store, [*(night for night in every if night.at < at), Night(at)])
        return slowwave.open(store).snapshot() if current(store) else ""


def _ignored(every: list[Night], outcome: Outcome) -> Row:
    """Of one night's lines, those that were neither read nor quarantined: a line is blank or it is one of these."""
    facts = outcome.facts
    if len(every) != 1 or every[0].kind != "jsonl":
        return {}
    met = ("n_new_messages", "n_known_messages", "n_new_signals", "n_quarantined")
    return {
        "blank_lines_ignored": len(every[0].lines) - sum(facts[name] for name in met) - sum(facts["set_aside"].values())
    }


def _joined(told: list[Row]) -> Row:
    """The results of a case's owners as one."""
    first, *others = told
    for other in others:
        first["records"] += other["records"]
        first["artefacts_text"] += "\n" + other["artefacts_text"]
        first["retrieval"] = [a + b for a, b in zip(first["retrieval"], other["retrieval"], strict=True)]
        first["snapshots"] = {at: text + "\n" + other["snapshots"][at] for at, text in first["snapshots"].items()}
        first["report"] = {name: _added(value, other["report"][name]) for name, value in first["report"].items()}
    return first


def _added(one: Any, other: Any) -> Any:
    """Counts add up, lists run on, and of two statuses the one that says more is kept."""
    return max(one, other, key=_STATUSES.index) if isinstance(one, str) else one + other
