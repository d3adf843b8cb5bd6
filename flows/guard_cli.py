"""`slowwave guard`: lets the guards look, and says what they saw. Parses, calls, tells; decides nothing."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.forget_cli import as_time
from slowwave.render import as_json, one_line

if TYPE_CHECKING:
    from expectations.promise import Promise
    from flows.guard import Looked

_SHOWN = 10


def add(commands: Any, say: Callable[[str], None]) -> None:
    """Declare the command; what it tells a person it hands to `say`."""
    parser = commands.add_parser(
        "guard", help="look for what went stale, too large or apart from memory; change nothing"
    )
    parser.add_argument("--store", required=True, type=Path, help="the store's folder")
    which = parser.add_mutually_exclusive_group()
    for name in ("daily", "weekly"):
        about = f"only the guards that [guards] {name} lists"
        which.add_argument(f"--{name}", dest="which", action="store_const", const=name, default="all", help=about)
    parser.add_argument("--as-of", type=as_time, metavar="ISO", help="the time to look at, with an offset; default now")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=lambda args: run(args, say))


def run(args: argparse.Namespace, say: Callable[[str], None]) -> int:
    """Look and tell. Returns the exit status: 0, or 3 where something is broken."""
    from flows.guard import guard

    looked = guard(args.store, args.which, args.as_of)
    say(as_json(_shown(looked)) if args.json else _told(looked))
    return looked.exit_status


def _told(looked: Looked) -> str:
    from expectations.guards.page import verdict

    lines = [f"{verdict(looked.report)} {looked.version}, {looked.n_files} files"]
    for word, listed in (("broken", looked.report.broken), ("look at", looked.report.warnings)):
        lines += [line for promise in listed for line in _lines(word, promise)]
    months = ", ".join(f"{one.month} {one.n_repeats} of {one.n_errors}" for one in looked.months[-_SHOWN:])
    lines += [f"repeated errors by month: {months}"] if months else []
    lines.append(f"report: {looked.folder / 'report.md'}")
    return "\n".join(map(one_line, lines))


def _lines(word: str, promise: Promise) -> list[str]:
    places = [f"  {place}" for place in promise.examples[:_SHOWN]]
    n_more = len(promise.examples) - len(places)
    places += [f"  and {n_more} more, in the report"] if n_more > 0 else []
    return [f"{word}: {promise.name}; should hold: {promise.about}", *places, f"  next: {promise.proposal}"]


def _shown(looked: Looked) -> dict[str, Any]:
    from dataclasses import asdict

    months = [{**asdict(month), "rate": round(month.rate, 4)} for month in looked.months]
    shown = {"version": looked.version, "n_files": looked.n_files, "report": str(looked.folder)}
    return {**shown, **looked.report.to_dict(), "months": months}
