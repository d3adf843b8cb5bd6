"""Recall on world time and on record time: what held then, and what was known then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import slowwave
from slowwave.cli import main
from slowwave.format import Kind, Status
from tests.make import at, memory
from tests.stores import build, said

HOME = {"attribute": "home_city", "subject_key": "user"}
BERLIN = memory(
    "I live in Berlin.",
    id="mem_berlin",
    said="2025-01-10T10:00",
    message_id="m0",
    status=Status.SUPERSEDED,
    superseded_by="mem_lisbon",
    valid_from=at("2025-01-10"),
    valid_to=at("2026-02-20"),
    value="Berlin",
    **HOME,
)
LISBON = memory(
    "I live in Lisbon now.",
    id="mem_lisbon",
    said="2026-02-20T10:00",
    message_id="m1",
    valid_from=at("2026-02-20"),
    value="Lisbon",
    **HOME,
)
GYM = memory(
    "I go to the gym in Mitte, where I live.",
    id="mem_gym",
    said="2025-03-01T10:00",
    message_id="m2",
    status=Status.EXPIRED,
    valid_from=at("2025-03-01"),
    valid_to=at("2025-09-01"),
)
PARTY = memory(
    "We had a party where I live.",
    id="mem_party",
    kind=Kind.EPISODIC_EVENT,
    said="2025-05-02T10:00",
    message_id="m3",
    valid_from=at("2025-05-01"),
    valid_to=at("2025-05-02"),
)
NEVER = memory("I live in Rome.", id="mem_rome", said="2025-02-01T10:00", message_id="m4", status=Status.RETRACTED)
TURNS = [
    said(one.text, seq=n, when=when, memory_ids=[one.id], status=one.status)
    for n, (one, when) in enumerate(
        [
            (BERLIN, "2025-01-10"),
            (LISBON, "2026-02-20"),
            (GYM, "2025-03-01"),
            (PARTY, "2025-05-02"),
            (NEVER, "2025-02-01"),
        ]
    )
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("then") / "store"
    build(made, memories=[BERLIN, LISBON, GYM, PARTY, NEVER], turns=TURNS)
    return made


def found(store: Path, as_of: str) -> dict[str, str]:
    """The memories that a question finds, with their status."""
    results = slowwave.open(store).recall("Where do I live?", as_of=at(as_of))
    return {one.id: one.status for one in results}


@pytest.mark.parametrize(
    ("as_of", "there"),
    [
        ("2024-12-31", {}),
        ("2025-04-01", {"mem_berlin": "superseded", "mem_gym": "expired"}),
        ("2025-06-01", {"mem_berlin": "superseded", "mem_gym": "expired", "mem_party": "active"}),
        ("2025-12-01", {"mem_berlin": "superseded", "mem_party": "active"}),
        ("2026-02-19T23:59:59", {"mem_berlin": "superseded", "mem_party": "active"}),
        ("2026-02-20", {"mem_lisbon": "active", "mem_party": "active"}),
        ("2026-12-01", {"mem_lisbon": "active", "mem_party": "active"}),
    ],
)
def test_what_held_then_is_found_and_nothing_that_began_or_ended_since(
    store: Path, as_of: str, there: dict[str, str]
) -> None:
    assert found(store, as_of) == there


def test_what_was_superseded_since_is_marked_and_names_its_successor(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = slowwave.open(store).recall("Where do I live?", as_of=at("2025-04-01"))[0]
    assert first.id == "mem_berlin" and first.successor is not None
    assert (first.status, first.superseded_by, first.successor.text) == ("superseded", "mem_lisbon", LISBON.text)
    assert main(["recall", "--store", str(store), "--as-of", "2026-02-19", "Where do I live?"]) == 0
    shown = capsys.readouterr().out
    assert "SUPERSEDED" in shown and "later: I live in Lisbon now. (since 2026-02-20)" in shown
    assert slowwave.open(store).recall("Where do I live?")[0].id == "mem_lisbon"


def test_record_time_is_another_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    then = BERLIN.model_copy(update={"status": Status.ACTIVE, "superseded_by": None, "valid_to": None})
    first = build(tmp_path, memories=[then], as_of=at("2025-02-01"))
    build(tmp_path, memories=[BERLIN, LISBON], parent=first, as_of=at("2026-03-01"))

    def ids(*flags: str) -> list[str]:
        assert main(["recall", "--store", str(tmp_path), "--json", *flags, "Where do I live?"]) == 0
        return [row["id"] for row in json.loads(capsys.readouterr().out)["results"]]

    assert ids() == ["mem_lisbon"]
    assert ids("--as-of", "2025-06-01") == ["mem_berlin"]
    assert ids("--version", first.version) == ids("--version", first.version, "--as-of", "2026-05-01") == ["mem_berlin"]


def test_a_day_means_its_end_where_the_owner_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moved = LISBON.model_copy(update={"valid_from": at("2026-02-20T22:00")})
    build(tmp_path, memories=[moved], zone="-03:00")
    for day, n in (("2026-02-19", 0), ("2026-02-20", 1), ("2026-02-20T21:00Z", 0)):
        assert main(["recall", "--store", str(tmp_path), "--json", "--as-of", day, "live"]) == 0
        assert len(json.loads(capsys.readouterr().out)["results"]) == n
    assert main(["recall", "--store", str(tmp_path), "--as-of", "yesterday", "live"]) == 2
