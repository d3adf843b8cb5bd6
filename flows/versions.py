"""The operator's commands about versions. Light to import: a rollback must not wait for libraries.

Parses, calls, prints; decides nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from adapters.remote import local, name_of
from flows.rollback import resume, roll_back
from slowwave.remote import STORE, argument
from slowwave.render import as_json, one_line


def main(argv: Sequence[str]) -> int:
    """Run one of these commands; errors a person can act on are raised as SlowwaveError. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="slowwave", description="Goes back to earlier versions, and on again.")
    add(parser.add_subparsers(dest="command", required=True))
    args = parser.parse_args(list(argv))
    args.store = local(args.store)
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)


def add(commands: Any) -> None:
    """Add these commands to a parser's."""
    back = commands.add_parser("rollback", help="make an earlier version serve, and hold the store until it is resumed")
    back.add_argument("version", help="the version's name, as slowwave log gives it")
    back.set_defaults(run=_rollback)
    on = commands.add_parser("resume", help="let nights go on after a rollback, as though nothing had happened")
    on.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="NAME",
        help="leave a session:ID, source:KIND, source:KIND=PATH or run:NAME out for good; may be repeated",
    )
    on.set_defaults(run=_resume)
    again = commands.add_parser("reindex", help="build a version's tables and texts again from what its night wrote")
    again.add_argument("--version", metavar="VERSION", help="another version than the current one")
    again.add_argument("--table", action="append", default=[], metavar="NAME", help="only this table; may be repeated")
    again.set_defaults(run=_reindex)
    for parser in (back, on, again):
        parser.add_argument("--store", required=True, type=argument, help=STORE)
        parser.add_argument("--json", action="store_true", help="print one JSON object")


def _rollback(args: argparse.Namespace) -> int:
    made = roll_back(args.store, args.version)
    said = {"version": made.to, "came_from": made.came_from, "is_held": True}
    told = [
        f"{made.to} serves; {made.came_from} served before",
        f"nights are held until: slowwave resume --store {name_of(args.store)}",
    ]
    _print(args, said, told)
    return 0


def _resume(args: argparse.Namespace) -> int:
    rolled, left = resume(args.store, args.without)
    goes_on_from = None if rolled is None else rolled.to if left else rolled.came_from
    told = [f"left out for good: {name} ({n} messages so far)" for name, n in left.items()]
    told.append("nights go on" + (f" from {goes_on_from}" if goes_on_from else ""))
    _print(args, {"is_held": False, "goes_on_from": goes_on_from, "left_out": left}, told)
    return 0


def _reindex(args: argparse.Namespace) -> int:
    from flows.reindex import reindex

    made = reindex(args.store, args.version, args.table)
    told = [f"{made.version}: built again {', '.join(made.built)}", f"{made.n_versions} versions hold them"]
    _print(args, {"version": made.version, "built": list(made.built), "n_versions": made.n_versions}, told)
    return 0


def _print(args: argparse.Namespace, said: dict[str, Any], told: list[str]) -> None:
    print(as_json(said) if args.json else "\n".join(map(one_line, told)))
