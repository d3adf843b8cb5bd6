"""Runs a folder of cases, record-level ones with every variant their invariants ask for, and says what failed and why.

Belongs here: reading cases, and calling the checks that lie beside them. Does not belong here: how a case is walked.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from evals import text
from evals.record import result
from slowwave.errors import UsageError

Walk = Callable[[dict[str, Any], list[dict[str, Any]]], dict[str, Any]]


@dataclass
class Tally:
    """How the cases of one level went."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failures: list[dict[str, str]] = field(default_factory=list)

    def counts(self) -> dict[str, Any]:
        """What is printed as JSON."""
        return {name: getattr(self, name) for name in ("passed", "failed", "skipped", "failures")}

    def add(self, name: str, why: list[str]) -> None:
        """Count one case; it passed if nothing is wrong with it."""
        if why:
            self.failed += 1
            self.failures.append({"id": name, "why": "; ".join(why)})
        else:
            self.passed += 1


def run_folder(folder: Path, model: str = "") -> dict[str, Tally]:
    """Run every case of the folder, by level. Raises UsageError where there are no cases or no checks beside them.

    `model` answers the questions of text-level cases; empty means the settings' one.
    """
    checks = load_checks(folder)
    tallies = {"record": Tally(), "text": Tally()}
    for case in read_cases(folder):
        tally = tallies[case["level"]]
        if case["level"] == "record":
            tally.add(case["id"], failures(case, checks))
        else:
            tally.add(case["id"], text_failures(case, checks, model))
    return tallies


def read_cases(folder: Path) -> Iterator[dict[str, Any]]:
    """The cases of a folder, in order of name."""
    names = sorted([*folder.glob("r-*.json"), *folder.glob("t-*.json")])
    if not names:
        raise UsageError(f"there are no cases in {folder}", "Name the folder that holds r-*.json and t-*.json files.")
    for name in names:
        yield json.loads(name.read_text(encoding="utf-8"))


def load_checks(folder: Path) -> ModuleType:
    """The `check.py` that lies beside the cases."""
    path = folder / "check.py"
    spec = importlib.util.spec_from_file_location("case_checks", path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise UsageError(f"there is no check.py in {folder}", "Cases are judged by the check.py beside them.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def failures(case: dict[str, Any], checks: ModuleType, walk: Walk = result) -> list[str]:
    """What is wrong with what the system makes of a record-level case and of its variants; nothing if it passed."""
    try:
        base = walk(case, case["runs"])
        wrong = list(checks.check_record(case, base))
        state = checks.canonical(base["runs"][-1]["records"])
        for name, runs, _ in checks.variants(case):
            if checks.canonical(walk(case, runs)["runs"][-1]["records"]) != state:
                wrong.append(f"{name} gives another state")
    except Exception as error:  # one case that breaks never takes the rest down
        return [f"{type(error).__name__}: {error}"]
    return wrong


def text_failures(case: dict[str, Any], checks: ModuleType, model: str = "") -> list[str]:
    """What is wrong with what the system makes of a text-level case; nothing if it passed."""
    try:
        with TemporaryDirectory(prefix="slowwave-case-") as folder:
            return list(checks.check_text(case, text.result(case, Path(folder), model)))
    except Exception as error:  # one case that breaks never takes the rest down
        return [f"{type(error).__name__}: {error}"]
