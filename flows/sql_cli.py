"""`slowwave sql`: one SELECT over a store, printed. Without one, the views and an example of each."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from adapters.remote import local
from slowwave.remote import STORE, argument
from slowwave.render import as_json, one_line
from slowwave.text import squash

if TYPE_CHECKING:
    from flows.sql import Found

_MAX_CELL = 60


def main(argv: Sequence[str]) -> int:
    """Run the command; errors a person can act on are raised as SlowwaveError. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="slowwave", description="A store in SQL, for reading alone.")
    add(parser.add_subparsers(dest="command", required=True))
    args = parser.parse_args(list(argv))
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)


def add(commands: Any) -> None:
    """Add the command to a parser's."""
    about = "run one SELECT over a store: runs, stages, decisions, promises, calls, versions, and what is published"
    parser = commands.add_parser("sql", help=about, description=about)
    parser.add_argument("query", nargs="?", help="the SELECT; without it, the views and an example of each")
    parser.add_argument("--store", required=True, type=argument, help=STORE)
    parser.add_argument("--version", metavar="VERSION", help="published tables of another version than the current one")
    parser.add_argument("--json", action="store_true", help="print a JSON list of objects")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    from flows.sql import EXAMPLES, query

    if args.query is None:
        print(
            as_json(EXAMPLES) if args.json else "\n".join(f"{name:<10} {example}" for name, example in EXAMPLES.items())
        )
        return 0
    found = query(local(args.store), args.query, args.version)
    print(as_json([dict(zip(found.columns, row, strict=True)) for row in found.rows]) if args.json else _table(found))
    return 0


def _table(found: Found) -> str:
    rows = [found.columns, *([_cell(value) for value in row] for row in found.rows)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(found.columns))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join(map(one_line, lines))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    text = squash(json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, (list, dict)) else str(value))
    return text if len(text) <= _MAX_CELL else f"{text[: _MAX_CELL - 1]}…"
