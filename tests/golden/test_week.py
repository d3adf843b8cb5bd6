"""The sample week through capture, sift and segment, as pages a person can read and a diff can show.

After a wanted change: SLOWWAVE_GOLDEN=write python -m pytest tests/golden, then read the diff.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.capture import capture, load_messages, load_signals
from adapters.embedder import open_embedder
from adapters.sources import Source
from models.message import Message, Signal
from models.rules import SegmentRules, SiftRules
from models.table import Frame, empty
from models.turn import Turn
from tasks.segment import in_order, segment
from tasks.sift import sift
from tests.make import at

_WEEK = Path(__file__).parents[2] / "samples" / "week.jsonl"
_PAGES = Path(__file__).parent / "week"


def _sift_page(messages: Frame[Message], turns: Frame[Turn], decisions: list[dict[str, Any]]) -> Iterator[str]:
    """Every message: what is kept of it under it, and why the rest is not."""
    kept = {row["msg_key"]: row for row in turns.iter_rows(named=True)}
    why: dict[str, list[str]] = {}
    for row in decisions:
        why.setdefault(row["item_id"], []).append(f"  {row['action']}: {row['reason']} {row['detail']}".rstrip())
    for row in in_order(messages).iter_rows(named=True):
        turn = kept.get(row["msg_key"])
        grade = "" if turn is None else (" evidence" if turn["is_evidence"] else " context")
        yield f"{row['message_id']} {row['role']} ({row['trust']}){grade}"
        yield from ([] if turn is None else [f"  | {_part(turn, span)}" for span in turn["spans"]])
        yield from why.get(row["msg_key"], [])


def _part(turn: dict[str, Any], span: dict[str, int]) -> str:
    return str(turn["text"][span["start"] : span["end"]])


def _segment_page(topics: list[dict[str, Any]], turns: Frame[Turn]) -> Iterator[str]:
    """Every topic: its turns by the platform's own ids."""
    ids = dict(turns.select("msg_key", "message_id").iter_rows())
    for topic in sorted(topics, key=lambda row: (row["session_id"], row["ordinal"])):
        yield f"{topic['session_id']} topic {topic['ordinal']}, {topic['n_tokens']} tokens"
        yield f"  turns   {' '.join(ids[key] for key in topic['msg_keys'])}"
        yield f"  context {' '.join(ids[key] for key in topic['context_keys'])}".rstrip()


def _working_page(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Every session's working set, its sentences with where they stand."""
    for row in sorted(rows, key=lambda row: (row["ended_at"], row["id"])):
        state = "open" if row["is_open"] else "closed"
        yield f"{row['session_id']} {row['started_at']:%F %R} to {row['ended_at']:%R}, {row['n_turns']} turns, {state}"
        yield " ".join(["  projects", *(f"{one['name']} ({one['ground']} {one['n']})" for one in row["projects"])])
        yield f"  entities {', '.join(row['entities'])}".rstrip()
        for name in ("summary", "commitments", "preferences"):
            for one in row[name]:
                yield f"  {name} {one['message_id']} {one['start']}-{one['end']} {one['privacy']} | {one['quote']}"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    store = tmp_path_factory.mktemp("golden") / "store"
    capture(store, [Source("jsonl", _WEEK)])
    messages = load_messages(store)
    done = sift(messages, empty(Turn), empty(Signal), rules=SiftRules(), as_of=at("2026-03-09T02:00"))
    rules = SegmentRules(window_tokens=100)
    cut = segment(done.turns, done.heard, load_signals(store), rules=rules, embed=open_embedder("none"))
    made = {
        "sift.txt": _sift_page(messages, done.turns, done.decisions.to_dicts()),
        "segment.txt": _segment_page(cut.topics.to_dicts(), done.turns),
        "working.txt": _working_page(cut.working.to_dicts()),
    }
    return {name: "\n".join(lines) + "\n" for name, lines in made.items()}


@pytest.mark.parametrize("name", ["sift.txt", "segment.txt", "working.txt"])
def test_the_week_reads_as_it_did(pages: dict[str, str], name: str) -> None:
    path = _PAGES / name
    if os.environ.get("SLOWWAVE_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(pages[name], encoding="utf-8")
    assert pages[name] == path.read_text(encoding="utf-8")
