"""Everything in one command: each part writes its result file, and one page is printed, ours against what there is without us.

Belongs here: which parts there are, and their order. Does not belong here: measuring, and the page's words (`report`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.figures import read_results
from evals.machine import surroundings, write_result
from evals.report import render
from slowwave.errors import UsageError

Row = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """One part: the command that runs it alone, how, and the folder of `--data` that it needs, empty for none."""

    command: str
    measure: Callable[[Path], Row]
    needs: str = ""


def _world(read_by: str) -> Callable[[Path], Row]:
    def measure(_: Path) -> Row:
        from evals.worlds import measure as worlds

        return worlds.measure(read_by=read_by)

    return measure


def _baselines(of: str) -> Callable[[Path], Row]:
    def measure(data: Path) -> Row:
        from evals.baselines import measure as baselines

        return baselines.measure(of, data if of == "locomo" else None)

    return measure


def _longmemeval(data: Path) -> Row:
    from evals import longmemeval

    return longmemeval.measure(data)


def _locomo(data: Path) -> Row:
    from evals import locomo

    return locomo.measure(data)


def _ablations(_: Path) -> Row:
    from evals import ablations

    return ablations.measure()


PARTS: dict[str, Part] = {
    "world": Part("world", _world("labels")),
    "world-offline": Part("world --read-by offline", _world("offline")),
    "baselines-world": Part("baselines world", _baselines("world")),
    "baselines-locomo": Part("baselines locomo --data DIR", _baselines("locomo"), needs="locomo"),
    "locomo": Part("locomo --data DIR", _locomo, needs="locomo"),
    "longmemeval": Part("longmemeval --data DIR", _longmemeval, needs="longmemeval"),
    "ablations": Part("ablations", _ablations),
}


def run(names: Sequence[str], data: Path | None, out: Path) -> str:
    """Run these parts (`all` for every one that has its data) into result files of `out`. Returns the page. Raises UsageError."""
    for name in _chosen(names, data):
        part, before, began = PARTS[name], surroundings(), time.monotonic()
        figures = part.measure(data or Path())
        write_result(out / f"{name}.json", f"python -m evals {part.command}", before, figures)
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    return render(read_results(out))


def _chosen(names: Sequence[str], data: Path | None) -> list[str]:
    if "all" in names:
        return [name for name, part in PARTS.items() if _has(part, data)]
    for name in names:
        if name not in PARTS:
            raise UsageError(f"there is no part {name!r}", f"Choose among: all, {', '.join(PARTS)}.")
        if not _has(PARTS[name], data):
            raise UsageError(f"{name} needs data", f"Name the folder that holds {PARTS[name].needs}/: --data DIR")
    return list(names)


def _has(part: Part, data: Path | None) -> bool:
    return not part.needs or (data is not None and (data / part.needs).is_dir())
