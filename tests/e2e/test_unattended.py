"""Whole nights that nobody watches: a server that asks to wait, a ceiling that is reached half-way, and the same as a Prefect flow."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

import slowwave
from slowwave.cli import main
from tests.contract import loopback as lb

PLACES = ("Lisbon", "Porto", "Braga", "Faro")
SAID = [f"My cousin number {n} lives in {place}." for n, place in enumerate(PLACES, 2)]
SMALL = "max_output_tokens = 300\nmax_concurrency = 1"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Four messages of four projects, so that they make four questions."""
    lines = [
        {
            "session_id": f"s{n}",
            "role": "user",
            "message_id": "m",
            "content": text,
            "created_at": f"2026-03-01T10:0{n}:00Z",
            "project": f"p{n}",
        }
        for n, text in enumerate(SAID)
    ]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def night(store: Path, log: Path, server: lb.Loopback, *more: str, day: int = 2, settings: str = SMALL) -> int:
    store.mkdir(exist_ok=True)
    model = f'model = "openai/tiny"\napi_base = "{server.api_base}"'
    (store / "slowwave.toml").write_text(f"[night]\n{model}\n{settings}\n")
    argv = ["night", "--store", str(store), "--source", f"jsonl={log}", "--as-of", f"2026-03-0{day}T03:00Z", "--quiet"]
    return main([*argv, *(more or ("--plain",))])


def places(store: Path) -> set[str]:
    """Of the four places, those that a memory tells of."""
    found = slowwave.open(store).recall("Where do my cousins live?", 20)
    told = " ".join(result.text for result in found if result.kind != "turn")
    return {place for place in PLACES if place in told}


class Busy:
    """A server that turns the second request away once, and says how long to wait."""

    def __init__(self, seconds: int) -> None:
        self.seconds, self.times = seconds, list[float]()

    def __call__(self, request: lb.Request) -> lb.Reply:
        self.times.append(time.monotonic())
        away = lb.failing(429, Retry_After=str(self.seconds))
        return (away if len(self.times) == 2 else lb.diligent)(request)


def test_a_server_that_asks_to_wait_is_waited_for_and_the_night_is_whole(tmp_path: Path, log: Path) -> None:
    store, busy = tmp_path / "store", Busy(1)
    with lb.Loopback(busy) as server:
        assert night(store, log, server) == 0
    assert len(busy.times) == len(SAID) + 1
    assert busy.times[2] - busy.times[1] >= 1
    assert places(store) == set(PLACES)


def test_a_ceiling_half_way_publishes_what_it_paid_for_and_the_next_night_goes_on(
    tmp_path: Path, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    with lb.Loopback(lambda r: lb.Reply(lb.diligent(r).text, usage=(4000, 300, 0))) as server:
        assert night(store, log, server, settings=f"{SMALL}\nmax_night_tokens = 12000") == 5
        n_asked = len(server.requests)
        assert 0 < n_asked < len(SAID)
        assert server.tokens <= 12_000
        said = capsys.readouterr().out
        assert "left for another night, at the ceiling max_night" in said
        assert "max_night_tokens = 12000" in said and "max_output_tokens" in said
        assert len(places(store)) == n_asked
        assert night(store, log, server, day=3) == 0
        assert len(server.requests) == len(SAID), "what was paid for is not asked again"
    assert places(store) == set(PLACES)


@pytest.mark.slow
@pytest.mark.prefect
def test_as_a_prefect_flow_it_is_the_same_night(tmp_path: Path, log: Path) -> None:
    from flows.quiet import set_quiet

    set_quiet()
    from prefect.testing.utilities import prefect_test_harness

    contents = list[str]()
    for name, way in (("plain", "--plain"), ("flow", "--prefect")):
        store, busy = tmp_path / name, Busy(1)
        with lb.Loopback(busy) as server:
            if way == "--prefect":
                with prefect_test_harness(server_startup_timeout=180):
                    assert night(store, log, server, way) == 0
            else:
                assert night(store, log, server, way) == 0
        assert len(busy.times) == len(SAID) + 1
        assert places(store) == set(PLACES)
        contents.append((store / "CURRENT").read_text())
    assert contents[0] == contents[1]
