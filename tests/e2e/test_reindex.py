"""Tables are built again from Parquet to the same answers; vectors that are not what they should be are made again."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import slowwave
from adapters import lake
from adapters.embedder import open_embedder
from adapters.retention import sweep
from flows.begin import Plan
from flows.reindex import reindex
from flows.road import consolidated
from flows.step import here
from models.memory import Vector
from models.table import empty
from slowwave import store as layout
from slowwave.cli import main
from slowwave.errors import VersionGone
from slowwave.format import Manifest
from slowwave.verify import verify
from tasks.project.vectors import embed_new, with_embedding_ids
from tests.e2e.conftest import WEEK
from tests.make import at

ASKED = ["Who keeps the kiln?", "What did I promise?", "evening orders", "What happened last week?"]


def manifest_of(store: Path) -> Manifest:
    return layout.read_manifest(store, layout.required_current(store))


def answers(store: Path, embedder: str | None = None) -> list[list[dict[str, Any]]]:
    reader = slowwave.open(store, embedder=embedder)
    return [[hit.as_dict() for hit in reader.recall(query, at=at("2026-04-02"))] for query in ASKED]


@pytest.fixture
def store(week: Path, tmp_path: Path) -> Path:
    return shutil.copytree(week, tmp_path / "store")


@pytest.mark.parametrize("names", [(), ("memories",), ("turns", "episodes")])
def test_damaged_tables_are_built_again_to_the_same_answers(store: Path, names: tuple[str, ...]) -> None:
    store.chmod(0o700)
    before, manifest = answers(store), manifest_of(store)
    for name in names or manifest.tables:
        for path in (store / manifest.tables[name].path).rglob("*.lance"):
            path.write_bytes(path.read_bytes()[:40])
    assert verify(store).faults
    open_before = slowwave.open(store)
    flags = [part for name in names for part in ("--table", name)]
    assert main(["reindex", "--store", str(store), *flags]) == 0
    assert answers(store) == before
    assert verify(store).faults == []
    after = manifest_of(store)
    assert (after.version, after.content) == (manifest.version, manifest.content)
    assert {name for name in after.tables if after.tables[name] != manifest.tables[name]} == set(names or after.tables)
    assert open_before.manifest == manifest
    with pytest.raises(VersionGone):
        open_before.recall("kiln")
    shutil.rmtree(store / "lance" / manifest.version)
    if not names:
        assert open_before.recall("kiln") and open_before.warnings == []


def test_versions_that_carry_a_table_name_the_new_one_and_a_night_goes_on(store: Path) -> None:
    first = manifest_of(store)
    said = {"session_id": "late", "message_id": "l1", "role": "user", "content": "I moved to Rotterdam."}
    slowwave.record(store, [{**said, "created_at": "2026-04-01T20:00:00+02:00"}])
    consolidated(Plan(store, (WEEK,), at("2026-04-02T03:00")), here)
    second = manifest_of(store)
    carried = [name for name in first.tables if second.tables[name].path == first.tables[name].path]
    made = reindex(store, first.version)
    assert made.n_versions == (2 if carried else 1)
    sweep(store)
    for version in (first.version, second.version):
        manifest = layout.read_manifest(store, version)
        assert not layout.missing_of(store, manifest)
        assert slowwave.open(store, version).recall("kiln")
    slowwave.record(store, [{**said, "message_id": "l2", "content": "I sold the kiln."}])
    assert consolidated(Plan(store, (WEEK,), at("2026-04-03T03:00")), here).status == "published"


def test_a_lost_text_is_written_again_and_lost_rows_are_named(store: Path) -> None:
    text = slowwave.open(store).snapshot()
    (layout.version_folder(store, manifest_of(store).version) / "snapshot.md").unlink()
    reindex(store, names=["documents"])
    assert slowwave.open(store).snapshot() == text
    for path in (store / "runs").glob("*/project.memories.parquet"):
        path.unlink()
    with pytest.raises(VersionGone, match="rows of memories"):
        reindex(store)
    assert main(["reindex", "--store", str(store), "--table", "nothing"]) == 2
    assert answers(store)


def test_missing_changed_and_foreign_vectors_are_made_again() -> None:
    embed = open_embedder("static")
    texts = with_embedding_ids(pl.DataFrame({"text": ["green tea", "a cat", "the viola"]}), embed)
    whole = embed_new(texts, empty(Vector), embed)
    rows = whole.to_dicts()
    foreign = {"embedding_id": "emb_of_another_model", "vector": [1.0] * embed.dimension}
    damaged = pl.DataFrame([{**rows[0], "vector": rows[0]["vector"][:8]}, rows[1], foreign], schema=whole.schema)
    n = embed.n_embedded
    assert embed_new(texts, damaged, embed).equals(whole)
    assert embed.n_embedded - n == 2, "the cut one and the missing one; what is whole is not made twice"
    edited = with_embedding_ids(texts.with_columns(text=pl.col("text") + "!"), embed)
    assert not set(edited["embedding_id"]) & set(texts["embedding_id"])


def test_another_embedder_makes_every_vector_anew(store: Path) -> None:
    before = manifest_of(store)
    plan = Plan(store, (WEEK,), at("2026-04-02T03:00"), {"embed": {"embedder": "none"}})
    slowwave.record(store, [{"session_id": "s", "message_id": "n1", "role": "user", "content": "I keep bees."}])
    assert consolidated(plan, here).status == "published"
    assert manifest_of(store).embedder.dimension == 0
    slowwave.record(store, [{"session_id": "s", "message_id": "n2", "role": "user", "content": "I keep goats."}])
    assert consolidated(Plan(store, (WEEK,), at("2026-04-03T03:00")), here).status == "published"
    again = manifest_of(store)
    assert again.embedder == before.embedder
    ref, old = (one.state["vectors"] for one in (again, before))
    known = lake.read_table(store, old, Vector)
    assert known.join(lake.read_table(store, ref, Vector), on="embedding_id", how="semi").height > known.height // 2
