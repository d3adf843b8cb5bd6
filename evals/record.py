"""Record-level cases: candidates of one or more runs through link, merge, reconcile and reinforce.

Belongs here: the state between the runs of a case and the result's shape. Does not belong here: reading case files.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from evals.candidates import Forgotten, Row, take, when
from flows.part import publish_part, retired_share, walk_part
from slowwave.strength import strength

_RECONCILE = (
    "min_supersede_confidence",
    "max_future_skew_minutes",
    "max_retire_fraction",
    "max_retire_min_records",
)
_DEFAULTS = {"max_retire_fraction": 0.3, "max_retire_min_records": 20}


def result(case: Mapping[str, Any], runs: list[Row]) -> Row:
    """What the system makes of the case's `runs`: the result shape that the case's checks read."""
    book = _Book(case)
    told = [book.run(run) for run in runs]
    made: Row = {"runs": told}
    if "snapshot" in case["expect"]:
        made["snapshot"] = book.snapshot(case["expect"]["snapshot"]["max_chars"])
    return made


def publish(case: Mapping[str, Any], store: Path) -> None:
    """Make a store of what the last run of a case leaves. Raises StoreUnwritable."""
    book = _Book(case)
    for run in case["runs"]:
        book.run(run)
    none = pl.DataFrame(schema={"embedding_id": pl.String, "vector": pl.List(pl.Float64)})
    tables = {"memories": book.stands["reinforce.memories"], "entities": book.stands["link.entities"]}
    publish_part(store, tables, vectors=none, as_of=book.at, embedder="none")


class _Book:
    """What stands between the runs of one case: accepted claims, forgotten messages, published memories."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        self.policy: Row = case.get("policy") or {}
        self.known = set(case["known_messages"]) if "known_messages" in case else None
        self.rules = _rules(self.policy, case.get("entity_links") or [])
        self.forgotten = Forgotten()
        self.accepted: list[Row] = []
        self.stands: dict[str, pl.DataFrame] = {}
        self.records: list[Row] = []
        self.at = datetime.min.replace(tzinfo=UTC)

    def run(self, run: Mapping[str, Any]) -> Row:
        """Take one run in; a run that would retire too much changes nothing."""
        self.at = _time(run["at"])
        self._forget(run.get("forget") or [])
        taken = take(run["candidates"], self.known, self.forgotten)
        before = self._walk([]) if run.get("forget") else self.stands
        after = self._walk(list(taken.claims.values()))
        rejected = {d["item_id"]: d["reason"] for d in _rejections(after)}
        for claim_id, reason in rejected.items():
            taken.refuse(claim_id, reason)
        if self._is_too_much(before, after):
            return {"status": "held", "records": self.records, "rejected": taken.rejected}
        self._publish(after, set(rejected))
        is_idle = not (run["candidates"] or run.get("forget") or run.get("signals"))
        status = "nothing_to_do" if is_idle else "published"
        return {"status": status, "records": self.records, "rejected": taken.rejected}

    def snapshot(self, max_chars: int) -> Row:
        """The bounded text that would be put into a prompt, and what it leaves out."""
        rules = {**self.rules, "project": {"profiles": {"snapshot": {"max_tokens": 1_000_000, "max_chars": max_chars}}}}
        given = {name: self.stands[name] for name in ("link.mentions", "link.entities", "reinforce.memories")}
        made = walk_part(given, start="project", stop="project", as_of=self.at, rules=rules)
        document = made["project.documents"].filter(pl.col("profile") == "snapshot").to_dicts()[0]
        return {"text": document["text"], "omitted": document["omitted_ids"]}

    def _forget(self, requests: list[Row]) -> None:
        self.forgotten.add(requests, self.accepted)
        spared = [self.forgotten.spare(row) for row in self.accepted]
        self.accepted = [row for row in spared if row["evidence"]]

    def _walk(self, claims: list[Row]) -> dict[str, pl.DataFrame]:
        tables = {"extract.claims": claims, "known.claims": self.accepted}
        return walk_part(tables, start="link", stop="reinforce", as_of=self.at, rules=self.rules)

    def _is_too_much(self, before: dict[str, pl.DataFrame], after: dict[str, pl.DataFrame]) -> bool:
        if not before:
            return False
        limits = {**_DEFAULTS, **self.policy}
        share = retired_share(
            before["reinforce.memories"],
            after["reinforce.memories"],
            min_records=limits["max_retire_min_records"],
        )
        return share > limits["max_retire_fraction"]

    def _publish(self, made: dict[str, pl.DataFrame], rejected: set[str]) -> None:
        self.stands = made
        self.accepted = [row for row in made["link.claims"].to_dicts() if row["claim_id"] not in rejected]
        self.records = [_record(row, self.at) for row in made["reinforce.memories"].to_dicts()]


def _time(text: str) -> datetime:
    found = when(text)
    if found is None:
        raise ValueError("a run of a case needs its time")
    return found


def _rules(policy: Row, links: list[Row]) -> Row:
    return {
        "link": {"links": [(link["alias"], link["same_as"]) for link in links]},
        "reconcile": {name: policy[name] for name in _RECONCILE if name in policy},
        "reinforce": {"archive_after_days": policy.get("archive_episodic_after_days")},
    }


def _rejections(made: dict[str, pl.DataFrame]) -> list[Row]:
    decisions = pl.concat([made[f"{stage}.decisions"] for stage in ("link", "reconcile")])
    return decisions.filter(pl.col("action") == "reject").sort("item_id").to_dicts()


def _record(memory: Row, now: datetime) -> Row:
    """A memory in the words of the case format."""
    same = (
        "project",
        "subject",
        "subject_key",
        "attribute",
        "value",
        "polarity",
        "kind",
        "text",
        "status",
        "confidence",
    )
    last_at = memory["last_confirmed_at"] or memory["last_seen_at"]
    weight = {name: memory[name] for name in ("stability_days", "confidence", "importance")}
    return {
        "record_id": memory["id"],
        "user_id": memory["owner"],
        **{name: memory[name] for name in same},
        "valid_from": _iso(memory["valid_from"]),
        "valid_to": _iso(memory["valid_to"]),
        "first_seen": _iso(memory["first_seen_at"]),
        "last_seen": _iso(memory["last_seen_at"]),
        "strength": strength(last_at=last_at, now=now, **weight),
        "evidence": [{name: e[name] for name in ("session_id", "message_id")} for e in memory["evidence"]],
        "superseded_by": memory["superseded_by"],
    }


def _iso(time: datetime | None) -> str | None:
    return time.isoformat() if time else None
