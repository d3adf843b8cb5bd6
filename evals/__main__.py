"""The command `python -m evals`. Parses, calls, prints; measures nothing itself."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from evals.cases import run_folder
from slowwave.errors import SlowwaveError


def main(argv: Sequence[str]) -> int:
    """Run one evaluation. Returns 0 where nothing failed, 1 where something did, 2 for a call that can't be run."""
    args = _parser().parse_args(list(argv))
    try:
        return _cases(args)
    except SlowwaveError as error:
        print(f"{error}\n{error.hint}", file=sys.stderr)
        return error.exit_status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals", description="Is the memory right, and is it better?")
    commands = parser.add_subparsers(dest="command", required=True)
    cases = commands.add_parser("cases", help="run a folder of cases and their variants")
    cases.add_argument("folder", type=Path, metavar="DIR", help="folder with the cases and their check.py")
    cases.add_argument("--json", action="store_true", help="print nothing but the one JSON object")
    return parser


def _cases(args: argparse.Namespace) -> int:
    tallies = run_folder(args.folder)
    if not args.json:
        for level, tally in tallies.items():
            print(f"{level}: {tally.passed} passed, {tally.failed} failed, {tally.skipped} skipped")
            for failure in tally.failures:
                print(f"  {failure['id']}: {failure['why']}")
    print(json.dumps({level: asdict(tally) for level, tally in tallies.items()}, ensure_ascii=False))
    return 1 if any(tally.failed for tally in tallies.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
