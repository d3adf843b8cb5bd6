"""`slowwave fleet`: the nights of all stores in a folder. Parses, calls, tells."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.forget_cli import as_time
from slowwave.render import as_json, one_line

if TYPE_CHECKING:
    from flows.fleet import Fleet

_SHOWN = 20


def add(commands: Any, say: Callable[[str], None]) -> None:
    """Declare the command; what it tells a person it hands to `say`."""
    about = "walk the nights of all stores in a folder that have news; one that fails fails alone"
    parser = commands.add_parser("fleet", help=about, description=about)
    parser.add_argument("folder", type=Path, help="the folder that holds the stores")
    parser.add_argument("--workers", type=int, default=1, help="how many processes walk at once (default %(default)s)")
    parser.add_argument("--all", action="store_true", help="stores without news too")
    parser.add_argument("--as-of", type=as_time, metavar="ISO", help="the nights' time, with an offset; default now")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=lambda args: run(args, say))


def run(args: argparse.Namespace, say: Callable[[str], None]) -> int:
    """Walk and tell. Returns the exit status."""
    from flows.fleet import walk_fleet

    fleet = walk_fleet(args.folder, args.workers, args.as_of, is_all=args.all)
    if args.json:
        say(as_json({"counts": fleet.counts, "walked": [asdict(one) for one in fleet.walked]}))
    else:
        say(_told(fleet))
    return fleet.exit_status


def _told(fleet: Fleet) -> str:
    lines = [", ".join(f"{n} {status.replace('_', ' ')}" for status, n in fleet.counts.items()) or "no stores"]
    for one in fleet.failed[:_SHOWN]:
        lines += [f"{one.store}: {one.error}", f"  next: {one.hint}"]
    n_more = len(fleet.failed) - _SHOWN
    lines += [f"and {n_more} more: --json names all"] if n_more > 0 else []
    return "\n".join(map(one_line, lines))
