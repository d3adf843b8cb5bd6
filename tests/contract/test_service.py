"""`slowwave up` as a person runs it: a real server, a real worker and SQLite, all on loopback, until `slowwave down`.

One service for all tests, in the order in which they stand: a store is filled, flushed, walked and made to forget.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

import slowwave
from flows.service import running

pytestmark = [pytest.mark.prefect, pytest.mark.timeout(600)]
ROOT = Path(__file__).resolve().parents[2]
DEPLOYED = {"nightly", "flush", "forget", "rollback", "resume", "upkeep", "fleet", "guard-daily", "guard-weekly"}
SETTINGS = """
[owner]
zone = "Europe/Lisbon"

[alerts]
webhook = "{webhook}"
"""


class Told(ThreadingHTTPServer):
    """A webhook on loopback, and what it was told."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []

        class Answer(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                pass

        told = self.told
        super().__init__(("127.0.0.1", 0), Answer)


class Up:
    """The service of these tests, spoken to over its API."""

    def __init__(self, folder: Path, webhook: Told) -> None:
        self.store, self.home, self.webhook = folder / "memory", folder / "home", webhook
        self.store.mkdir()
        (self.store / "slowwave.toml").write_text(
            SETTINGS.format(webhook=f"http://127.0.0.1:{webhook.server_port}/nights")
        )
        self.api = ""

    def command(self, *given: str) -> dict[str, Any]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "SLOWWAVE_"))}
        env = {**kept, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": ""}
        command = [sys.executable, "-m", "slowwave", *given, "--home", str(self.home), "--json"]
        done = subprocess.run(command, cwd=self.store.parent, env=env, capture_output=True, text=True, timeout=400)
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        content = None if body is None else json.dumps(body).encode()
        asked = Request(f"{self.api}/{path}", content, {"Content-Type": "application/json"})
        for is_last in (False, False, True):
            try:
                with urlopen(asked, timeout=60) as answer:
                    return json.loads(answer.read() or b"null")
            except HTTPError as error:
                # A busy SQLite: Prefect's own clients ask again too.
                if is_last or error.code != 503:
                    raise
                time.sleep(2)
        return None

    def deployment(self, name: str) -> dict[str, Any]:
        return next(one for one in self.ask("deployments/filter", {}) if one["name"] == name)

    def run(self, name: str, **parameters: Any) -> dict[str, Any]:
        """Start a deployment by hand, and wait for its end."""
        started = self.ask(f"deployments/{self.deployment(name)['id']}/create_flow_run", {"parameters": parameters})
        return self.await_(lambda: next(iter(self.ended({"id": {"any_": [started["id"]]}})), None))

    def runs(self, which: dict[str, Any]) -> list[dict[str, Any]]:
        return self.ask("flow_runs/filter", {"flow_runs": which})

    def ended(self, which: dict[str, Any]) -> list[dict[str, Any]]:
        return [run for run in self.runs(which) if run["state_type"] in ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")]

    def await_(self, look: Callable[[], Any], seconds: float = 180) -> Any:
        until = time.monotonic() + seconds
        while not (found := look()):
            assert time.monotonic() < until, self.logs()
            time.sleep(0.25)
        return found

    def logs(self) -> str:
        return "\n".join(path.read_text()[-3000:] for path in sorted(self.home.glob("*.log")))


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    webhook = Told()
    Thread(target=webhook.serve_forever, daemon=True).start()
    made = Up(tmp_path_factory.mktemp("service"), webhook)
    made.api = made.command("up", "--store", str(made.store), "--port", "0")["api"]
    yield made
    made.command("down")
    webhook.shutdown()
    assert not running(made.home)


def said(session: str, *texts: str) -> list[dict[str, Any]]:
    day = datetime.now(UTC) - timedelta(days=1)
    return [
        {"session_id": session, "message_id": f"{session}-{at}", "role": "user", "content": text,
         "created_at": (day + timedelta(minutes=at)).isoformat()}
        for at, text in enumerate(texts)
    ]  # fmt: skip


def test_everything_is_deployed_with_a_form_each_in_the_owners_zone(up: Up) -> None:
    deployed = {one["name"]: one for one in up.ask("deployments/filter", {})}
    assert set(deployed) == DEPLOYED
    form = deployed["forget"]["parameter_openapi_schema"]["properties"]
    assert form["since"]["anyOf"][0]["format"] == "date-time"
    assert form["is_meant"]["type"] == "boolean" and form["is_meant"]["description"]
    assert deployed["rollback"]["parameter_openapi_schema"]["required"] == ["store", "version"]
    (schedule,) = deployed["nightly"]["schedules"]
    assert schedule["schedule"] == {"cron": "30 3 * * *", "timezone": "Europe/Lisbon", "day_or": True}
    assert deployed["nightly"]["tags"] == ["slowwave.store.memory"]
    assert len(up.ask("automations/filter", {})) == 6 + 1


def test_a_failure_is_told_to_the_webhook(up: Up) -> None:
    failed = up.run("guard-daily")
    assert (failed["state_type"], failed["state_name"]) == ("FAILED", "StoreNotFound")
    told = up.await_(lambda: up.webhook.told)[0]
    assert told["alert"] == "slowwave: a run failed"
    assert "nothing has been published" in told["message"]


def test_a_request_in_the_inbox_is_answered_by_event(up: Up) -> None:
    slowwave.record(up.store, said("s1", "I moved to Rotterdam last week.", "I am allergic to walnuts."))
    slowwave.flush(up.store, "s1", "session_end")
    flushed = up.await_(lambda: up.ended({"name": {"any_": ["flush-s1"]}}))[0]
    assert (flushed["state_name"], flushed["parameters"]["session_id"]) == ("Completed", "s1")
    assert any("Rotterdam" in found.text for found in slowwave.open(up.store).recall("Where did I move?"))


def test_of_twelve_nights_that_were_missed_one_is_walked(up: Up) -> None:
    slowwave.record(up.store, said("s2", "My sister Ines lives in Porto."))
    night, now = up.deployment("nightly"), datetime.now(UTC)
    missed = {"start_time": (now - timedelta(days=12)).isoformat(), "end_time": now.isoformat(), "min_runs": 20}
    up.ask(f"deployments/{night['id']}/schedule", missed)
    of_nights = {"deployment_id": {"any_": [night["id"]]}, "expected_start_time": {"before_": now.isoformat()}}
    assert len(up.runs(of_nights)) == 12
    ended = up.await_(lambda: found if len(found := up.ended(of_nights)) == 12 else None)
    states = [run["state_name"] for run in ended]
    assert states.count("Completed") == 1
    assert set(states) <= {"Completed", "Skipped", "Cancelled"}
    walked = next(run for run in ended if run["state_name"] == "Completed")
    assert walked["name"].startswith("night-20")
    assert any("Porto" in found.text for found in slowwave.open(up.store).recall("Where does Ines live?"))


def test_a_night_with_nothing_new_says_so_and_leaves_its_report(up: Up) -> None:
    quiet = up.run("nightly")
    assert quiet["state_name"] == "NothingNew"
    reports = up.ask("artifacts/filter", {"artifacts": {"key": {"any_": ["night-report"]}}})
    assert any(report["flow_run_id"] == quiet["id"] for report in reports)


def test_forgetting_by_hand_counts_first_and_then_erases(up: Up) -> None:
    counted = up.run("forget", sessions=["s1"])
    assert counted["state_name"] == "OnlyCounted"
    assert any("Rotterdam" in found.text for found in slowwave.open(up.store).recall("Where did I move?"))
    erased = up.run("forget", sessions=["s1"], is_meant=True)
    assert erased["state_name"] == "Forgotten", erased["state"]["message"]
    assert not any("Rotterdam" in found.text for found in slowwave.open(up.store).recall("Where did I move?"))
