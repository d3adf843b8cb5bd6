"""Setting a store up, and asking how it stands: init, config, doctor and sql as a person runs them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli import main
from tests.e2e.test_two_nights import hear

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No server and no service of a person's own."""
    for name in ("PREFECT_API_URL", "PREFECT_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect"))
    monkeypatch.setenv("SLOWWAVE_HOME", str(tmp_path / "home"))


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("walked") / "store"
    hear(store, 0, 1)
    assert main(["night", "--store", str(store), "--plain", "--quiet"]) == 0
    return store


def told(capsys: Capture, *given: str) -> Any:
    main(list(given))
    return json.loads(capsys.readouterr().out)


def sql(capsys: Capture, store: Path, query: str) -> Any:
    return told(capsys, "sql", "--store", str(store), "--json", query)


def test_a_store_is_set_up_by_flags_and_its_nights_read_what_was_named(tmp_path: Path, capsys: Capture) -> None:
    store, log = tmp_path / "new", tmp_path / "log.jsonl"
    line = {"session_id": "s", "message_id": "m", "user_id": "ana", "role": "user", "content": "I live in Porto."}
    log.write_text(json.dumps({**line, "created_at": "2026-03-01T09:00:00Z"}))
    flags = ["--owner", "ana", "--name", 'Ana "A" Reis', "--zone", "Europe/Lisbon", "--source", f"jsonl={log}"]
    assert main(["init", "--store", str(store), *flags]) == 0
    assert main(["night", "--store", str(store), "--plain", "--quiet", "--as-of", "2026-03-02T03:00Z"]) == 0
    assert main(["show", "--store", str(store)]) == 0
    assert "I live in Porto." in capsys.readouterr().out
    found = {
        one["setting"]: (one["value"], one["from"]) for one in told(capsys, "config", "--store", str(store), "--json")
    }
    assert found["owner.names"] == (['Ana "A" Reis'], str(store / "slowwave.toml"))
    assert found["night.sources"] == ([f"jsonl={log}"], str(store / "slowwave.toml"))
    assert main(["init", "--store", str(store)]) == 2, "what is there is not written over"


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--zone", "Atlantis/Sunk"], "there is no time zone"),
        (["--source", "nothing=/there"], "nothing"),
        (["--source", "jsonl=/not/there/at/all"], "/not/there"),
    ],
)
def test_what_can_not_be_is_said_and_leaves_no_settings(
    tmp_path: Path, capsys: Capture, flags: list[str], said: str
) -> None:
    assert main(["init", "--store", str(tmp_path / "new"), *flags]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "new" / "slowwave.toml").exists()


def test_config_says_which_file_or_variable_won_and_shows_no_secret(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slowwave.toml").write_text(
        '[owner]\nid = "ana"\n[night]\nmodel = "a/b"\n[rules.project.profiles.snapshot]\nmax_tokens = 9\n'
    )
    monkeypatch.setenv("SLOWWAVE_NIGHT__MODEL", "offline")
    monkeypatch.setenv("SLOWWAVE_NIGHT__API_KEY", "quince")
    main(["config", "--store", str(tmp_path), "--all", "--json"])
    shown = capsys.readouterr().out
    found = {one["setting"]: (one["value"], one["from"]) for one in json.loads(shown)}
    assert found["night.model"] == ("offline", "SLOWWAVE_NIGHT__MODEL")
    assert found["night.api_key"] == ("(set)", "SLOWWAVE_NIGHT__API_KEY") and "quince" not in shown
    assert found["rules.project.profiles.snapshot.max_tokens"] == (9, str(tmp_path / "slowwave.toml"))
    assert found["night.wait_minutes"] == (60.0, "default")


def test_all_is_well_with_a_walked_store_and_what_is_not_has_its_next_step(
    walked: Path, tmp_path: Path, capsys: Capture
) -> None:
    assert main(["doctor", "--store", str(walked)]) == 0
    assert "LOOK" not in capsys.readouterr().out
    assert main(["doctor", "--store", str(tmp_path / "nowhere")]) == 4
    shown = capsys.readouterr().out
    assert "LOOK store" in shown and "next: slowwave init --store" in shown
    sick = tmp_path / "sick"
    sick.mkdir(mode=0o755)
    (sick / "CURRENT").write_text("20260101-abcdef01\n")
    (sick / "slowwave.toml").write_text('[night]\nmodel = "openai/big"\nsources = ["jsonl=/not/there"]\n')
    found = told(capsys, "doctor", "--store", str(sick), "--json")
    ill = {look["what"] for look in found["looks"] if not look["is_well"]}
    assert ill == {"privacy", "sources", "model", "version"}
    assert all(look["next_step"] for look in found["looks"] if not look["is_well"])


def test_every_example_of_sql_runs(walked: Path, capsys: Capture) -> None:
    examples = told(capsys, "sql", "--store", str(walked), "--json")
    for name, example in examples.items():
        assert isinstance(sql(capsys, walked, example), list), name
    assert sql(capsys, walked, examples["runs"])[0]["status"] == "published"
    assert {row["text"] for row in sql(capsys, walked, "SELECT text FROM memories")} == {
        "I live in Porto.",
        "I am allergic to walnuts.",
    }
    assert sql(capsys, walked, "SELECT count(*) AS n FROM promises WHERE NOT is_kept") == [{"n": 0}]


@pytest.mark.parametrize(
    "query",
    [
        "COPY runs TO 'out.csv'",
        "CREATE TABLE t AS SELECT 1",
        "SELECT 1; SELECT 2",
        "SELECT * FROM read_text('/etc/hostname')",
        "SET enable_external_access = true",
        "SELEC 1",
    ],
)
def test_nothing_is_written_and_nothing_outside_is_read(walked: Path, capsys: Capture, query: str) -> None:
    before = {path: path.stat().st_mtime_ns for path in walked.rglob("*")}
    assert main(["sql", "--store", str(walked), query]) == 2
    assert "next: " in capsys.readouterr().err
    assert {path: path.stat().st_mtime_ns for path in walked.rglob("*")} == before
