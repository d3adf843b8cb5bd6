"""`slowwave backup`: a store as one file, and with `--restore` a store from it. Parses, calls, tells."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from slowwave.errors import UsageError
from slowwave.remote import STORE, argument, is_remote
from slowwave.render import as_json, one_line


def add(commands: Any, say: Callable[[str], None]) -> None:
    """Declare the command; what it tells a person it hands to `say`."""
    about = "write a store into one file, also while a night is at work; with --restore make a store of such a file"
    parser = commands.add_parser("backup", help=about, description=about)
    parser.add_argument("file", type=Path, help="the archive, e.g. memory-2026-05-03.tar.gz")
    parser.add_argument("--store", required=True, type=argument, help=STORE)
    parser.add_argument("--restore", action="store_true", help="make the store, which must not be there, of the file")
    parser.add_argument(
        "--forgotten",
        type=Path,
        metavar="DIR",
        help="with --restore: a store whose requests to forget are carried out in it too",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=lambda args: run(args, say))


def run(args: argparse.Namespace, say: Callable[[str], None]) -> int:
    """Write or restore, and tell. Returns the exit status."""
    if args.restore:
        from flows.backup import restore

        made = restore(args.file, _folder(args.store), args.forgotten)
        told = f"{args.store}: {made.n_files} files, each as it was; {made.serving or 'no version'} serves"
        told += f"; {made.n_forgotten} requests to forget carried out in it" if args.forgotten else ""
        say(as_json(asdict(made)) if args.json else one_line(told))
        return 0
    from adapters import backup
    from adapters.remote import local

    written = backup.write(local(args.store), args.file)
    told = f"{args.file}: {written.n_files} files, {written.n_bytes / 2**20:.1f} MiB; {written.serving or 'no version'} serves in it"
    say(as_json(asdict(written)) if args.json else one_line(told))
    return 0


def _folder(store: str | Path) -> Path:
    if is_remote(store):
        raise UsageError(
            "a backup is restored into a folder", "Restore it there, then copy the folder's files under the prefix."
        )
    return Path(store)
