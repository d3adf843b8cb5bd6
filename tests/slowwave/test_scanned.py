"""Without its indexes a store answers all the same, and says so; without its rows it does not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import slowwave
from slowwave.errors import VersionGone
from slowwave.format import Kind, Status
from slowwave.reader.tables import Tables
from tests.make import NOW, memory
from tests.stores import build, entity, said

SAID = ["My sister plays the viola in Ghent.", "The lease ends in March.", "We painted the fences green.", "I fence."]
QUESTIONS = {"Who plays a viola?": 0, "when is the lease ending": 1, "painting a fence": 2}


def _without_indexes(store: Path) -> Path:
    for folder in store.glob("lance/*/*.lance/_indices"):
        shutil.rmtree(folder)
    return store


@pytest.fixture(params=["static", "none"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    rows = [memory(text, id=f"mem_{i}", message_id=f"m{i}") for i, text in enumerate(SAID)]
    rows.append(memory("The lease is over.", id="mem_old", status=Status.RETRACTED, message_id="m9"))
    turns = [said(text, seq=i, memory_ids=[f"mem_{i}"]) for i, text in enumerate([*SAID, "Unrelated words."])]
    build(tmp_path, memories=rows, turns=turns, entities=[entity("Ghent")], embedder=request.param)
    return _without_indexes(tmp_path)


@pytest.mark.parametrize("held_mb", [64, 0])
def test_every_row_is_looked_at_and_it_is_said(store: Path, held_mb: float) -> None:
    reader = slowwave.open(store, held_mb=held_mb)
    for question, number in QUESTIONS.items():
        assert reader.recall(question, at=NOW)[0].id == f"mem_{number}"
    told = [warning for warning in reader.warnings if "slowwave reindex" in warning]
    assert len(told) == 2 and all("every row is looked at" in warning for warning in told)
    assert "mem_old" not in {found.id for found in reader.recall("lease", 20, at=NOW)}
    assert reader.recall("lease", kinds=[Kind.PROJECT], at=NOW) == []


def test_a_bundle_comes_too(store: Path) -> None:
    found = slowwave.bundle(store, "Who plays the viola?", at=NOW)
    assert found.results[0].id == "mem_0" and any("slowwave reindex" in warning for warning in found.warnings)


def test_who_can_tell_nobody_is_refused(store: Path) -> None:
    tables = Tables(store, slowwave.open(store).manifest)
    with pytest.raises(VersionGone, match="memories"):
        tables.search("memories", "viola", None, None, 10)


def test_rows_that_are_gone_are_gone(store: Path) -> None:
    for path in store.glob("lance/*/memories.lance/data/*"):
        path.write_bytes(b"")
    with pytest.raises(VersionGone, match="memories"):
        slowwave.open(store).recall("viola")
