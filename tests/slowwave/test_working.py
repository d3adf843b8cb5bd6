"""The reader's working sets: the newest first, apart from every answer, and none where a version knows of none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import slowwave
from models.memory import WorkingRow
from slowwave.cli import main
from slowwave.errors import UsageError
from slowwave.format import Trust
from slowwave.store import version_folder
from tests.make import at, evidence, memory
from tests.stores import build, said


def row(session: str, quote: str, ended: str | None) -> WorkingRow:
    held: dict[str, Any] = evidence(quote, session=session).__dict__
    about = {"speaker": "user", "trust": Trust.OWNER, "privacy": "personal", "memory_ids": []}
    row = {"id": f"wrk_{session}", "owner": "u-ana", "platform": "test", "session_id": session, "n_turns": 3}
    found = {"ended_at": at(ended) if ended else None, "commitments": [held | about], "entities": ["Zanzibar"]}
    return WorkingRow.model_validate({**row, **found, "is_open": True})


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("working") / "store"
    sets = [
        row("s'1", "I will sail to Zanzibar.", "2026-02-01T10:00"),
        row("s2", "I will paint the \x1b[31mhull.", "2026-02-03T10:00"),
        row("s3", "I will wait.", None),
    ]
    memories, turns = [memory("I prefer green tea.")], [said("I prefer green tea.")]
    build(path, memories=memories, turns=turns, working=sets, embedder="none")
    return path


def test_working_sets_come_newest_first_and_by_session(store: Path) -> None:
    reader = slowwave.open(store)
    assert [one.session_id for one in reader.working()] == ["s2", "s'1", "s3"]
    assert [one.session_id for one in reader.working(k=1)] == ["s2"]
    (found,) = reader.working("s'1")
    assert found.commitments[0].quote == "I will sail to Zanzibar." and found.commitments[0].trust is Trust.OWNER
    assert reader.working("nowhere") == []
    with pytest.raises(UsageError):
        reader.working(k=0)


def test_no_answer_holds_a_candidate(store: Path) -> None:
    reader = slowwave.open(store)
    found = [*reader.recall("sail to Zanzibar", 50), *reader.sessions("sail to Zanzibar", 50)]
    assert not [one for one in found if "Zanzibar" in one.text]


def test_show_working_prints_them_unharmed(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "--store", str(store), "working"]) == 0
    shown = capsys.readouterr().out
    assert "I will sail to Zanzibar." in shown and "\x1b" not in shown
    assert main(["show", "--store", str(store), "working", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["working"]) == 3


def test_a_version_without_the_table_has_none(tmp_path: Path) -> None:
    made = build(
        tmp_path, memories=[memory("I prefer green tea.")], turns=[said("I prefer green tea.")], embedder="none"
    )
    path = version_folder(tmp_path, made.version) / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["tables"]["working"]
    path.write_text(json.dumps(manifest))
    reader = slowwave.open(tmp_path)
    assert reader.working() == [] and reader.recall("tea")
