"""Bad input gets a clear error with a next step, and nothing is lost."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from slowwave.cli import main
from slowwave.format import FORMAT_VERSION
from slowwave.store import version_folder
from tests.e2e.conftest import WEEK

AS_OF = ["--as-of", "2026-04-01T03:00Z", "--plain", "--quiet"]


def refused(capsys: pytest.CaptureFixture[str], argv: list[str], status: int, *words: str) -> None:
    """The command ends with this status and says what happened and what to do next."""
    assert main(argv) == status
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert "next:" in said
    for word in words:
        assert word in said


def test_a_missing_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(
        capsys, ["night", "--store", str(tmp_path / "s"), "--source", "jsonl=nowhere.jsonl", *AS_OF], 2, "nowhere.jsonl"
    )


def test_an_unknown_kind_of_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(
        capsys, ["night", "--store", str(tmp_path / "s"), "--source", f"tarot={tmp_path}", *AS_OF], 2, "tarot", "jsonl"
    )


def test_a_store_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, ["recall", "--store", str(tmp_path / "none"), "what"], 2, "none")


def test_a_store_that_was_never_published(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, ["recall", "--store", str(tmp_path), "what"], 2)


def test_an_unknown_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(
        capsys,
        ["night", "--store", str(tmp_path / "s"), "--source", WEEK, "--model", "nobody/nothing", *AS_OF],
        4,
        "nobody",
    )


def test_an_unknown_embedder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(
        capsys,
        ["night", "--store", str(tmp_path / "s"), "--source", WEEK, "--embedder", "crystal", *AS_OF],
        2,
        "static",
    )


def test_a_store_written_by_a_newer_format(week: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = shutil.copytree(week, tmp_path / "store")
    version = (store / "CURRENT").read_text().strip()
    path = version_folder(store, version) / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": FORMAT_VERSION + 1}))
    refused(capsys, ["recall", "--store", str(store), "what"], 4, "format")
    refused(capsys, ["night", "--store", str(store), "--source", WEEK, *AS_OF], 4, "format")


def test_an_empty_source_is_an_honest_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.jsonl").touch()
    argv = ["night", "--store", str(tmp_path / "s"), "--source", f"jsonl={tmp_path / 'empty.jsonl'}", *AS_OF, "--json"]
    assert main(argv) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "nothing_to_do"
    assert not (tmp_path / "s" / "CURRENT").exists()


def test_a_place_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("not a folder")
    refused(capsys, ["night", "--store", str(tmp_path / "file" / "store"), "--source", WEEK, *AS_OF], 4, "cannot write")


def test_a_current_that_names_a_missing_version(week: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = shutil.copytree(week, tmp_path / "store")
    (store / "CURRENT").write_text("20200101-deadbeef\n")
    refused(capsys, ["recall", "--store", str(store), "what"], 4, "20200101-deadbeef")
    refused(capsys, ["night", "--store", str(store), "--source", WEEK, *AS_OF], 4, "20200101-deadbeef")


def test_a_time_without_an_offset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, ["night", "--store", str(tmp_path), "--source", WEEK, "--as-of", "2026-04-01T03:00"], 2, "offset")


def test_damaged_lines_are_quarantined_and_the_rest_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = {"session_id": "s", "message_id": "m1", "role": "user", "content": "I am allergic to walnuts.",
            "created_at": "2026-03-01T10:00:00+01:00"}  # fmt: skip
    path = tmp_path / "log.jsonl"
    path.write_bytes(json.dumps(good).encode() + b'\n{"half": \n\xff\xfe\n')
    store = tmp_path / "s"
    assert main(["night", "--store", str(store), "--source", f"jsonl={path}", *AS_OF, "--json"]) == 5
    outcome = json.loads(capsys.readouterr().out)
    assert outcome["status"] == "published"
    assert outcome["facts"]["n_quarantined"] == 2
    assert main(["recall", "--store", str(store), "--json", "allergic"]) == 0
    assert "walnuts" in capsys.readouterr().out
