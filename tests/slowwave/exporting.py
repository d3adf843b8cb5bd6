"""A store to export from: rows through the night's own documents, published by the one publisher there is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import slowwave
from models.memory import EpisodeRow, MemoryRow
from models.rules import Owner, Profile, ProjectRules
from models.table import rows_to_frame
from slowwave.reader import Reader
from tasks.project.documents import write_documents
from tests.make import unreviewed
from tests.stores import build


def reader_of(
    store: Path,
    memories: Sequence[MemoryRow],
    *,
    episodes: Sequence[EpisodeRow] = (),
    profiles: dict[str, Profile] | None = None,
) -> Reader:
    """A reader of a version that holds these memories, with the documents that a night makes of them."""
    rules = ProjectRules(profiles={"snapshot": Profile(), **(profiles or {})})
    lessons = [row.id for row in memories if row.trust == "agent"]
    made = write_documents(
        unreviewed(rows_to_frame(MemoryRow, list(memories))),
        lessons,
        rules=rules,
        owner=Owner(names=("Ana",)),
    )
    build(store, memories=memories, episodes=episodes, made=made, embedder="none", zone="Europe/Lisbon")
    return slowwave.open(store)


def everything(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def ours(folder: Path) -> dict[str, bytes]:
    """The same without locks and our own record."""
    return {k: v for k, v in everything(folder).items() if not k.endswith(".lock") and "slowwave-export" not in k}


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    folder = tmp_path / "agent"
    folder.mkdir()
    return folder
