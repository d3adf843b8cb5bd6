"""The pages are tests: their blocks run, their links lead somewhere, and what is generated is current."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
import tomllib
import typing
from enum import StrEnum
from pathlib import Path

import pytest

from adapters.settings import Settings
from adapters.sources import KINDS
from expectations.guards.watch import GUARDS
from slowwave import errors, format

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")})
README = (ROOT / "README.md").read_text(encoding="utf-8")
OPERATIONS = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TWO_COMMANDS = ["make install night", "make install test"]
# Read relative to the folder that the pages speak of, and never from a person's own settings.
QUIET = {"PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}", "PYTHONDONTWRITEBYTECODE": "", "COLUMNS": "100"}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def blocks(*languages: str) -> list[tuple[str, str]]:
    """README's fenced blocks in these languages, without the block of the two commands."""
    found = [(language, body) for language, body in FENCE.findall(README) if language in languages]
    return [(language, body) for language, body in found if body.split("\n")[0] not in TWO_COMMANDS]


def run(command: list[str], folder: Path, *, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SLOWWAVE_", "PREFECT_"))}
    env = kept | QUIET
    return subprocess.run(command, cwd=folder, env=env, input=stdin, capture_output=True, text=True, timeout=240)


def recipe(target: str) -> list[str]:
    """The shell lines that `make TARGET` would run, as the Makefile stands."""
    shown = run(["make", "--no-print-directory", "-n", target], ROOT)
    assert shown.returncode == 0, shown.stderr
    return [line.replace(".venv/bin/", f"{BIN}/") for line in shown.stdout.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with the sample, in which `make night` has been run; and what that printed."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "samples").symlink_to(ROOT / "samples")
    printed = ""
    for line in recipe("night"):
        done = run(["bash", "-c", line], folder)
        assert done.returncode == 0, done.stdout + done.stderr
        printed += done.stdout
    return folder, printed


def test_the_first_two_shell_lines_are_the_two_commands() -> None:
    _, body = next(
        (language, body) for language, body in FENCE.findall(README) if language in {"sh", "bash", "console"}
    )
    assert body.splitlines()[:2] == TWO_COMMANDS
    assert TWO_COMMANDS[1] in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()


def test_the_main_job_shows_a_snapshot_and_an_answer_with_its_quote(checkout: tuple[Path, str]) -> None:
    folder, printed = checkout
    version = (folder / "store/CURRENT").read_text(encoding="utf-8").strip()
    snapshot = (folder / "store/published" / version / "snapshot.md").read_text(encoding="utf-8")
    assert version in printed
    assert snapshot.strip().splitlines()[0] in printed
    captured = (ROOT / "samples/week.jsonl").read_text(encoding="utf-8")
    quotes = re.findall(r"[\"“]([^\"”\n]{12,})[\"”]", printed.split(snapshot.strip().splitlines()[-1])[-1])
    assert any(quote in captured for quote in quotes), printed


@pytest.mark.parametrize(("language", "body"), blocks("sh", "python"), ids=lambda v: v.strip().split("\n")[0][:50])
def test_every_block_of_the_readme_runs(checkout: tuple[Path, str], language: str, body: str) -> None:
    folder, _ = checkout
    command = ["bash", "-euo", "pipefail"] if language == "sh" else [sys.executable, "-"]
    done = run(command, folder, stdin=body)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip(), "a block that prints nothing shows nothing"


@pytest.mark.parametrize(("_", "body"), blocks("toml"), ids=["local", "hosted"])
def test_every_settings_block_of_the_readme_is_accepted(_: str, body: str) -> None:
    assert Settings(**tomllib.loads(body)).night.model != "offline"


def test_the_settings_of_the_guards_page_are_accepted() -> None:
    page = (ROOT / "docs/guards.md").read_text(encoding="utf-8")
    (body,) = [body for language, body in FENCE.findall(page) if language == "toml"]
    assert set(Settings(**tomllib.loads(body)).guards.invariants) == {"weekly_report", "quiet_hours"}
    assert not [name for name in GUARDS if f"| `{name}` |" not in page]


def commands() -> set[str]:
    """The commands that help lists: the reader's, and the operator's half of a checkout."""
    operator = "import sys; sys.argv[0] = 'slowwave'; from flows.cli import main; main(['--help'])"
    shown = [run([str(BIN / "slowwave"), "--help"], ROOT).stdout, run([sys.executable, "-c", operator], ROOT).stdout]
    return {name for text in shown for name in re.findall(r"^ {2,6}([a-z]+) {2,}\S", text, re.MULTILINE)}


def test_every_command_is_documented() -> None:
    assert {"night", "recall", "show", "log", "why"} <= commands()
    assert not [name for name in commands() if f"`slowwave {name}`" not in README]


def test_every_command_of_the_readme_exists() -> None:
    assert not set(re.findall(r"`slowwave ([a-z]+)`", README)) - commands()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    links = [
        link for link in re.findall(r"\]\(([^)\s]+)\)", text) if not link.startswith(("http:", "https:", "mailto:"))
    ]
    broken = [link for link in links if not (page.parent / link.partition("#")[0]).exists()]
    assert not broken


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_pages_name_files_that_are_there(page: Path) -> None:
    """A path in backticks that begins with one of our rooms and ends in .py must exist."""
    named = re.findall(
        r"`((?:slowwave|models|tasks|adapters|expectations|flows|evals|tests|docs)/[\w/]+\.py)`",
        page.read_text("utf-8"),
    )
    assert not [path for path in named if not (ROOT / path).exists()]


def test_every_error_and_exit_status_is_explained() -> None:
    named = {
        name
        for name, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, errors.SlowwaveError) and kind is not errors.SlowwaveError
    }
    assert named == set(re.findall(r"^\| `(\w+)` \|", OPERATIONS, re.MULTILINE)) & named
    assert {
        kind.exit_status for _, kind in inspect.getmembers(errors, inspect.isclass) if hasattr(kind, "exit_status")
    } <= {int(status) for status in re.findall(r"^\| (\d) \|", OPERATIONS, re.MULTILINE)}


def test_every_kind_of_source_is_named() -> None:
    assert not [kind for kind in KINDS if f"`{kind}`" not in OPERATIONS]


def test_every_kind_is_in_the_vocabulary() -> None:
    vocabulary = (ROOT / "docs/vocabulary.md").read_text(encoding="utf-8")
    assert not [kind.value for kind in format.Kind if kind.value not in vocabulary]


def test_every_closed_set_is_on_the_format_page() -> None:
    page = (ROOT / "docs/format.md").read_text(encoding="utf-8")
    enums = [kind for _, kind in inspect.getmembers(format, inspect.isclass) if issubclass(kind, StrEnum)]
    rows = [f"| `{enum.__name__}` | {', '.join(enum)} |" for enum in enums if enum is not StrEnum]
    assert len(rows) > 5
    assert not [row for row in rows if row not in page]


def test_the_format_page_names_every_table_and_every_manifest_field() -> None:
    page = (ROOT / "docs/format.md").read_text(encoding="utf-8")
    assert f"`FORMAT_VERSION` is {format.FORMAT_VERSION}" in page
    assert not [
        name for name in (*format.PUBLISHED, *typing.get_type_hints(format.Manifest)) if f"| `{name}` |" not in page
    ]


@pytest.mark.parametrize("script", ["docs/settings_page.py", "docs/licences.py", "docs/tables_page.py"])
def test_generated_pages_are_current(script: str) -> None:
    if script == "docs/licences.py" and sys.version_info[:2] != (3, 11):
        pytest.skip("the page states what the packages of Python 3.11 say")
    done = run([sys.executable, script, "--check"], ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_commented_settings_are_the_defaults() -> None:
    """Taking away every `# ` before a setting changes nothing."""
    text = (ROOT / "slowwave.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text) == {
        "owner": {},
        "night": {},
        "embed": {},
        "egress": {},
        "trust": {},
        "recall": {"weights": {}},
        "retention": {},
        "export": {},
        "reports": {},
        "guards": {},
        "remote": {},
        "service": {},
        "alerts": {},
        "rules": tomllib.loads(text)["rules"],
    }
    awake = re.sub(r"^# (\w+ = |\[)", r"\1", text, flags=re.MULTILINE)
    assert awake != text
    assert Settings(**tomllib.loads(awake)).model_dump() == Settings().model_dump()


def test_every_figure_of_the_readme_is_a_line_of_a_result_file() -> None:
    rows = re.findall(
        r"^\|[^|]+\| ([\d.]+) \| \[[\w-]+\]\((evals/results/[\w-]+\.json)\) \| `([\w.]+)` \|$", README, re.MULTILINE
    )
    section = README.partition("## Figures")[2].partition("## Status")[0]
    assert len(rows) == section.count("evals/results/") >= 6
    for figure, file, entry in rows:
        found = json.loads((ROOT / file).read_text())["figures"]
        for key in entry.split("."):
            found = found[key]
        assert float(figure) == found, f"{entry} of {file}"
