"""Forgetting does not wait for a model: what could not be read again is read when it is back."""

from __future__ import annotations

from pathlib import Path

import slowwave
from adapters.forget.scan import texts
from flows.forget import forget
from tasks.trace import Request
from tests.contract import loopback as lb
from tests.e2e import hosted
from tests.make import at


def test_an_outage_erases_all_the_same(tmp_path: Path) -> None:
    store, log = tmp_path / "store", tmp_path / "log.jsonl"
    hosted.log(log, "My neighbour Carlota plays chess. I live in Lisbon.", "My dentist is Dr Sousa.")
    with lb.Loopback() as server:
        hosted.settings(store, server)
        assert hosted.night(store, f"jsonl={log}") == 0
        server.behave = lb.failing(500, Retry_After="0")
        done = forget(store, Request(texts=("Carlota",)), as_of=at("2026-03-03T03:00"))
        assert (done.outcome.status, done.exit_status, done.hits) == ("published", 0, [])
        assert done.outcome.facts["put_off"]
        assert not [path for path in store.rglob("*") if path.is_file() for _, text in texts(path) if "arlota" in text]
        assert any("was sent" in one for one in done.unreached), "who was sent it is named"
        server.behave = lb.diligent
        asked = len(server.requests)
        assert hosted.night(store, f"jsonl={log}", day=4) == 0
        assert "Carlota" not in str([request.body for request in server.requests[asked:]])
    assert "Lisbon" in " ".join(found.text for found in slowwave.open(store).recall("Where do I live?"))
