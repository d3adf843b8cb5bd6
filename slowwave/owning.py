"""The owner's commands: `pin`, `unpin`, `archive`, `restore`, `correct`, `state` and `review`.

Belongs here: arguments and what a person reads. Does not belong here: what is decided (`hand`); what comes of it is the night's.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from slowwave.asking import opened
from slowwave.errors import UsageError
from slowwave.format import Kind, Review

if TYPE_CHECKING:
    from slowwave.format import Memory
    from slowwave.reader import Reader

_NEXT = "the next night takes it up: slowwave night --store {store}"
VERBS = {
    "pin": "have a memory in every prompt text that its privacy allows, and never archive it",
    "unpin": "take back a pin",
    "archive": "put a memory away until it is said again or restored",
    "restore": "take a memory out of the archive",
}


def add(commands: Any, command: Any) -> None:
    """The commands, each made by `command(commands, name, about, run)`."""
    for verb, about in VERBS.items():
        made = command(commands, verb, about, decide)
        made.add_argument("id", nargs="+", help="a memory's id, as recall gives it")
    made = command(commands, "correct", "say what is true in a memory's place: it is remembered as it stands", correct)
    made.add_argument("id", help="a memory's id, as recall gives it")
    made.add_argument("text", help="the true sentence")
    made.add_argument("--value", help="the value that it gives the memory's attribute, where the words do not show it")
    made = command(commands, "state", "have a sentence remembered as it stands, in every prompt text", state)
    made.add_argument("text", help="the sentence")
    made.add_argument("--kind", default=Kind.SEMANTIC_FACT.value, help="what it is (default: semantic_fact)")
    made.add_argument("--project", help="the project that it belongs to")
    made = command(commands, "review", "what waits for approval, with its quotes; approve or decline it", review)
    made.add_argument("--approve", nargs="+", default=[], metavar="ID", help="let these into prompt texts")
    made.add_argument("--decline", nargs="+", default=[], metavar="ID", help="keep these out of prompt texts")


def decide(args: argparse.Namespace) -> int:
    """`slowwave pin | unpin | archive | restore`."""
    from slowwave import hand

    decided = [hand.decide(args.store, args.command, memory_id) for memory_id in args.id]
    _tell(args, [(args.command, memory) for memory in decided])
    return 0


def correct(args: argparse.Namespace) -> int:
    """`slowwave correct`."""
    from slowwave import hand, render

    slot = hand.correct(args.store, args.id, args.text, value=args.value)
    if args.json:
        print(render.as_json({"id": args.id, "text": args.text, "slot": slot}))
        return 0
    place = f"{slot['attribute']} is now {slot['value']}" if slot["attribute"] else "it stands outside any attribute"
    print(render.visible(f"“{slot['old_text']}” gives way to “{args.text}” ({place})"))
    print(_NEXT.format(store=args.store))
    return 0


def state(args: argparse.Namespace) -> int:
    """`slowwave state`."""
    from slowwave import hand, render

    owner = opened(args).manifest.owner
    message = hand.state(args.store, args.text, args.kind, owner=owner, project=args.project)
    if args.json:
        print(render.as_json({"message_id": message, "text": args.text, "kind": args.kind}))
        return 0
    print(render.visible(f"“{args.text}” will be remembered as it stands"))
    print(_NEXT.format(store=args.store))
    return 0


def review(args: argparse.Namespace) -> int:
    """`slowwave review`: decide over what was named, else list what waits."""
    from slowwave import hand

    if both := sorted(set(args.approve) & set(args.decline)):
        raise UsageError(f"{', '.join(both)} can't be approved and declined at once", "Name each id once.")
    chosen = [(verb, one) for verb in ("approve", "decline") for one in getattr(args, verb)]
    if chosen:
        _tell(args, [(verb, hand.decide(args.store, verb, one)) for verb, one in chosen])
        return 0
    _list(args, opened(args))
    return 0


def _list(args: argparse.Namespace, reader: Reader) -> None:
    from slowwave import render
    from slowwave.reader.results import plain

    waiting = reader.reviewed(Review.WAITING)
    if args.json:
        from dataclasses import asdict

        print(render.as_json({"version": reader.version, "waiting": [plain(asdict(memory)) for memory in waiting]}))
        return
    print("\n\n".join(map(_shown, waiting)) or "nothing waits for approval")


def _shown(memory: Memory) -> str:
    from slowwave import render

    quotes = [f"  “{e.quote}” — {e.session_id}, {e.message_id}" for e in memory.evidence]
    about = f"  {memory.kind.replace('_', ' ')} · said by {memory.trust.replace('_', ' ')}"
    return render.visible("\n".join([memory.text, about, *quotes, f"  {memory.id}"]))


def _tell(args: argparse.Namespace, decided: list[tuple[str, Memory]]) -> None:
    from slowwave import render

    if args.json:
        print(render.as_json({"decided": [{"id": m.id, "verb": verb, "text": m.text} for verb, m in decided]}))
        return
    for verb, memory in decided:
        print(render.visible(f"{verb}: {memory.text}"))
    print(_NEXT.format(store=args.store))
