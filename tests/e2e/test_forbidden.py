"""A phrase that the owner forbids reaches nothing that is published; forbidden later, it is gone after the next night."""

from __future__ import annotations

import shutil
from itertools import chain
from pathlib import Path

import lance
import polars as pl
import pytest

import slowwave
from adapters.settings import load
from evals.published import words
from flows.begin import Plan
from flows.road import Outcome, consolidated
from flows.step import here
from models.phrases import holds
from slowwave.store import version_folder
from tests.e2e.conftest import AFTER_WEEK, WEEK
from tests.make import at

# Said by the owner and by her agents, promised, kept, corrected and asked about; and seen by an observer.
PHRASES = ("Hanneke Dufour", "wheel class", "evening orders", "celadon")
SETTING = f"[owner]\nforbidden_words = {list(PHRASES)}\n"


def night(store: Path, when: str, setting: str = SETTING) -> Outcome:
    store.mkdir(exist_ok=True)
    (store / "slowwave.toml").write_text(setting)
    return consolidated(Plan(store, (WEEK,), at(when)), here)


def published(store: Path) -> str:
    """Every text of the version that serves: its tables with their search columns, its documents, and the night's page."""
    manifest = slowwave.open(store).manifest
    tables = (lance.dataset(str(store / ref.path)).to_table() for ref in manifest.tables.values())
    rows = [words(t.select([n for n in t.column_names if n != "vector"]).to_pylist()) for t in tables]
    files = [
        *version_folder(store, manifest.version).iterdir(),
        store / "runs" / manifest.provenance["run"] / "audit.html",
    ]
    return "\n".join([*chain(*rows), *(path.read_text() for path in files)])


def found(store: Path) -> list[str]:
    """The phrases that stand in what is published, or in an answer."""
    text = published(store)
    assert "Hanneke Bral" in text and "market day" in text
    answers = (r.text for r in slowwave.open(store).recall("celadon for Hanneke Dufour", k=50))
    shown = "\n".join([text, *answers])
    return [phrase for phrase in PHRASES if holds(shown, [phrase])]


def unowned_vectors(store: Path) -> set[str]:
    """The vectors that nothing published asks for: they would be of texts that are gone."""
    memory = slowwave.open(store)
    manifest = memory.manifest
    vectors = pl.read_parquet(store / manifest.state["vectors"].path)
    return set(vectors["embedding_id"]) - published_ids(store, manifest.provenance["run"])


def published_ids(store: Path, run: str) -> set[str]:
    frames = [pl.read_parquet(path) for path in (store / "runs" / run).glob("project.*.parquet")]
    return {
        one
        for frame in frames
        if "embedding_id" in frame.columns and "vector" not in frame.columns
        for one in frame["embedding_id"]
    }


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("clean") / "store"
    assert night(store, f"{AFTER_WEEK:%Y-%m-%dT%H:%M}").status == "published"
    return store


def test_a_forbidden_phrase_reaches_nothing_that_is_published(clean: Path, week: Path) -> None:
    assert found(week) == list(PHRASES)
    assert found(clean) == []
    assert unowned_vectors(clean) == set()


def test_a_phrase_forbidden_between_two_nights_is_gone_after_the_second(
    clean: Path, week: Path, tmp_path: Path
) -> None:
    store = shutil.copytree(week, tmp_path / "store")
    assert night(store, "2026-04-02T03:00").status == "published"
    assert found(store) == []
    assert unowned_vectors(store) == set()
    texts = [{r.text for r in slowwave.open(one).recall("everything", k=100)} for one in (store, clean)]
    assert texts[0] == texts[1]
    assert night(store, "2026-04-02T04:00").status == "nothing_to_do"


def test_the_setting_is_still_read_where_it_once_stood(tmp_path: Path) -> None:
    (tmp_path / "slowwave.toml").write_text(
        '[owner]\nzone = "Europe/Brussels"\n[rules.extract]\nforbidden_words = ["figs"]\n'
    )
    owner = load(tmp_path).owner
    assert (owner.forbidden_words, owner.zone) == (("figs",), "Europe/Brussels")
