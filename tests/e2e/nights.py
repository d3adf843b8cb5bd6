"""Nights over damaged input as a person runs them, and what must hold of each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lance
import pytest

from adapters import lake
from adapters.capture import load_messages
from models.decision import Decision
from slowwave.cli import main
from slowwave.format import TableRef
from slowwave.store import read_current, read_manifest

GOOD = "I am allergic to walnuts."
# Stands in every damaged place, and must come out nowhere.
SECRET = "quince-marmalade"
Capture = pytest.CaptureFixture[str]
Change = Callable[[bytes], bytes]
AS_OF = "2026-06-01T03:00Z"


def several(platforms: tuple[Any, ...]) -> list[Any]:
    """The first platform of a family always, the others in the slow tests: they read through the same doors."""
    first, *others = platforms
    return [pytest.param(first, id=first.kind), *(pytest.param(p, id=p.kind, marks=pytest.mark.slow) for p in others)]


def plain(reason: str) -> str:
    """A reason without which of a conversation's messages it is of."""
    return reason.rpartition(": ")[2]


class Nights:
    """The nights of one store over one source."""

    def __init__(self, tmp_path: Path, capsys: Capture, *sources: str) -> None:
        self.store, self.capsys, self.sources = tmp_path / "store", capsys, sources

    def __call__(self, *more: str) -> tuple[int, str]:
        """One night as a person runs it: its exit status, and all that was printed."""
        flags = [part for source in self.sources for part in ("--source", source)]
        status = main(["night", "--store", str(self.store), *flags, "--as-of", AS_OF, "--plain", "--quiet", *more])
        out, err = self.capsys.readouterr()
        said = out + err
        assert "Traceback" not in said and SECRET not in said
        assert all(letter.isprintable() or letter == "\n" for letter in said), repr(said)
        return status, said

    def texts(self) -> set[str]:
        """What was captured."""
        return set(load_messages(self.store)["text"])

    def published(self) -> set[str]:
        """What was said, as the version that serves has it."""
        manifest = read_manifest(self.store, read_current(self.store) or "")
        found = lance.dataset(self.store / manifest.tables["turns"].path).to_table(columns=["text"])
        return {str(text) for text in found["text"].to_pylist()}

    def newest(self) -> Path:
        """The folder of the last run."""
        return max((self.store / "runs").iterdir(), key=lambda run: (run / "run.json").stat().st_mtime_ns)

    def decided(self) -> dict[str, str]:
        """Why each place was quarantined, as the decisions of the last night say."""
        path = (self.newest() / "begin.decisions.parquet").relative_to(self.store).as_posix()
        found = lake.read_table(self.store, TableRef(path=path, sha256="", rows=0), Decision)
        quarantined = [row for row in found.iter_rows(named=True) if row["action"] == "quarantine"]
        return {row["item_id"]: plain(row["reason"]) for row in quarantined}

    def expect(self, damaged: dict[str, str]) -> None:
        """A first night publishes what is good and names what is not; a second one over the same has nothing new to say."""
        status, said = self()
        assert self.decided() == damaged
        assert status == 5 and "published" in said
        assert GOOD in self.published()
        report = (self.newest() / "audit.html").read_text()
        told = json.loads((self.newest() / "run.json").read_text())["facts"]["quarantined"]
        assert {place for place, _ in told} == set(damaged)
        for reason in damaged.values():
            assert reason in said and reason in report
        assert SECRET not in report
        assert self()[0] == 0
        assert self.decided() == damaged

    def expect_mended(self, *texts: str) -> None:
        """A night over what was mended captures it."""
        assert not set(texts) & self.texts()
        status, _ = self()
        assert status == 0
        assert set(texts) <= self.texts()
