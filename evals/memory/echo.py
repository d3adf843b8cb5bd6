"""Thirty nights that read what they published: shown memories come back as talk, and must teach nothing.

Every night hears, as new sessions, the last version's snapshot from an assistant and pasted by the user, its soul as a system prompt,
and lines recalled from it, from an assistant and pasted by the user. Confidence, number of pieces of evidence and text of every
memory must be those of a store that heard none of it, and no memory may come or go.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import slowwave
from evals.published import current
from flows.begin import Plan
from flows.road import consolidated
from flows.step import here
from slowwave.format import Memory
from slowwave.reader import Reader
from slowwave.reader.tables import Tables

NIGHTS = 30
QUESTIONS = ("What does the user prefer?", "What was promised?", "Who works on what?", "What happened last week?")
_RECALLED = 5
Row = dict[str, Any]
Shown = dict[str, tuple[float, int, str]]


def thirty_nights(plan: Plan, start: datetime, nights: int = NIGHTS) -> Row:
    """Walk the plan's night, then thirty from `start` that each hear what the last one published.

    What differs is told against a store that heard nothing of it, in its own night of the last date, since dates age lessons too.
    """
    consolidated(plan, here)
    folder = plan.store.with_name(f"{plan.store.name}-echo")
    folder.mkdir(parents=True)
    owner, last = _owner(plan.store), start + timedelta(days=nights)
    for number in range(1, nights + 1):
        at = start + timedelta(days=number)
        lines = (json.dumps(line, ensure_ascii=False) for line in _lines(slowwave.open(plan.store), at, owner))
        (folder / f"night-{number:02}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        consolidated(replace(plan, sources=(*plan.sources, f"jsonl={folder}"), as_of=at), here)
    quiet = replace(plan, store=plan.store.with_name(f"{plan.store.name}-quiet"), as_of=last)
    consolidated(quiet, here)
    told = _shown(quiet.store)
    return {"nights": nights, "memories": len(told), **_compared(told, _shown(plan.store))}


def _shown(store: Path) -> Shown:
    manifest = current(store)
    memories = Tables(store, manifest).where("memories", Memory) if manifest else ()
    return {memory.id: (memory.confidence, len(memory.evidence), memory.text) for memory in memories}


def _owner(store: Path) -> str:
    manifest = current(store)
    return next((memory.owner for memory in Tables(store, manifest).where("memories", Memory)), "") if manifest else ""


def _lines(reader: Reader, at: datetime, owner: str) -> Iterator[Row]:
    """What a day's agents showed of the memory, and what the user pasted of it into other talks."""
    snapshot = reader.snapshot()
    soul = reader.store / "published" / reader.manifest.version / "soul.md"
    recalled = [found.text for question in QUESTIONS for found in reader.recall(question, _RECALLED, at=at)]
    listed = "\n".join(f"- {text}" for text in dict.fromkeys(recalled))
    told = (
        ("shown", "system", soul.read_text(encoding="utf-8")),
        ("shown", "assistant", snapshot),
        ("shown", "assistant", f"Here is what I remember:\n{listed}"),
        ("pasted", "user", f"This is my memory file:\n\n{snapshot}"),
        ("listed", "user", listed),
    )
    for number, (session, role, text) in enumerate(told):
        yield {
            "session_id": f"{session}-{at:%Y%m%d}",
            "message_id": f"{session}-{at:%Y%m%d}-{number}",
            "user_id": owner,
            "role": role,
            "content": text,
            "created_at": (at - timedelta(hours=12) + timedelta(minutes=number)).isoformat(),
            "platform": "jsonl",
        }


def _compared(first: Shown, last: Shown) -> Row:
    changed = sorted(name for name in first.keys() & last.keys() if first[name] != last[name])
    came, went = sorted(last.keys() - first.keys()), sorted(first.keys() - last.keys())
    return {
        "differences": len(changed) + len(came) + len(went),
        "changed": [[*first[name], *last[name]] for name in changed][:20],
        "came": [last[name][2] for name in came][:20],
        "went": [first[name][2] for name in went][:20],
    }
