"""The command `slowwave`: an agent's half lives here; the operator's half is found by name where a checkout is.

Belongs here: arguments and what a person reads. Does not belong here: anything a program would want to call.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from slowwave import asking, owning
from slowwave.asking import opened
from slowwave.closed import FlushReason
from slowwave.errors import SlowwaveError, UsageError
from slowwave.export import cli as exporting
from slowwave.remote import STORE, argument
from slowwave.versions import check, diff, log

if TYPE_CHECKING:
    from slowwave.reader import Reader

# Where each command of the operator's is; what must be quick is apart from what loads a night's libraries.
OPERATOR = {
    **dict.fromkeys(
        ("night", "sources", "costs", "cache", "replay", "forget", "guard", "report", "docs", "backup", "fleet"),
        "flows.cli",
    ),
    **dict.fromkeys(("rollback", "resume", "reindex"), "flows.versions"),
    **dict.fromkeys(("up", "down"), "flows.service_cli"),
    **dict.fromkeys(("init", "config", "doctor"), "flows.setup_cli"),
    "sql": "flows.sql_cli",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status. Errors a person can act on are two lines on stderr, never a traceback."""
    given = list(sys.argv[1:] if argv is None else argv)
    # A terminal may not know every character that somebody once said.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        status = _operate(given) if given and given[0] in OPERATOR else _run(given)
        sys.stdout.flush()
        return status
    except SlowwaveError as error:
        _complain(f"{error}\n  next: {error.hint}")
        return error.exit_status
    except BrokenPipeError:
        # Whoever read (`| head`) has seen enough; Python would complain once more at its own last flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _operate(given: list[str]) -> int:
    """The one upward look: the operator's commands, where the application is checked out."""
    try:
        operator = importlib.import_module(OPERATOR[given[0]])
    except ModuleNotFoundError as error:
        is_checkout = error.name not in ("flows", OPERATOR[given[0]])
        why = (
            f"needs a library that is not installed here ({error.name})"
            if is_checkout
            else "lives in a checkout of slowwave"
        )
        raise UsageError(
            f"`slowwave {given[0]}` {why}; what is here is the reader",
            "Clone the repository, run `make install` in it, and use its .venv/bin/slowwave.",
        ) from error
    return operator.main(given)


def _run(given: list[str]) -> int:
    args = _parser().parse_args(given)
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)


def _parser() -> argparse.ArgumentParser:
    from slowwave import __version__

    parser = argparse.ArgumentParser(
        prog="slowwave",
        description="Consolidates an agent's memory while the agent sleeps.",
        epilog=f"for operators, in a checkout: {', '.join(OPERATOR)}",
    )
    parser.add_argument("--version", action="version", version=f"slowwave {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    asking.add_recall(_command(commands, "recall", "ask the memory a question", asking.recall))
    about = "what to have in mind for a question: answer, snapshot, promises, people, guidance, within one budget"
    asking.add_bundle(_command(commands, "bundle", about, asking.bundle))
    about = "write what is remembered into an agent's own files; --dry-run shows the diff"
    exporting.add_export(_command(commands, "export", about, exporting.export))
    about = "whether and how to speak up in a moment, by what was learned"
    asking.add_guidance(_command(commands, "guidance", about, asking.guidance))
    show = _command(commands, "show", "the bounded snapshot, one memory by id, or `working`", _show)
    show.add_argument(
        "what", nargs="?", default="snapshot", help="a profile's name, a memory's id, or `working`: the last sessions"
    )
    _command(commands, "log", "every version, newest first; with --version the one and those it came from", log)
    between = _command(
        commands, "diff", "what came between two versions: learned, changed, disputed, archived, forgotten", diff
    )
    between.add_argument("before", metavar="A", help="the earlier version")
    between.add_argument("after", metavar="B", help="the later version")
    _command(commands, "verify", "look whether every hash, pointer and quote is as it was written", check)
    why = _command(commands, "why", "the whole story of a memory", _why)
    why.add_argument("id", help="a memory's id, as recall gives it")
    owning.add(commands, _command)
    for name in OPERATOR:  # named where a command is mistyped; `main` has taken them already
        commands.add_parser(name, add_help=False).set_defaults(run=_mistaken)
    about = "publish a session early, before its context is lost; without --session, all that the inbox asks for"
    flush = _command(commands, "flush", about, _flush)
    flush.add_argument("--session", help="the session's id, as its platform writes it")
    flush.add_argument("--reason", default=FlushReason.NEAR_COMPACTION, choices=list(FlushReason), help="why now")
    flush.add_argument("--later", action="store_true", help="only leave the request; the next run answers it")
    return parser


def _mistaken(args: argparse.Namespace) -> int:
    raise UsageError(
        "an operator's command comes first", "Write it as the first word: slowwave night --store DIR --source KIND=PATH"
    )


def _command(commands: Any, name: str, about: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
    made: argparse.ArgumentParser = commands.add_parser(name, help=about, description=about)
    made.add_argument("--store", required=True, type=argument, help=STORE)
    made.add_argument("--json", action="store_true", help="print one JSON object")
    if name not in ("flush", "diff", *owning.VERBS, "correct", "state"):
        made.add_argument("--version", metavar="VERSION", help="another version than the current one")
    made.set_defaults(run=run)
    return made


def _show(args: argparse.Namespace) -> int:
    from slowwave import render
    from slowwave.reader.results import from_memory
    from slowwave.zones import zone_of

    reader = opened(args)
    is_document = {args.what, f"{args.what}.md"} & set(reader.manifest.documents)
    if args.what == "working" and not is_document:
        return _show_working(reader, args)
    memory = None if is_document else reader.get(args.what)
    if memory is not None:
        found = from_memory(memory, datetime.now(UTC), (0.0, {}), ())
        _print_json(found.as_dict()) if args.json else print(render.result(found, zone_of(reader.manifest.zone)))
        return 0
    text = reader.snapshot(args.what)
    _print_json({"version": reader.version, "profile": args.what, "text": text}) if args.json else print(
        render.visible(text.rstrip("\n"))
    )
    return 0


def _show_working(reader: Reader, args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from slowwave import render
    from slowwave.reader.results import plain
    from slowwave.zones import zone_of

    found = reader.working()
    if args.json:
        _print_json({"version": reader.version, "working": [plain(asdict(one)) for one in found]})
    else:
        print(render.working(found, zone_of(reader.manifest.zone)))
    return 0


def _why(args: argparse.Namespace) -> int:
    from slowwave import render
    from slowwave.reader.results import from_memory
    from slowwave.zones import zone_of

    reader = opened(args)
    told = reader.why(args.id)
    about = from_memory(told.memory, datetime.now(UTC), (0.0, {}), ())
    _print_json(told.as_dict()) if args.json else print(render.story(told, about, zone_of(reader.manifest.zone)))
    return 0


def _flush(args: argparse.Namespace) -> int:
    from slowwave.flushing import Asked
    from slowwave.inbox import flush

    asked, said, told = None, {}, "nothing was asked for"
    if args.session is not None or args.reason == FlushReason.OBSERVER_TRANSITION:
        asked = Asked(args.session or "", args.reason, datetime.now(UTC))
        path = flush(args.store, asked.session_id, asked.reason, at=asked.at)
        said, told = {"asked": str(path)}, f"asked for an early night: {path}"
    if not args.later:
        # In an agent's environment the request stays where it is.
        with suppress(ModuleNotFoundError):
            answered = importlib.import_module("flows.flush_cli").answer(args.store, asked)
            said, told = {**said, **answered.as_dict()}, answered.told()
    _print_json(said) if args.json else print(told)
    return 0


def _print_json(content: Any) -> None:
    from slowwave import render

    print(render.as_json(content))


def _complain(text: str) -> None:
    """Errors and warnings name files, ids and models as others wrote them."""
    from slowwave import render

    print(f"slowwave: {render.visible(text)}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
