"""What bounds the calls of many nights together: places of the fleet, and a limit of a real Prefect server."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from adapters.llm.pool import Pool
from adapters.settings import NightSettings
from flows.limits import limiter_of


def test_nothing_bounds_by_default(tmp_path: Path) -> None:
    assert limiter_of(NightSettings(), tmp_path) is None


def test_a_rate_limit_without_a_server_holds_nothing_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    assert limiter_of(NightSettings(rate_limit="models"), tmp_path) is None


def test_stores_of_one_folder_share_their_places(tmp_path: Path) -> None:
    limiter = limiter_of(NightSettings(max_fleet_concurrency=1), tmp_path / "ana")
    assert limiter
    with limiter():
        assert [path.name for path in (tmp_path / ".slowwave-fleet" / "places").iterdir()] == ["0"]
        assert Pool(tmp_path / ".slowwave-fleet" / "places", 1)._taken() is None


HOLD = """
import threading, time
from pathlib import Path
from adapters.settings import NightSettings
from flows.limits import limiter_of
limiter, now, most, lock = limiter_of(NightSettings(rate_limit="models"), Path("store")), [0], [0], threading.Lock()
def hold():
    with limiter():
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.3)
        with lock:
            now[0] -= 1
threads = [threading.Thread(target=hold) for _ in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
print("most", most[0])
"""


@pytest.mark.slow
def test_a_limit_of_a_prefect_server_holds(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/api"
    quiet = {"PREFECT_SERVER_ANALYTICS_ENABLED": "false", "DO_NOT_TRACK": "1", "PREFECT_HOME": str(tmp_path)}
    env = {**os.environ, **quiet, "PREFECT_API_URL": url, "PYTHONPATH": str(Path(__file__).parents[2])}
    prefect = [sys.executable, "-m", "prefect"]
    command = [*prefect, "server", "start", "--port", str(port), "--no-ui"]
    server = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(url)
        subprocess.run([*prefect, "gcl", "create", "models", "--limit", "2"], env=env, check=True, capture_output=True)
        done = subprocess.run([sys.executable, "-c", HOLD], env=env, check=True, capture_output=True, text=True)
        assert "most 2" in done.stdout
    finally:
        server.terminate()
        server.wait(timeout=30)


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            with urlopen(f"{url}/health", timeout=2):
                return
        except OSError:
            time.sleep(0.5)
    raise AssertionError("the server did not start")
