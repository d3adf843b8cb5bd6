"""What runs by itself on this machine: a Prefect server on loopback, a worker and the watch over the inbox, as processes of ours.

Each is started once, apart from whoever started it, and found again by a note of its number and command. Belongs here: processes. Does
not belong here: what is deployed (`deploying`), and what they do.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from adapters.files import make_folder, write_json
from slowwave.errors import ServerUnreachable, UsageError

ROOT = Path(__file__).resolve().parents[1]
HOST = "127.0.0.1"
NOTE, POOL = "service.json", "slowwave"
_START_SECONDS, _STOP_SECONDS, _LOOK_SECONDS = 180.0, 30.0, 0.2
_MAX_LOG_BYTES = 10 * 2**20
# A person's own Prefect must neither be spoken to nor changed.
_NOT_OURS = ("PREFECT_API_", "PREFECT_PROFILE", "PREFECT_CLOUD_", "PREFECT_HOME")
_PROGRAMS = {
    "server": ("-m", "prefect", "server", "start", "--host", HOST, "--port"),
    "worker": ("-m", "prefect", "worker", "start", "--type", "process", "--pool", POOL, "--name", POOL),
    "watch": ("-m", "flows.watching"),
}


def default_home() -> Path:
    """Where the service keeps its database, logs and note, unless it is told another place."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(os.environ.get("SLOWWAVE_HOME") or Path(state) / "slowwave")


@dataclass(frozen=True)
class Service:
    """One service: its folder, its port, and the environment that its processes run in."""

    home: Path
    port: int
    env: Mapping[str, str]

    @property
    def api(self) -> str:
        """The address that clients speak to."""
        return f"http://{HOST}:{self.port}/api"


def service_of(home: Path, port: int, given: Mapping[str, str], *, keep_days: int) -> Service:
    """A service and its environment: Prefect at home and on loopback, and the variables that `prefect.yaml` reads."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_NOT_OURS)}
    prefect = {
        "PREFECT_HOME": str(home),
        "PREFECT_API_URL": f"http://{HOST}:{port}/api",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        # How fast what was asked for begins: the worker looks each second, and a run that waits for another looks again soon.
        "PREFECT_WORKER_QUERY_SECONDS": "1",
        "PREFECT_SERVER_DEPLOYMENTS_CONCURRENCY_SLOT_WAIT_SECONDS": "2",
        "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs",
        "PREFECT_SERVER_SERVICES_DB_VACUUM_RETENTION_PERIOD": str(keep_days * 86400),
    }
    ours = {"SLOWWAVE_ROOT": str(ROOT), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": ""}
    # What a person has set wins, but for where our own server is.
    where = {name: prefect[name] for name in ("PREFECT_HOME", "PREFECT_API_URL")}
    return Service(home, port, {**prefect, **kept, **where, **ours, **given})


def free_port(wanted: int) -> int:
    """The port that is wanted, or any free one for 0. Raises UsageError where it is taken."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, wanted))
        except OSError as error:
            raise UsageError(
                f"port {wanted} of this machine is taken by something else",
                "Name another: --port N, or 0 for any free one; `slowwave down` ends a service of ours.",
            ) from error
        return int(probe.getsockname()[1])


def read_note(home: Path) -> dict[str, Any]:
    """What runs by this folder's note; empty where nothing does."""
    try:
        found = json.loads((home / NOTE).read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def running(home: Path) -> dict[str, int]:
    """The numbers of the service's processes that are alive, by name."""
    noted = read_note(home).get("processes", {})
    return {name: number for name, number in noted.items() if name in _PROGRAMS and _is_ours(number, name)}


def start(service: Service, name: str, *more: str) -> None:
    """Start one of the processes, unless it runs, and note it. It outlives whoever starts it, and writes to its own log."""
    alive = running(service.home)
    if name in alive:
        return
    log = make_folder(service.home) / f"{name}.log"
    if log.is_file() and log.stat().st_size > _MAX_LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
    with log.open("ab") as out:
        started = subprocess.Popen(
            [sys.executable, *_PROGRAMS[name], *more],
            cwd=ROOT,
            env=dict(service.env),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    note = {**read_note(service.home), "processes": {**alive, name: started.pid}, "port": service.port}
    note["store"] = service.env.get("SLOWWAVE_STORE", "")
    write_json(service.home / NOTE, note)


def await_server(service: Service) -> None:
    """Wait until the server answers. Raises ServerUnreachable."""
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until and "server" in running(service.home):
        try:
            with urlopen(f"{service.api}/health", timeout=5):
                return
        except OSError:
            time.sleep(_LOOK_SECONDS)
    raise ServerUnreachable(
        f"the Prefect server at {service.api} did not start",
        f"Read {service.home / 'server.log'}, then start it again.",
    )


def stop(home: Path) -> list[str]:
    """End the processes, the server last: a worker tells it what became of its runs. Returns the names of those that ran."""
    alive = running(home)
    for name in ("watch", "worker", "server"):
        if name in alive:
            _end(alive[name], name)
    (home / NOTE).unlink(missing_ok=True)
    return sorted(alive)


def _end(number: int, name: str) -> None:
    """Ask a process to end, and after a while have the system end it and what it started."""
    os.kill(number, signal.SIGTERM)
    until = time.monotonic() + _STOP_SECONDS
    while _is_ours(number, name):
        if time.monotonic() > until:
            os.killpg(number, signal.SIGKILL)
            return
        time.sleep(_LOOK_SECONDS)


def _is_ours(number: int, name: str) -> bool:
    """Whether a process still is what was started: numbers are given again to others."""
    with_child = _reaped(number)
    if with_child:
        return False
    try:
        told = Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        asked = subprocess.run(["ps", "-o", "command=", "-p", str(number)], capture_output=True, text=True)
        told = asked.stdout
    return " ".join(_PROGRAMS[name]) in told


def _reaped(number: int) -> bool:
    """Whether it was a child of this very process, and has ended."""
    try:
        return os.waitpid(number, os.WNOHANG)[0] == number
    except (ChildProcessError, OSError):
        return False
