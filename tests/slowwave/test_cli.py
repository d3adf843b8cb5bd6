"""The command: what it prints, for people and for programs, and how it fails."""

from __future__ import annotations

import json
import subprocess
import sys
import types
from pathlib import Path

import pytest

from slowwave.cli import main
from slowwave.errors import PromiseBroken
from slowwave.format import Status
from tests.make import at, memory
from tests.stores import build, said

LISBON = memory("I live in Lisbon now.", id="mem_lisbon", message_id="m1", valid_from=at("2026-02-20"))
BERLIN = memory("I live in Berlin.", id="mem_berlin", status=Status.SUPERSEDED, superseded_by="mem_lisbon")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = tmp_path_factory.mktemp("cli") / "store"
    turns = [said("I live in Lisbon now.", seq=1, memory_ids=["mem_lisbon"])]
    build(made, memories=[LISBON, BERLIN], turns=turns, documents={"snapshot.md": "# Memory\n- Lisbon\n"})
    return str(made)


def test_recall_as_json_has_ids_dates_score_parts_and_quotes(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recall", "--store", store, "--json", "Where do I live?"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["query"] == "Where do I live?" and answer["warnings"] == [] and answer["version"]
    first = answer["results"][0]
    assert {"id", "text", "kind", "subject", "status", "valid_from", "valid_to", "due_at"} <= set(first)
    assert first["id"] == "mem_lisbon" and first["valid_from"] == "2026-02-20T00:00:00+00:00"
    assert first["first_seen_at"] == first["last_seen_at"] == "2026-02-01T10:00:00+00:00"
    assert first["score"] > 0 and first["parts"]["full_text"] == 1
    cited = {k: first["evidence"][0][k] for k in ("session_id", "message_id", "start", "end", "quote")}
    assert cited == {"session_id": "s1", "message_id": "m1", "start": 0, "end": 21, "quote": "I live in Lisbon now."}


def test_recall_for_people_shows_dates_the_quote_and_what_it_replaced(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recall", "--store", store, "Where do I live? Berlin?"]) == 0
    shown = capsys.readouterr().out
    assert "semantic fact · since 2026-02-20 · said 2026-02-01" in shown
    assert "“I live in Lisbon now.” — s1, m1" in shown
    assert "before: I live in Berlin." in shown and "mem_lisbon" in shown


def test_recall_takes_its_filters(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recall", "--store", store, "--kind", "preference", "--embedder", "none", "live"]) == 0
    assert capsys.readouterr().out == "nothing found\n"
    assert main(["recall", "--store", store, "--json", "--status", "superseded", "--until", "2026-02-02", "live"]) == 0
    assert [r["id"] for r in json.loads(capsys.readouterr().out)["results"]] == ["mem_berlin"]


@pytest.mark.parametrize(
    "asked",
    [
        ("--as-of", "9999-12-31T23:00:00-14:00"),
        ("--as-of", "0001-01-01T00:00:00+14:00"),
        ("--since", "0001-01-01T00:00:00+14:00"),
        ("--until", "9999-12-31T23:00:00-14:00"),
        ("-k", "9" * 30),
        ("--offset", "9" * 30),
    ],
)
def test_numbers_and_times_out_of_bounds_are_said(
    store: str, asked: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["recall", "--store", store, *asked, "live"])
    except SystemExit as left:  # where argparse says it
        status = left.code
    assert status == 2 and capsys.readouterr().err


def test_a_mistyped_command_is_shown_the_operators_too(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["nigth"])
    said = capsys.readouterr().err
    assert "'nigth'" in said and "'recall'" in said and "'night'" in said and "'rollback'" in said


def test_show_prints_the_snapshot_or_a_memory(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "--store", store]) == 0
    assert capsys.readouterr().out == "# Memory\n- Lisbon\n"
    assert main(["show", "--store", store, "mem_berlin"]) == 0
    assert "SUPERSEDED" in capsys.readouterr().out
    assert main(["show", "--store", store, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["text"] == "# Memory\n- Lisbon\n"
    assert main(["show", "--store", store, "mem_nobody"]) == 2
    assert "no document 'mem_nobody'" in capsys.readouterr().err


def test_log_and_why(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "--store", store]) == 0
    assert "2 memories, 1 turns" in capsys.readouterr().out
    assert main(["log", "--store", store, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["versions"][0]["rows"]["memories"] == 2
    assert main(["why", "--store", store, "mem_lisbon"]) == 0
    told = capsys.readouterr().out
    assert "said\n  2026-02-01 user: I live in Lisbon now." in told and "replaced\n  I live in Berlin." in told
    assert main(["why", "--store", store, "--json", "mem_lisbon"]) == 0
    assert json.loads(capsys.readouterr().out)["memory"]["id"] == "mem_lisbon"


def test_flush_asks_for_an_early_night(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flush", "--store", str(tmp_path), "--session", "../s", "--later", "--json"]) == 0
    asked = Path(json.loads(capsys.readouterr().out)["asked"])
    assert asked.parent == tmp_path / "inbox" / "flush"
    assert json.loads(asked.read_text())["session_id"] == "../s"


@pytest.mark.parametrize("command", ["recall", "show", "log", "why", "flush"])
def test_without_a_store_every_command_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    more = {"recall": ["question"], "why": ["mem_x"], "flush": ["--session", "s"]}.get(command, [])
    assert main([command, "--store", str(tmp_path / "nowhere"), *more]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("slowwave: there is no store at") and lines[1].startswith("  next: ")


def test_a_bad_time_is_named(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["recall", "--store", store, "--since", "soon", "x"])
    assert ended.value.code == 2 and "'soon' is not an ISO time" in capsys.readouterr().err


def test_an_operator_command_is_found_where_a_checkout_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    operator = types.ModuleType("flows.cli")

    def run(argv: list[str]) -> int:
        if argv[1:] == ["--broken"]:
            raise PromiseBroken("nothing was published", "Read the report.")
        return len(argv)

    operator.main = run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "flows.cli", operator)
    assert main(["night", "--store", "S"]) == 3
    assert main(["night", "--broken"]) == 3
    assert capsys.readouterr().err == "slowwave: nothing was published\n  next: Read the report.\n"


def test_an_operator_command_without_a_checkout_says_where_it_lives(tmp_path: Path) -> None:
    """As an agent's environment is: the reader's folder alone, and nothing beside it."""
    (tmp_path / "slowwave").symlink_to(Path(__file__).resolve().parents[2] / "slowwave")
    script = "import sys; from slowwave.cli import main; sys.exit(main(['night']))"
    done = subprocess.run([sys.executable, "-S", "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert "lives in a checkout" in done.stderr and "Traceback" not in done.stderr


def test_whoever_hangs_up_early_causes_no_error(store: str) -> None:
    script = "from slowwave.cli import main; import sys, time; time.sleep(0.5); sys.exit(main())"
    command = f"{sys.executable} -c '{script}' show --store {store} | true"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("module", ["slowwave", "slowwave.cli"])
def test_as_a_module_it_is_the_same_command(store: str, module: str) -> None:
    shown = subprocess.run([sys.executable, "-m", module, "show", "--store", store], capture_output=True, text=True)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "Lisbon" in shown.stdout
    missing = subprocess.run(
        [sys.executable, "-m", module, "show", "--store", f"{store}-none"], capture_output=True, text=True
    )
    assert missing.returncode != 0
    assert "next: " in missing.stderr
