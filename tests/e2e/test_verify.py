"""`slowwave verify`: what is as it was written passes, and whatever is not is named, with what to do."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import lance
import pytest

from slowwave import store as layout
from slowwave.cli import main
from slowwave.format import Manifest
from slowwave.verify import verify

Plant = Callable[[Path, Manifest], None]


def manifest_of(store: Path) -> Manifest:
    return layout.read_manifest(store, layout.required_current(store))


def largest(folder: Path, pattern: str) -> Path:
    return max(folder.rglob(pattern), key=lambda path: path.stat().st_size)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(bytes(content))


def table(store: Path, manifest: Manifest, name: str) -> Path:
    return store / manifest.tables[name].path


def _other_rows(store: Path, manifest: Manifest) -> None:
    path = table(store, manifest, "memories")
    rows = lance.dataset(str(path)).to_table()
    shutil.rmtree(path)
    lance.write_dataset(rows.set_column(rows.column_names.index("text"), "text", rows["context"]), str(path))


def _other_vectors(store: Path, manifest: Manifest) -> None:
    path = table(store, manifest, "turns")
    rows = lance.dataset(str(path)).to_table()
    shutil.rmtree(path)
    turned = rows["vector"].take(list(range(len(rows) - 1, -1, -1)))
    lance.write_dataset(rows.set_column(rows.column_names.index("vector"), "vector", turned), str(path))


def _otherwise_packed(store: Path, manifest: Manifest) -> None:
    path = table(store, manifest, "turns")
    rows = lance.dataset(str(path)).to_table()
    shutil.rmtree(path)
    turned = rows["packed"].take(list(range(len(rows) - 1, -1, -1)))
    lance.write_dataset(rows.set_column(rows.column_names.index("packed"), "packed", turned), str(path))


def _doubled(store: Path, manifest: Manifest) -> None:
    path = table(store, manifest, "memories")
    lance.write_dataset(lance.dataset(str(path)).to_table(), str(path), mode="append")


def _other_capture(store: Path, _: Manifest) -> None:
    import polars as pl

    path = largest(store / "snapshots", "[0-9a-f]*.parquet")
    pl.read_parquet(path).with_columns(text=pl.col("text").str.replace_all("e", "i")).write_parquet(path)
    path.chmod(0o600)


PLANTS: dict[str, tuple[Plant, str, str]] = {
    "a truncated table": (lambda s, m: cut(largest(table(s, m, "memories") / "data", "*")), "can't be read", "reindex"),
    "a truncated index": (
        lambda s, m: cut(largest(table(s, m, "turns") / "_indices", "*")),
        "can't be read",
        "reindex",
    ),
    "a lost table": (lambda s, m: shutil.rmtree(table(s, m, "entities")), "can't be read", "reindex"),
    "other rows": (_other_rows, "its rows are not those that the night wrote", "reindex"),
    "other vectors": (_other_vectors, "is not the one that was made", "reindex"),
    "rows packed otherwise": (_otherwise_packed, "is not of its row", "reindex"),
    "more rows than published": (_doubled, "were published", "reindex"),
    "another document": (
        lambda s, m: flip(layout.version_folder(s, m.version) / "snapshot.md"),
        "not what was published",
        "reindex",
    ),
    "another state": (lambda s, m: flip(s / m.state["claims"].path), "the state claims", "backup"),
    "a lost state": (lambda s, m: (s / m.state["turns"].path).unlink(), "the state turns", "backup"),
    "another capture": (_other_capture, "was not captured so", "snapshots/"),
    "a pointer into nothing": (
        lambda s, _: (s / "CURRENT").write_text("20260101-0\n"),
        "which is not there",
        "rollback",
    ),
    "a manifest that was edited": (
        lambda s, m: _edit(layout.version_folder(s, m.version) / "manifest.json", '"rules": "', '"rules": "0'),
        "its name is not that of its content",
        "backup",
    ),
    "no manifest any more": (
        lambda s, m: cut(layout.version_folder(s, m.version) / "manifest.json"),
        "cannot read",
        "backup",
    ),
    "a file that others may read": (lambda s, _: (s / "CURRENT").chmod(0o644), "others may read it", "chmod"),
}


def _edit(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text().replace(old, new, 1))


def test_what_is_as_it_was_written_passes(week: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = verify(week)
    assert found.faults == []
    assert found.checked["quotes"] > 50 and found.checked["pointers"] > 50 and found.checked["tables"] == 7
    assert main(["verify", "--store", str(week)]) == 0
    assert capsys.readouterr().out.endswith(": nothing wrong\n")


@pytest.mark.parametrize("name", PLANTS)
def test_what_is_not_is_named_with_what_to_do(
    week: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    plant, what, next_step = PLANTS[name]
    store = shutil.copytree(week, tmp_path / "store")
    plant(store, manifest_of(store))
    assert main(["verify", "--store", str(store), "--json"]) == 4
    faults = json.loads(capsys.readouterr().out)["faults"]
    assert any(what in fault["what"] and next_step in fault["next_step"] for fault in faults), faults


def test_a_copy_for_readers_has_no_capture_and_passes(week: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    for part in ("published", "lance"):
        shutil.copytree(week / part, store / part)
    shutil.copy(week / "CURRENT", store / "CURRENT")
    store.chmod(0o700)
    faults = verify(store).faults
    assert {fault.where.partition("/")[0] for fault in faults} == {"runs"}, "only the state is the night's"
