"""The tour is true: every id and file that it names is in a walked week, and its sentence goes the way it tells."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

import slowwave
from slowwave.cli import main
from tests.e2e.conftest import ROOT, WEEK

PAGE = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
SENTENCE = "I promised Hanneke Dufour twelve celadon bowls by 20 March for her spring show."
MEMORY = "mem_dbc87cbe13188645"


@pytest.fixture(scope="module")
def toured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The week as `make night` walks it."""
    store = tmp_path_factory.mktemp("tour") / "store"
    made = main(
        ["night", "--store", str(store), "--source", WEEK, "--as-of", "2026-03-09T03:00:00Z", "--plain", "--quiet"]
    )
    assert made in (0, 5)
    return store


def table(store: Path, name: str) -> pl.DataFrame:
    return pl.read_parquet(store / "runs" / slowwave.open(store).manifest.provenance["run"] / name)


def test_every_table_that_the_tour_names_is_in_the_run(toured: Path) -> None:
    names = set(re.findall(r"`([a-z]+\.[a-z]+\.parquet)`", PAGE))
    assert len(names) > 10
    for name in names:
        assert table(toured, name).height


def test_every_file_that_the_tour_names_is_in_the_house() -> None:
    paths = set(re.findall(r"`((?:adapters|flows|tasks|expectations|slowwave|samples)/[\w./]*)`", PAGE))
    assert len(paths) > 15
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_id_that_the_tour_names_is_where_it_says(toured: Path) -> None:
    where = {
        "msg": ("begin.messages.parquet", "msg_key"),
        "clm": ("extract.claims.parquet", "claim_id"),
        "ent": ("link.entities.parquet", "id"),
        "mem": ("reinforce.memories.parquet", "id"),
    }
    named = set(re.findall(r"\b(msg|clm|ent|mem)_([0-9a-f]{16})\b", PAGE))
    assert {kind for kind, _ in named} == set(where)
    for kind, rest in named:
        name, column = where[kind]
        assert f"{kind}_{rest}" in table(toured, name).get_column(column).to_list()


def test_the_sentence_goes_the_way_the_tour_tells(toured: Path) -> None:
    said = table(toured, "begin.messages.parquet").filter(pl.col("text") == SENTENCE).to_dicts()[0]
    assert (said["session_id"], said["message_id"]) == ("pip-mon", "pip-mon-m6")
    topics = table(toured, "segment.topics.parquet").filter(pl.col("msg_keys").list.contains(said["msg_key"]))
    assert [len(keys) for keys in topics.get_column("msg_keys")] == [10]
    memory = slowwave.open(toured).get(MEMORY)
    assert memory.kind == "goal_or_commitment"
    assert memory.due_at is not None
    assert memory.due_at.isoformat() == "2026-03-20T22:59:59+00:00"
    assert memory.tier == "prompt"
    assert memory.stability_days == 30
    assert [piece.quote for piece in memory.evidence] == [SENTENCE]
    assert memory.text in slowwave.open(toured).snapshot()


def test_the_tours_commands_answer(toured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recall", "--store", str(toured), "When must Hanneke's bowls be ready?", "-k", "1"]) == 0
    answered = capsys.readouterr().out
    assert "due 2026-03-20" in answered
    assert SENTENCE in answered
    assert main(["why", "--store", str(toured), MEMORY]) == 0
    assert "first" in capsys.readouterr().out
