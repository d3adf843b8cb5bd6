"""Publish: a version is whole or not there, has the name of its content, and goes live by compare-and-swap."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import textwrap
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import slowwave
from adapters import files as writing
from adapters import pointer
from adapters import publish as publishing
from adapters.publish import tables
from slowwave import store as layout
from slowwave.errors import PublishConflict, SlowwaveError, StoreUnwritable
from slowwave.format import FORMAT_VERSION, PUBLISHED, TableRef
from tests.make import NOW, at, memory
from tests.stores import build, entity, said

TEA = memory("I prefer green tea.", id="mem_tea", message_id="m5")
CAT = memory("My cat is called Miso.", id="mem_cat", message_id="m6")


def files(store: Path) -> dict[str, bytes]:
    return {str(p.relative_to(store)): p.read_bytes() for p in sorted(store.rglob("*")) if p.is_file()}


def test_a_version_lies_where_readers_look(tmp_path: Path) -> None:
    made = build(tmp_path, memories=[TEA], turns=[said("x", seq=5)], documents={"snapshot.md": "# é\n", "soul.md": "s"})
    assert made == layout.read_manifest(tmp_path, made.version)
    assert (tmp_path / "CURRENT").read_text() == f"{made.version}\n"
    assert made.version.startswith("20260301-") and made.content.startswith(made.version.partition("-")[2])
    assert made.format == FORMAT_VERSION and set(made.tables) == set(PUBLISHED)
    assert made.tables["memories"].rows == 1
    assert all((tmp_path / ref.path).is_dir() for ref in made.tables.values())
    folder = layout.version_folder(tmp_path, made.version)
    assert made.documents == {n: sha256((folder / n).read_bytes()).hexdigest() for n in ("snapshot.md", "soul.md")}
    assert (folder / "snapshot.md").read_text() == "# é\n"


def test_everything_is_private_to_its_owner(tmp_path: Path) -> None:
    previous = os.umask(0o022)
    try:
        build(tmp_path / "store", memories=[TEA])
    finally:
        os.umask(previous)
    for part in ("lance", "published"):
        for path in [tmp_path / "store" / part, *(tmp_path / "store" / part).rglob("*")]:
            assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert stat.S_IMODE((tmp_path / "store/CURRENT").stat().st_mode) == 0o600


def test_the_name_is_of_content_and_day_and_of_no_path_run_or_time(tmp_path: Path) -> None:
    ref = TableRef(path="runs/a/x.parquet", sha256="5" * 64, rows=1)
    moved = TableRef(path="runs/b/x.parquet", sha256="5" * 64, rows=1)
    first = build(tmp_path / "a", memories=[TEA], state={"claims": ref}, provenance={"run": "r1"})
    again = build(tmp_path / "b", memories=[TEA], state={"claims": moved}, provenance={"run": "r2"})
    assert first.version == again.version
    later = build(tmp_path / "c", memories=[TEA], state={"claims": ref}, as_of=at("2026-03-02"))
    assert later.content == first.content and later.version.startswith("20260302-")


@pytest.mark.parametrize(
    "change",
    [
        {"memories": [CAT]},
        {"documents": {"snapshot.md": "other"}},
        {"embedder": "none"},
        {"state": {"claims": TableRef(path="p", sha256="6" * 64, rows=1)}},
        {"entities": [entity("Ana")]},
    ],
)
def test_every_content_is_in_the_name(tmp_path: Path, change: dict[str, Any]) -> None:
    assert (
        build(tmp_path / "a", memories=[TEA]).content != build(tmp_path / "b", **{"memories": [TEA], **change}).content
    )


def test_the_same_memory_published_twice_touches_nothing(tmp_path: Path) -> None:
    first = build(tmp_path, memories=[TEA])
    before = files(tmp_path)
    second = build(tmp_path, memories=[TEA], parent=first, provenance={"run": "r2"})
    assert second == first and files(tmp_path) == before


def test_unchanged_tables_are_carried_over_by_reference(tmp_path: Path) -> None:
    first = build(tmp_path, memories=[TEA], turns=[said("hello there", seq=5)])
    second = build(tmp_path, memories=[TEA, CAT], turns=[said("hello there", seq=5)], parent=first)
    assert second.tables["turns"] == first.tables["turns"]
    assert second.tables["memories"].path == f"lance/{second.version}/memories.lance"
    assert sorted(p.name for p in (tmp_path / "lance" / second.version).iterdir()) == ["memories.lance"]
    reader = slowwave.open(tmp_path)
    assert reader.recall("hello there")[0].kind == "turn" and reader.recall("Miso")[0].id == "mem_cat"


def test_another_embedder_or_a_missing_table_is_written_anew(tmp_path: Path) -> None:
    first = build(tmp_path, memories=[TEA])
    second = build(tmp_path, memories=[TEA], parent=first, embedder="none")
    assert not {ref.path for ref in second.tables.values()} & {ref.path for ref in first.tables.values()}
    import shutil

    shutil.rmtree(tmp_path / second.tables["memories"].path)
    third = build(tmp_path, memories=[TEA], turns=[said("x")], parent=second, embedder="none")
    assert third.tables["memories"].path != second.tables["memories"].path
    assert third.tables["entities"].path == second.tables["entities"].path


def test_going_back_to_an_earlier_content_makes_that_version_current_again(tmp_path: Path) -> None:
    first = build(tmp_path, memories=[TEA])
    second = build(tmp_path, memories=[CAT], parent=first)
    assert build(tmp_path, memories=[TEA], parent=second) == first
    assert layout.read_current(tmp_path) == first.version


def test_a_night_that_went_on_from_an_older_version_loses(tmp_path: Path) -> None:
    first = build(tmp_path, memories=[TEA])
    second = build(tmp_path, memories=[CAT], parent=first)
    with pytest.raises(PublishConflict, match=second.version) as error:
        build(tmp_path, memories=[TEA, CAT], parent=first)
    assert "Run the night again" in error.value.hint
    assert layout.read_current(tmp_path) == second.version
    with pytest.raises(PublishConflict):
        build(tmp_path, memories=[], turns=[said("y")], parent=None)


def test_two_at_once_and_exactly_one_goes_live(tmp_path: Path) -> None:
    script = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from adapters import pointer
        from slowwave.errors import PublishConflict
        try:
            pointer.move(Path(sys.argv[1]), None, sys.argv[2])
        except PublishConflict:
            sys.exit(7)
        """
    )
    root = Path(__file__).resolve().parents[2]
    running = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path), f"20260101-{i:08d}"], cwd=root) for i in range(4)
    ]
    assert sorted(process.wait() for process in running) == [0, 7, 7, 7]


BORDERS = [
    (tables, "write"),
    (publishing, "make_private"),
    (layout, "manifest_json"),
    (writing, "write_bytes"),
    (pointer, "move"),
]


@pytest.mark.parametrize(("module", "name"), BORDERS, ids=[name for _, name in BORDERS])
@pytest.mark.parametrize("nth", [1, 2, 3])
def test_a_death_at_any_border_leaves_the_last_version_and_the_next_night_heals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, nth: int
) -> None:
    first = build(tmp_path, memories=[TEA])
    calls = {"n": 0}
    real: Callable[..., Any] = getattr(module, name)

    def dies(*args: Any, **kwargs: Any) -> Any:
        calls["n"] += 1
        if calls["n"] == nth:
            raise KeyboardInterrupt
        return real(*args, **kwargs)

    with monkeypatch.context() as patched:
        patched.setattr(module, name, dies)
        try:
            build(tmp_path, memories=[TEA, CAT], parent=first)
        except KeyboardInterrupt:
            assert slowwave.open(tmp_path).version == first.version
    healed = build(tmp_path, memories=[TEA, CAT], parent=first)
    assert slowwave.open(tmp_path).recall("Miso the cat")[0].id == "mem_cat"
    assert healed.version == layout.read_current(tmp_path)
    assert not [p for p in tmp_path.rglob("*.tmp")]


def test_what_a_killed_night_left_without_a_manifest_is_replaced(tmp_path: Path) -> None:
    first = build(tmp_path / "elsewhere", memories=[TEA])
    left = tmp_path / "store" / "lance" / first.version / "memories.lance"
    left.mkdir(parents=True)
    (left / "torn").write_text("half")
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for process in (ended.pid, os.getppid()):
        (tmp_path / "store" / "published" / f".x.{process}.tmp").mkdir(parents=True)
    build(tmp_path / "store", memories=[TEA])
    assert slowwave.open(tmp_path / "store").recall("tea")[0].id == "mem_tea"
    assert not (left / "torn").exists()
    assert [p.name for p in (tmp_path / "store" / "published").glob(".*")] == [f".x.{os.getppid()}.tmp"]


@pytest.mark.parametrize("name", ["../evil.md", ".hidden", "manifest.json", "a/b.md"])
def test_a_document_cannot_leave_its_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(SlowwaveError, match="cannot be a document's name"):
        build(tmp_path, documents={name: "x"})
    assert layout.read_current(tmp_path) is None


def test_no_permission_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "lance").write_text("a file in the way")
    with pytest.raises(StoreUnwritable) as error:
        build(tmp_path, memories=[TEA])
    assert "a path that is free" in error.value.hint


def test_a_manifest_is_readable_json_with_sorted_keys(tmp_path: Path) -> None:
    made = build(tmp_path, memories=[TEA])
    text = (layout.version_folder(tmp_path, made.version) / "manifest.json").read_text()
    assert json.loads(text)["as_of"] == NOW.isoformat()
    assert list(json.loads(text)) == sorted(json.loads(text))
    assert layout.versions(tmp_path) == [made.version]
