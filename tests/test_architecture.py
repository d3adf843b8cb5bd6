"""The plan of the house as tests: who may import whom, how long a thing may be, and which words are not used here."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("slowwave", "models", "tasks", "adapters", "expectations", "flows", "evals")
SOURCES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))

MAX_FUNCTION_LINES = 60
MAX_FILE_LINES = 300
# The published format stays on one page: a sentence a column, and no logic.
LONGER_FILES = {"slowwave/format.py": 380}
BANNED_WORDS = {"manager", "engine", "handler", "processor", "helper", "util", "utils", "common", "v2", "misc", "stuff"}
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX)\b|raise NotImplementedError")

# What a pure room may use besides the standard library and the rooms below it.
PURE_LIBRARIES = {
    "tasks": {"polars", "numpy", "rapidfuzz", "pydantic"},
    "models": {"polars", "pyarrow", "pydantic"},
}
# Of the standard library, what reaches the world. `datetime` and `zoneinfo` are values; reading the clock is looked for below.
WORLDLY = {
    *("os", "io", "pathlib", "shutil", "tempfile", "glob", "fcntl", "sqlite3", "mmap", "platform", "getpass"),
    *("time", "random", "secrets", "uuid", "logging", "warnings", "sys", "importlib", "locale"),
    *(
        "socket",
        "ssl",
        "http",
        "urllib",
        "asyncio",
        "subprocess",
        "threading",
        "multiprocessing",
        "concurrent",
        "ctypes",
    ),
}
CLOCKS = {"now", "utcnow", "today"}
# Site-packages files that run at every start of Python: the editable install's, and setuptools' own.
KNOWN_PTH = {"distutils-precedence.pth"}
# Library names that hold a banned word, where we must write the name as it is.
FOREIGN_NAMES = {"get_engine", "execution_engine"}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imported(tree: ast.AST) -> Iterator[str]:
    """Top-level names of everything a file imports, at its head or inside a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]


def defined(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Names that a file gives to classes, functions, arguments and variables, with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno


def words(name: str) -> set[str]:
    """The words of a snake_case or CamelCase name, in lower case."""
    return set(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_"))


def test_import_contracts_hold(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(str(ROOT))
    status = lint_imports(config_filename=str(ROOT / "pyproject.toml"), cache_dir=None, no_cache=True)
    assert status == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("room", "line", "broken"),
    [
        ("tasks", "import adapters", "Imports go down only"),
        ("slowwave", "import models", "Imports go down only"),
        ("tasks", "import prefect", "Only flows imports prefect"),
        ("models", "def late():\n    import random", "no file, clock"),
        ("slowwave", "import polars", "no batch library"),
        ("evals", "import tasks", "flows and slowwave alone"),
    ],
)
def test_import_contracts_bite(tmp_path: Path, room: str, line: str, broken: str) -> None:
    """A contract that nothing can break would promise nothing."""
    for name in ROOMS:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(line if name == room else "", encoding="utf-8")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"})
    assert done.returncode == 1, done.stdout + done.stderr
    assert any(broken in row and "BROKEN" in row for row in done.stdout.splitlines()), done.stdout


@pytest.mark.parametrize("room", sorted(PURE_LIBRARIES))
def test_pure_rooms_use_only_listed_libraries(room: str) -> None:
    allowed = PURE_LIBRARIES[room] | {"slowwave", "models", room} | (set(sys.stdlib_module_names) - WORLDLY)
    strangers = {
        name_of(path): sorted(set(imported(parse(path))) - allowed)
        for path in sorted((ROOT / room).rglob("*.py"))
        if set(imported(parse(path))) - allowed
    }
    assert not strangers


@pytest.mark.parametrize("room", sorted(PURE_LIBRARIES))
def test_pure_rooms_read_no_clock_and_no_file(room: str) -> None:
    found: list[str] = []
    for path in sorted((ROOT / room).rglob("*.py")):
        for node in ast.walk(parse(path)):
            if not isinstance(node, ast.Call):
                continue
            is_clock = isinstance(node.func, ast.Attribute) and node.func.attr in CLOCKS
            is_built_in = isinstance(node.func, ast.Name) and node.func.id in {"open", "print", "input", "exec", "eval"}
            is_polars_io = isinstance(node.func, ast.Attribute) and re.match(r"(read|scan|sink|write)_", node.func.attr)
            if is_clock or is_built_in or is_polars_io:
                found.append(f"{name_of(path)}:{node.lineno} {ast.unparse(node.func)}")
    assert not found


def test_only_flows_mentions_prefect() -> None:
    guilty = [name_of(path) for path in SOURCES if "prefect" in set(imported(parse(path)))]
    assert not [name for name in guilty if not name.startswith("flows/")]


def test_a_plain_night_loads_no_heavy_library() -> None:
    """`--help`, a plain night and every test would otherwise pay seconds for what they don't use."""
    script = "import sys, flows.cli, flows.order, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not {"prefect", "litellm", "lancedb", "great_expectations"} & set(json.loads(done.stdout))


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_files_and_functions_stay_short(path: Path) -> None:
    n_lines = len(path.read_text(encoding="utf-8").splitlines())
    assert n_lines <= LONGER_FILES.get(name_of(path), MAX_FILE_LINES), f"{n_lines} lines"
    long = [
        f"{node.name} at line {node.lineno} has {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(parse(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno
        and node.end_lineno - node.lineno + 1 > MAX_FUNCTION_LINES
    ]
    assert not long


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_names_say_what_a_thing_is(path: Path) -> None:
    in_path = set(re.split(r"[/._]", name_of(path))) & BANNED_WORDS
    assert not in_path, f"rename the file: {in_path}"
    vague = [
        f"{n} at line {at}" for n, at in defined(parse(path)) if words(n) & BANNED_WORDS and n not in FOREIGN_NAMES
    ]
    assert not vague


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_modules_say_what_belongs_in_them_and_are_finished(path: Path) -> None:
    assert ast.get_docstring(parse(path)), "a module begins with what belongs in it"
    assert not UNFINISHED.search(path.read_text(encoding="utf-8"))


def test_no_path_of_one_machine_and_no_registry_address_is_committed() -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode:
        pytest.skip("not a git checkout")
    private = re.compile(r"(?<![\w.])/(?:root|home/\w+|Users/\w+)/|(?:index-url|--find-links)\s*=?\s*https?:")
    found = []
    for name in filter(None, tracked.stdout.split("\0")):
        path = ROOT / name
        if (
            path.suffix in {".py", ".md", ".toml", ".yaml", ".lock", ".svg"}
            and path.is_file()
            and path != Path(__file__)
        ):
            found += [f"{name}: {m.group()}" for m in private.finditer(path.read_text(encoding="utf-8"))]
    assert not found


def test_importing_slowwave_loads_the_standard_library_alone() -> None:
    """An agent's environment pays for the reader's libraries at its first recall, never at import."""
    script = (
        "import sys; before = set(sys.modules); import slowwave, json;"
        "print(json.dumps(sorted({m.partition('.')[0] for m in set(sys.modules) - before})))"
    )
    # -S leaves out site-packages' start-up files, so that what is counted is what slowwave itself asked for.
    done = subprocess.run([sys.executable, "-S", "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout))
    assert loaded - set(sys.stdlib_module_names) == {"slowwave"}


def test_every_stage_of_the_order_has_its_tests() -> None:
    stages = re.findall(
        r"^from tasks\.(\w+) import", (ROOT / "flows/order.py").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(stages) >= 10
    missing = [
        stage
        for stage in stages
        if not list((ROOT / "tests/tasks").glob(f"test_{stage}.py"))
        and not list((ROOT / "tests/tasks").glob(f"{stage}/test_*.py"))
    ]
    assert not missing


def test_every_test_file_can_be_collected_under_a_name_of_its_own() -> None:
    """Two test files of one name in folders without `__init__.py` would shadow each other."""
    folders = {path.parent for path in TESTS if path.name.startswith("test_")}
    assert not [name_of(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()]


def test_no_unexpected_start_up_file_is_installed() -> None:
    """A `.pth` file in site-packages runs at every start of Python: a known way in for malicious releases."""
    site = Path(sysconfig.get_paths()["purelib"])
    if not str(site).startswith(str(ROOT / ".venv")):
        pytest.skip("not running from this checkout's own environment")
    strangers = {path.name for path in site.glob("*.pth")} - KNOWN_PTH
    ours = {name for name in strangers if (site / name).read_text().strip() == str(ROOT)}
    assert strangers == ours
