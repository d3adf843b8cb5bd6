"""What holds of a store holds of it in a folder and under an object-store prefix: nights, readers, going back, forgetting, the inbox."""

from __future__ import annotations

import json
from typing import Any

import pytest

import slowwave
from adapters.remote import local
from flows.forget import forget, proof
from flows.rollback import resume, roll_back
from slowwave.cli import main
from slowwave.errors import VersionGone
from tasks.trace import Request
from tests.contract.objects import FLAGS, Home

Capture = pytest.CaptureFixture[str]


def test_a_night_publishes_and_the_next_one_goes_on_from_it(home: Home) -> None:
    home.said(1, "My cat is called Miso.")
    first = home.night("2026-03-02")
    assert first.status == "published"
    reader = slowwave.open(home.store)
    assert reader.version == first.version and "Miso" in reader.snapshot()
    home.on("another machine")
    home.said(2, "I live in Porto.")
    second = home.night("2026-03-03")
    assert second.status == "published" and home.night("2026-03-03").status == "nothing_to_do"
    assert reader.version == first.version
    assert reader.refresh() and reader.version == second.version
    assert "Porto" in home.recalls("Where do I live?") and "Miso" in home.recalls("What is my cat called?")
    assert [manifest.version for manifest in reader.log()] == [second.version, first.version]
    story = reader.why(reader.recall("Where do I live?", 1)[0].id)
    assert story.decisions and story.turns[0].text == "I live in Porto."


def test_the_same_words_make_the_same_version_wherever_the_store_is(remote: Home, tmp_path: Any) -> None:
    folder = Home(tmp_path / "store", lambda _: None)
    (tmp_path / "store").mkdir()
    for home in (folder, remote):
        home.said(1, "My cat is called Miso.")
    assert remote.night("2026-03-02").version == folder.night("2026-03-02").version


def test_going_back_holds_and_resume_goes_on(home: Home, capsys: Capture) -> None:
    home.said(1, "My cat is called Miso.")
    first = home.night("2026-03-02")
    home.said(2, "I live in Porto.")
    second = home.night("2026-03-03")
    home.on("another machine")
    roll_back(local(home.store), first.version or "")
    assert slowwave.open(home.store).version == first.version
    home.on("machine")
    held = home.night("2026-03-04")
    assert held.status == "held" and str(home.store) in held.warnings[0]
    assert main(["log", "--store", str(home.store), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["held"]["came_from"] == second.version
    resume(local(home.store))
    assert home.night("2026-03-04").status == "published"
    assert "ROLLBACK" not in home.files()
    assert "Porto" in home.recalls("Where do I live?")


def test_what_is_forgotten_leaves_no_byte(home: Home) -> None:
    home.said(1, "My sister Carlota is going through a divorce.")
    home.said(2, "I live in Porto.", session="s2")
    home.night("2026-03-02")
    home.said(3, "Carlota moved to Braga.", session="s3")
    home.night("2026-03-03")
    reader = slowwave.open(home.store)
    assert len(home.says("carlota", "divorce")) > 5
    home.on("another machine")
    done = forget(local(home.store), Request(entities=("Carlota",)), as_of=None, flags=FLAGS)
    assert done.exit_status == 0 and done.hits == [] and len(done.purged) == 2
    assert home.says("carlota", "divorce") == []
    folder = local(home.store)
    assert proof(folder) == []
    home.plant("runs/other/notes.txt", b"Carlota")
    assert [hit.path for hit in proof(folder)] == ["runs/other/notes.txt"]
    if reader._remote is not None:
        reader._remote._looked = 0.0
    assert "Carlota" not in " ".join(found.text for found in reader.recall("Who is my sister?"))
    assert reader.version == done.outcome.version and "removed meanwhile" in reader.warnings[-1]
    assert "Porto" in home.recalls("Where do I live?")


def test_what_is_beyond_retention_goes(home: Home) -> None:
    kept: dict[str, Any] = {"retention": {"keep_versions": 1, "grace_hours": 0}}
    nights = []
    for n, said in enumerate(["I live in Porto.", "My cat is called Miso.", "I play the cello."], 1):
        home.said(n, said)
        nights.append(home.night(f"2026-03-0{n + 1}", **kept).version)
    home.night("2026-03-05", **kept)
    paths = list(home.files())
    versions = {path.split("/")[1] for path in paths if path.startswith("published/")}
    # The second one stays, since the third one carries tables of it.
    assert versions == set(nights[1:])
    assert {path.split("/")[1] for path in paths if path.startswith("lance/")} <= versions
    assert slowwave.open(home.store).version == nights[2]
    with pytest.raises(VersionGone, match="is not in"):
        slowwave.open(home.store, "20260302-00000000")


def test_what_agents_append_is_read_by_the_next_night(home: Home) -> None:
    home.said(1, "I live in Porto.")
    slowwave.record(home.store, [{"session_id": "s9", "role": "user", "content": "I play the cello."}] * 2)
    asked = slowwave.flush(home.store, "s9", "near_compaction")
    assert "inbox/flush/" in str(asked)
    home.night("2026-03-02")
    reader = slowwave.open(home.store)
    assert home.memories() == ["I live in Porto.", "I play the cello."]
    told = reader.recall("Where do I live?", 1)[0]
    slowwave.feedback(home.store, told.id, "confirmed", trust="owner")
    slowwave.retract(home.store, "s1", "m1", platform="test")
    said = [path for path in home.files() if path.startswith("inbox/sessions/")]
    assert len(said) == (3 if home.is_remote else 2)
    outcome = home.night("2026-03-03")
    assert outcome.status == "published"
    assert "Porto" not in home.recalls("Where do I live?")


def test_the_commands_take_an_address(home: Home, capsys: Capture) -> None:
    home.said(1, "My cat is called Miso.")
    store = ["--store", str(home.store)]
    night = ["night", *store, "--as-of", "2026-03-02T03:00Z", "--embedder", "none", "--plain", "--quiet"]
    assert main(night) == 0
    told = capsys.readouterr().out
    assert f"slowwave recall --store {home.store}" in told
    for command in (["show"], ["recall", "What is my cat called?"], ["bundle", "What is my cat called?"]):
        assert main([command[0], *store, *command[1:]]) == 0
        assert "Miso" in capsys.readouterr().out
    assert main(["verify", *store]) == 0 and "nothing wrong" in capsys.readouterr().out
    assert main(["costs", *store]) == 0
    assert main(["forget", *store, "--text", "Miso", "--dry-run"]) == 0
    assert "1 memories rest on nothing else" in capsys.readouterr().out
    assert main(["rollback", *store, "20260302-00000000"]) == 4
    assert "is not in" in capsys.readouterr().err
