"""Answers that a person wrote for one sample, walked to memories: this proves the way they take, and no model."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from adapters.capture import capture, load_messages
from adapters.sources import Source
from evals.samples.judge import snapshot_faults
from models.ask import Answer, Question
from models.claim import Claim, ClaimRow, Claims
from models.decision import Decision
from models.memory import MemoryRow
from models.message import Signal
from models.rules import Owner, ProjectRules, StageRules
from models.table import empty, rows_to_frame
from models.turn import Turn
from tasks.extract import extract
from tasks.link import link
from tasks.merge import merge
from tasks.project.documents import write_documents
from tasks.reconcile import reconcile
from tasks.segment import segment
from tasks.sift import sift
from tests.adapters.talks import no_vectors
from tests.make import unreviewed

Row = dict[str, Any]
SAMPLES = Path(os.environ.get("SLOWWAVE_SAMPLES", Path(__file__).parents[2] / "../shared/samples"))
SAMPLE, FILE = "chatgpt", "chatgpt_export.json"
RECORDED: list[Row] = tomllib.loads(Path(__file__).with_name("recorded_chatgpt.toml").read_text(encoding="utf-8"))[
    "claim"
]
MIN_FOUND = 0.95


class Recorded:
    """Answers each question with the claims whose every cue stands in one of the owner's lines."""

    model = "recorded"
    prompt = ""

    def __call__(self, questions: Sequence[Question]) -> list[Answer]:
        return [Answer(key=q.key, value=Claims(claims=list(_claims(q)))) for q in questions]


def _claims(question: Question) -> Iterator[Claim]:
    for told in RECORDED:
        lines = [_line(question, cue) for cue in told["cues"]]
        if all(lines):
            fields = {name: value for name, value in told.items() if name != "cues"}
            yield Claim.model_validate({"subject": "user", **fields, "lines": lines})


def _line(question: Question, cue: str) -> int:
    """The number of the first line of evidence that the cue stands in; 0 if none."""
    return next((x.number for x in question.lines if x.is_evidence and x.role == "user" and cue in x.text), 0)


def walked(folder: Path, expected: Row) -> tuple[list[Row], list[Row]]:
    """The memories, and what extract decided."""
    store, rules = folder / "store", StageRules()
    as_of = datetime.fromisoformat(expected["as_of"])
    owner = Owner(names=(expected["user"],), zone=expected["timezone"])
    capture(store, [Source(SAMPLE, SAMPLES / FILE)])
    messages = load_messages(store)
    heard = sift(messages, empty(Turn), empty(Signal), rules=rules.sift, as_of=as_of)
    topics = segment(heard.turns, empty(Turn), empty(Signal), rules=rules.segment, embed=no_vectors)  # type: ignore[arg-type]
    said = extract(topics.topics, heard.heard, rules=rules.extract, owner=owner, ask=Recorded())
    none = empty(Decision)
    linked = link(said.claims, empty(ClaimRow), messages, none, none, heard.heard, rules=rules.link, owner=owner)
    merged = merge(linked.claims, empty(MemoryRow), rules=rules.merge)
    made = reconcile(
        merged.memories, empty(MemoryRow), linked.claims, linked.mentions, rules=rules.reconcile, as_of=as_of
    )
    return made.memories.to_dicts(), said.decisions.to_dicts()


def is_found(memories: list[Row], item: Row, status: str) -> bool:
    return any(
        memory["kind"] == item["kind"]
        and status in (memory["status"], memory["status"] == "active" and memory["commitment_state"])
        and all(any(re.search(one, memory["text"], re.IGNORECASE) for one in group) for group in item["match"])
        for memory in memories
    )


@pytest.mark.skipif(not (SAMPLES / FILE).is_file(), reason="no samples: set SLOWWAVE_SAMPLES to their folder")
def test_answers_written_by_hand_become_the_memories_that_are_expected(tmp_path: Path) -> None:
    expected = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))
    memories, decisions = walked(tmp_path, expected)
    assert [d for d in decisions if d["action"] == "quarantine"] == []
    wanted = expected["samples"][SAMPLE]["must_contain"]
    items = [item for item in expected["items"] if item["id"] in wanted]
    missed = [item["id"] for item in items if not is_found(memories, item, wanted[item["id"]])]
    assert 1 - len(missed) / len(items) >= MIN_FOUND, missed
    assert all(row["evidence"] for row in memories)
    frame = rows_to_frame(MemoryRow, memories)
    assert frame.height == len(memories)
    rules, owner = ProjectRules(), Owner(names=(expected["user"],), zone=expected["timezone"])
    (text, _) = write_documents(unreviewed(frame), [], rules=rules, owner=owner)["text"]
    assert snapshot_faults(text, expected, (SAMPLE,)) == ([], [])
