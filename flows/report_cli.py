"""`slowwave report` and `slowwave docs`: the pages of a kept run, made again. Parses, calls, tells; decides nothing."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from adapters.pointer import writing
from adapters.settings import Settings, load
from flows import docs, ledger, telling
from flows.ended import Ended
from slowwave.errors import UsageError
from slowwave.remote import STORE, argument
from slowwave.render import as_json, one_line


def add(commands: Any, say: Callable[[str], None]) -> None:
    """Declare the commands; what they tell a person they hand to `say`."""
    abouts = {
        "report": (_report, "write a run's report again: what was learned, changed, put off, and what it cost"),
        "docs": (_docs, "make Great Expectations' Data Docs of a run, readable without a network"),
    }
    for name, (make, about) in abouts.items():
        parser = commands.add_parser(name, help=about, description=about)
        parser.add_argument("night", metavar="RUN", nargs="?", help="the run's name, as in runs/ (default: the newest)")
        parser.add_argument("--store", required=True, type=argument, help=STORE)
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.set_defaults(run=lambda args, make=make: _run(args, make, say))


def _run(args: argparse.Namespace, make: Callable[[Path, str, Settings], Path], say: Callable[[str], None]) -> int:
    known = ledger.runs(args.store)
    run = args.night or (known[0] if known else "")
    if run not in known or not ledger.read(args.store, run):
        raise UsageError(
            f"there is no run {run} in this store" if run else "there is no run in this store yet",
            "`slowwave log` names the run of each version; runs/ in the store lists them all.",
        )
    settings = load(args.store)
    # Nobody may forget anything meanwhile.
    with writing(args.store, settings.night.wait_minutes * 60):
        page = make(args.store, run, settings)
    say(as_json({"run": run, "page": str(page)}) if args.json else one_line(str(page)))
    return 0


def _report(store: Path, run: str, settings: Settings) -> Path:
    return telling.write(Ended(store, run, settings.reports, settings.rules.extract.sensitive_words))


def _docs(store: Path, run: str, settings: Settings) -> Path:
    made = docs.make(store, ledger.read(store, run))
    # The report links what is there.
    _report(store, run, settings)
    return made
