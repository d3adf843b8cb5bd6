"""Of what was superseded, the current one is found first, whatever the question's words: over the cases, the samples and the week."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import slowwave
from evals.samples.counts import SAMPLES
from evals.text import owners, result
from slowwave.format import Memory, Status
from slowwave.reader import Reader
from slowwave.reader.tables import Tables
from tests.e2e.test_samples import walked

ROOT = Path(__file__).parents[2]
CASES = Path(os.environ.get("SLOWWAVE_CASES", ROOT.parent / "shared" / "cases"))
# Those in which somebody moves, corrects, stops or says it otherwise.
CHANGES = ("t-021", "t-022", "t-023")


def pairs(reader: Reader) -> Iterator[tuple[Memory, Memory]]:
    """Each superseded memory with the last of its successors."""
    memories = {m.id: m for m in Tables(reader.store, reader.manifest).where("memories", Memory)}
    for stale in memories.values():
        head = stale
        while head.superseded_by in memories:
            head = memories[head.superseded_by]
        if stale.status == Status.SUPERSEDED and head.status in (Status.ACTIVE, Status.ARCHIVED):
            yield stale, head


def wrongly_ranked(reader: Reader) -> tuple[int, list[str]]:
    """How many pairs there are, and the questions that show the stale one as a result or do not show the current one."""
    found, wrong = list(pairs(reader)), list[str]()
    for stale, head in found:
        for question in (stale.text, head.text, f"What about {stale.value or stale.text}?"):
            told = reader.recall(question, 10, at=reader.manifest.as_of)
            ids = [one.id for one in told]
            quoted = {piece.quote for piece in stale.evidence} - {piece.quote for piece in head.evidence}
            shown_bare = [one for one in told if one.kind == "turn" and one.text in quoted]
            if stale.id in ids or shown_bare or head.id not in ids:
                wrong.append(question)
    return len(found), wrong


def test_of_the_cases(tmp_path: Path) -> None:
    files = [path for name in CHANGES for path in CASES.glob(f"{name}-*.json")]
    if not files:
        pytest.skip(f"no cases in {CASES}; name their folder in SLOWWAVE_CASES")
    n_pairs = 0
    for path in files:
        case = json.loads(path.read_text(encoding="utf-8"))
        folder = tmp_path / path.stem
        folder.mkdir()
        result(case, folder)
        for n, _ in enumerate(owners(case)):
            n_here, wrong = wrongly_ranked(slowwave.open(folder / f"owner-{n}" / "store"))
            assert wrong == [], path.stem
            n_pairs += n_here
    assert n_pairs >= 2


def test_of_the_samples_together_and_of_the_week(tmp_path: Path, week: Path) -> None:
    walked(tmp_path / "store", tuple(SAMPLES))
    n_samples, wrong = wrongly_ranked(slowwave.open(tmp_path / "store"))
    assert wrong == [] and n_samples >= 3
    assert wrongly_ranked(slowwave.open(week))[1] == []
