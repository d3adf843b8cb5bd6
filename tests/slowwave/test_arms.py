"""A table is searched alike from disk and from memory, whatever is in it and whatever is asked."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import lance
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slowwave
from adapters.publish.tables import FULL_TEXT
from slowwave.errors import VersionGone
from slowwave.format import Memory, Status, Turn
from slowwave.reader import Reader
from slowwave.reader.request import one_of
from slowwave.reader.tables import Hit, Tables, instant
from tests.make import at, memory
from tests.stores import build, entity, said

WORDS = [
    *(
        "tea",
        "Tea,",
        "teas",
        "running",
        "ran",
        "café",
        "CAFE",
        "don't",
        "O'Neil",
        "the",
        "of",
        "3.14",
        "zürich",
        "naïve",
        "a",
    ),
    *(
        "東京で",
        "公園を走る",
        "สวัสดีชาวโลก",
        "привет",
        "🙂",
        "kiln",
        "glaze",
        "Lisbon",
        "\x00",
        '"quoted"',
        "user@example.org",
    ),
]
STATUSES = [*[Status.ACTIVE] * 4, Status.ARCHIVED, Status.SUPERSEDED, Status.EXPIRED, Status.RETRACTED]
N = 240
SHOWN = one_of("status", [Status.ACTIVE, Status.ARCHIVED, Status.DISPUTED, Status.SUPERSEDED])
CONDITIONS = [
    None,
    SHOWN,
    "false",
    f"{SHOWN} AND said_at >= {instant(at('2026-02-01T12:00'))}",
    one_of("status", [Status.RETRACTED]),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("arms") / "store"
    draw = np.random.default_rng(7)
    texts = [" ".join(draw.choice(WORDS, size=draw.integers(1, 9)).tolist()) for _ in range(N)]
    times = [(at("2026-02-01T00:00") + timedelta(minutes=7 * i)).isoformat() for i in range(N)]
    fates = [STATUSES[i] for i in draw.integers(0, len(STATUSES), N)]
    rows = [
        (f"{texts[i]} {i}", {"session": f"s{i // 20}", "seq": i % 20, "when": times[i], "status": fates[i]})
        for i in range(N)
    ]
    memories = [
        memory(
            text, id=f"mem_{i}", said=of["when"], message_id=f"m{of['seq']}", status=of["status"], superseded_by=None
        )
        for i, (text, of) in enumerate(rows)
        if i % 4 == 0
    ]
    turns = [said(text, memory_ids=[f"mem_{i}"] if i % 4 == 0 else [], **of) for i, (text, of) in enumerate(rows)]
    build(made, memories=memories, turns=turns, entities=[entity("O'Neil")])
    return made


def tables(store: Path, held_mb: float) -> Tables:
    return Tables(store, slowwave.open(store).manifest, held_mb)


@pytest.fixture(scope="module")
def both(store: Path) -> tuple[Tables, Tables]:
    return tables(store, 64), tables(store, 0)


@pytest.fixture(scope="module")
def readers(store: Path) -> tuple[Reader, Reader]:
    return slowwave.open(store), slowwave.open(store, held_mb=0)


questions = st.lists(st.sampled_from([*WORDS, "7", "ten"]) | st.text(max_size=6), min_size=1, max_size=6).map(" ".join)


@settings(deadline=None, max_examples=60)
@given(
    question=questions,
    where=st.sampled_from(CONDITIONS),
    depth=st.sampled_from([2, 10, 80, 400]),
    seed=st.integers(0, 9),
)
def test_a_table_in_memory_finds_what_its_indexes_find(
    both: tuple[Tables, Tables], question: str, where: str | None, depth: int, seed: int
) -> None:
    vector = None if seed == 0 else _unit(seed)
    held, stored = (one.search("turns", question, vector, where, depth) for one in both)
    assert _scores(held) == pytest.approx(_scores(stored), abs=1e-4)
    assert _cosines(held, depth) == pytest.approx(_cosines(stored, depth), abs=1e-4)
    rows = {hit.id: hit.row for hit in stored}
    assert all(hit.row == rows[hit.id] for hit in held if hit.id in rows)


def _unit(seed: int) -> Any:
    drawn = np.random.default_rng(seed).normal(size=256).astype(np.float32)
    return drawn / np.linalg.norm(drawn)


def _scores(hits: list[Hit]) -> list[float]:
    """Full-text scores, best first: where several rows tie for the last place, either may have it."""
    return sorted((hit.bm25 for hit in hits if hit.bm25), reverse=True)


def _cosines(hits: list[Hit], depth: int) -> list[float]:
    """Those of the nearest, which are found whatever the words find."""
    return sorted((hit.cosine for hit in hits), reverse=True)[: depth // 2]


@settings(deadline=None, max_examples=40)
@given(question=questions.filter(str.strip), is_past=st.booleans(), k=st.sampled_from([50, 60]))
def test_a_reader_answers_alike_from_disk_and_from_memory(
    readers: tuple[Reader, Reader], question: str, is_past: bool, k: int
) -> None:
    """With so many places that no row is left out by chance: of rows that tie for the last one, either may be found."""
    asked: dict[str, Any] = {"k": k, "at": at("2026-03-01"), "as_of": at("2026-02-01T15:00") if is_past else None}
    held, stored = ({r.id: r for r in reader.recall(question, **asked)} for reader in readers)
    assert held.keys() == stored.keys()
    assert [r.score for r in held.values()] == pytest.approx([r.score for r in stored.values()], abs=2e-3)
    assert all(r.parts == pytest.approx(stored[key].parts, abs=2e-3) for key, r in held.items())
    assert all((r.text, r.status, r.evidence) == _shown(stored[key]) for key, r in held.items())


def _shown(result: slowwave.Recalled) -> tuple[Any, ...]:
    return result.text, result.status, result.evidence


def test_rows_come_whole_from_either_and_as_the_columns_say(store: Path, both: tuple[Tables, Tables]) -> None:
    written = {row.id: row for row in both[1].where("turns", Turn)}
    some = sorted(written)[::17]
    for one in both:
        assert one.by_ids("turns", Turn, [*some, "no such id"]) == {key: written[key] for key in some}
    known = {row.id: row for row in both[1].where("memories", Memory)}
    assert all(one.by_ids("memories", Memory, known) == known for one in both)


def test_a_table_from_before_rows_were_packed_answers_as_ever(store: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(store, tmp_path / "old")
    asked = "teas at the kiln in Lisbon"
    before = slowwave.open(store).recall(asked, at=at("2026-03-01"))
    for path in (tmp_path / "old").rglob("*.lance"):
        if path.is_dir() and "packed" in lance.dataset(str(path)).schema.names:
            lance.dataset(str(path)).drop_columns(["packed"])
    assert slowwave.open(tmp_path / "old").recall(asked, at=at("2026-03-01")) == before != []


def test_what_is_held_is_not_told_once_its_table_is_gone(store: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(store, tmp_path / "copy")
    reader = slowwave.open(tmp_path / "copy", slowwave.open(store).version)
    assert reader.recall("tea in Lisbon")
    shutil.rmtree(tmp_path / "copy" / "lance")
    with pytest.raises(VersionGone):
        reader.recall("tea in Lisbon")


def test_a_table_of_several_fragments_answers_as_one(store: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(store, tmp_path / "cut")
    asked = {"query": "teas at the kiln in Lisbon", "k": 60, "at": at("2026-03-01")}
    before = slowwave.open(store).recall(**asked)
    path = tmp_path / "cut" / slowwave.open(store).manifest.tables["turns"].path
    rows = lance.dataset(str(path)).to_table()
    shutil.rmtree(path)
    cut = lance.write_dataset(rows, str(path), max_rows_per_file=50)
    cut.create_scalar_index("search_text", "INVERTED", **FULL_TEXT)
    assert len(cut.get_fragments()) > 1
    for held_mb in (0, 64):
        assert [r.id for r in slowwave.open(tmp_path / "cut", held_mb=held_mb).recall(**asked)] == [
            r.id for r in before
        ]


def test_a_table_without_indexes_is_searched_all_the_same(store: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(store, tmp_path / "bare")
    for name in ("turns", "memories"):
        path = tmp_path / "bare" / slowwave.open(store).manifest.tables[name].path
        rows = lance.dataset(str(path)).to_table()
        shutil.rmtree(path)
        lance.write_dataset(rows, str(path))
    held, stored = (
        slowwave.open(tmp_path / "bare", held_mb=mb).recall("kiln glaze", 60, at=at("2026-03-01")) for mb in (64, 0)
    )
    assert {r.id: r.score for r in held} == pytest.approx({r.id: r.score for r in stored}, abs=2e-3)
    assert "kiln" in held[0].text


def test_several_threads_may_ask_one_reader(store: Path) -> None:
    asked = [f"{word} {i}" for i, word in enumerate(["tea", "kiln", "Lisbon", "running", "公園を走る"] * 4)]
    alone = slowwave.open(store)
    expected = [alone.recall(question, at=at("2026-03-01")) for question in asked]
    for held_mb in (0, 64):
        shared = slowwave.open(store, held_mb=held_mb)
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda question, reader=shared: reader.recall(question, at=at("2026-03-01")), asked))
        assert [[r.id for r in one] for one in found] == [[r.id for r in one] for one in expected]
