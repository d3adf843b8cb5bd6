"""Of what was superseded, the current one is found first, whatever the question's words: over the cases, the samples and the week."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import slowwave
from evals.cases import read_cases
from evals.current import looked_at, of_record_case, of_text_case
from evals.samples.counts import SAMPLES
from tests.e2e.test_samples import walked

ROOT = Path(__file__).parents[2]
CASES = Path(os.environ.get("SLOWWAVE_CASES", ROOT.parent / "shared" / "cases"))
# Those in which somebody moves, corrects, stops or says it otherwise; `python -m evals current` walks all.
CHANGES = ("t-021", "t-022", "t-023")


def test_of_the_cases(tmp_path: Path) -> None:
    if not CASES.is_dir():
        pytest.skip(f"no cases in {CASES}; name their folder in SLOWWAVE_CASES")
    n_pairs = {"record": 0, "text": 0}
    for case in read_cases(CASES):
        level, folder = case["level"], tmp_path / case["id"]
        if level == "text" and not case["id"].startswith(CHANGES):
            continue
        folder.mkdir()
        found = (of_record_case if level == "record" else of_text_case)(case, folder)
        assert found.wrong == [], case["id"]
        n_pairs[level] += found.n_pairs
    assert n_pairs["record"] >= 6 and n_pairs["text"] >= 2


def test_of_the_samples_together_and_of_the_week(tmp_path: Path, week: Path) -> None:
    walked(tmp_path / "store", tuple(SAMPLES))
    found = looked_at(slowwave.open(tmp_path / "store"))
    assert found.wrong == [] and found.n_pairs >= 3
    assert looked_at(slowwave.open(week)).wrong == []


def test_a_stale_answer_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look that finds nothing wrong, whatever is shown, would prove nothing."""
    from tests.make import memory
    from tests.stores import build

    old = memory("I live in Berlin.", id="old", status="superseded", superseded_by="new")
    build(tmp_path, memories=[old, memory("I live in Lisbon.", id="new")], embedder="none")
    reader = slowwave.open(tmp_path)
    assert looked_at(reader).wrong == []
    real = reader.recall
    monkeypatch.setattr(reader, "recall", lambda *args, **more: real(*args, statuses=["superseded", "active"], **more))
    assert looked_at(reader).wrong != []
