"""`slowwave export`: arguments, and what a person reads of an export.

Does not belong here: anything a program would want to call (`Reader.export`).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from slowwave.asking import opened

if TYPE_CHECKING:
    from slowwave.export.write import Exported, FileChange

_MOST_SHOWN = 5


def add_export(export: argparse.ArgumentParser) -> None:
    """The arguments of `export`."""
    export.add_argument("platform", help="hermes, openclaw, claude-code, seraph, markdown or json")
    export.add_argument("--to", required=True, type=Path, metavar="DIR", help="the agent's folder")
    export.add_argument("--profile", default="snapshot", help="whose memories may go out (default: snapshot)")
    export.add_argument("--max-privacy", metavar="LEVEL", help="nothing more private than open, personal or sensitive")
    export.add_argument("--dry-run", action="store_true", help="write nothing; show what would change, as a diff")


def export(args: argparse.Namespace) -> int:
    """Write, or show, what a version remembers in a platform's own files."""
    from dataclasses import asdict

    from slowwave.render import as_json, visible

    reader = opened(args)
    done = reader.export(
        args.platform, args.to, profile=args.profile, max_privacy=args.max_privacy, dry_run=args.dry_run
    )
    print(as_json(asdict(done)) if args.json else visible("\n".join(_told(done))))
    return 0


def _told(done: Exported) -> Iterator[str]:
    if done.is_dry_run:
        yield from (one.diff.rstrip("\n") for one in done.files if one.diff)
    for one in done.files:
        yield from _file(one, is_dry_run=done.is_dry_run)
    if done.n_beyond:
        yield f"{done.n_beyond} more memories were not looked at (export.max_memories)"
    if not done.written:
        yield f"nothing to write: {done.folder} holds what {done.version} remembers"


def _file(one: FileChange, *, is_dry_run: bool) -> Iterator[str]:
    action = f"would be {one.action}" if is_dry_run and one.action in ("written", "removed") else one.action
    omitted = f", {len(one.omitted_ids)} had no room" if one.omitted_ids else ""
    yield f"{one.name}: {action}{f': {one.why}' if one.why else f', {len(one.memory_ids)} memories{omitted}'}"
    shown = [line.strip() for line in one.kept[:_MOST_SHOWN]]
    yield from (f"  left as somebody wrote it: {line}" for line in shown)
    if len(one.kept) > _MOST_SHOWN:
        yield f"  and {len(one.kept) - _MOST_SHOWN} more such lines"
    if one.held_ids:
        yield f"  left out, since somebody changed or removed them there: {', '.join(one.held_ids[:_MOST_SHOWN])}"
