"""Nights in which rules state and a model words: what is published, replayed, foreseen, and shown to a hosted model."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import slowwave
from flows.costs import calls
from slowwave.cli import main
from slowwave.errors import UsageError
from slowwave.format import Memory
from slowwave.reader.tables import Tables
from tests.contract import loopback as lb
from tests.e2e import hosted

SAID = ["I never eat walnuts.", "I moved to Porto in May 2024.", "I always run on Tuesday mornings at 7."]
REWRITE = 'extraction = "rewrite"\nrewrite_statements = 2'


def wording(request: lb.Request) -> lb.Reply:
    """Says each line in the third person, but for the one about Porto, which it moves to Lyon."""
    lines = re.findall(r"^\[(\d+)\] The user: (.*)$", request.messages[1]["content"], re.M)
    told = {n: text.replace("I ", "The user ", 1).replace("Porto", "Lyon") for n, text in lines}
    return lb.Reply(json.dumps(told))


@pytest.fixture
def server() -> Iterator[lb.Loopback]:
    with lb.Loopback(wording) as running:
        yield running


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    lines = [
        {
            "session_id": "s",
            "message_id": f"m{n}",
            "role": "user",
            "content": text,
            "created_at": f"2026-03-01T10:0{n}:00Z",
        }
        for n, text in enumerate(SAID)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def memories(store: Path) -> dict[str, Memory]:
    found = Tables(store, slowwave.open(store).manifest).where("memories", Memory)
    return {memory.evidence[0].message_id: memory for memory in found}


def test_what_passes_is_published_in_the_models_words_and_the_rest_as_it_was_said(
    tmp_path: Path, server: lb.Loopback, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    hosted.settings(store, server, night=REWRITE)
    assert hosted.night(store, f"jsonl={log}") == 0
    found = memories(store)
    assert {name: memory.text for name, memory in found.items()} == {
        "m0": "The user never eat walnuts.",
        "m1": SAID[1],
        "m2": "The user always run on Tuesday mornings at 7.",
    }
    assert {name: memory.writer.model for name, memory in found.items()} == {
        "m0": hosted.MODEL,
        "m1": "offline/1",
        "m2": hosted.MODEL,
    }
    assert [memory.evidence[0].quote for memory in found.values()] == [SAID[int(name[1])] for name in found]
    assert "passed the checks: 1" in capsys.readouterr().out
    assert len(calls([store])) == len(server.requests) == 2


def test_a_night_is_replayed_from_the_recorded_sentences_and_foreseen_without_asking(
    tmp_path: Path, server: lb.Loopback, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    hosted.settings(store, server, night=REWRITE)
    assert hosted.night(store, f"jsonl={log}", "--dry-run") == 0
    assert re.search(r"[1-9]\d* input tokens", capsys.readouterr().out)
    assert not server.requests
    assert hosted.night(store, f"jsonl={log}") == 0
    before = len(server.requests)
    run = slowwave.open(store).manifest.provenance["run"]
    assert main(["replay", "--store", str(store), run]) == 0
    assert len(server.requests) == before


def test_a_hosted_model_words_only_what_may_leave(tmp_path: Path, server: lb.Loopback, log: Path) -> None:
    store = tmp_path / "store"
    hosted.settings(store, server, egress='kept_words = ["walnuts"]', night=REWRITE)
    assert hosted.night(store, f"jsonl={log}") == 0
    assert "walnuts" not in hosted.heard(server)
    found = memories(store)
    assert (found["m0"].text, found["m0"].writer.model) == (SAID[0], "offline/1")
    assert (found["m1"].text, found["m1"].writer.model) == (SAID[1], "offline/1"), "its words did not pass"
    assert found["m2"].writer.model == hosted.MODEL


def test_a_server_that_is_away_loses_nothing(tmp_path: Path, server: lb.Loopback, log: Path) -> None:
    store = tmp_path / "store"
    hosted.settings(store, server, night=REWRITE)
    server.behave = lb.failing(401)
    assert hosted.night(store, f"jsonl={log}") == 4
    server.behave = wording
    assert hosted.night(store, f"jsonl={log}", day=3) == 0
    assert set(memories(store)) == {"m0", "m1", "m2"}


def test_batches_and_rewriting_are_not_set_together(tmp_path: Path, server: lb.Loopback, log: Path) -> None:
    from adapters.settings import load

    hosted.settings(tmp_path / "store", server, night=f'{REWRITE}\nbatch = "auto"')
    with pytest.raises(UsageError, match="single calls"):
        load(tmp_path / "store")
