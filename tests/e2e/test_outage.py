"""A model that is away: the night says so, publishes nothing of it, and a later night reads what was put off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import slowwave
from slowwave.cli import main
from slowwave.format import Memory
from slowwave.reader.tables import Tables
from tests.contract import loopback as lb

SAID = ["I live in Lisbon.", "My dentist is Dr Sousa."]


def walk(store: Path, log: Path, base: str, day: int) -> int:
    argv = ["night", "--store", str(store), "--source", f"jsonl={log}", "--model", "openai/tiny", "--api-base", base]
    return main([*argv, "--as-of", f"2026-03-0{day}T03:00Z", "--plain", "--quiet"])


def remembered(store: Path) -> set[str]:
    """The memories, raw turns aside."""
    found = slowwave.open(store).recall("Where do I live and who is my dentist?")
    return {result.text for result in found if result.kind != "turn"}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    lines = [
        {
            "session_id": f"s{n}",
            "message_id": "m",
            "role": "user",
            "content": text,
            "created_at": "2026-03-01T10:00:00Z",
            # One question never mixes two projects, so these are two questions.
            "project": f"p{n}",
        }
        for n, text in enumerate(SAID)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_an_outage_is_a_failed_night_and_the_next_one_asks_again(
    tmp_path: Path, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    assert walk(store, log, "http://127.0.0.1:9/v1", 2) == 4
    said = capsys.readouterr().err
    assert "answered nothing tonight (unreachable); 2 messages wait" in said
    assert "next:" in said
    assert not (store / "CURRENT").exists()
    with lb.Loopback() as server:
        assert walk(store, log, server.api_base, 3) == 0
        assert server.requests
    assert remembered(store) == set(SAID)


def test_a_failed_night_walked_again_as_of_the_same_time_asks_again(tmp_path: Path, log: Path) -> None:
    store = tmp_path / "store"
    with lb.Loopback(lb.failing(500, Retry_After="0")) as server:
        assert walk(store, log, server.api_base, 2) == 4
        before = len(server.requests)
        server.behave = lb.diligent
        assert walk(store, log, server.api_base, 2) == 0
        assert len(server.requests) == before + 2, "each question once"
    assert remembered(store) == set(SAID)


def test_what_was_put_off_in_part_is_said_and_read_later(
    tmp_path: Path, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"

    def moody(request: lb.Request) -> lb.Reply:
        return lb.refusing(request) if "dentist" in str(request.lines) else lb.diligent(request)

    with lb.Loopback(moody) as server:
        assert walk(store, log, server.api_base, 2) == 5
        assert "1 message put off" in capsys.readouterr().out
        server.behave = lb.diligent
        assert walk(store, log, server.api_base, 3) == 0
    assert remembered(store) == set(SAID)


def test_what_the_second_request_was_about_waits_alone_and_a_replay_leaves_it_out_too(tmp_path: Path) -> None:
    log, store = tmp_path / "log.jsonl", tmp_path / "store"
    said = [*SAID, *(f"I own the number {n} boat in the harbour." for n in range(20, 26))]
    log.write_text("".join(json.dumps(_message(n, text)) + "\n" for n, text in enumerate(said)))

    def lying_of_the_last(request: lb.Request) -> lb.Reply:
        *lines, (last, _) = request.lines
        return lb.saying(*(lb.claim(n) for n, _ in lines), lb.claim(last, statement="The user owns 99 boats."))

    with lb.Loopback(lb.in_turn(lying_of_the_last, *[lb.failing(500)] * 9)) as server:
        assert walk(store, log, server.api_base, 2) == 5
        assert _texts(store) == set(said[:-1])
        run = slowwave.open(store).manifest.provenance["run"]
        assert main(["replay", "--store", str(store), str(run)]) == 0
        server.behave = lb.diligent
        before = len(server.requests)
        assert walk(store, log, server.api_base, 3) == 0
        assert [text for _, text in server.requests[before].lines] == said[-1:]
    assert _texts(store) == set(said)


def _message(n: int, text: str) -> dict[str, str]:
    at = f"2026-03-01T10:{n:02}:00Z"
    return {"session_id": "s", "message_id": f"m{n}", "role": "user", "content": text, "created_at": at}


def _texts(store: Path) -> set[str]:
    reader = slowwave.open(store)
    return {memory.text for memory in Tables(reader.store, reader.manifest).where("memories", Memory)}
