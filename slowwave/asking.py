"""The reader's commands that ask: `recall`, `bundle` and `guidance`.

Belongs here: arguments and what a person reads. Does not belong here: how an answer is found (`reader`).
"""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Any

from slowwave.errors import UsageError

if TYPE_CHECKING:
    from slowwave.reader import Reader
    from slowwave.reader.request import Only

# The parts of a moment that a person can state; the time gives the others.
MOMENT = ("user_state", "mode", "channel", "urgency")


def add_recall(recall: argparse.ArgumentParser) -> None:
    """The arguments of `recall`."""
    _add_question(recall, "--channel")
    recall.add_argument("-k", type=int, default=10, help="most results (default 10)")
    recall.add_argument("--budget-tokens", type=int, help="most tokens of all that is shown")
    recall.add_argument("--min-score", type=float, help="leave out what scores less")
    recall.add_argument("--offset", type=int, default=0, help="how many of the best to pass over")
    recall.add_argument(
        "--as-of",
        metavar="DATE",
        help="what held in the world then (a day means its end); with --version, by what that one knew",
    )


def add_bundle(bundle: argparse.ArgumentParser) -> None:
    """The arguments of `bundle`; its `--channel` is the moment's."""
    _add_question(bundle, "--said-in")
    bundle.add_argument("--budget-tokens", type=int, default=2000, help="most tokens of all together (default 2000)")
    bundle.add_argument("--profile", default="snapshot", help="whose snapshot is put in (default: snapshot)")
    _add_moment(bundle)


def add_guidance(guidance: argparse.ArgumentParser) -> None:
    """The arguments of `guidance`."""
    guidance.add_argument("-k", type=int, default=10, help="most results (default 10)")
    _add_moment(guidance)


def _add_question(parser: argparse.ArgumentParser, said_in: str) -> None:
    parser.add_argument("query", help="the question")
    parser.add_argument("--max-age-days", type=float, metavar="N", help="warn where the version is older")
    parser.add_argument("--kind", action="append", help="only memories of this kind; may be repeated")
    parser.add_argument("--status", action="append", help="only this status; may be repeated")
    parser.add_argument("--tier", action="append", help="only memories of this tier; may be repeated")
    parser.add_argument("--entity", help="only what is about, said by or naming this person or thing")
    parser.add_argument("--project", help="only this project")
    parser.add_argument("--thread", help="only this thread or channel")
    parser.add_argument("--platform", help="only what was said on this platform")
    parser.add_argument(said_in, dest="said_in", metavar="CHANNEL", help="only what was said in this channel or thread")
    parser.add_argument("--person", help="only what this person said, or what is about them")
    parser.add_argument("--max-privacy", metavar="LEVEL", help="nothing more private than open, personal or sensitive")
    parser.add_argument("--since", type=_iso_time, metavar="ISO", help="true or said at or after")
    parser.add_argument("--until", type=_iso_time, metavar="ISO", help="true or said before")
    parser.add_argument(
        "--reranker", metavar="DIR", help="a cross-encoder's folder that ranks the first results again, or none"
    )
    parser.add_argument(
        "--log", dest="is_logged", action="store_true", help="append which ids were shown, and when, to the inbox"
    )
    parser.add_argument("--embedder", help="where the vectors' model is, e.g. onnx:DIR; none for full text only")


def _add_moment(parser: argparse.ArgumentParser) -> None:
    for name in MOMENT:
        parser.add_argument(f"--{name.replace('_', '-')}", metavar="WORD", help="as the platform writes it")
    parser.add_argument("--at", type=_iso_time, metavar="ISO", help="the moment (default: now)")


def _iso_time(text: str) -> datetime:
    try:
        made = datetime.fromisoformat(text)
        made.replace(tzinfo=made.tzinfo or UTC).astimezone(UTC)  # an offset may lead out of the years that there are
        return made
    except (ValueError, OverflowError) as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not an ISO time, e.g. 2026-03-01 or 2026-03-01T03:00Z"
        ) from error


def recall(args: argparse.Namespace) -> int:
    """`slowwave recall`: results, best first."""
    from slowwave import render

    reader = opened(args)
    zone = _zone(reader)
    as_of = None if args.as_of is None else _then(args.as_of, zone)
    only: Only = {**_only(args), "min_score": args.min_score, "offset": args.offset}
    found = reader.recall(args.query, args.k, args.budget_tokens, as_of=as_of, **only)
    if args.json:
        answer = {"version": reader.version, "query": args.query, "results": [r.as_dict() for r in found]}
        print(render.as_json({**answer, "warnings": reader.warnings}))
        return 0
    _warn(reader.warnings)
    print(render.results(found, zone))
    return 0


def bundle(args: argparse.Namespace) -> int:
    """`slowwave bundle`: what to have in mind for a question."""
    from slowwave import bundle as bundled
    from slowwave import render
    from slowwave.zones import zone_of

    found = bundled(
        args.store,
        args.query,
        args.budget_tokens,
        version=args.version,
        embedder=args.embedder,
        max_age_days=args.max_age_days,
        reranker=args.reranker,
        is_logged=args.is_logged,
        profile=args.profile,
        at=args.at,
        context=_moment(args),
        **_only(args),
    )
    if args.json:
        print(render.as_json({"query": args.query, **found.as_dict()}))
        return 0
    _warn(found.warnings)
    print(render.bundle(found, zone_of(found.zone)) if found.version else "nothing is remembered yet")
    return 0


def guidance(args: argparse.Namespace) -> int:
    """`slowwave guidance`: whether and how to speak up in a moment."""
    from slowwave import render

    reader = opened(args)
    found = reader.guidance(**_moment(args), at=args.at, k=args.k)
    if args.json:
        print(render.as_json({"version": reader.version, "results": [r.as_dict() for r in found]}))
        return 0
    _warn(reader.warnings)
    print(render.results(found, _zone(reader)))
    return 0


def opened(args: argparse.Namespace) -> Reader:
    """The reader that a command's arguments name."""
    from slowwave.reader import open as open_reader

    given: dict[str, Any] = {name: getattr(args, name, None) for name in ("embedder", "max_age_days", "reranker")}
    is_logged = getattr(args, "is_logged", False)
    return open_reader(args.store, getattr(args, "version", None), **given, is_logged=is_logged)


def _zone(reader: Reader) -> tzinfo:
    from slowwave.zones import zone_of

    return zone_of(reader.manifest.zone)


def _only(args: argparse.Namespace) -> Only:
    return {
        "kinds": args.kind,
        "statuses": args.status,
        "tiers": args.tier,
        "entity": args.entity,
        "project": args.project,
        "thread": args.thread,
        "platform": args.platform,
        "channel": args.said_in,
        "person": args.person,
        "max_privacy": args.max_privacy,
        "since": args.since,
        "until": args.until,
    }


def _moment(args: argparse.Namespace) -> dict[str, Any]:
    return {name: value for name in MOMENT if (value := getattr(args, name))}


def _then(text: str, zone: tzinfo) -> datetime:
    """A time, or the last instant of a day in the memory's zone."""
    try:
        at = datetime.fromisoformat(text)
        at = at if at.tzinfo else at.replace(tzinfo=zone)
        at = at + (timedelta(days=1) - timedelta(microseconds=1)) if len(text) <= len("2026-03-01") else at
        at.astimezone(UTC)  # an offset may lead out of the years that there are
        return at
    except (ValueError, OverflowError) as error:
        raise UsageError(f"--as-of {text!r} is not a date", "Write it like 2026-03-01 or 2026-03-01T03:00Z.") from error


def _warn(warnings: tuple[str, ...] | list[str]) -> None:
    from slowwave.render import visible

    for warning in warnings:
        print(f"slowwave: {visible(warning)}", file=sys.stderr)
