"""`slowwave up` and `slowwave down`: nights that run by themselves, begun and ended with one command. Light to import."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from adapters.remote import local
from flows.service import Service, await_server, default_home, free_port, read_note, running, service_of, start, stop
from slowwave.errors import SlowwaveError
from slowwave.flushing import resource_of
from slowwave.remote import STORE, argument, is_remote
from slowwave.render import as_json, one_line


def main(argv: Sequence[str]) -> int:
    """Run one of these commands; errors a person can act on are raised as SlowwaveError. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="slowwave", description="Begins and ends what runs by itself.")
    add(parser.add_subparsers(dest="command", required=True))
    args = parser.parse_args(list(argv))
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)


def add(commands: Any) -> None:
    """Add these commands to a parser's."""
    about = "start a Prefect server on loopback, a worker and the watch over the inbox, and deploy everything"
    up = commands.add_parser("up", help=about, description=about)
    up.add_argument("--store", required=True, type=argument, help=STORE)
    up.add_argument("--port", type=int, help="where the server listens; 0 takes a free port (default: the settings')")
    up.set_defaults(run=_up)
    down = commands.add_parser("down", help="end what `slowwave up` started; stores stay as they are")
    down.set_defaults(run=_down)
    for parser in (up, down):
        parser.add_argument("--home", type=Path, default=default_home(), help="its database and logs (%(default)s)")
        parser.add_argument("--json", action="store_true", help="print one JSON object")


def _up(args: argparse.Namespace) -> int:
    from adapters.settings import load

    store = args.store if is_remote(args.store) else args.store.resolve()
    settings = load(local(store))
    home = args.home.resolve()
    alive = running(home)
    wanted = settings.service.port if args.port is None else args.port
    port = int(read_note(home)["port"]) if "server" in alive else free_port(wanted)
    given = {
        "SLOWWAVE_STORE": str(store),
        "SLOWWAVE_NAME": resource_of(store).removeprefix("slowwave.store."),
        "SLOWWAVE_CRON": settings.service.cron,
        "SLOWWAVE_ZONE": settings.owner.zone or "UTC",
    }
    service = service_of(home, port, given, keep_days=settings.service.keep_days)
    start(service, "server", str(port))
    await_server(service)
    alerts = _deployed(service, str(store))
    start(service, "worker")
    if not is_remote(store):
        start(service, "watch")
    _print(
        args,
        {"api": service.api, "home": str(home), "store": str(store), "alerts": alerts},
        _told(service, given, alerts),
    )
    return 0


def _deployed(service: Service, store: str) -> list[str]:
    """Deploy in a process of its own; the names of the alerts. Raises SlowwaveError."""
    command = [sys.executable, "-m", "flows.deploying", store]
    done = subprocess.run(
        command, cwd=service.env["SLOWWAVE_ROOT"], env=dict(service.env), capture_output=True, text=True
    )
    if done.returncode:
        raise SlowwaveError(
            f"nothing could be deployed: {done.stderr.strip()[-1500:]}",
            f"Mend it and start again; {service.home / 'server.log'} has the server's words, `slowwave down` ends it.",
        )
    return done.stdout.splitlines()


def _told(service: Service, given: dict[str, str], alerts: list[str]) -> list[str]:
    return [
        f"nights of {given['SLOWWAVE_STORE']} run by themselves: cron {given['SLOWWAVE_CRON']}, {given['SLOWWAVE_ZONE']}",
        f"look at them: {service.api.removesuffix('/api')}",
        f"to speak to it: export PREFECT_API_URL={service.api}",
        f"alerts: {len(alerts)}"
        if alerts
        else "alerts: none; [alerts] webhook or block in slowwave.toml says whom to tell",
        f"database and logs: {service.home}",
        "to end it: slowwave down",
    ]


def _down(args: argparse.Namespace) -> int:
    ended = stop(args.home.resolve())
    _print(args, {"ended": ended}, [f"ended: {', '.join(ended)}" if ended else "nothing of ours was running"])
    return 0


def _print(args: argparse.Namespace, said: dict[str, Any], told: list[str]) -> None:
    print(as_json(said) if args.json else "\n".join(map(one_line, told)))
