"""What a person watches while a night walks: one line a stage, as it happens. Writes to stderr; stdout is for results."""

from __future__ import annotations

import sys
import time
from typing import Any

from flows.night import Taken

# What a stage makes, in words a person reads; the order of the night is in `flows.order`.
MAKES = {
    "sift": "turns",
    "segment": "topics",
    "extract": "claims",
    "link": "claims linked",
    "merge": "memories",
    "reconcile": "memories settled",
    "reinforce": "memories weighed",
    "learn": "lessons",
    "digest": "episodes",
    "project": "memories to publish",
}


class Progress:
    """Prints a line for each step taken; on a terminal, with a spinner for the one that is at work."""

    def __init__(self, *, is_quiet: bool = False) -> None:
        from rich.console import Console

        self._console = Console(stderr=True, quiet=is_quiet, highlight=False)
        self._status: Any = None
        self._began = time.perf_counter()

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            self._status = self._console.status("capturing")
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def __call__(self, taken: Taken) -> None:
        """Say what a step made."""
        decided = ", ".join(f"{n} {reason.replace(':', ' ').replace('_', ' ')}" for reason, n in _few(taken.n_decided))
        spent = f", {taken.calls} calls, {taken.input_tokens + taken.output_tokens} tokens" if taken.calls else ""
        when = "as before" if taken.is_cached else f"{taken.seconds:.2f} s"
        made = f"{taken.n_kept:>6} {MAKES.get(taken.stage, 'rows')}"
        line = f"  [bold]{taken.stage:<10}[/bold] {made:<26} [dim]{when:>9}{spent}  {decided}[/dim]"
        self._console.print(line, no_wrap=True, overflow="ellipsis")
        if self._status is not None:
            self._status.update(f"after {taken.stage}")

    @property
    def seconds(self) -> float:
        """Since the night was asked for."""
        return time.perf_counter() - self._began


def _few(decided: dict[str, int]) -> list[tuple[str, int]]:
    """The most frequent decisions that say something: what was kept or created as is needs no line."""
    told = [(reason, n) for reason, n in decided.items() if not reason.startswith(("keep", "create", "merge", "link"))]
    return told[:3]
