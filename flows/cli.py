"""The operator's half of the command `slowwave`. Parses, calls the road, prints; decides nothing."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adapters.remote import local, name_of
from adapters.sources.folder import printable
from flows import backup_cli, fleet_cli, forget_cli, guard_cli, report_cli, service_cli, setup_cli, sql_cli, versions
from flows.begin import Plan
from flows.costs import GROUPS, as_table, calls, summed
from flows.look import look, told
from flows.progress import Progress
from flows.quiet import server
from flows.rehearse import as_text, rehearse
from flows.replay import purge, replay
from flows.report import told_left
from flows.road import Outcome, consolidated
from flows.step import here
from slowwave.errors import PromiseBroken, SourceError, StoreNotFound, UsageError
from slowwave.remote import STORE, argument
from slowwave.render import as_json, one_line


def main(argv: Sequence[str]) -> int:
    """Run an operator's command; errors a person can act on are raised as SlowwaveError. Returns the exit status."""
    args = _parser().parse_args(list(argv))
    if getattr(args, "store", None) is not None and args.command != "backup":
        args.store = local(args.store)
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="slowwave", description="Consolidates an agent's memory while the agent sleeps."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    night = commands.add_parser("night", help="read the sources, consolidate, check, publish a new version")
    night.add_argument("--store", required=True, type=argument, help=f"{STORE}; made if it is not there")
    night.add_argument(
        "--source", action="append", default=[], metavar="KIND=PATH", help="what to read; may be repeated"
    )
    night.add_argument("--as-of", metavar="ISO", help="the night's time, e.g. 2026-03-01T03:00Z; default now")
    night.add_argument("--owner", help="the owner's id, where the sources name several users")
    night.add_argument("--zone", help="the owner's time zone, e.g. Europe/Lisbon")
    night.add_argument("--model", help="offline, or any litellm model string")
    night.add_argument("--api-base", help="address of the model's server")
    night.add_argument("--embedder", help="static, onnx:DIR, fastembed:NAME, litellm:MODEL or none")
    night.add_argument(
        "--accept-retirement", action="store_true", help="publish even where a large share of memories would be retired"
    )
    night.add_argument("--dry-run", action="store_true", help="say what it would ask and cost; send and write nothing")
    night.add_argument("--json", action="store_true", help="print the outcome as one JSON object")
    night.add_argument("--quiet", action="store_true", help="no progress on stderr")
    way = night.add_mutually_exclusive_group()
    way.add_argument("--prefect", action="store_true", help="walk as a Prefect flow, even without a server")
    way.add_argument("--plain", action="store_true", help="walk plainly, even where a server is configured")
    night.set_defaults(run=_night)
    sources = commands.add_parser("sources", help="say what would be read at a path, and read nothing into a store")
    sources.add_argument("path", type=Path, help="a file or folder")
    sources.add_argument("--json", action="store_true", help="print one JSON object")
    sources.set_defaults(run=_sources)
    _add_costs(commands)
    _add_answers(commands)
    versions.add(commands)
    service_cli.add(commands)
    setup_cli.add(commands)
    sql_cli.add(commands)
    forget_cli.add(commands, print)
    guard_cli.add(commands, print)
    report_cli.add(commands, print)
    backup_cli.add(commands, print)
    fleet_cli.add(commands, print)
    return parser


def _add_costs(commands: Any) -> None:
    costs = commands.add_parser("costs", help="what nights asked of models: calls, tokens, cost, and what went to whom")
    where = costs.add_mutually_exclusive_group(required=True)
    where.add_argument("--store", type=argument, help=STORE)
    where.add_argument("--fleet", type=Path, help="a folder of stores")
    costs.add_argument(
        "--by", default="store,stage,model,prompt", help=f"what to sum by, of {', '.join(GROUPS)} (default %(default)s)"
    )
    costs.add_argument("--run", dest="night", help="only this run")
    costs.add_argument("--calls", action="store_true", help="every call with the keys of its messages, instead of sums")
    costs.add_argument("--json", action="store_true", help="print a JSON list")
    costs.set_defaults(run=_costs)


def _add_answers(commands: Any) -> None:
    cache = commands.add_parser("cache", help="purge recorded answers of models by message")
    cache.add_argument("what", choices=["purge"], help="remove every answer to a question that held the message")
    cache.add_argument("--store", required=True, type=argument, help=STORE)
    cache.add_argument("--message", required=True, action="append", metavar="ID", help="its id or key; may be repeated")
    cache.set_defaults(run=_purge)
    replayed = commands.add_parser("replay", help="make a run's version again from recorded answers, and compare")
    replayed.add_argument("night", metavar="RUN", help="the run's name, as in runs/")
    replayed.add_argument("--store", required=True, type=argument, help=STORE)
    replayed.add_argument("--to", type=Path, help="keep what was made in this folder, which must not be there yet")
    replayed.set_defaults(run=_replay)


def _purge(args: argparse.Namespace) -> int:
    _found(args.store)
    n_purged = purge(args.store, args.message)
    unknown = (
        "" if n_purged else "; none held that message: `slowwave why` and `recall --json` tell the ids of messages"
    )
    print(f"{n_purged} recorded answers purged{unknown}")
    return 0


def _found(store: Path) -> None:
    if not store.is_dir():
        raise StoreNotFound(f"there is no store at {printable(str(store))}", "Check the path.")


def _replay(args: argparse.Namespace) -> int:
    found = replay(args.store, args.night, args.to)
    if found.differences:
        raise PromiseBroken(
            f"the replay made {found.version}, the run {found.published}; other than published: {', '.join(found.differences)}",
            "Replay with the code that the run was made with; if it was this very code, report it.",
        )
    print(f"the same, byte for byte: {found.version}")
    return 0


def _costs(args: argparse.Namespace) -> int:
    _found(args.store or args.fleet)
    stores = [args.store] if args.store else sorted(path for path in args.fleet.glob("*") if path.is_dir())
    rows = calls(stores, run=args.night) if args.calls else summed(stores, args.by.split(","), run=args.night)
    print(as_json(rows) if args.json else as_table(rows))
    return 0


def _sources(args: argparse.Namespace) -> int:
    found = look(args.path)
    print(as_json([asdict(one) for one in found]) if args.json else told(args.path, found))
    if all(one.is_nothing for one in found):
        raise SourceError(
            f"nothing at {printable(str(args.path))} could be read", "Mend or replace what is damaged, then look again."
        )
    return 0


def _night(args: argparse.Namespace) -> int:
    as_of = _time(args.as_of) if args.as_of else None
    if args.dry_run:
        found = rehearse(Plan(args.store, tuple(args.source), as_of, _flags(args), trigger="rehearsal"))
        print(as_json(asdict(found)) if args.json else as_text(found))
        return 0
    with Progress(is_quiet=args.quiet or args.json) as progress:
        plan = Plan(args.store, tuple(args.source), as_of, _flags(args), trigger="night", watch=progress)
        plan = replace(plan, is_retirement_accepted=args.accept_retirement)
        outcome = _walk(plan, is_prefect=args.prefect or (not args.plain and server() is not None))
    print(_as_json(outcome) if args.json else _as_text(args.store, outcome, progress.seconds))
    return outcome.exit_status


def _walk(plan: Plan, *, is_prefect: bool) -> Outcome:
    if not is_prefect:
        return consolidated(plan, here)
    from flows.consolidate import consolidate

    return consolidate(plan)


def _flags(args: argparse.Namespace) -> dict[str, Any]:
    """The flags that were given, in the shape of the settings tree."""
    named = {
        "owner": {"id": args.owner, "zone": args.zone},
        "night": {"model": args.model, "api_base": args.api_base},
        "embed": {"embedder": args.embedder},
    }
    kept = {section: {k: v for k, v in values.items() if v} for section, values in named.items()}
    return {section: values for section, values in kept.items() if values}


def _time(text: str) -> datetime:
    try:
        made = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"--as-of {text!r} is not an ISO time", "Write it like 2026-03-01T03:00Z.") from error
    if made.tzinfo is None:
        raise UsageError(f"--as-of {text!r} has no offset", "Add one, e.g. Z or +01:00, so that no zone is guessed.")
    try:
        utc = made.astimezone(UTC)
    except OverflowError:
        utc = datetime.max.replace(tzinfo=UTC)
    if not 1970 <= utc.year < 9000:
        raise UsageError(f"--as-of {text!r} is no time that a night can be at", "Give a time between 1970 and 9000.")
    return utc


def _as_json(outcome: Outcome) -> str:
    shown = {"status": outcome.status, "version": outcome.version, "run": outcome.run, "warnings": outcome.warnings}
    return as_json({**shown, "facts": outcome.facts})


def _why_held(store: Path, outcome: Outcome) -> str:
    if not outcome.run:
        return "held"
    page = store / "runs" / outcome.run / "audit.html"
    return (
        f"held for review: too much would be retired at once. {page} names it; if it may go, run the night again with "
        "--accept-retirement"
    )


def _as_text(store: Path, outcome: Outcome, seconds: float) -> str:
    said = {
        "published": f"published {outcome.version} in {seconds:.1f} s",
        "nothing_to_do": f"nothing new; {outcome.version or 'no version yet'} stands",
        "held": f"{_why_held(store, outcome)}; {outcome.version or 'no version'} still serves",
    }
    told = [f"left this machine: {line}" for line in told_left(outcome.facts)] if outcome.facts.get("left") else []
    if n := outcome.facts.get("n_as_said"):
        told.append(f"statements that stand as they were said, since no words of the model's passed the checks: {n}")
    lines = [said[outcome.status], *told, *(f"warning: {warning}" for warning in outcome.warnings)]
    if outcome.run:
        lines.append(f"report: {store / 'runs' / outcome.run / 'report.html'}")
    if outcome.status == "published":
        named = name_of(store)
        lines.append(f'next: slowwave show --store {named}, or slowwave recall --store {named} "a question"')
    return "\n".join(map(one_line, lines))
