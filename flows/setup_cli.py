"""`slowwave init`, `config` and `doctor`: a store's first settings, what is in force, and whether all is well. Parses, calls, tells."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from adapters.remote import local
from slowwave.errors import SlowwaveError
from slowwave.remote import STORE, argument
from slowwave.render import as_json, one_line

# What `init` asks a person who says nothing: the setting, and the question.
_QUESTIONS = {
    "owner": "Whose memory is it? An id as the logs have it, or nothing where they name one user:",
    "zone": "Their time zone, e.g. Europe/Lisbon; nothing means UTC:",
    "source": "What is read, as KIND=PATH; nothing means the inbox alone (slowwave sources PATH tells the kind):",
    "model": "Who reads: offline, or a litellm model string; nothing means offline:",
}


def main(argv: Sequence[str]) -> int:
    """Run one of these commands; errors a person can act on are raised as SlowwaveError. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="slowwave", description="Sets up a store, and says how it stands.")
    add(parser.add_subparsers(dest="command", required=True))
    args = parser.parse_args(list(argv))
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)


def add(commands: Any) -> None:
    """Add these commands to a parser's."""
    about = "make a store with its settings, from flags, or from questions where none is given"
    first = commands.add_parser("init", help=about, description=about)
    first.add_argument("--store", required=True, type=Path, help="the store's folder; made if it is not there")
    first.add_argument("--owner", help="the owner's id, where the sources name several users")
    first.add_argument("--name", action="append", default=[], help="a name the owner goes by; may be repeated")
    first.add_argument("--zone", help="the owner's time zone, e.g. Europe/Lisbon")
    first.add_argument(
        "--source", action="append", default=[], metavar="KIND=PATH", help="what nights read; may be repeated"
    )
    first.add_argument("--model", help="offline, or any litellm model string")
    first.add_argument("--api-base", help="address of the model's server")
    first.add_argument("--allow", action="store_true", help="let the model be a hosted one, to which messages then go")
    first.add_argument("--embedder", help="static, onnx:DIR, fastembed:NAME, litellm:MODEL or none")
    first.set_defaults(run=_init)
    config = commands.add_parser("config", help="the settings in force, and where each comes from")
    config.add_argument("--store", type=argument, help=f"{STORE}; without it, those of the checkout")
    config.add_argument("--all", action="store_true", help="the defaults too")
    config.set_defaults(run=_config)
    doctor = commands.add_parser("doctor", help="look at all that a night needs, and say what to do; change nothing")
    doctor.add_argument("--store", required=True, type=argument, help=STORE)
    doctor.set_defaults(run=_doctor)
    for parser in (first, config, doctor):
        parser.add_argument("--json", action="store_true", help="print one JSON object")


def _init(args: argparse.Namespace) -> int:
    from adapters import first

    said: dict[str, Any] = {name: getattr(args, name) for name in ("owner", "zone", "source", "model")}
    if not any(said.values()) and sys.stdin.isatty():
        said = {name: input(f"{question} ").strip() for name, question in _QUESTIONS.items()}
        said["source"] = [said["source"]] if said["source"] else []
    path = first.make(args.store, _settings(args, said))
    lines = [f"made {path}", f"next: slowwave doctor --store {args.store}, then slowwave night --store {args.store}"]
    print(as_json({"settings": str(path)}) if args.json else "\n".join(map(one_line, lines)))
    return 0


def _settings(args: argparse.Namespace, said: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What was said, in the shape of the settings tree. Paths are whole, since nights start anywhere."""
    sources = [_whole(source) for source in said["source"]]
    named = {
        "owner": {"id": said["owner"], "names": args.name, "zone": said["zone"]},
        "night": {"sources": sources, "model": said["model"], "api_base": args.api_base},
        "embed": {"embedder": args.embedder},
        "egress": {"allowed_models": [said["model"]] if args.allow and said["model"] else []},
    }
    return {section: {name: value for name, value in values.items() if value} for section, values in named.items()}


def _whole(source: str) -> str:
    kind, is_named, path = source.partition("=")
    return f"{kind}={Path(path).expanduser().resolve()}" if is_named else source


def _config(args: argparse.Namespace) -> int:
    from adapters.origins import origins

    found = [one for one in origins(local(args.store) if args.store else None) if args.all or not one.is_default]
    if args.json:
        print(as_json([{"setting": one.path, "value": one.value, "from": one.origin} for one in found]))
        return 0
    lines = [f"{one.path} = {one.value!r}  ({one.origin})" for one in found]
    print("\n".join(map(one_line, lines or ["every setting is at its default; --all lists them"])))
    return 0


def _doctor(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from flows.doctor import doctor

    looks = doctor(local(args.store))
    ill = [look for look in looks if not look.is_well]
    if args.json:
        print(as_json({"is_well": not ill, "looks": [asdict(look) for look in looks]}))
    else:
        for look in looks:
            print(one_line(f"{'ok  ' if look.is_well else 'LOOK'} {look.what:<10} {look.found}"))
            if not look.is_well:
                print(one_line(f"     next: {look.next_step}"))
    return SlowwaveError.exit_status if ill else 0
