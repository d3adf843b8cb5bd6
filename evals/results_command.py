"""The commands over results: everything measured at once, two results compared, the page made of them.

Belongs here: arguments, calls and exit statuses. Does not belong here: what they do (`run`, `compare`, `report`).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    """Add them to the parser's commands."""
    every = commands.add_parser("run", help="all of it, or parts by name, into result files, and one page")
    every.add_argument("parts", nargs="+", metavar="PART", help="all, or names of parts")
    every.add_argument("--data", type=Path, metavar="DIR", help="folder that holds locomo/ and longmemeval/")
    every.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the result files go")
    every.set_defaults(run=_run)
    two = commands.add_parser(
        "compare", help="two results, or two folders of them: what differs, and by more than chance"
    )
    two.add_argument("before", type=Path, metavar="A")
    two.add_argument("after", type=Path, metavar="B")
    two.set_defaults(run=_compare)
    table = commands.add_parser("report", help="write docs/evals.md from the result files")
    table.add_argument("--check", action="store_true", help="write nothing: say whether it is current")
    table.set_defaults(run=_report)


def _run(args: argparse.Namespace) -> int:
    from evals.run import run

    print(run(args.parts, args.data, args.out))
    return 0


def _compare(args: argparse.Namespace) -> int:
    from evals.compare import compare, told

    found = compare(args.before, args.after)
    print("\n".join(told(found)))
    return 1 if any(change.is_worse for changes in found.values() for change in changes) else 0


def _report(args: argparse.Namespace) -> int:
    from evals.report import PAGE, PLOT, page, plot

    made = {PAGE: page(), PLOT: plot()}
    if args.check:
        return (
            0 if all(file.is_file() and file.read_text(encoding="utf-8") == text for file, text in made.items()) else 1
        )
    for file, text in made.items():
        file.write_text(text, encoding="utf-8")
    return 0
