"""`slowwave forget`: what would go is shown first, and goes when a person says so. Nothing of it is written to a file or log."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from slowwave.errors import SlowwaveError, UsageError
from slowwave.remote import STORE, argument
from slowwave.render import as_json, one_line
from slowwave.text import squash

if TYPE_CHECKING:
    from adapters.forget.scan import Hit
    from flows.forget import Foreseen, Forgot

_SHOWN = 20
# How many characters of a message's lost words are shown, and how many on each side of them.
_WORDS, _AROUND = 200, 40


def add(commands: Any, say: Callable[[str], None]) -> None:
    """Declare the command; what it tells a person it hands to `say`."""
    parser = commands.add_parser("forget", help="erase from the whole store what was said, and what rests on it")
    parser.add_argument("--store", required=True, type=argument, help=STORE)
    for name, what in (
        ("memory", "a memory's id, as recall gives it"),
        ("message", "a message's id or key"),
        ("session", "a session's id"),
        ("entity", "a person, project or thing, by name or id: every sentence that names it"),
        (
            "text",
            "words: every sentence that holds them; - reads them from standard input, so that no shell keeps them",
        ),
    ):
        parser.add_argument(
            f"--{name}", action="append", default=[], metavar=name.upper(), help=f"{what}; may be repeated"
        )
    parser.add_argument(
        "--since", type=as_time, metavar="ISO", help="all that was said at or after this time, with an offset"
    )
    parser.add_argument(
        "--until", type=as_time, metavar="ISO", help="all that was said before this time, with an offset"
    )
    parser.add_argument("--as-of", type=as_time, metavar="ISO", help="the night's time; default now")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--yes", action="store_true", help="do it without asking")
    how.add_argument("--dry-run", action="store_true", help="show what would go, and ask nothing")
    how.add_argument(
        "--proof",
        action="store_true",
        help="look for what was ever forgotten in every byte of the store, and forget nothing",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object; without --yes nothing is done")
    parser.set_defaults(run=lambda args: run(args, say))


def as_time(text: str) -> datetime:
    """A time with an offset, as an argument. Raises what argparse shows."""
    try:
        made = datetime.fromisoformat(text)
        utc = made.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not an ISO time, e.g. 2026-03-01T03:00Z") from error
    if made.tzinfo is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} has no offset: write it like 2026-03-01T03:00Z or 2026-03-01T03:00+01:00"
        )
    return utc


def run(args: argparse.Namespace, say: Callable[[str], None]) -> int:
    """Show what would go; do it where that was asked or is answered yes. Returns the exit status."""
    # The other commands need none of it.
    from flows.forget import foresee, forget, proof
    from tasks.trace import Request

    if args.proof:
        hits = proof(args.store)
        say(as_json({"hits": [asdict(hit) for hit in hits]}) if args.json else _told_hits(hits))
        return 3 if hits else 0
    request = Request(
        memories=tuple(args.memory),
        messages=tuple(args.message),
        sessions=tuple(args.session),
        entities=tuple(args.entity),
        texts=tuple(map(_words, args.text)),
        since=args.since,
        until=args.until,
    )
    found = foresee(args.store, request, args.as_of)
    if not args.json:
        say(_told(found))
    if not (args.yes or (not args.json and not args.dry_run and _is_meant())):
        say(as_json(_shown(found)) if args.json else "nothing was changed; --yes does it")
        return 0
    try:
        done = forget(args.store, request, as_of=args.as_of)
    except SlowwaveError:
        say("not done yet: what was asked is written down, and the next night that publishes finishes it")
        raise
    say(as_json({**_shown(found), **_ended(done)}) if args.json else _told_end(done))
    return done.exit_status


def _words(given: str) -> str:
    if given != "-":
        return given
    words = sys.stdin.read().strip()
    if not words:
        raise UsageError("--text - found nothing on standard input", "Pipe the words in, or give them as --text WORDS")
    return words


def _is_meant() -> bool:
    """Whether a person at a terminal says yes; where none is there, nobody does."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return input("Forget all this for good? It can't be undone. [y/N] ").strip().lower() in ("y", "yes")


def _told(found: Foreseen) -> str:
    lines = [
        f"{len(found.messages)} messages or signals would lose words, {len(found.memories)} memories rest on nothing else:"
    ]
    lines += [
        f"  {_lost(one['before'], one['left'])}  ({one['session_id']}, {one['message_id']})"
        for one in found.messages[:_SHOWN]
    ]
    lines += [f"  memory {one['id']}: {squash(one['text'])}" for one in found.memories[:_SHOWN]]
    n_more = sum(max(0, len(part) - _SHOWN) for part in (found.messages, found.memories))
    lines += [f"  and {n_more} more: --json names all"] if n_more else []
    lines += ["out of reach, and yours to see to:", *(f"  {line}" for line in found.unreached)]
    return "\n".join(map(one_line, lines))


def _lost(before: str, left: str) -> str:
    """The words that a message would lose, in brackets, with a little of what stands around them."""
    start = _n_alike(before, left)
    end = len(before) - _n_alike(before[start:][::-1], left[start:][::-1])
    around = before[max(0, start - _AROUND) : start], before[end : end + _AROUND]
    words = squash(before[start:end])
    words = words if len(words) <= _WORDS else f"{words[: _WORDS // 2]} ... {words[-_WORDS // 2 :]}"
    dots = "..." if start > _AROUND else "", "..." if end + _AROUND < len(before) else ""
    return squash(f"{dots[0]}{around[0]}[{words}]{around[1]}{dots[1]}")


def _n_alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _told_end(done: Forgot) -> str:
    lines = [f"{done.outcome.status.replace('_', ' ')}; {done.outcome.version or 'no version'} serves"]
    lines += [f"purged: {', '.join(done.purged)}"] if done.purged else []
    lines += [_told_hits(done.hits)]
    lines += (
        ["not done yet: the version that serves still holds it; the next night that publishes removes it"]
        if done.is_pending
        else []
    )
    lines += [f"warning: {warning}" for warning in done.outcome.warnings]
    return "\n".join(one_line(part) for line in lines for part in line.split("\n"))


def _told_hits(hits: list[Hit]) -> str:
    if not hits:
        return "not a byte of what was forgotten is left in this store"
    told = [one_line(f"still there: {hit.path} {hit.where}".rstrip()) for hit in hits[:_SHOWN]]
    return "\n".join([*told, f"and {len(hits) - _SHOWN} more: --json names all"] if len(hits) > _SHOWN else told)


def _shown(found: Foreseen) -> dict[str, Any]:
    return {"messages": found.messages, "memories": found.memories, "out_of_reach": found.unreached}


def _ended(done: Forgot) -> dict[str, Any]:
    return {
        "status": done.outcome.status,
        "version": done.outcome.version,
        "purged": done.purged,
        "hits": [asdict(hit) for hit in done.hits],
        "is_pending": done.is_pending,
    }
