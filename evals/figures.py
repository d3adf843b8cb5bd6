"""Result files: reading them, taking their figures apart, and how far two may differ by chance.

Belongs here: files and arithmetic over them. Does not belong here: measuring (`run`), and words (`report`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from evals.machine import ROOT
from slowwave.errors import UsageError

FOLDER = ROOT / "evals" / "results"
# Two standard errors: a difference beyond them comes by chance once in twenty.
_ERRORS = 2.0
# What is better when it is less.
_LESS = (
    *(
        "junk",
        "wrong_retirements",
        "repeated_mistakes",
        "outdated_first",
        "secrets_published",
        "planted_remembered",
        "unread",
    ),
    *("calls", "tokens_a", "cpu_", "peak_mb", "seconds", "_ms", "bytes", "n_tokens", "input_tokens", "output_tokens"),
)
Row = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """One figure that two results tell differently; `noise` is how far it may move by chance, None where nothing tells."""

    name: str
    before: float
    after: float
    noise: float | None

    @property
    def is_worse(self) -> bool:
        """Whether it went the wrong way, by more than chance."""
        lost = self.after - self.before if is_less_better(self.name) else self.before - self.after
        return lost > (self.noise or 0.0)


def read_results(place: Path) -> dict[str, Row]:
    """The result files of a folder by name, or the one file. Raises UsageError where there is none."""
    files = sorted(place.glob("*.json")) if place.is_dir() else [place] if place.is_file() else []
    if not files:
        raise UsageError(f"there is no result in {place}", "Name a result file or a folder of them: evals/results")
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}


def flat(figures: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """Every number of nested figures, under its names with points between."""
    if isinstance(figures, Mapping):
        for key, value in figures.items():
            yield from flat(value, f"{name}.{key}" if name else str(key))
    elif isinstance(figures, list):
        for place, value in enumerate(figures):
            yield from flat(value, f"{name}.{place}")
    elif isinstance(figures, int | float) and not isinstance(figures, bool):
        yield name, float(figures)


def changes(before: Row, after: Row) -> list[Change]:
    """Every figure that both results tell and that differs, in order of name."""
    old, new = dict(flat(before["figures"])), dict(flat(after["figures"]))
    found = [Change(name, old[name], new[name], _noise(name, old, new)) for name in old.keys() & new.keys()]
    return sorted((one for one in found if one.before != one.after), key=lambda one: one.name)


def _noise(name: str, old: Mapping[str, float], new: Mapping[str, float]) -> float | None:
    """Two standard errors of a share in per cent, where it is told of how many it is the share."""
    counted = name.replace("scores.", "judged.") if "scores." in name else ""
    n = min(old.get(counted, 0.0), new.get(counted, 0.0))
    if not n:
        return None
    # Two more of either kind, so that all of few is not held to be sure.
    share = (old[name] / 100 * n + 2) / (n + 4)
    return 100 * _ERRORS * sqrt(share * (1 - share) / (n + 4))


def is_less_better(name: str) -> bool:
    """Whether a figure of this name had better be small."""
    return any(part in name for part in _LESS)
